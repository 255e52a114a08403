"""Data types that belong to no framework, and their conversion from and to those of frameworks.

The conversions are in one file per framework, and registered here under the name of its module.
"""

from __future__ import annotations

import enum
import functools
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from polygraphy import mod
from polygraphy.exception import DataTypeConversionException
from polygraphy.logger import G_LOGGER, LogMode


class _SkipImporterException(Exception):
    """An importer does not know a type."""


class _DataTypeKind(enum.Enum):
    FLOATING_POINT = 0
    INTEGRAL = 1
    _OTHER = 3


@mod.export()
class DataTypeEntry:
    """One data type. There is one object for each: compare with `is` or `==`.

    Besides what is listed, it has a method for each registered framework, which returns the
    framework's own type: `numpy()`, `onnx()`, `onnxruntime()`, `tensorrt()`, `torch()`.

    Attributes:
        name: The name, in lower case.
        itemsize: Bytes per element; a fraction for types of less than eight bits.
    """

    def __init__(self, name: str, itemsize: float, type: _DataTypeKind):
        self.name = name
        self.itemsize = itemsize
        self._type = type

    @property
    def is_floating(self) -> bool:
        """Whether the type is one of floating-point numbers."""
        return self._type is _DataTypeKind.FLOATING_POINT

    @property
    def is_integral(self) -> bool:
        """Whether the type is one of integers, which `bool` is not."""
        return self._type is _DataTypeKind.INTEGRAL

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"DataType.{self.name.upper()}"

    # Copies, also those that come out of another process, are the one object again.

    def __copy__(self) -> "DataTypeEntry":
        return self

    def __deepcopy__(self, memo) -> "DataTypeEntry":
        return self

    def __reduce__(self):
        if getattr(DataType, self.name.upper(), None) is self:
            return (getattr, (DataType, self.name.upper()))
        return (DataTypeEntry, (self.name, self.itemsize, self._type))


@functools.lru_cache(maxsize=None)
def element_types() -> Dict[str, tuple]:
    """The element types of the native libraries: by name, the number in ONNX, ONNX's name, NumPy's
    name, the kind and the bits of an element."""
    from polygraphy_native import _native

    return {name: (number, *facts) for number, name, *facts in _native.data_types()}


_further_types_lock = threading.Lock()


def _add_further_types() -> None:
    """Makes the types of ONNX that the original lacks attributes of DataType. NumPy's complex
    numbers, which the original leaves as they are, stay out."""
    kinds = {
        "float": _DataTypeKind.FLOATING_POINT,
        "signed": _DataTypeKind.INTEGRAL,
        "unsigned": _DataTypeKind.INTEGRAL,
    }
    with _further_types_lock:
        for name, (*_, kind, bits) in element_types().items():
            if kind != "complex" and name.upper() not in vars(DataType):
                size = bits // 8 if bits % 8 == 0 else bits / 8
                entry = DataTypeEntry(name, size, kinds.get(kind, _DataTypeKind._OTHER))
                setattr(DataType, name.upper(), entry)


class _LooksForFurtherTypes(type):
    """Reads the table of element types when an unknown type is wanted: importing the native
    libraries takes longer than importing this package."""

    if not TYPE_CHECKING:

        def __getattr__(cls, attribute: str) -> DataTypeEntry:
            if attribute.isupper() and not attribute.startswith("_"):
                try:
                    _add_further_types()
                except ImportError as error:
                    raise AttributeError(str(error)) from error
            found = vars(DataType).get(attribute)
            if found is None:
                raise AttributeError(f"type object 'DataType' has no attribute '{attribute}'")
            return found


@mod.export()
class DataType(metaclass=_LooksForFurtherTypes):
    """The data types of the original, further ones of ONNX (`DataType.UINT4`), and conversions from
    and to those of frameworks."""

    __members__: Dict[str, DataTypeEntry]

    _IMPORTER_FUNCS: Dict[str, Callable] = {}
    _EXPORTER_FUNCS: Dict[str, Callable] = {}

    @staticmethod
    def from_dtype(dtype: Any, source_module: Optional[str] = None):
        """The data type that a framework's type stands for.

        Args:
            dtype: The framework's type.
            source_module: The module it is from, such as `"numpy"`. All are tried if left out.

        Returns:
            The data type. An object without an equivalent is returned as it is, with a warning.
        """
        if dtype is None:
            G_LOGGER.critical(f"Could not convert: {dtype} to a Polygraphy data type")
        if isinstance(dtype, DataTypeEntry):
            return dtype

        importers = DataType._IMPORTER_FUNCS
        if source_module is not None:
            if source_module not in importers:
                G_LOGGER.critical(
                    f"Could not find source module: {source_module} in known importers. "
                    "Note: Importer functions have been registered for the following modules: "
                    f"{list(importers.keys())}"
                )
            importers = {source_module: importers[source_module]}

        for importer in importers.values():
            try:
                return importer(dtype)
            except _SkipImporterException:
                continue

        msg = (
            f"Could not convert: {dtype} to a corresponding Polygraphy data type. "
            "Leaving this type in its source format."
        )
        G_LOGGER.warning(msg, mode=LogMode.ONCE)
        G_LOGGER.internal_error(msg)
        return dtype

    @staticmethod
    def to_dtype(dtype: Any, target_module: str):
        """A framework's type for a data type.

        Args:
            dtype: The data type. Anything else is returned as it is.
            target_module: The framework's module, such as `"numpy"`.

        Raises:
            DataTypeConversionException: If the framework has no such type.
        """
        if not isinstance(dtype, DataTypeEntry):
            G_LOGGER.internal_error(f"Received input of type other than DataType: {dtype}")
            return dtype
        if target_module not in DataType._EXPORTER_FUNCS:
            G_LOGGER.critical(
                f"Could not find target module: {target_module} in known exporters. "
                "Note: Exporter functions have been registered for the following modules: "
                f"{list(DataType._EXPORTER_FUNCS.keys())}"
            )
        return DataType._EXPORTER_FUNCS[target_module](dtype)

    FLOAT64 = DataTypeEntry("float64", 8, _DataTypeKind.FLOATING_POINT)
    FLOAT32 = DataTypeEntry("float32", 4, _DataTypeKind.FLOATING_POINT)
    FLOAT16 = DataTypeEntry("float16", 2, _DataTypeKind.FLOATING_POINT)
    FLOAT4 = DataTypeEntry("float4", 0.5, _DataTypeKind.FLOATING_POINT)
    INT16 = DataTypeEntry("int16", 2, _DataTypeKind.INTEGRAL)
    INT32 = DataTypeEntry("int32", 4, _DataTypeKind.INTEGRAL)
    INT64 = DataTypeEntry("int64", 8, _DataTypeKind.INTEGRAL)
    INT8 = DataTypeEntry("int8", 1, _DataTypeKind.INTEGRAL)
    INT4 = DataTypeEntry("int4", 0.5, _DataTypeKind.INTEGRAL)
    UINT16 = DataTypeEntry("uint16", 2, _DataTypeKind.INTEGRAL)
    UINT32 = DataTypeEntry("uint32", 4, _DataTypeKind.INTEGRAL)
    UINT64 = DataTypeEntry("uint64", 8, _DataTypeKind.INTEGRAL)
    UINT8 = DataTypeEntry("uint8", 1, _DataTypeKind.INTEGRAL)
    BOOL = DataTypeEntry("bool", 1, _DataTypeKind._OTHER)
    STRING = DataTypeEntry("string", 0, _DataTypeKind._OTHER)
    BFLOAT16 = DataTypeEntry("bfloat16", 2, _DataTypeKind.FLOATING_POINT)
    FLOAT8E4M3FN = DataTypeEntry("float8e4m3fn", 1, _DataTypeKind.FLOATING_POINT)
    FLOAT8E4M3FNUZ = DataTypeEntry("float8e4m3fnuz", 1, _DataTypeKind.FLOATING_POINT)
    FLOAT8E5M2 = DataTypeEntry("float8e5m2", 1, _DataTypeKind.FLOATING_POINT)
    FLOAT8E5M2FNUZ = DataTypeEntry("float8e5m2fnuz", 1, _DataTypeKind.FLOATING_POINT)
    FLOAT8E8M0 = DataTypeEntry("float8e8m0", 1, _DataTypeKind.FLOATING_POINT)


# The types that the original has, by name.
DataType.__members__ = {
    name: value for name, value in vars(DataType).items() if isinstance(value, DataTypeEntry)
}


def all_data_types() -> Dict[str, DataTypeEntry]:
    """The data types by name: the original's, and further ones of ONNX."""
    found = {name: getattr(DataType, name.upper(), None) for name in element_types()}
    return {name: entry for name, entry in found.items() if entry is not None}


def inverted(mapping: dict) -> dict:
    """Values to keys, for a module's types and the data types that they stand for."""
    return {value: key for key, value in mapping.items()}


def register_dtype_importer(source_module: str) -> Callable:
    """A decorator for a function that converts a module's types to data types.

    The function returns None for what it does not know. It must not install anything.
    """

    def register_importer_impl(func):
        @functools.wraps(func)
        def new_func(dtype):
            ret = func(dtype)
            if ret is None:
                raise _SkipImporterException()
            return ret

        DataType._IMPORTER_FUNCS[source_module] = new_func
        return new_func

    return register_importer_impl


def register_dtype_exporter(target_module: str) -> Callable:
    """A decorator for a function that converts data types to a module's types.

    The function returns None for data types that the module does not have. It also becomes a
    method of all data types, with the name of the module.
    """

    def register_exporter_impl(func):
        @functools.wraps(func)
        def new_func(dtype):
            ret = func(dtype)
            if ret is None:
                G_LOGGER.critical(
                    f"Could not convert Polygraphy data type: {dtype} to a corresponding "
                    f"{target_module} data type. ",
                    ExceptionType=DataTypeConversionException,
                )
            return ret

        DataType._EXPORTER_FUNCS[target_module] = new_func
        setattr(DataTypeEntry, target_module, new_func)
        return new_func

    return register_exporter_impl
