"""The example of docs/model-runner.md, and isolated runs whose files the original reads."""
import os
import re
import subprocess

import numpy as np
import onnx
from harness import OURS, ROOT
from onnx import helper, numpy_helper
from polygraphy.comparator import RunResults


def linear(path):
    weights = np.array([[1, 2], [3, 4]], dtype=np.float32)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("Add", ["m", "b"], ["y"])]
    graph = helper.make_graph(
        nodes, "linear", [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 2])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 2])],
        [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(np.float32(1), "b")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def run(cwd, *args):
    # The script needs the numpy that these tests use.
    env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(np.__file__))}
    done = subprocess.run([OURS, "run", "linear.onnx", *args], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_of_the_documentation_runs(tmp_path):
    with open(os.path.join(ROOT, "docs", "model-runner.md"), encoding="utf-8") as doc:
        script = re.search(r"```python\n(.*?)```", doc.read(), re.S).group(1)
    (tmp_path / "reference.py").write_text(script)
    linear(tmp_path / "linear.onnx")
    out = run(tmp_path, "--onnxrt", "--model-runner", "reference.py", "--iterations", "2")
    assert "Passed: 2/2 iterations" in out and "reference-runner-N0-" in out


def test_a_script_may_print_files_of_the_tool(tmp_path):
    linear(tmp_path / "linear.onnx")
    run(tmp_path, "--onnxrt", "--save-inputs", "i.json", "--save-outputs", "o.json", "--isolate")
    script = tmp_path / "saved"
    script.write_text("#!/bin/sh\ncat o.json\n")
    script.chmod(0o755)
    assert "Passed: 1/1 iterations" in run(tmp_path, "--onnxrt", "--model-runner", "saved", "--load-inputs", "i.json")


def test_a_script_may_write_arrays(tmp_path):
    linear(tmp_path / "linear.onnx")
    for save in ("np.savez(sys.argv[4], y=y)", "np.savez(sys.argv[4], y)", "np.save(sys.argv[4], y)", "np.save(open(sys.argv[4], 'wb'), y)"):
        (tmp_path / "reference.py").write_text(
            "import json, sys\nimport numpy as np\nx = np.array(json.load(open(sys.argv[2]))['x'], dtype=np.float32)\n"
            "y = x @ np.array([[1, 2], [3, 4]], dtype=np.float32) + 1\n" + save)
        assert "Passed: 1/1 iterations" in run(tmp_path, "--onnxrt", "--model-runner", "reference.py")


def test_the_original_reads_what_an_isolated_run_saves(tmp_path):
    linear(tmp_path / "linear.onnx")
    run(tmp_path, "--onnxrt", "--openvino", "--isolate", "--save-outputs", "o.json")
    results = RunResults.load(str(tmp_path / "o.json"))
    assert [name.split("-N")[0] for name, _ in results] == ["onnxrt-runner", "openvino-runner"]
    first, second = (iterations[0]["y"] for _, iterations in results)
    np.testing.assert_allclose(first, second, rtol=1e-6)
