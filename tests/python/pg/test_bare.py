"""Importing the package needs, and imports, nothing but Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

OURS = Path(__file__).resolve().parents[3] / "python"
MODULES = sorted(
    ".".join(path.relative_to(OURS).with_suffix("").parts).removesuffix(".__init__")
    for path in (OURS / "polygraphy").rglob("*.py")
)
HEAVY = ["numpy", "onnx", "onnxruntime", "torch", "ml_dtypes", "multiprocessing"]


def run_bare(code: str) -> str:
    """The output of a program that finds our packages and Python's own modules, and no others."""
    code = f"import sys; sys.path.insert(0, {str(OURS)!r})\n" + code
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "POLYGRAPHY"))}
    command = [sys.executable, "-I", "-S", "-B", "-c", code]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("module", MODULES)
def test_star_import_in_a_bare_environment(module):
    assert run_bare(f"from {module} import *\nprint('imported')") == "imported\n"


def test_nothing_large_is_imported():
    imports = "\n".join(f"import {module}" for module in MODULES)
    code = imports + f"\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    assert run_bare(code) == "[]\n"


def test_importing_is_quick():
    """Modules that take longer to import than all required ones are imported on first use."""
    slow = ["argparse", "dataclasses", "inspect", "logging", "subprocess", "tempfile", "traceback"]
    code = f"""
import polygraphy.comparator, polygraphy.backend.onnx, polygraphy.backend.onnxrt
print([name for name in {slow!r} if name in sys.modules])"""
    assert run_bare(code) == "[]\n"


def test_json_without_numpy():
    code = """
from polygraphy.json import from_json, to_json
from polygraphy.comparator import L2Result, L2Threshold
result = from_json(to_json([L2Result(1.0, L2Threshold(2.0))]))[0]
print(result.describe())
"""
    assert run_bare(code) == "('L2 Norm: 1 (tolerance: 2) | PASSED', True)\n"
