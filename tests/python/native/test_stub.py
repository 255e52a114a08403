"""The stub of the extension says what is there."""

import ast
from pathlib import Path

import pytest

import polygraphy_native
from polygraphy_native import _native


def test_names():
    stub = Path(polygraphy_native.__file__).with_name("_native.pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    said = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert said == {name for name in dir(_native) if not name.startswith("__")}


@pytest.mark.parametrize("name", ["Payload", "Difference", "Model"])
def test_members_of_classes(name):
    stub = Path(polygraphy_native.__file__).with_name("_native.pyi")
    (found,) = (node for node in ast.parse(stub.read_text(encoding="utf-8")).body
                if isinstance(node, ast.ClassDef) and node.name == name)
    said = {node.name for node in found.body if isinstance(node, ast.FunctionDef)}
    assert said - {"__new__"} == {n for n in dir(getattr(_native, name)) if not n.startswith("__")}
