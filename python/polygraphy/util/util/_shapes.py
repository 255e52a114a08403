"""Shapes, and arrays brought to them."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

from polygraphy import constants, mod
from polygraphy.logger import G_LOGGER
from polygraphy.util import array as array_util
from polygraphy.util.util._values import default


def is_dimension_dynamic(dim: Any) -> bool:
    """Whether a dimension is anything but a number that is not negative."""
    return not isinstance(dim, int) or dim < 0


def num_dynamic_dimensions(shape: Sequence) -> int:
    return sum(map(is_dimension_dynamic, shape))


@mod.export()
def is_shape_dynamic(shape: Sequence) -> bool:
    """Whether any dimension is dynamic."""
    return num_dynamic_dimensions(shape) > 0


@mod.export()
def is_valid_shape_override(new_shape: Sequence, original_shape: Optional[Sequence]) -> bool:
    """Whether a shape agrees with another one wherever that is static."""
    if original_shape is None:
        return True
    return len(new_shape) == len(original_shape) and all(
        is_dimension_dynamic(original) or new == original
        for new, original in zip(new_shape, original_shape)
    )


@mod.export()
def override_dynamic_shape(shape: Sequence, default_shape_value: Optional[int] = None) -> list:
    """A shape with a number, 1 if none is given, in place of every dynamic dimension."""
    value = default(default_shape_value, constants.DEFAULT_SHAPE_VALUE)
    return [value if is_dimension_dynamic(dim) else dim for dim in shape]


@mod.export()
def volume(obj: Sequence[int]) -> int:
    """The number of elements of a shape."""
    return math.prod(obj)


@mod.export()
def is_empty_shape(shape: Sequence[int]) -> bool:
    return volume(shape) == 0


def _has_rank_of(arr, shape: Sequence) -> bool:
    return len(array_util.shape(arr)) == len(shape)


def _try_reshape(arr, shape: Sequence):
    """The array with its elements in another shape; as it was, with a warning, if they do not fit."""
    original_shape = array_util.shape(arr)
    try:
        arr = arr.reshape(shape)
    except (ValueError, RuntimeError, TypeError):
        G_LOGGER.warning(
            f"Could not reshape array from shape: {array_util.shape(arr)} to {shape}. "
            "Skipping reshape."
        )
    else:
        if array_util.shape(arr) != original_shape:
            G_LOGGER.info(
                f"Reshaped array from shape: {original_shape} to: {array_util.shape(arr)}"
            )
    return arr


def _try_permute(arr, shape: Sequence):
    """The array with its axes in another order; as it was if no order gives the shape."""
    original_shape = array_util.shape(arr)
    if sorted(original_shape) != sorted(shape):
        G_LOGGER.extra_verbose(f"Array of shape: {original_shape} cannot be permuted to: {shape}")
        return arr
    free = list(range(len(original_shape)))
    perm = []
    for dim in shape:
        axis = next(axis for axis in free if original_shape[axis] == dim)
        free.remove(axis)
        perm.append(axis)
    arr = array_util.transpose(arr, perm)
    if array_util.shape(arr) != original_shape:
        G_LOGGER.info(
            f"Permuted array of shape: {original_shape} to: {array_util.shape(arr)} "
            f"using permutation {perm}"
        )
    return arr


def _without_dynamic_dimensions(arr, shape: Sequence) -> Sequence:
    """The shape with numbers for dynamic dimensions, as far as the array determines them."""
    if num_dynamic_dimensions(shape) == 1:
        static = volume([dim for dim in shape if not is_dimension_dynamic(dim)])
        count = array_util.size(arr) // static if static else 0
        return [count if is_dimension_dynamic(dim) else dim for dim in shape]
    if _has_rank_of(arr, shape):
        return [
            actual if is_dimension_dynamic(dim) else dim
            for dim, actual in zip(shape, array_util.shape(arr))
        ]
    return shape


@mod.export()
def try_match_shape(arr, shape: Sequence):
    """An array brought to a shape, by a permutation of its axes if one does, else by a reshape.

    Args:
        arr: A NumPy array or torch tensor.
        shape: The shape; dynamic dimensions are taken from the array.

    Returns:
        The array; as it was, with a message, if the shape cannot be had.
    """
    if shape == array_util.shape(arr):
        return arr
    if is_shape_dynamic(shape):
        shape = _without_dynamic_dimensions(arr, shape)
    if not _has_rank_of(arr, shape):
        arr = _try_reshape(arr, shape)
    if _has_rank_of(arr, shape):
        arr = _try_permute(arr, shape)
    return _try_reshape(arr, shape)
