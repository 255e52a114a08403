"""Tests of the package onnx_graphsurgeon beside the original of the same name.

Both run the same script, each in a process of its own, and must print the same.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
ORIGINAL = REPOSITORY / ".deps" / "parity"
# The built packages come first there: scripts/test.sh says how.
OURS = os.environ["PYTHONPATH"]

PRELUDE = """
import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER, LogMode
G_LOGGER.colors = False

def show(label, function):
    try:
        result = repr(function())
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(f"{label}: {result}")
"""


def run(script: str, path: str) -> str:
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return re.sub(r"0x[0-9a-f]+|(?<=id: )\d+", "ADDRESS", done.stdout)


@pytest.fixture
def ours():
    """Runs a script with this package, and returns what it prints."""
    return lambda script: run(script, OURS)


@pytest.fixture
def same(ours):
    """Runs a script with both packages, and asserts that both print the same, and something."""

    def compare(script: str) -> str:
        printed = ours(script)
        assert printed == run(script, str(ORIGINAL))
        assert printed.strip()
        return printed

    return compare
