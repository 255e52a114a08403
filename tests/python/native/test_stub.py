"""The stub of the extension says what is there."""

import ast
from pathlib import Path

import polygraphy_native
from polygraphy_native import _native


def test_names():
    stub = Path(polygraphy_native.__file__).with_name("_native.pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    said = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert said == {name for name in dir(_native) if not name.startswith("__")}


def test_members_of_payload():
    stub = Path(polygraphy_native.__file__).with_name("_native.pyi")
    (payload,) = (node for node in ast.parse(stub.read_text(encoding="utf-8")).body
                  if isinstance(node, ast.ClassDef))
    said = {node.name for node in payload.body if isinstance(node, ast.FunctionDef)}
    assert said == {name for name in dir(_native.Payload) if not name.startswith("__")}
