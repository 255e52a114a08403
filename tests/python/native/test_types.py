"""The annotations of the package are complete and right, and its stub is what the extension has."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import polygraphy_native

PACKAGE = Path(polygraphy_native.__file__).parent


def mypy(module, *arguments):
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, timeout=600,
        env={**os.environ, "MYPYPATH": str(PACKAGE.parent), "MYPY_CACHE_DIR": os.devnull})
    return done.returncode, done.stdout + done.stderr


def test_annotations():
    code, said = mypy("mypy", "--strict", *map(str, PACKAGE.glob("*.py")))
    assert code == 0, said


def test_stub():
    code, said = mypy("mypy.stubtest", "polygraphy_native._native")
    assert code == 0, said
