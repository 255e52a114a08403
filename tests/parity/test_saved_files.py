"""Each side reads the files that the other writes, to the same effect."""
import json
import os

import pytest
from harness import both, run_original, run_ours
from models import identity, many_inputs
from onnx import TensorProto as T

RUNS = {"ours": run_ours, "original": run_original}


@pytest.fixture(params=[("ours", "original"), ("original", "ours")], ids=["ours-to-original", "original-to-ours"])
def pair(request):
    return RUNS[request.param[0]], RUNS[request.param[1]]


def ok(result):
    assert result.code == 0, result.stdout + result.stderr
    return result


MIXED = [("a", T.FLOAT, (2, 3)), ("b", T.INT64, (4,)), ("c", T.BOOL, (3,)), ("d", T.FLOAT16, (2, 2)), ("e", T.DOUBLE, ())]


@pytest.mark.parametrize("extension", [".json", ""], ids=["file", "directory"])
@pytest.mark.parametrize("iterations", ["1", "3"])
def test_inputs_and_outputs(tmp_path, pair, extension, iterations):
    write, read = pair
    model = many_inputs(tmp_path / "m.onnx", MIXED)
    ok(write(["run", model, "--onnxrt", "--iterations", iterations, "--save-inputs", "i" + extension, "--save-outputs", "o" + extension],
             tmp_path))
    done = ok(read(["run", model, "--onnxrt", "--load-inputs", "i" + extension, "--load-outputs", "o" + extension], tmp_path))
    assert f"Passed: {iterations}/{iterations} iterations | Pass Rate: 100.00%" in done.stdout


def test_saved_inputs_have_equal_bytes_and_outputs_equal_structure(tmp_path):
    model = many_inputs(tmp_path / "m.onnx", MIXED)
    for name, run in RUNS.items():
        ok(run(["run", model, "--onnxrt", "--save-inputs", f"{name}-i.json", "--save-outputs", f"{name}-o.json"], tmp_path))
    assert (tmp_path / "ours-i.json").read_bytes() == (tmp_path / "original-i.json").read_bytes()

    def structure(name):
        text = (tmp_path / f"{name}-o.json").read_text()
        data = json.loads(text)
        for runner in data["lst"]:
            runner[0] = "name"
            for iteration in runner[1]:
                assert isinstance(iteration["runtime"], float) and "onnxrt-runner-N0" in iteration["runner_name"]
                iteration["runtime"] = iteration["runner_name"] = None
        return json.dumps(data, indent=4), text.endswith("\n")

    assert structure("ours") == structure("original")


def test_inspect_data(tmp_path):
    model = many_inputs(tmp_path / "m.onnx", MIXED + [("f", T.FLOAT, (40, 50)), ("g", T.INT32, (3, 4, 5))])
    ok(run_original(["run", model, "--onnxrt", "--onnxrt", "--iterations", "2", "--save-inputs", "i.json", "--save-outputs", "o.json"],
                    tmp_path))
    ok(run_original(["run", model, "--onnxrt", "--iterations", "2", "--save-inputs", "di", "--save-outputs", "do"], tmp_path))
    for path in ["i.json", "o.json", "di", "do"]:
        for options in [[], ["--all"], ["--show-values"], ["--histogram"], ["--all", "--show-values", "--histogram"],
                        ["-s", "-n", "2"], ["-s", "-n", "-1", "--line-width", "-1"], ["-s", "--line-width", "40"]]:
            ours, original = both(["inspect", "data", path, *options], tmp_path)
            assert ours == original, f"{path} {options}"


def test_bfloat16_bits_survive_our_own_round_trip(tmp_path):
    model = identity(tmp_path / "b.onnx", T.BFLOAT16, (3, 4))
    ok(run_ours(["run", model, "--onnxrt", "--save-inputs", "i.json", "--save-outputs", "o.json"], tmp_path))
    done = ok(run_ours(["run", model, "--onnxrt", "--load-inputs", "i.json", "--load-outputs", "o.json"], tmp_path))
    assert "dtype=bfloat16" in done.stdout and "Pass Rate: 100.00%" in done.stdout
    assert os.path.getsize(tmp_path / "o.json") > 0
