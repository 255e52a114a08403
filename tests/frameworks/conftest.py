"""Back ends that run in the user's Python, with the real packages: PyTorch, and the reference evaluator of onnx."""
import os
import signal
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "parity"))
import python_program  # noqa: E402

# A background process of a shell inherits ignored signals; so would the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

POLYGRAPHY = os.path.abspath(
    os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy")))
DEPS = os.path.join(ROOT, ".deps")
TORCH = os.path.join(DEPS, "torch")


class Ran:
    def __init__(self, done):
        self.code, self.text = done.returncode, done.stdout.decode() + done.stderr.decode()


@pytest.fixture
def polygraphy(tmp_path):
    """Runs the command in an empty folder."""
    def run(*args, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        environment.update({name: str(value) for name, value in variables.items()})
        return Ran(subprocess.run([POLYGRAPHY, *map(str, args)], cwd=tmp_path, env=environment, capture_output=True,
                                  timeout=240))
    return run


@pytest.fixture(scope="session", autouse=True)
def onnx_python(tmp_path_factory):
    """Scripts and back ends run where NumPy and onnx are, unless a test says otherwise."""
    program = python_program.make(tmp_path_factory.mktemp("python"), python_program.PACKAGES)
    os.environ["POLYGRAPHY_PYTHON"] = program
    return program


@pytest.fixture(scope="session")
def torch_python(tmp_path_factory):
    if not os.path.isdir(os.path.join(TORCH, "torch")):
        pytest.skip("no torch in .deps: scripts/setup.sh ci brings it")
    program = python_program.make(tmp_path_factory.mktemp("torch-python"), TORCH, python_program.PACKAGES)
    os.environ["POLYGRAPHY_TORCH_PYTHON"] = program
    return program


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory):
    """One without any package."""
    program = str(tmp_path_factory.mktemp("bare-python") / "python")
    with open(program, "w") as file:
        file.write(f'#!/bin/sh\nunset PYTHONPATH\nexec "{sys.executable}" -S "$@"\n')
    os.chmod(program, 0o755)
    return program
