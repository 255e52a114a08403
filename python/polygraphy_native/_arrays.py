"""Arrays of NumPy and the native code's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from polygraphy_native import _native
from polygraphy_native._reporting import Error

if TYPE_CHECKING:
    import numpy as np

# Element types: their numbers in ONNX, and NumPy's or ml_dtypes' names, by name.
_NUMBERS = {name: number for number, name, *_ in _native.data_types()}
_NUMPY_NAMES = {name: theirs for _, name, _, theirs, *_ in _native.data_types()}
_NAMES_OF_NUMPY = {theirs: name for name, theirs in _NUMPY_NAMES.items()}


def _numpy_type(name: str) -> np.dtype[Any]:
    import numpy as np

    theirs = _NUMPY_NAMES[name]
    try:
        return np.dtype(theirs)
    except TypeError:
        pass  # a type of ml_dtypes, which registers none or some of its names
    try:
        import ml_dtypes
    except ImportError:
        raise Error(
            f"NumPy has no elements of type {name}.", "Install the package ml_dtypes."
        ) from None
    dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, theirs))
    return dtype


def _to_numpy(values: Any, dtype: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Of an array of the native code: a view, read-only. Texts are str objects, or bytes where they
    are not UTF-8."""
    import numpy as np

    if dtype != "string":
        return np.ndarray(shape, _numpy_type(dtype), buffer=values)
    texts = np.empty(len(values), dtype=object)
    for i, text in enumerate(values):
        try:
            texts[i] = text.decode()
        except UnicodeDecodeError:
            texts[i] = text
    return texts.reshape(shape)


def _to_native(array: Any, what: str) -> tuple[Any, int, tuple[int, ...]]:
    """The native form of an array: its bytes, the number of the element type, and the
    shape. The bytes are the array's own where they lie in C order and little endian."""
    import numpy as np

    array = np.asarray(array)
    kind = array.dtype.kind
    if kind in "OUS":
        texts = [_encoded(text, what) for text in array.reshape(-1).tolist()]
        return texts, _NUMBERS["string"], array.shape
    name = _NAMES_OF_NUMPY.get(array.dtype.name)
    if name is None:
        raise Error(f"{what}: arrays of type {array.dtype} have no counterpart in ONNX.")
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    shape = array.shape
    # Types of ml_dtypes have no buffers: the bytes do.
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8), _NUMBERS[name], shape


def _encoded(text: Any, what: str) -> bytes:
    if isinstance(text, bytes):
        return text
    if isinstance(text, str):
        return text.encode()
    raise Error(f"{what}: arrays of objects are texts, but one is {type(text).__name__}.")


_NUMBERS_OF_PYTHON = (bool, int, float, complex, str, bytes)


def _is_nested(value: Any) -> bool:
    """Whether a list is of Python's own numbers or texts at its bottom: NumPy makes it an array."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, _NUMBERS_OF_PYTHON)


def _array_of_list(value: Any, what: str) -> Any:
    import numpy as np

    try:
        array = np.asarray(value)
    except ValueError as error:
        raise Error(f"{what}: the list is not an array: {error}", "Give a numpy.array.") from None
    return _to_native(array, what)


def _value_to_native(value: Any, what: str) -> Any:
    """None (absent), an array or its equivalent, such as nested lists of numbers, or a list of
    these (a sequence)."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)) and _is_nested(value):
        return _array_of_list(value, what)
    if isinstance(value, (list, tuple)):
        return [_value_to_native(item, f"{what}[{i}]") for i, item in enumerate(value)]
    return _to_native(value, what)


def _feed_to_native(feed: Any) -> dict[str, Any]:
    if not isinstance(feed, Mapping):
        raise Error(
            f"Inputs are dicts of names and arrays, but one is {type(feed).__name__}.",
            "Give a dict, an iterable of dicts, or the path of saved inputs.",
        )
    return {str(name): _value_to_native(value, f"input '{name}'") for name, value in feed.items()}
