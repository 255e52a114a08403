"""Checks of inputs and of calls."""

from __future__ import annotations

from polygraphy import util
from polygraphy.logger import G_LOGGER


def check_inputs(feed_dict: dict, input_metadata) -> None:
    """Checks inputs against what a runner expects: names, data types and shapes.

    Args:
        feed_dict: Name -> array. Plain integers are addresses, of which only names are checked.
        input_metadata: TensorMetadata of the runner's inputs.

    Raises:
        PolygraphyException: If they do not agree.
    """
    util.check_sequence_contains(
        feed_dict.keys(), input_metadata.keys(), name="input data", items_name="inputs"
    )

    for name, inp in feed_dict.items():
        if isinstance(inp, int):
            continue
        meta = input_metadata[name]
        dtype = util.array.dtype(inp)
        if meta.dtype is not None and dtype != meta.dtype:
            G_LOGGER.critical(
                f"Input tensor: {name} | Received unexpected dtype: {dtype}.\n"
                f"Note: Expected type: {meta.dtype}"
            )
        shape = util.array.shape(inp)
        if not util.is_valid_shape_override(shape, meta.shape):
            G_LOGGER.critical(
                f"Input tensor: {name} | Received incompatible shape: {shape}.\n"
                f"Note: Expected a shape compatible with: {meta.shape}"
            )


def warn_of_direct_calls(cls: type, **callers: str) -> None:
    """Makes methods of a class warn where something else than their caller calls them, see
    `util.check_called_by`. Users' classes decide for themselves.

    Args:
        cls: A new class.
        callers: Method -> the public method that calls it.
    """
    if cls.__module__.split(".")[0] == "polygraphy":
        for name, caller in callers.items():
            if name in vars(cls):
                setattr(cls, name, util.check_called_by(caller)(vars(cls)[name]))
