"""The feeds of inferences."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence, Union

from polygraphy_native._arrays import _feed_to_native

if TYPE_CHECKING:
    import numpy as np

    # A tensor, the items of a sequence, or nothing for an optional input.
    InputValue = Union[np.ndarray[Any, Any], Sequence[Any], None]
    Feed = Mapping[str, InputValue]
    # One set of inputs, several, the path of saved ones, or None: generated.
    Inputs = Union[Feed, Iterable[Feed], str, "os.PathLike[str]", None]

Shape = Sequence[Union[int, str, None]]


def _inputs_to_native(
    inputs: Inputs,
    *,
    seed: int = 1,
    iterations: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    input_shapes: Mapping[str, Shape] | None = None,
    valid: bool = False,
    again: bool = False,
) -> dict[str, Any]:
    """`again`: the caller may iterate over them more than once."""
    files: list[str] = []
    feeds: Any = None
    if isinstance(inputs, (str, os.PathLike)):
        files = [os.fspath(inputs)]
    elif isinstance(inputs, Mapping):
        feeds = [_feed_to_native(inputs)]
    elif inputs is not None:
        feeds = list(_converted(inputs)) if again else _converted(inputs)
    ranges = val_range if isinstance(val_range, Mapping) else {"": val_range} if val_range else {}
    return {
        "feeds": feeds,
        "files": files,
        "seed": seed,
        "iterations": iterations,
        "val_range": {name: (float(low), float(high)) for name, (low, high) in ranges.items()},
        "shapes": _shapes_to_native(input_shapes),
        "valid": valid,
    }


def _converted(feeds: Iterable[Feed]) -> Iterator[dict[str, Any]]:
    return (_feed_to_native(feed) for feed in feeds)


def _shapes_to_native(shapes: Mapping[str, Shape] | None) -> dict[str, Any]:
    return {name: (None, list(shape)) for name, shape in (shapes or {}).items()}
