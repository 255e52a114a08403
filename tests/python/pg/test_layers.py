"""scripts/check_python_layers.py finds circles of imports, also those that hide."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[3] / "scripts" / "check_python_layers.py"

CIRCLES = {
    "at the top": {"a": "import pkg.b", "b": "from pkg import a"},
    "in a function": {"a": "def f():\n    from pkg.b import x", "b": "from pkg.a import f"},
    "relative": {"a": "from . import b", "b": "from .a import x"},
    "by a lazy import": {"a": "b = mod.lazy_import('pkg.b')", "b": "import pkg.a"},
    "by the package of a module": {
        "a": "import pkg.inner.c",
        "inner/__init__": "from pkg.inner.b import *",
        "inner/b": "import pkg.a",
        "inner/c": "",
    },
}

LINES = {
    "downward": {"a": "from pkg.b import x", "b": "x = 1"},
    "for types only": {
        "a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg import b",
        "b": "import pkg.a",
    },
    "to a name of the package": {"a": "import os", "b": "from pkg import a"},
}


def check(folder: Path, files: dict):
    for name, text in {"__init__": "", **files}.items():
        path = folder / "pkg" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return subprocess.run(
        [sys.executable, CHECK, folder], stdout=subprocess.PIPE, encoding="utf-8", timeout=60
    )


@pytest.mark.parametrize("name", CIRCLES)
def test_circle_is_found(tmp_path, name):
    done = check(tmp_path, CIRCLES[name])
    assert done.returncode == 1
    assert "modules import each other" in done.stdout and "pkg/a.py" in done.stdout


@pytest.mark.parametrize("name", LINES)
def test_line_is_none(tmp_path, name):
    done = check(tmp_path, LINES[name])
    assert (done.returncode, done.stdout) == (0, f"{1 + len(LINES[name])} modules, no circle\n")


def test_package_of_others_must_be_declared(tmp_path):
    done = check(tmp_path, {"a": "import flask"})
    assert done.returncode == 1 and "flask is neither ours nor optional" in done.stdout
