"""Input data as runners need it."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from typing import Any, Callable, Optional

from polygraphy import util
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER
from polygraphy.logger._progress import over
from polygraphy.mod._lazy_modules import np


def coerce_buffer(buffer, name: str, dtype, shape):
    """An array in the data type and shape that an input wants, with warnings where it had others.

    Args:
        buffer: The array.
        name: The input.
        dtype: Its data type, or None.
        shape: Its shape, or None.

    Raises:
        PolygraphyException: If it cannot be brought there.
    """
    buffer_dtype, buffer_shape = util.array.dtype(buffer), util.array.shape(buffer)

    dtype = DataType.from_dtype(dtype) if dtype is not None else None
    if dtype is not None and buffer_dtype != dtype:
        G_LOGGER.warning(
            f"Input tensor: {name} | Buffer dtype ({buffer_dtype}) does not match expected input "
            f"dtype ({dtype}), attempting to cast."
        )
        if (dtype.is_integral or dtype.is_floating) and not util.is_empty_shape(buffer_shape):
            limits = np.iinfo if dtype.is_integral else np.finfo
            info = limits(DataType.to_dtype(dtype, "numpy"))
            least, greatest = util.array.min(buffer).real, util.array.max(buffer).real
            if least < info.min or greatest > info.max:
                G_LOGGER.warning(
                    f"Some values in this input are out of range of {dtype}. "
                    "Unexpected behavior may ensue!"
                )
        buffer = util.array.cast(buffer, dtype)

    if not util.is_valid_shape_override(buffer_shape, shape):
        G_LOGGER.warning(
            f"Input tensor: {name} | Buffer shape ({buffer_shape}) does not match expected input "
            f"shape ({shape}). Attempting to transpose/reshape."
        )
        buffer = util.try_match_shape(buffer, shape)

    wrong_dtype = dtype is not None and util.array.dtype(buffer) != dtype
    if wrong_dtype or not util.is_valid_shape_override(util.array.shape(buffer), shape):
        G_LOGGER.critical(
            f"Input tensor: {name} | Cannot reuse input data due to mismatch in shape or data "
            f"type.\nNote: Provided input: [dtype={util.array.dtype(buffer)}, "
            f"shape={util.array.shape(buffer)}], Requested input: [dtype={dtype}, shape={shape}]"
        )
    return buffer


def _name_of_input(name: str, index: int, feed_dict) -> str:
    """The name of an input in a feed. Raises PolygraphyException if the feed lacks the input."""
    found = util.find_str_in_iterable(name, feed_dict.keys(), index)
    if found is None:
        G_LOGGER.critical(f"Input tensor: {name} | Does not exist in the provided input data.")
    if found != name:
        G_LOGGER.warning(
            f"Input tensor: {name} | Buffer name ({found}) does not match expected "
            f"input name ({name})."
        )
    return found


def coerce_feed_dict(feed_dict, input_metadata, fallback: Optional[Callable] = None):
    """Inputs as a model wants them: only those that it has, by its names, types and shapes.

    Args:
        feed_dict: Name -> array.
        input_metadata: The inputs of the model, TensorMetadata.
        fallback: Gets a name and returns another array for it, where the one given does not fit.
    """
    coerced = OrderedDict()
    for index, (name, (dtype, shape)) in enumerate(input_metadata.items()):
        try:
            given = feed_dict[_name_of_input(name, index, feed_dict)]
            coerced[name] = coerce_buffer(given, name, dtype, shape)
        except PolygraphyException:
            if fallback is None:
                raise
            G_LOGGER.warning(
                f"Could not use the provided buffer for input: {name}. Attempting to reload it "
                "from the data loader (this only works if the data loader supports random "
                "access).\nPlease refer to warnings above for details on why the buffer didn't "
                "work. "
            )
            try:
                coerced[name] = coerce_buffer(fallback(name), name, dtype, shape)
            except Exception:
                # Data loaders may raise anything where they cannot be indexed.
                G_LOGGER.critical(
                    f"Input tensor: {name} | Could not use the provided input and could not "
                    "reload a replacement from the data loader.\nInputs loaded from files "
                    "(--load-inputs) are read as-is; if the runners run different models, use a "
                    "data loader that can generate matching inputs."
                )
    return coerced


def _is_feed_dict(obj: Any) -> bool:
    from polygraphy.comparator.struct import RunResults

    is_mapping = hasattr(obj, "items") and hasattr(obj, "keys")
    return (
        is_mapping
        and not isinstance(obj, RunResults)
        and all(isinstance(name, str) for name in obj.keys())
    )


def check_feed_dict(obj: Any, source: str = "data loader") -> None:
    """Checks that something is a dictionary of name -> array.

    Args:
        obj: The object.
        source: Where it is from, for the message.

    Raises:
        PolygraphyException: If it is not.
    """
    if _is_feed_dict(obj):
        return
    from polygraphy.comparator.struct import RunResults

    hint = ""
    if isinstance(obj, RunResults):
        hint = (
            "\nHint: This is a `RunResults` object (e.g. generated with `--save-outputs`). Use the "
            "`data merge` tool to convert it to a feed_dict-compatible format."
        )
    G_LOGGER.critical(
        f"The {source} returned an object that cannot be recognized as a feed_dict "
        "(Dict[str, Union[np.ndarray, torch.Tensor, DeviceView]]):\n"
        f"Note: The object was:\n{obj}.{hint}"
    )


class DataLoaderCache:
    """Inputs that every runner gets, although a data loader may give them once only.

    Args:
        data_loader: Something that can be iterated for dictionaries of name -> array.
    """

    def __init__(self, data_loader):
        self.data_loader = data_loader
        self.cache: list = []

    def __len__(self) -> int:
        return len(self.cache)

    def __getitem__(self, iteration: int):
        """The inputs of one iteration, as the present runner wants them.

        Raises:
            IndexError: After the last iteration.
        """
        if iteration >= len(self.cache):
            raise IndexError()
        return coerce_feed_dict(
            self.cache[iteration],
            self.input_metadata,
            fallback=lambda name: self.data_loader[iteration][name],
        )

    def set_input_metadata(self, input_metadata) -> None:
        """Sets the inputs of the present runner; the first time, reads all feeds of the loader.

        Args:
            input_metadata: TensorMetadata of the runner's inputs.
        """
        self.input_metadata = input_metadata
        # An object without attributes, such as a list or a generator, is left as it is.
        with contextlib.suppress(AttributeError):
            self.data_loader.input_metadata = input_metadata

        if self.cache:
            return
        G_LOGGER.verbose("Loading inputs from data loader")
        for feed_dict in over(self.data_loader, "input"):
            check_feed_dict(feed_dict)
            self.cache.append(feed_dict)
        if not self.cache:
            G_LOGGER.warning("Data loader did not yield any input data.")
