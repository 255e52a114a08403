"""Conversion from and to ONNX-Runtime's data types, which are strings."""

from __future__ import annotations

from polygraphy.datatype.datatype import (
    DataType,
    inverted,
    register_dtype_exporter,
    register_dtype_importer,
)

_NAMES = """float16 int4 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool string bfloat16
    float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz"""

_MAPPING = {
    DataType.FLOAT64: "tensor(double)",
    DataType.FLOAT32: "tensor(float)",
    **{getattr(DataType, name.upper()): f"tensor({name})" for name in _NAMES.split()},
}
_INVERSE = inverted(_MAPPING)


@register_dtype_importer("onnxruntime")
def from_onnxrt(onnxrt_type):
    """The data type for a string such as `"tensor(float)"`."""
    return _INVERSE.get(onnxrt_type) if isinstance(onnxrt_type, str) else None


@register_dtype_exporter("onnxruntime")
def from_datatype(self):
    """The string that ONNX-Runtime uses for a data type."""
    return _MAPPING.get(self)
