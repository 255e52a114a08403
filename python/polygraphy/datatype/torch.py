"""Conversion from and to PyTorch's data types."""

from __future__ import annotations

import sys

from polygraphy.datatype.datatype import (
    DataType,
    inverted,
    register_dtype_exporter,
    register_dtype_importer,
)
from polygraphy.mod._lazy_modules import torch


def _get_mapping() -> dict:
    names = "float64 float32 float16 int16 int32 int64 int8 uint8 bool bfloat16"
    return {getattr(DataType, name.upper()): getattr(torch, name) for name in names.split()}


@register_dtype_importer("torch")
def from_torch(torch_type):
    """The data type for a `torch.dtype`.

    Args:
        torch_type: The PyTorch type.
    """
    # A caller with one of its types has imported the module.
    if "torch" not in sys.modules:
        return None
    try:
        return inverted(_get_mapping()).get(torch_type)
    except TypeError:
        return None


@register_dtype_exporter("torch")
def from_datatype(self):
    """PyTorch's data type for a data type."""
    return _get_mapping().get(self)
