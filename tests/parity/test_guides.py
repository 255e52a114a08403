"""Commands that guides print, word for word up to the engine, with the scripts that go with them."""
import json
import os
import shlex
import subprocess

import numpy as np
import onnx
import pytest
from harness import OURS
from onnx import helper
from onnx.numpy_helper import from_array

# The model, evaluated by a third-party program: reads the inputs as the guide says a runner may, and prints the
# outputs.
RUNNER = '''
import json, sys
import numpy as np

arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(arguments["--input-file"]) as file:
    x = np.array(json.load(file)["x"], dtype=np.float32)
m = x @ (np.arange(12, dtype=np.float32).reshape(3, 4) / 7)
e = np.exp(m - m.max(axis=-1, keepdims=True))
print("evaluated")
print(json.dumps({"y": (e / e.sum(axis=-1, keepdims=True) + SHIFT).tolist()}))
'''

# A generator function as in the guide: batches of images, here of numbers.
PROVIDER = '''
import numpy as np

def load_data():
    """Yields a dictionary: {'input_name': numpy_array}"""
    print("[DataProvider] Loading 3 images")
    for i in range(3):
        yield {"x": np.ascontiguousarray(np.full((2, 3), i, dtype=np.float32))}
'''


@pytest.fixture
def folder(tmp_path):
    weights = from_array(np.arange(12, dtype=np.float32).reshape(3, 4) / 7, "w")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"], name="scale"),
             helper.make_node("Softmax", ["m"], ["y"], name="soft", axis=-1)]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [2, 3])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [2, 4])], [weights])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), tmp_path / "model.onnx")
    (tmp_path / "input.json").write_text('{"x": [[1, 2, 3], [4, 5, 6.5]]}')
    return tmp_path


def run(cwd, line):
    words = shlex.split(line.replace("\\\n", ""))
    assert words[0] == "polygraphy"
    # Scripts need the numpy that these tests use.
    env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(np.__file__))}
    return subprocess.run([OURS, *words[1:]], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)


GUIDE = ("polygraphy run model.onnx --openvino --onnx-graphsurgeon --model-runner=pytorch_runner.py --input-file input.json "
         "--output-dir results --save-inputs --save-outputs --compare-outputs")


def test_an_engine_against_a_script(folder):
    (folder / "pytorch_runner.py").write_text(RUNNER.replace("SHIFT", "0"))
    done = run(folder, GUIDE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(os.listdir(folder / "results")) == ["inputs.json", "log.txt", "outputs.json", "report.json", "report.txt"]
    report = json.loads((folder / "results" / "report.json").read_text())
    assert report["verdict"] == "PASSED"
    (comparison,) = report["comparisons"]
    assert comparison["runner0"].startswith("openvino-runner-N0-")
    assert comparison["runner1"].startswith("pytorch_runner-runner-N0-")
    assert comparison["tensors"][0]["layer"] == {"name": "soft", "op": "Softmax", "index": 1}


def test_where_they_differ_is_in_the_report(folder):
    (folder / "pytorch_runner.py").write_text(RUNNER.replace("SHIFT", "np.float32([[0] * 4, [0, 0, 0.25, 0]])"))
    done = run(folder, GUIDE)
    assert done.returncode == 1, done.stdout + done.stderr
    report = json.loads((folder / "results" / "report.json").read_text())
    (comparison,) = report["comparisons"]
    assert comparison["first_bad_tensor"] == "y"
    worst = comparison["tensors"][0]["worst_elements"][0]
    assert worst["index"] == [1, 2] and worst["difference"] == pytest.approx(0.25, abs=1e-6)
    assert float(worst["value1"]) - float(worst["value0"]) == pytest.approx(0.25, abs=1e-6)
    text = (folder / "results" / "report.txt").read_text()
    assert "First bad layer in the order of the graph: node 1 'soft' [Op: Softmax], tensor 'y'" in text


def test_a_generator_named_by_its_function(folder):
    (folder / "data_provider.py").write_text(PROVIDER)
    done = run(folder, "polygraphy run model.onnx --onnxrt --openvino --data-loader-script data_provider.py "
                       "--data-loader-func-name load_data --onnx-outputs m --atol 0.05 --rtol 0.05 --fail-fast")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed: 3/3 iterations" in done.stdout


# The guide's three steps of a bisection: each engine's outputs are saved, then one is held against the other's.
def test_golden_data_of_one_engine_against_the_other(folder):
    done = run(folder, "polygraphy run model.onnx --openvino --save-inputs golden_inputs.json "
                       "--save-outputs golden_outputs_fp16.json --silent")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = run(folder, "polygraphy run model.onnx --onnxrt --load-inputs golden_inputs.json "
                       "--save-outputs golden_outputs_onnx.json --silent")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = run(folder, "polygraphy run model.onnx --openvino --load-inputs golden_inputs.json "
                       "--load-outputs golden_outputs_onnx.json --atol 0.1 --rtol 0.01 --check-error-stat mean --fail-fast")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Checking mean error" in done.stdout and "Passed: 1/1 iterations" in done.stdout


def test_lines_that_the_shell_joined(folder):
    done = run(folder, "polygraphy run model.onnx \\\n--onnxrt --openvino \\\n--trt-outputs mark all\\\n--onnx-outputs mark all "
                       "\\\n--atol 1e-2 --rtol 1e-3 \\\n--fail-fast\\\n--val-range[0,1]")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Comparing Output: 'm'" in done.stdout
