"""Task metrics through the command line, on small models, against NumPy."""
import os
import re
import subprocess
import sys

import numpy as np
import onnx
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "parity"))
import python_program  # noqa: E402

POLYGRAPHY = os.path.abspath(
    os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy")))


class Ran:
    def __init__(self, done):
        self.code, self.text = done.returncode, done.stdout.decode() + done.stderr.decode()

    def figures(self):
        """Of the reference and of the target, in all digits."""
        found = re.findall(r"^\[V\].*? \| .*?: (\S+) \| .*?: (\S+)$", self.text, re.M)
        assert found, self.text
        return tuple(float(text) for text in found[-1])

    def headline(self):
        return next(line for line in self.text.splitlines() if " by " in line and "samples of" in line)


@pytest.fixture(scope="session", autouse=True)
def numpy_python(tmp_path_factory):
    """Scripts run where NumPy is."""
    program = python_program.make(tmp_path_factory.mktemp("python"), python_program.PACKAGES)
    os.environ["POLYGRAPHY_PYTHON"] = program
    return program


@pytest.fixture
def polygraphy(tmp_path):
    def run(*args):
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        return Ran(subprocess.run([POLYGRAPHY, *map(str, args)], cwd=tmp_path, env=environment, capture_output=True,
                                  timeout=240))
    return run


def save_model(path, nodes, inputs, outputs, constants=None):
    """`inputs` and `outputs`: (name, type, shape)."""
    def infos(values):
        return [onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind)), shape)
                for name, kind, shape in values]
    weights = [onnx.numpy_helper.from_array(value, name) for name, value in (constants or {}).items()]
    graph = onnx.helper.make_graph(nodes, "g", infos(inputs), infos(outputs), weights)
    opset = onnx.helper.make_opsetid("", 17)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[opset], ir_version=8), str(path))


@pytest.fixture
def outputs_of(polygraphy, tmp_path):
    """Runs a model and returns the path of its results, and these, by iteration."""
    def run(model, *args):
        path = tmp_path / (os.path.basename(str(model)) + ".npz")
        done = polygraphy("run", model, "--onnxrt", "--save-outputs", path, *args)
        assert done.code == 0, done.text
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files if "/" in name}
        count = 1 + max(int(name.split("/")[0]) for name in arrays)
        return path, [{name.split("/", 2)[2]: array for name, array in arrays.items()
                       if name.startswith("%d/" % i)} for i in range(count)]
    return run
