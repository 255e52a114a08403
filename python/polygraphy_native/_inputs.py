"""The feeds of inferences."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence, Union

from polygraphy_native._arrays import _feed_to_native
from polygraphy_native._reporting import Error

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
    common = {} if val_range is None else {"": val_range}
    ranges = val_range if isinstance(val_range, Mapping) else common
    return {
        "feeds": feeds,
        "files": files,
        "seed": seed,
        "iterations": iterations,
        "val_range": {name: _bounds(given, name) for name, given in ranges.items()},
        "shapes": _shapes_to_native(input_shapes),
        "valid_inputs": valid,
    }


def _bounds(given: Any, name: str) -> tuple[float, float]:
    import numpy as np

    try:
        if isinstance(given, str) or np.iscomplexobj(given):
            raise TypeError
        low, high = given
        return float(low), float(high)
    except (TypeError, ValueError, OverflowError):
        of = f" of input '{name}'" if name else ""
        raise Error(
            f"val_range{of} is not two numbers: {given!r}.", "Give (least, greatest)."
        ) from None


def _converted(feeds: Iterable[Feed]) -> Iterator[dict[str, Any]]:
    return (_feed_to_native(feed) for feed in feeds)


def _shapes_to_native(shapes: Mapping[str, Shape] | None) -> dict[str, Any]:
    if shapes is not None and not isinstance(shapes, Mapping):
        raise TypeError(f"input_shapes is a dict of names and shapes, not {type(shapes).__name__}")
    return {name: (None, _dimensions(shape, name)) for name, shape in (shapes or {}).items()}


def _dimensions(shape: Shape, name: str) -> list[int | str | None]:
    if isinstance(shape, str):  # a sequence, too: of letters
        raise Error(
            f"The shape of input '{name}' is the text {shape!r}.", "Give its dimensions: [1, 4]."
        )
    try:
        return list(shape)
    except TypeError:
        kind = type(shape).__name__
        raise TypeError(f"the shape of input '{name}' is a list of numbers, not {kind}") from None
