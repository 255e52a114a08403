"""Inference on inputs without names: lists in, lists out. Of no release; scripts use it."""

from __future__ import annotations

import contextlib
import copy

from polygraphy import util
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException
from polygraphy.mod._lazy_modules import np


def _as_array(value, meta):
    dtype = None if meta.dtype is None else DataType.to_dtype(meta.dtype, "numpy")
    return np.asarray(value, dtype=dtype)


def _feed_dict(values: list, input_metadata) -> dict:
    """The inputs by name. The value of an only input may be given itself, not in a list."""
    if len(input_metadata) == 1:
        ((name, meta),) = input_metadata.items()
        try:
            whole = _as_array(values, meta)
        except ValueError:  # arrays of several shapes
            pass
        else:
            if util.is_valid_shape_override(whole.shape, meta.shape):
                return {name: whole}
    if len(values) != len(input_metadata):
        raise PolygraphyException(
            f"{len(values)} inputs were given for {len(input_metadata)}: {list(input_metadata)}"
        )
    return {
        name: _as_array(value, meta) for value, (name, meta) in zip(values, input_metadata.items())
    }


def infer_values(runner, values, *args, **kwargs) -> list:
    """Runs inference on a runner, which is active only for this call if it was not.

    Args:
        runner: The runner.
        values: The inputs in the runner's order, or the value of its only input.
        args: For `infer`.
        kwargs: The same.

    Returns:
        The outputs in the runner's order; copies.
    """
    with contextlib.nullcontext() if runner.is_active else runner:
        feed_dict = _feed_dict(values, runner.get_input_metadata(use_numpy_dtypes=False))
        return copy.deepcopy(list(runner.infer(feed_dict, True, *args, **kwargs).values()))
