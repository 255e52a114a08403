"""Conversion from and to NumPy's data types."""

from __future__ import annotations

import functools

from polygraphy.datatype.datatype import (
    DataType,
    inverted,
    register_dtype_exporter,
    register_dtype_importer,
)
from polygraphy.mod._lazy_modules import np


@functools.lru_cache(maxsize=None)
def _get_mapping() -> dict:
    names = "float64 float32 float16 int16 int32 int64 int8 uint16 uint32 uint64 uint8 bool"
    mapping = {getattr(DataType, name.upper()): np.dtype(name) for name in names.split()}
    mapping[DataType.STRING] = np.dtype("U")
    return mapping


@register_dtype_importer("numpy")
def from_numpy(numpy_type):
    """The data type for a NumPy dtype, or for anything that NumPy takes for one.

    `float`, `"float32"` and the like are among these.

    Args:
        numpy_type: The NumPy type.
    """
    if not np.is_installed() or not np.is_importable():
        return None
    try:
        dtype = np.dtype(numpy_type)
    except (TypeError, ValueError, SyntaxError):
        return None
    return inverted(_get_mapping()).get(dtype)


@register_dtype_exporter("numpy")
def from_datatype(self):
    """NumPy's dtype for a data type."""
    return _get_mapping().get(self)
