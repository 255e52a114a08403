"""Decoders of language models."""

import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
# The package tokenizers, for the tests and for the Python that the command starts.
TOOLS = os.path.join(ROOT, ".deps", "dependents")
sys.path.append(TOOLS)
GIVEN = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
os.environ["PYTHONPATH"] = os.pathsep.join([*GIVEN, TOOLS])
POLYGRAPHY = os.path.abspath(
    os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy")))


class Ran:
    def __init__(self, done):
        self.code, self.text = done.returncode, done.stdout.decode() + done.stderr.decode()


@pytest.fixture
def polygraphy(tmp_path):
    """Runs the command in the test's folder."""
    def run(*args):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return Ran(subprocess.run([POLYGRAPHY, *map(str, args)], cwd=tmp_path, env=environment, capture_output=True,
                                  timeout=240))
    return run
