"""Conversion from and to ONNX's data types, which are plain numbers."""

from __future__ import annotations

from polygraphy.datatype.datatype import (
    DataType,
    inverted,
    register_dtype_exporter,
    register_dtype_importer,
)

# The numbers are part of the file format (`TensorProto.DataType` in onnx.proto): asking the
# module `onnx` for them would cost its import.
_MAPPING = {
    DataType.FLOAT32: 1,
    DataType.UINT8: 2,
    DataType.INT8: 3,
    DataType.UINT16: 4,
    DataType.INT16: 5,
    DataType.INT32: 6,
    DataType.INT64: 7,
    DataType.STRING: 8,
    DataType.BOOL: 9,
    DataType.FLOAT16: 10,
    DataType.FLOAT64: 11,
    DataType.UINT32: 12,
    DataType.UINT64: 13,
    DataType.BFLOAT16: 16,
    DataType.FLOAT8E4M3FN: 17,
    DataType.FLOAT8E4M3FNUZ: 18,
    DataType.FLOAT8E5M2: 19,
    DataType.FLOAT8E5M2FNUZ: 20,
    DataType.INT4: 22,
}
_INVERSE = inverted(_MAPPING)


@register_dtype_importer("onnx")
def from_onnx(onnx_type):
    """The data type for a value of `onnx.TensorProto.DataType`."""
    return _INVERSE.get(onnx_type) if isinstance(onnx_type, int) else None


@register_dtype_exporter("onnx")
def from_datatype(self):
    """The value of `onnx.TensorProto.DataType` for a data type."""
    return _MAPPING.get(self)
