"""JSON documents of jobs as dataclasses."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Mapping, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    _Made = TypeVar("_Made", bound=DataclassInstance)


def _made(kind: type[_Made], document: Mapping[str, Any], **more: Any) -> _Made:
    """A `kind` of the members with the names of its fields, and of `more`. Lists become tuples, and
    the texts of numbers that are not finite become numbers."""
    values = dict(more)
    for field in fields(kind):
        if field.name in values or field.name not in document:
            continue
        value = document[field.name]
        if isinstance(value, list):
            value = tuple(value)
        elif str(field.type).startswith("float") and value is not None:
            value = float(value)
        values[field.name] = value
    return kind(**values)
