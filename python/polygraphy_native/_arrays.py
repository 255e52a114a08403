"""Arrays of NumPy and the native code's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from polygraphy_native._reporting import Error

if TYPE_CHECKING:
    import numpy as np

# Names of element types, at the places of their numbers in ONNX.
_NAMES = (
    "undefined float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 "
    "uint64 complex64 complex128 bfloat16 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz "
    "uint4 int4 float4 float8e8m0 uint2 int2 float6e2m3 float6e3m2"
).split()
_NUMBERS = {name: number for number, name in enumerate(_NAMES)}

# Of those that only ml_dtypes has.
_ML_DTYPES = {
    "bfloat16": "bfloat16",
    "float8e4m3fn": "float8_e4m3fn",
    "float8e4m3fnuz": "float8_e4m3fnuz",
    "float8e5m2": "float8_e5m2",
    "float8e5m2fnuz": "float8_e5m2fnuz",
    "float8e8m0": "float8_e8m0fnu",
    "uint4": "uint4",
    "int4": "int4",
    "uint2": "uint2",
    "int2": "int2",
    "float4": "float4_e2m1fn",
    "float6e2m3": "float6_e2m3fn",
    "float6e3m2": "float6_e3m2fn",
}
_NAMES_OF_ML_DTYPES = {theirs: ours for ours, theirs in _ML_DTYPES.items()}


def _numpy_type(name: str) -> np.dtype[Any]:
    import numpy as np

    if name not in _ML_DTYPES:
        return np.dtype(name)
    try:
        import ml_dtypes
    except ImportError:
        raise Error(
            f"NumPy has no elements of type {name}.", "Install the package ml_dtypes."
        ) from None
    dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, _ML_DTYPES[name]))
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
    """What the native code takes for an array: its bytes, the number of the element type, and the
    shape. The bytes are those of the array itself where they lie in C order and little endian."""
    import numpy as np

    array = np.asarray(array)
    kind = array.dtype.kind
    if kind in "OUS":
        texts = [_encoded(text, what) for text in array.reshape(-1).tolist()]
        return texts, _NUMBERS["string"], array.shape
    name = _NAMES_OF_ML_DTYPES.get(array.dtype.name, array.dtype.name)
    if name not in _NUMBERS:
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


def _value_to_native(value: Any, what: str) -> Any:
    """None (absent), a list (a sequence), or what is an array."""
    if value is None:
        return None
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
