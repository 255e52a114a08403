"""The same seed gives the same bits, for every type and shape."""
import itertools
import json

import pytest
from harness import run_original, run_ours
from models import many_inputs
from onnx import TensorProto as T

TYPES = [T.FLOAT, T.DOUBLE, T.FLOAT16, T.INT8, T.UINT8, T.INT16, T.UINT16, T.INT32, T.UINT32, T.INT64, T.UINT64, T.BOOL]
SHAPES = [(), (1,), (7,), (3, 5), (2, 3, 4), (1, 0, 2), (129,)]


def saved_inputs(run, model, tmp_path, name, options):
    path = tmp_path / f"{name}.json"
    result = run(["run", model, "--onnxrt", "--save-inputs", str(path), *options], str(tmp_path))
    assert result.code == 0, result.stdout + result.stderr
    return path.read_bytes()


@pytest.mark.parametrize("options", [
    [], ["--seed", "7"], ["--iterations", "3"], ["--val-range", "[0,100]"], ["--val-range", "[-5,9]"],
    ["--seed", "4294967295"], ["--val-range", "[0,1]", "x4:[2,250]", "x9:[0,5000000000]"],
], ids=lambda o: "_".join(o) or "default")
def test_files_are_equal(tmp_path, options):
    unsigned = (T.UINT8, T.UINT16, T.UINT32, T.UINT64)
    types = [t for t in TYPES if not ("[-5,9]" in options and t in unsigned)]
    inputs = [(f"x{i}", t, s) for i, (t, s) in enumerate(itertools.product(types, SHAPES))]
    if "x4:[2,250]" in options:
        inputs = [(f"x{i}", t, (3, 50)) for i, t in enumerate(types)]
    model = many_inputs(tmp_path / "m.onnx", inputs)
    ours = saved_inputs(run_ours, model, tmp_path, "ours", options)
    original = saved_inputs(run_original, model, tmp_path, "original", options)
    if ours != original:
        for a, b in zip(json.loads(ours), json.loads(original)):
            assert a == b
    assert ours == original


def test_dynamic_shapes(tmp_path):
    model = many_inputs(tmp_path / "m.onnx", [("x", T.FLOAT, ("N", 3, None)), ("y", T.INT64, ("N",))])
    for options in [[], ["--input-shapes", "x:[2,3,4]"], ["--input-shapes", "x:[5,3,1]", "y:[6]"], ["--inputs", "*:[2,3,4]"]]:
        assert saved_inputs(run_ours, model, tmp_path, "a", options) == saved_inputs(
            run_original, model, tmp_path, "b", options)
