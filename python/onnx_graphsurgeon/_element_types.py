"""Element types: their names in NumPy and ONNX, and their forms in messages of ONNX."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Dict, List, Union

from onnx_graphsurgeon import _extension
from onnx_graphsurgeon.logger.logger import G_LOGGER, LogMode
from onnx_graphsurgeon.util.lazy_module import LazyModule

if TYPE_CHECKING:
    import numpy as np
    import onnx
else:
    np = LazyModule("numpy")
    onnx = LazyModule("onnx")

STRING = 8  # onnx.TensorProto.STRING

# Element types that stay numbers in graphs although ml_dtypes has types for them.
_KEPT_AS_NUMBERS = ("BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ")


@lru_cache(maxsize=None)
def _table() -> Dict[str, Any]:
    """The element types of the native libraries: ONNX's name -> NumPy's or ml_dtypes' name, and the
    bytes of one element, less than one where several share bytes."""
    rows = _extension.load().data_types()
    return {name: (numpy_name, bits / 8) for _, _, name, numpy_name, _, bits in rows}


@lru_cache(maxsize=None)
def _onnx_names() -> Dict[str, str]:
    """ONNX's names of the types of ml_dtypes."""
    own = {np.dtype(code).name for code in np.typecodes["All"]}
    return {theirs: name for name, (theirs, _) in _table().items() if theirs not in own}


def dtype_to_onnx(dtype: Union["np.dtype", "onnx.TensorProto.DataType"]) -> int:
    """The number of onnx.TensorProto.DataType for a type; a number stays.

    Raises RuntimeError if the installed ONNX does not have the type yet, ValueError if no ONNX has.
    """
    if isinstance(dtype, int):
        return dtype
    numpy_type = np.dtype(dtype)
    if numpy_type.isbuiltin == 1:
        return _number_of_numpy_type(numpy_type)
    name = _onnx_names().get(numpy_type.name)
    if name is None:
        return onnx.helper.np_dtype_to_tensor_dtype(numpy_type)
    number = getattr(onnx.TensorProto, name, None)
    if number is None:
        raise RuntimeError(
            f"The installed ONNX {onnx.__version__} has no TensorProto.{name}, which stands for "
            f"{numpy_type}: install a newer one."
        )
    return number


@lru_cache(maxsize=None)
def _number_of_numpy_type(numpy_type: np.dtype) -> int:
    return onnx.helper.np_dtype_to_tensor_dtype(numpy_type)


def get_onnx_tensor_shape(
    onnx_tensor: Union["onnx.ValueInfoProto", "onnx.TensorProto"],
) -> List[int]:
    """The dimensions of a tensor; of a ValueInfoProto with names, and None for unknown ones.

    None for an unknown rank, and for types that are not dense tensors.
    """
    if isinstance(onnx_tensor, (onnx.TensorProto, onnx.SparseTensorProto)):
        return onnx_tensor.dims
    if not onnx_tensor.type.tensor_type.HasField("shape"):
        return None  # type: ignore[return-value]

    def size(dim: Any) -> Any:
        if dim.HasField("dim_param"):
            return dim.dim_param
        return dim.dim_value if dim.HasField("dim_value") else None

    return [size(dim) for dim in onnx_tensor.type.tensor_type.shape.dim]


def get_dtype_name(onnx_type: int) -> str:
    """The name of a number of onnx.TensorProto.DataType. Raises KeyError if it has none."""
    names = {number: name for name, number in onnx.TensorProto.DataType.items()}
    return names[onnx_type]


@lru_cache(maxsize=None)
def _encoded_sizes(tensor_proto: Any) -> Dict[int, float]:
    """The bytes of one element of types that stay numbers or share bytes, by the numbers that this
    ONNX has for the types."""
    return {
        getattr(tensor_proto, name): int(size) if size >= 1 else size
        for name, (_, size) in _table().items()
        if (name in _KEPT_AS_NUMBERS or 0 < size < 1) and hasattr(tensor_proto, name)
    }


def get_itemsize(dtype: Any) -> Any:
    """The bytes of one element in a model: less than one where several share bytes.

    Args:
        dtype: A type of NumPy, or a number of onnx.TensorProto.DataType.
    """
    if isinstance(dtype, int):
        size = _encoded_sizes(onnx.TensorProto).get(dtype)
        if size is not None:
            return size
    found = get_numpy_type(dtype)
    if found is None:
        G_LOGGER.critical(f"Unsupported type: {dtype}")
    found = np.dtype(found)
    if found.isbuiltin == 1:  # one of NumPy's own
        return found.itemsize
    _, size = _table().get(_onnx_names().get(found.name), (None, 1))
    return size if size < 1 else found.itemsize


def get_numpy_type(onnx_type: Any) -> Any:
    """The type of NumPy for a number of onnx.TensorProto.DataType, or None.

    Anything but a number counts as a type already. None stands for types that graphs keep
    encoded: bfloat16 and the types of 8-bit floats.
    """
    if not isinstance(onnx_type, int):
        return onnx_type
    if onnx_type in (getattr(onnx.TensorProto, name, None) for name in _KEPT_AS_NUMBERS):
        return None
    return array_dtype(onnx_type)


def array_dtype(onnx_type: int) -> Any:
    """The type of an array with elements of that ONNX type, one of ml_dtypes if need be; or None.

    Graphs have numbers instead of some of these types, see get_numpy_type().
    """
    try:
        return onnx.helper.tensor_dtype_to_np_dtype(onnx_type)
    except KeyError:
        return None


def imported_dtype(onnx_type: int) -> Any:
    """The dtype of an imported tensor: a NumPy type if there is one, or the number."""
    numpy_type = get_numpy_type(onnx_type)
    if numpy_type is not None:
        return numpy_type
    G_LOGGER.warning(
        f"Could not convert: {get_dtype_name(onnx_type)} to a corresponding NumPy type. "
        "The original ONNX type will be preserved. ",
        mode=LogMode.ONCE,
    )
    return onnx_type


def get_onnx_tensor_dtype(
    onnx_tensor: Union["onnx.ValueInfoProto", "onnx.TensorProto"],
) -> Union["np.dtype", "onnx.TensorProto.DataType"]:
    """The element type of a tensor or of the elements of a sequence, as imported tensors have it.

    For types of maps and optional values, the TypeProto of their contents.
    """
    if isinstance(onnx_tensor, onnx.TensorProto):
        return imported_dtype(onnx_tensor.data_type)
    if isinstance(onnx_tensor, onnx.SparseTensorProto):
        return imported_dtype(onnx_tensor.values.data_type)
    kind = get_onnx_tensor_type(onnx_tensor)
    if kind is None:
        return None  # type: ignore[return-value]
    held = getattr(onnx_tensor.type, kind)
    if kind == "sequence_type":
        held = held.elem_type.tensor_type
    elif kind == "map_type":
        return held.value_type
    return held.elem_type if kind == "optional_type" else imported_dtype(held.elem_type)


def get_onnx_tensor_type(onnx_tensor: Union["onnx.ValueInfoProto", "onnx.TensorProto"]) -> str:
    """The field of onnx.TypeProto that is set, or None. Initializers are of "tensor_type"."""
    if isinstance(onnx_tensor, onnx.TensorProto):
        return "tensor_type"
    if isinstance(onnx_tensor, onnx.SparseTensorProto):
        return "sparse_tensor_type"
    return onnx_tensor.type.WhichOneof("value")
