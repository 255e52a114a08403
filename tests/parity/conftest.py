import os
import signal
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

# A background process of a shell, or under nohup, inherits ignored signals; so would the programs that the tests start
# and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# ONNX Runtime would report to its maker what the tests give it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
# Once, so that every forked run of the original finds it in memory. No inference session is made in this process: its
# threads would not survive a fork.
import onnx  # noqa: E402
import onnxruntime  # noqa: E402, F401
import polygraphy.tools  # noqa: E402, F401
import differences  # noqa: E402
import python_program  # noqa: E402

TESTDATA = os.path.join(ROOT, ".deps", "onnx-testdata")


@pytest.fixture(scope="session")
def testdata():
    assert os.path.isdir(TESTDATA), "run scripts/setup.sh: .deps/onnx-testdata is missing"
    return TESTDATA


@pytest.fixture(scope="session", autouse=True)
def user_python(tmp_path_factory):
    """Scripts run where the original is installed, unless a test says otherwise."""
    os.environ["POLYGRAPHY_PYTHON"] = python_program.make(tmp_path_factory.mktemp("python"), python_program.PACKAGES)


@pytest.fixture(scope="session")
def magika():
    return os.path.join(ROOT, ".deps", "models", "magika.onnx")


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(
        f"{len(differences.ALL)} deliberate differences from the original are listed, "
        f"{len(differences.asserted)} of them were asserted in this run"
    )
