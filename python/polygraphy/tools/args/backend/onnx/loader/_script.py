"""Loaders of ONNX models in scripts."""

from __future__ import annotations

from polygraphy.tools.script import Script, make_invocable


def add_loader(script: Script, name: str, variable: str, *args, **kwargs) -> Script.String:
    """Adds a loader of `polygraphy.backend.onnx` to a script, and returns its variable."""
    script.add_import([name], frm="polygraphy.backend.onnx")
    return script.add_loader(make_invocable(name, *args, **kwargs), variable)
