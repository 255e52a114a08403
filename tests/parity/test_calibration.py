"""int8 calibrated with the user's scripts, on the double of TensorRT. There is no GPU to run the original with."""
import os

import pytest
import python_program
from harness import run_ours
from test_trt_python import RUNNER, save_model_for_double

SCRIPTS = """
import glob, os, signal, time
import numpy as np

GOOD = np.ones((1, 4), np.float32)

def nothing():
    return None

def third_fails():
    yield {"x": GOOD}
    yield {"x": GOOD}
    raise ValueError("no third")

def doubles():
    yield {"x": GOOD}
    yield {"x": np.ones((1, 4))}

def texts():
    yield {"x": np.array([["a", "b", "c", "d"]])}

def waits():
    while True:
        time.sleep(1)

def processes():
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            yield int(path.split("/")[2]), int(open(path).read().rpartition(")")[2].split()[1])
        except OSError:
            pass

def kills_the_builder():
    yield {"x": GOOD}
    for process, parent in processes():
        if parent == os.getppid() and process != os.getpid():
            os.kill(process, signal.SIGKILL)
    waits()
"""


@pytest.fixture
def convert(tmp_path, monkeypatch):
    save_model_for_double(tmp_path)
    (tmp_path / "data.py").write_text(SCRIPTS)
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(tmp_path, python_program.PACKAGES))

    def run(function, *more):
        result = run_ours(["convert", "model.onnx", "-o", "m.engine", "--int8", "--data-loader-script",
                           f"data.py:{function}", *more] + RUNNER, tmp_path)
        assert (tmp_path / "m.engine").exists() == (result.code == 0)
        return result
    return run


def test_a_builder_that_is_killed_ends_the_wait_for_a_script(convert):
    result = convert("kills_the_builder")
    assert result.code == 1
    assert "[!] tensorrt was killed by SIGKILL" in result.stderr


def test_a_script_has_no_more_time_than_the_builder(convert):
    result = convert("waits", "--timeout", "1")
    assert result.code == 1
    assert "exceeded 1 s when it waited for calibration data" in result.stderr


def test_random_inputs_instead_of_a_script_are_warned_of(convert):
    result = convert("nothing")
    assert result.code == 0, result.stderr
    assert "nothing() returned nothing" in result.stdout
    assert "Calibrating int8 with random inputs" in result.stdout


@pytest.mark.parametrize("function, text", [
    ("third_fails", "[!] Calibration sample 3: Script data.py: third_fails() failed: ValueError: no third"),
    ("doubles", "[!] Calibration sample 2 (Script data.py: doubles()): input x is of float64"),
    ("texts", "[!] Calibration sample 1 (Script data.py: texts()): input x is of string"),
])
def test_what_is_wrong_with_a_script_is_said_with_the_sample(convert, function, text):
    result = convert(function)
    assert result.code == 1
    assert result.stderr.startswith(text), result.stderr
    assert "[E]" not in result.stdout
