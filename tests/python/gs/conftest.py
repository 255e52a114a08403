"""Tests of the package onnx_graphsurgeon beside the original of the same name."""

import re
import tempfile
from pathlib import Path

import pytest

import differential

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


def lines(text: str) -> list:
    """Without the numbers that distinguish objects of one name."""
    return re.sub(r"(?<=id: )\d+", "ID", text).splitlines()


@pytest.fixture
def folder(tmp_path):
    """A function that makes another folder."""
    return lambda: Path(tempfile.mkdtemp(dir=tmp_path))


@pytest.fixture
def ours(folder):
    """Runs a script with this package, and returns what it prints."""
    return lambda script: differential.run(PRELUDE + script, folder(), ours=True)[0]


@pytest.fixture
def same(folder):
    """Runs a script with both packages, and asserts that both print the same, and something.
    Returns what they print."""

    def compare(script: str) -> str:
        printed, _ = differential.same(PRELUDE + script, folder(), lines)
        return "\n".join([*printed, ""])

    return compare
