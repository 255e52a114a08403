"""Conversion from and to ONNX-Runtime's data types, which are strings."""

from __future__ import annotations

import functools

from polygraphy.datatype.datatype import (
    all_data_types,
    element_types,
    inverted,
    register_dtype_exporter,
    register_dtype_importer,
)


@functools.lru_cache(maxsize=None)
def _get_mapping() -> dict:
    return {entry: f"tensor({element_types()[name][1].lower()})" for name, entry in all_data_types().items()}


@register_dtype_importer("onnxruntime")
def from_onnxrt(onnxrt_type):
    """The data type for a string such as `"tensor(float)"`.

    Args:
        onnxrt_type: The string.
    """
    return inverted(_get_mapping()).get(onnxrt_type) if isinstance(onnxrt_type, str) else None


@register_dtype_exporter("onnxruntime")
def from_datatype(self):
    """The string that ONNX-Runtime uses for a data type."""
    return _get_mapping().get(self)
