"""Conversions of single values between Python and ONNX, which the native code calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onnx_graphsurgeon._element_types import array_dtype, dtype_to_onnx, get_itemsize
from onnx_graphsurgeon.importers import onnx_importer
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util import misc
from onnx_graphsurgeon.util.lazy_module import LazyModule

if TYPE_CHECKING:
    import numpy as np
    import onnx

    from onnx_graphsurgeon.ir.tensor import Constant
else:
    np = LazyModule("numpy")
    onnx = LazyModule("onnx")


def array_view(constant: Constant) -> tuple[Any, int, tuple[int, ...]]:
    """The values of a constant as a model has them.

    Returns: The elements in C order (bytes, little endian, packed as ONNX packs small types; of
        texts, a list of bytes), the number of the element type, and the dimensions.
    """
    array = np.asarray(constant._values)
    number = dtype_to_onnx(array.dtype)
    if constant._export_dtype is not None:
        wanted = dtype_to_onnx(constant._export_dtype)
        if wanted != number:
            number, array = wanted, _converted(array, wanted)
    if number == onnx.TensorProto.STRING:
        return [_encoded(text) for text in array.reshape(-1)], number, array.shape
    return _packed(array, number), number, array.shape


def _converted(array: np.ndarray, number: int) -> np.ndarray:
    """The elements in another type. Floats of 8 bits and less have their largest number instead of
    an infinity."""
    target = np.dtype(array_dtype(number))
    if target.itemsize == 1 and target.name.startswith("float"):
        import ml_dtypes

        largest = float(ml_dtypes.finfo(target).max)
        array = np.clip(array, -largest, largest)
    return array.astype(target)


def _encoded(text: Any) -> bytes:
    if isinstance(text, str):
        return text.encode("utf-8")
    if not isinstance(text, bytes):
        raise TypeError(f"{text!r} in the values of a constant is neither a number nor a text")
    return bytes(text)


def _packed(array: np.ndarray, number: int) -> Any:
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    # Types of ml_dtypes have no buffers: the bytes do.
    elements = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    share = 1 if array.dtype.isbuiltin == 1 else get_itemsize(number)
    if share >= 1:
        return elements.data
    bits = np.unpackbits(elements[:, None], axis=1, bitorder="little")[:, : int(8 * share)]
    return np.packbits(bits.reshape(-1), bitorder="little").data


def attribute_bytes(name: str, value: Any) -> bytes:
    """An encoded AttributeProto.

    Raises as ONNX for values that no attribute can have, as None and an empty list.
    """
    if isinstance(value, Node.AttributeRef):
        return _reference(name, value).SerializeToString()
    if isinstance(value, type):
        value = dtype_to_onnx(value)
    return onnx.helper.make_attribute(name, value).SerializeToString()


def _reference(name: str, value: Node.AttributeRef) -> onnx.AttributeProto:
    kind = misc.convert_to_onnx_attr_type(value.type)
    if kind is None:
        raise TypeError(f"attribute '{name}' refers to '{value.name}' of no type of attributes")
    reference = onnx.AttributeProto(name=name, ref_attr_name=value.name, type=kind)
    if kind == onnx.AttributeProto.TENSOR:
        # Viewers of models read the tensor without asking whether there is one.
        reference.t.CopyFrom(
            onnx.TensorProto(dims=[1], data_type=onnx.TensorProto.FLOAT, raw_data=bytes(4), name="")
        )
    return reference


def attribute_value(encoded: bytes) -> tuple[bool, Any]:
    """Decodes an AttributeProto for a node: whether it is kept, and its value.

    Kinds that graphs do not have are left out with a warning.
    """
    proto = onnx.AttributeProto.FromString(encoded)
    kind = onnx_importer.__getattr__("ATTR_TYPE_MAPPING").get(proto.type, str(proto.type))
    field = onnx_importer.ONNX_PYTHON_ATTR_MAPPING.get(kind)
    if field is None:
        G_LOGGER.warning(f"Attribute of type {kind} is currently unsupported. Skipping attribute.")
        return False, None
    if proto.ref_attr_name:
        python_type = misc.convert_from_onnx_attr_type(proto.type)
        return True, Node.AttributeRef(proto.ref_attr_name, python_type)
    value = getattr(proto, field)
    if kind == "STRING":
        return True, _text(value)
    if kind == "STRINGS":
        return True, [_text(item) for item in value]
    if kind == "TENSOR":
        return True, onnx_importer.OnnxImporter.import_tensor(value)
    if kind == "GRAPH":
        return True, onnx_importer.OnnxImporter.import_graph(value)
    return True, list(value) if field.endswith("s") else value


def _text(value: bytes) -> Any:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value
