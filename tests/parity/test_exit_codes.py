"""Exit codes and channels of error cases. Texts where the interface has them; otherwise that ours explains itself."""
import os

import pytest
from differences import expect
from harness import both
from models import identity


@pytest.fixture
def model(tmp_path):
    return identity(tmp_path / "m.onnx")


SAME_CODE = [
    [], ["-h"], ["--version"], ["nosuch"], ["inspect"], ["inspect", "nosuch"], ["run", "-h"], ["inspect", "model", "-h"],
    ["inspect", "data", "-h"], ["run", "m.onnx", "--onnxrt", "--bogus"], ["run", "m.onnx", "--onnxrt", "--iterations", "x"],
    ["run", "m.onnx", "--onnxrt", "--iter", "1"], ["run", "m.onnx", "--onnxrt", "extra"], ["run", "--onnxrt"],
    ["run", "nosuch.onnx", "--onnxrt"], ["run", "m.onnx", "--onnxrt", "--onnx-outputs", "nosuch"],
    ["run", "m.onnx", "--onnxrt", "--providers", "nosuch"], ["run", "m.onnx", "--onnxrt", "--compare", "nosuch"],
    ["run", "m.onnx", "--onnxrt", "--load-inputs", "nosuch.json"], ["run", "m.onnx", "--onnxrt", "--load-inputs", "bad.json"],
    ["run", "--load-outputs", "bad.json", "bad.json"], ["run", "m.onnx", "--onnxrt", "--val-range", "[0]"],
    ["run", "m.onnx", "--onnxrt", "--val-range", "[a,b]"], ["run", "m.onnx", "--onnxrt", "--check-error-stat", "nosuch"],
    ["run", "m.onnx", "--onnxrt", "--save-inputs", "full"],
    ["run", "m.onnx", "--onnxrt", "--save-outputs", "same.json", "--save-inputs", "same.json"],
    ["run", "m.onnx", "--onnxrt", "--load-inputs", "i.json", "--save-inputs", "i.json"],
    ["inspect", "model"], ["inspect", "model", "nosuch.onnx"], ["inspect", "model", "bad.onnx"], ["inspect", "model", "m.txt"],
    ["inspect", "model", "m.onnx", "--show", "nosuch"], ["inspect", "data", "nosuch.json"], ["inspect", "data", "bad.json"],
    ["inspect", "data", "empty"], ["run", "m.onnx", "--onnxrt", "--trt"], ["run", "m.onnx", "--silent", "-v", "--onnxrt"],
    ["run", "m.onnx", "--onnxrt", "--log-format", "nosuch"], ["run", "m.onnx", "--onnxrt", "--verbosity", "nosuch"],
]


@pytest.mark.parametrize("args", SAME_CODE, ids=lambda a: " ".join(a) or "nothing")
def test_codes_are_equal_and_nobody_sees_a_traceback(tmp_path, model, args):
    (tmp_path / "bad.json").write_text("{\n")
    (tmp_path / "bad.onnx").write_bytes(b"\x00\x01 this is not a model")
    (tmp_path / "m.txt").write_text("text")
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "0000000000.json").write_text("{}")
    ours, original = both(args, tmp_path)
    assert ours.code == original.code, f"ours:\n{ours.stdout}{ours.stderr}\noriginal:\n{original.stdout}{original.stderr}"
    assert "Traceback" not in ours.stdout + ours.stderr and "terminate called" not in ours.stderr
    if ours.code == 2:  # argparse: usage and error on stderr
        assert ours.stderr.startswith("usage: ") and ": error: " in ours.stderr
        assert ours.stderr.splitlines()[-1].split("error: ")[0] == original.stderr.splitlines()[-1].split("error: ")[0]
    if ours.code == 1:
        assert (ours.stdout + ours.stderr).strip(), "a failure without a word"


SAME_TEXT = [  # stderr, whole
    ["run", "--onnxrt"], ["run", "m.onnx", "--onnxrt", "--onnx-outputs", "nosuch"], ["run", "m.onnx", "--onnxrt", "--providers", "nosuch"],
    ["run", "m.onnx", "--onnxrt", "--check-error-stat", "nosuch"], ["run", "m.onnx", "--onnxrt", "--val-range", "[0]"],
    ["run", "m.onnx", "--onnxrt", "--val-range", "[a,b]"], ["run", "m.onnx", "--onnxrt", "--save-inputs", "full"],
]


@pytest.mark.parametrize("args", SAME_TEXT, ids=" ".join)
def test_critical_texts_are_equal(tmp_path, model, args):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "0000000000.json").write_text("{}")
    ours, original = both(args, tmp_path)
    assert ours.stderr == original.stderr
    assert os.listdir(tmp_path / "full") == ["0000000000.json"]


def test_unrecognized_options(tmp_path, model):
    ours, original = both(["run", "m.onnx", "--onnxrt", "--bogus"], tmp_path)
    assert ours.stdout.splitlines()[0] == original.stdout.splitlines()[0] == "[E] Unrecognized Options: ['--bogus']"


def test_version(tmp_path):
    ours, original = both(["--version"], tmp_path)
    expect("version-line", ours.stdout, original.stdout)
