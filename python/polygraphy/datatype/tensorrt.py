"""Conversion from and to TensorRT's data types."""

from __future__ import annotations

import sys

from polygraphy import config
from polygraphy.datatype.datatype import (
    DataType,
    inverted,
    register_dtype_exporter,
    register_dtype_importer,
)
from polygraphy.mod.trt_importer import lazy_import_trt

trt = lazy_import_trt()

# TensorRT's names; older versions lack the later ones.
_NAMES = {
    DataType.FLOAT32: "float32",
    DataType.FLOAT16: "float16",
    DataType.INT32: "int32",
    DataType.INT8: "int8",
    DataType.BOOL: "bool",
    DataType.UINT8: "uint8",
    DataType.FLOAT8E4M3FN: "fp8",
    DataType.BFLOAT16: "bfloat16",
    DataType.INT4: "int4",
    DataType.INT64: "int64",
    DataType.FLOAT4: "fp4",
    DataType.FLOAT8E8M0: "e8m0",
}


def _get_mapping() -> dict:
    found = {dtype: getattr(trt, name, None) for dtype, name in _NAMES.items()}
    return {dtype: trt_type for dtype, trt_type in found.items() if trt_type is not None}


@register_dtype_importer("tensorrt")
def from_tensorrt(tensorrt_type):
    """The data type for a value of `tensorrt.DataType`.

    Args:
        tensorrt_type: The value.
    """
    # A caller with one of its types has imported the module.
    if ("tensorrt_rtx" if config.USE_TENSORRT_RTX else "tensorrt") not in sys.modules:
        return None
    try:
        return inverted(_get_mapping()).get(tensorrt_type)
    except TypeError:
        return None


@register_dtype_exporter("tensorrt")
def from_datatype(self):
    """TensorRT's data type for a data type."""
    return _get_mapping().get(self)
