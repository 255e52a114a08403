"""Scripts that make networks by calls of TensorRT: run, converted and inspected, on the doubles."""
import os

import numpy as np
import pytest
import python_program
from harness import run_ours
from test_trt_python import DOUBLES, RUNNER, folder, told  # noqa: F401: `folder` is a fixture

BUILT = os.path.join(os.path.dirname(os.path.dirname(os.environ["POLYGRAPHY"])), "python")
OUR_PACKAGE = [os.path.join(BUILT, "polygraphy_native", "compat"), BUILT]

CALLS = """
import numpy as np
import tensorrt as trt
from polygraphy import func
from polygraphy.backend.trt import CreateConfig, CreateNetwork, NetworkFromOnnxPath

WEIGHTS = np.arange(12, dtype=np.float32).reshape(4, 3) / 12

@func.extend(CreateNetwork())
def load_network(builder, network):
    x = network.add_input("x", shape=(2, 4), dtype=trt.float32)
    weights = network.add_constant((4, 3), WEIGHTS).get_output(0)
    product = network.add_matrix_multiply(x, trt.MatrixOperation.NONE, weights, trt.MatrixOperation.NONE)
    product.name = "product"
    turned = network.add_shuffle(product.get_output(0))
    turned.reshape_dims = trt.Dims((3, 2))
    turned.second_transpose = trt.Permutation((1, 0))
    active = network.add_activation(turned.get_output(0), trt.ActivationType.TANH)
    total = network.add_elementwise(active.get_output(0), turned.get_output(0), op=trt.ElementWiseOperation.SUM)
    total.get_output(0).name = "y"
    network.mark_output(total.get_output(0))

@func.extend(NetworkFromOnnxPath("model.onnx"))
def of_model(builder, network, parser):
    result = network.get_output(0)
    network.unmark_output(result)
    negative = network.add_unary(result, trt.UnaryOperation.NEG).get_output(0)
    negative.name = "negative"
    network.mark_output(negative)

@func.extend(CreateConfig())
def load_config(config):
    config.set_flag(trt.BuilderFlag.FP16)

def keep_in_float32(network):
    for index in range(network.num_layers):
        layer = network.get_layer(index)
        if layer.name == "a":
            layer.precision = trt.float32
            layer.set_output_type(0, trt.float32)
"""


def expected(x):
    product = x @ (np.arange(12, dtype=np.float32).reshape(4, 3) / 12)
    turned = product.reshape(3, 2).T
    return np.tanh(turned) + turned


@pytest.fixture
def calls(folder, monkeypatch):  # noqa: F811
    (folder / "calls.py").write_text(CALLS)
    (folder / "data.py").write_text(
        "import numpy\ndef load_data(): yield {'x': numpy.arange(8, dtype=numpy.float32).reshape(2, 4) / 8}\n")
    packages = [DOUBLES, *OUR_PACKAGE, python_program.PACKAGES]
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(folder, *packages))
    return folder


def ran(calls, *args):
    result = run_ours([*args, *RUNNER], calls)
    assert result.code == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("model", [["calls.py"], ["calls.py:load_network"],
                                   ["calls.py", "--trt-network-func-name", "load_network"]])
def test_a_network_of_calls_runs(calls, model):
    ran(calls, "run", *model, "--trt", "--data-loader-script", "data.py", "--save-outputs", "out.json")
    assert "network.mark_output(y)" in told(calls)
    from polygraphy.comparator import RunResults
    [(_, [iteration])] = RunResults.load(str(calls / "out.json")).lst
    np.testing.assert_allclose(iteration["y"], expected(np.arange(8, dtype=np.float32).reshape(2, 4) / 8), rtol=1e-6)


def test_a_parsed_network_gets_another_output(calls):
    ran(calls, "convert", "calls.py:of_model", "-o", "m.engine", "--trt-config-script", "calls.py")
    assert "config.set_flag(BuilderFlag.FP16)" in told(calls)
    text = ran(calls, "inspect", "model", "m.engine")
    assert "{negative [dtype=float32, shape=(-1, 4)]}" in text


def test_layers_keep_their_precision(calls):
    ran(calls, "run", "model.onnx", "--trt", "--fp16", "--precision-constraints", "obey", "--trt-npps",
        "calls.py:keep_in_float32", "--input-shapes", "x:[1,4]")
    assert "layer a.precision = DataType.FLOAT" in told(calls)
    assert "config.set_flag(BuilderFlag.OBEY_PRECISION_CONSTRAINTS)" in told(calls)
