"""Loaders of TensorRT in scripts."""

from __future__ import annotations

from polygraphy.mod.trt_importer import tensorrt_module_and_version_string
from polygraphy.tools.script import Script, make_invocable


def import_trt(script: Script) -> None:
    script.add_import(imports=tensorrt_module_and_version_string(), imp_as="trt")


def add_loader(script: Script, cls: str, variable: str, obj, /, **kwargs) -> Script.String:
    """Adds a loader of `polygraphy.backend.trt` that works on another one, or on its result."""
    script.add_import(imports=[cls], frm="polygraphy.backend.trt")
    return script.add_loader(make_invocable(cls, obj, **kwargs), variable)


def add_change(script: Script, cls: str, variable: str, obj, /, **kwargs) -> Script.String:
    """The same; returns the other loader if all named arguments are None."""
    if all(value is None for value in kwargs.values()):
        return obj
    return add_loader(script, cls, variable, obj, **kwargs)
