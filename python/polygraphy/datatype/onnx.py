"""Conversion from and to ONNX's data types, which are plain numbers."""

from __future__ import annotations

import functools
from numbers import Integral

from polygraphy.datatype.datatype import (
    all_data_types,
    element_types,
    inverted,
    register_dtype_exporter,
    register_dtype_importer,
)


@functools.lru_cache(maxsize=None)
def _get_mapping() -> dict:
    return {entry: element_types()[name][0] for name, entry in all_data_types().items()}


@register_dtype_importer("onnx")
def from_onnx(onnx_type):
    """The data type for a value of `onnx.TensorProto.DataType`.

    Args:
        onnx_type: The value.
    """
    return inverted(_get_mapping()).get(onnx_type) if isinstance(onnx_type, Integral) else None


@register_dtype_exporter("onnx")
def from_datatype(self):
    """The value of `onnx.TensorProto.DataType` for a data type."""
    return _get_mapping().get(self)
