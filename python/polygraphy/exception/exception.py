"""The exceptions that Polygraphy raises."""

__all__ = ["PolygraphyException", "PolygraphyInternalException", "DataTypeConversionException"]


class PolygraphyException(Exception):
    """Something that the caller can put right: arguments, files, missing modules, models."""


class PolygraphyInternalException(Exception):
    """An invariant of Polygraphy itself does not hold (only with correctness checks on)."""


class DataTypeConversionException(PolygraphyException):
    """A data type has no counterpart in the requested module."""
