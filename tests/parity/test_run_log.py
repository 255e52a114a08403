"""The log of `run`, times masked, is the original's; what differs on purpose is asserted as such."""
import re
import subprocess

import numpy as np
import onnx
import pytest
from differences import expect
from harness import NEXT_STEP, OURS, both
from models import identity, many_inputs, save
from onnx import TensorProto as T
from onnx import helper, numpy_helper

AVERAGE = re.compile(r"^\[I\] onnxrt-runner-N\d\s+\| Completed .*\n", re.M)


def without_average(text):
    return AVERAGE.sub("", text)


def two_layers(path):
    rng = np.random.default_rng(0)
    weight = numpy_helper.from_array(rng.random((4, 5), dtype=np.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["h"], name="mul"), helper.make_node("Relu", ["h"], ["r"], name="act"),
         helper.make_node("Softmax", ["r"], ["y"], name="prob")], "two",
        [helper.make_tensor_value_info("x", T.FLOAT, ["N", 4])], [helper.make_tensor_value_info("y", T.FLOAT, ["N", 5])],
        initializer=[weight])
    return save(graph, path)


OPTIONS = [
    ["--onnxrt"],
    ["--onnxrt", "--onnxrt"],
    ["--onnxrt", "--onnxrt", "--iterations", "3"],
    ["--onnxrt", "--onnxrt", "--iterations", "2", "--validate"],
    ["--onnxrt", "--onnxrt", "--sequential-runners"],
    ["--onnxrt", "--onnxrt", "--sequential-runners", "--iterations", "2", "--warm-up", "2", "--validate"],
    ["--onnxrt", "--onnxrt", "--onnxrt"],
    ["--onnxrt", "--onnxrt", "--onnx-outputs", "*"],
    ["--onnxrt", "--onnxrt", "--onnx-outputs", "h", "y"],
    ["--onnxrt", "--onnxrt", "--onnx-outputs", "h*", "zz*"],
    ["--onnxrt", "--onnxrt", "--onnx-outputs", "*", "--onnx-exclude-outputs", "h"],
    ["--onnxrt", "--onnx-outputs-by-type", "relu"],
    ["--onnxrt", "--onnx-outputs-by-type", "Rel"],
    ["--onnxrt", "--onnxrt", "--check-error-stat", "max"],
    ["--onnxrt", "--onnxrt", "--check-error-stat", "mean", "--atol", "1e-3", "--rtol", "0.5"],
    ["--onnxrt", "--onnxrt", "--check-error-stat", "median"],
    ["--onnxrt", "--onnxrt", "--check-error-stat", "quantile", "--error-quantile", "0.9"],
    ["--onnxrt", "--onnxrt", "--atol", "y:0.1", "1e-8", "--rtol", "3"],
    ["--onnxrt", "--onnxrt", "--atol", "1", "--rtol", "+2"],
    ["--onnxrt", "--onnxrt", "-v"],
    ["--onnxrt", "--onnxrt", "-q"],
    ["--onnxrt", "--onnxrt", "-qq"],
    ["--onnxrt", "--onnxrt", "-qqq"],
    ["--onnxrt", "--onnxrt", "--silent"],
    ["--onnxrt", "--input-shapes", "x:[3,4]", "--seed", "5", "--val-range", "[-1,1]"],
    ["--onnxrt", "--val-range", "nosuch:[3,4]"],
    ["--onnxrt", "--providers", "CPU"],
    ["--onnxrt", "--graph-optimization-level", "ORT_DISABLE_ALL"],
    [],
]


def test_shapes_of_no_input(tmp_path):
    model = two_layers(tmp_path / "m.onnx")
    ours, original = both(["run", model, "--onnxrt", "--input-shapes", "nosuch:[3,4]"], tmp_path)
    assert (ours.code, original.code) == (1, 0)
    expect("shapes-of-no-input", ours.stderr, original.stdout)
    ours, original = both(["run", model, "--onnxrt", "--input-shapes", "x:[3,4]", "nosuch:[3,4]"], tmp_path)
    assert ours.code == original.code == 0
    expect("shapes-of-some-inputs", ours.stdout, original.stdout)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: " ".join(o) or "no-runner")
def test_logs_are_equal(tmp_path, options):
    model = two_layers(tmp_path / "m.onnx")
    ours, original = both(["run", model, *options], tmp_path)
    assert ours.code == original.code, ours.stdout + ours.stderr
    verbose = "-v" in options
    ours_out, original_out = ours.stdout, original.stdout
    if verbose:  # third-party modules that only Python loads, and its C++ twin's own lines
        drop = re.compile(r"^\[V\] (Loaded Module|Loaded extension modules|Loaded Library).*\n", re.M)
        ours_out, original_out = drop.sub("", ours_out), drop.sub("", original_out)
    if "Average inference time" in ours_out and "Average inference time" not in original_out:
        expect("average-line-when-streaming", ours_out, original_out)
        ours_out = without_average(ours_out)
    assert ours_out == original_out
    assert ours.stderr == original.stderr


def test_failing_comparison(tmp_path):
    """Outputs that differ: values, histograms and FAILED lines."""
    for name, scale in (("a", 1.0), ("b", 1.01)):
        x = helper.make_tensor_value_info("x", T.FLOAT, (1, 2, 2, 2))
        graph = helper.make_graph(
            [helper.make_node("Mul", ["x", "s"], ["y"])], "g", [x], [helper.make_tensor_value_info("y", T.FLOAT, (1, 2, 2, 2))],
            initializer=[numpy_helper.from_array(np.float32(scale), "s")])
        save(graph, tmp_path / f"{name}.onnx")
    both(["run", "b.onnx", "--onnxrt", "--save-outputs", "b.json"], tmp_path)
    for options in [[], ["--fail-fast"], ["--atol", "0.001", "--rtol", "0.001"], ["--check-error-stat", "max"], ["--iterations", "2"]]:
        ours, original = both(["run", "a.onnx", "--onnxrt", "--load-outputs", "b.json", *options], tmp_path)
        assert ours.code == original.code == 1
        expect("next-step", ours.stdout, original.stdout)
        ours_out = NEXT_STEP.sub("", ours.stdout)
        assert without_average(ours_out) == original.stdout, options


def test_integer_bool_and_double_comparisons(tmp_path):
    model = many_inputs(tmp_path / "m.onnx", [("a", T.INT32, (3, 4)), ("b", T.BOOL, (5,)), ("c", T.DOUBLE, (2, 2)),
                                              ("d", T.UINT8, (300,)), ("e", T.FLOAT16, (4, 4)), ("f", T.INT64, ())])
    for seed in "1", "2":
        both(["run", model, "--onnxrt", "--seed", seed, "--save-outputs", f"o{seed}.json", "--val-range", "[0,9]"], tmp_path)
    ours, original = both(["run", "--load-outputs", "o1.json", "o2.json"], tmp_path)
    assert ours.code == original.code == 1
    assert ours.stdout == original.stdout


def test_validation_failure(tmp_path):
    graph = helper.make_graph(
        [helper.make_node("Log", ["n"], ["y"]), helper.make_node("Neg", ["x"], ["n"])][::-1], "g",
        [helper.make_tensor_value_info("x", T.FLOAT, (4,))], [helper.make_tensor_value_info("y", T.FLOAT, (4,))])
    save(graph, tmp_path / "nan.onnx")
    for options in [["--onnxrt"], ["--onnxrt", "--onnxrt"], ["--onnxrt", "--sequential-runners"], ["--onnxrt", "--iterations", "2"]]:
        ours, original = both(["run", "nan.onnx", "--validate", *options], tmp_path)
        assert ours.code == original.code == 1
        assert without_average(ours.stdout) == without_average(original.stdout), options
        assert ours.stderr == original.stderr


def test_identity_of_every_dtype_prints_its_name(tmp_path):
    for dtype in (T.INT8, T.UINT16, T.UINT32, T.UINT64, T.INT16):
        model = identity(tmp_path / "i.onnx", dtype)
        ours, original = both(["run", model, "--onnxrt", "--onnxrt"], tmp_path)
        assert without_average(ours.stdout) == original.stdout
    assert onnx.__version__


def test_a_closed_standard_error_gets_no_file(tmp_path):
    """The next file that is opened would have its number, and messages would be written into it."""
    subprocess.run(f"exec '{OURS}' run missing.onnx --onnxrt --log-file log.txt 2>&-", shell=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    log = (tmp_path / "log.txt").read_text()
    assert log.count("[!] cannot open 'missing.onnx'") == 1 and "FAILED" in log, log
