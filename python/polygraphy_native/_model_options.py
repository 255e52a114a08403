"""Options of a model's methods, as the extension takes them."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence

from polygraphy_native._inputs import Shape
from polygraphy_native._reporting import Error


def _fold_options(
    num_passes: int | None,
    partitioning: str | None,
    fold_shapes: bool,
    per_pass_shape_inference: bool,
    size_threshold: int | None,
    max_growth: int | None,
    mem_limit: int | None,
    skip_rules: Sequence[str],
    keep_input_defaults: bool,
) -> dict[str, Any]:
    if partitioning not in (None, "basic", "recursive"):
        raise Error(
            f"There is no partitioning {partitioning!r}.", "There are: 'basic', 'recursive', None."
        )
    return {
        "num_passes": num_passes,
        "partitioning": partitioning,
        "fold_shapes": fold_shapes,
        "per_pass_shape_inference": per_pass_shape_inference,
        "size_threshold": size_threshold,
        "max_growth": max_growth,
        "mem_limit": mem_limit,
        "skip_rules": list(skip_rules),
        "keep_input_defaults": keep_input_defaults,
    }


def _bounds(bounds: int | Mapping[str, int] | None) -> dict[str, int]:
    """Upper bounds by name, with that for all other tensors as ""."""
    if isinstance(bounds, Mapping):
        return dict(bounds)
    return {} if bounds is None else {"": bounds}


def _ports(names: Iterable[str] | Mapping[str, Shape | None] | None) -> dict[str, Any] | None:
    if names is None:
        return None
    shapes = names if isinstance(names, Mapping) else {}
    return {name: (None, None if (shape := shapes.get(name)) is None else list(shape))
            for name in names}  # fmt: skip
