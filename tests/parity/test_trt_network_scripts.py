"""Scripts that make networks by calls of TensorRT: run, converted and inspected, on the doubles."""
import os

import numpy as np
import pytest
import python_program
from harness import both, run_ours
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

def of_many_kinds():
    builder = trt.Builder(trt.Logger())
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    network.name = "kinds"
    x = network.add_input("x", trt.float16, (-1, 3, 4, 4))
    n = trt.ITensor("n", trt.int64, (1,), True)
    kinds = [
        ("conv", "CONVOLUTION", [x], dict(num_output_maps=2, num_groups=1, kernel=np.ones(6, np.float16),
         bias=np.zeros(0, np.float16), kernel_size_nd=trt.Dims((1, 1)), stride_nd=trt.Dims((1, 1)),
         padding_mode=trt.PaddingMode.SAME_UPPER)),
        ("odd", "ACTIVATION", [x, None], dict(type=trt.ActivationType.RELU, alpha=float("nan"),
         beta=RuntimeError("beta has no value"))),
        ("", "SHAPE", [x], {}),
        ("soft\u00fc", "SOFTMAX", [x], dict(axes=1 << 62)),
        ("q", "QUANTIZE", [x], dict(axis=[0.5, 2.0])),
        ("dq", "DEQUANTIZE", [x], dict(axis=["a", None])),
        ("end", "LOOP_OUTPUT", [x, n], dict(axis=0, kind=trt.LoopOutput.CONCATENATE, loop="outer")),
        ("norm", "NORMALIZATION", [x, x, x], {}),
    ]
    for name, kind, inputs, more in kinds:
        outputs = [n, None] if kind == "SHAPE" else [trt.ITensor("of " + name, trt.int8, (2, -1))]
        network.layers.append(trt.ILayer(name, trt.LayerType[kind], inputs, outputs, **more))
    network.outputs = [n]
    return builder, network

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


def test_only_files_of_the_user_are_named_in_the_log(calls):
    log = ran(calls, "run", "calls.py", "--trt", "-v")
    assert "/.polygraphy" not in log
    assert "Loading bytes from" not in log
    ran(calls, "convert", "calls.py", "-o", "m.engine")
    assert f"[I] Loading bytes from {calls / 'm.engine'}\n" in ran(calls, "run", "m.engine", "--trt")


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


SHOWN = [[], ["--show", "layers"], ["--show", "layers", "attrs"], ["--show", "layers", "attrs", "weights"],
         ["--display-as", "trt", "--strongly-typed"]]


@pytest.mark.parametrize("model", [["calls.py"], ["calls.py:of_model"], ["calls.py:of_many_kinds"],
                                   ["model.onnx", "--display-as", "trt", "--trt-npps", "scripts.py:postprocess"]])
@pytest.mark.parametrize("show", SHOWN)
def test_a_network_is_shown_as_the_original_shows_it(calls, monkeypatch, model, show):
    monkeypatch.syspath_prepend(DOUBLES)
    ours, original = both(["inspect", "model", *model, *show], calls)
    assert (ours.code, original.code) == (0, 0), ours.stderr + original.stderr
    start = "[I] ==== TensorRT Network ===="
    assert ours.stdout[ours.stdout.index(start):] == original.stdout[original.stdout.index(start):]


def test_a_script_has_the_name_of_one(calls):
    args = ["inspect", "model", "model.onnx", "--model-type", "trt-network-script"]
    ours, original = both(args, calls)
    assert (ours.code, original.code) == (1, 1)
    assert ours.stderr == original.stderr


def test_a_script_that_fails_is_named(calls):
    result = run_ours(["inspect", "model", "scripts.py:broken"], calls)
    assert result.code == 1
    assert "ValueError: no such layer" in result.stderr
    result = run_ours(["inspect", "model", "scripts.py:no_config"], calls)
    assert "no_config() missing 2 required positional arguments" in result.stderr


def test_a_script_that_needs_the_package_says_so(calls, monkeypatch):
    packages = [DOUBLES, python_program.only_numpy(calls / "only")]
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(calls, *packages))
    result = run_ours(["inspect", "model", "calls.py"], calls)
    assert result.code == 1
    assert "No module named 'polygraphy.backend': this Python lacks the package polygraphy" in result.stderr


def test_a_network_of_a_script_is_drawn_and_saved(calls):
    ran(calls, "inspect", "model", "calls.py", "--visual", "--save-visual", "network.html")
    assert '"product"' in (calls / "network.html").read_text()
    ran(calls, "convert", "calls.py", "--convert-to", "onnx-like-trt-network", "-o", "like.onnx")
    import onnx
    nodes = onnx.load(str(calls / "like.onnx")).graph.node
    assert [node.op_type for node in nodes] == ["CONSTANT", "MATRIX_MULTIPLY", "SHUFFLE", "ACTIVATION", "ELEMENTWISE"]


@pytest.mark.parametrize("model, layer", [(["model.onnx", "--trt-npps", "scripts.py:postprocess"], "a"),
                                          (["calls.py"], "product")])
def test_precisions_are_searched_in_the_network_of_a_script(calls, model, layer):
    ran(calls, "debug", "precision", *model, "--mode", "bisect", "--fp16", "--check", "true")
    assert f"layer {layer}.precision = DataType.FLOAT" in told(calls)


def test_a_strongly_typed_network_of_a_script_has_no_precisions_to_search(calls):
    result = run_ours(["debug", "precision", "calls.py:of_many_kinds", "--fp16", "--check", "true", *RUNNER], calls)
    assert result.code == 1
    assert "its layers have no separate precision" in result.stderr
    result = run_ours(["debug", "precision", "calls.py", "--mode", "auto", "--check", "true", *RUNNER], calls)
    assert "could not be converted to an ONNX model" in result.stderr


def refused(calls, *args):
    result = run_ours([*args, *RUNNER], calls)
    assert result.code == 1, result.stdout + result.stderr
    return result.stderr


@pytest.mark.parametrize("model", ["calls.py", "calls.py:load_network"])
def test_an_engine_never_replaces_its_script(calls, model):
    error = refused(calls, "convert", model, "-o", "./calls.py", "--convert-to", "trt")
    assert "--output would overwrite './calls.py': this command reads it" in error
    assert (calls / "calls.py").read_text() == CALLS


def test_an_engine_brings_its_folder(calls):
    ran(calls, "convert", "calls.py", "-o", os.path.join("new", "folder", "m.engine"))
    assert (calls / "new" / "folder" / "m.engine").stat().st_size > 0


def test_shapes_of_no_input_are_refused(calls):
    error = refused(calls, "convert", "calls.py", "-o", "m.engine", "--input-shapes", "q:[1,4]")
    assert "Invalid inputs were provided to the optimization profile: ['q']\n" in error
    assert "Inputs of the network: x" in error
    assert not (calls / "m.engine").exists()


def test_layers_of_one_name_have_one_precision(calls):
    (calls / "same.py").write_text(CALLS + '\n\ndef twice(network):\n    for index in range(2):\n'
                                   '        network.get_layer(index).name = "same"\n')
    ran(calls, "convert", "model.onnx", "-o", "m.engine", "--trt-npps", "same.py:twice", "--input-shapes", "x:[1,4]",
        "--layer-precisions", "same:float32", "--fp16", "--precision-constraints", "obey")
    assert told(calls).count("layer same.precision = DataType.FLOAT") == 2


def test_an_output_whose_name_looks_like_a_pattern(calls):
    (calls / "odd.py").write_text(CALLS + '\n\ndef odd(network):\n'
                                  '    network.get_layer(0).get_output(0).name = "(a* 0) [b]"\n')
    ran(calls, "convert", "model.onnx", "-o", "m.engine", "--trt-npps", "odd.py:odd", "--input-shapes", "x:[1,4]",
        "--trt-outputs", "(a* 0) [b]")
    assert "network.mark_output((a* 0) [b])" in told(calls)


def test_dla_needs_a_core(calls, monkeypatch):
    error = refused(calls, "convert", "calls.py", "-o", "m.engine", "--use-dla")
    assert "--use-dla: this machine has no DLA core" in error
    monkeypatch.setenv("PG_TENSORRT_DOUBLE_DLA_CORES", "1")
    ran(calls, "convert", "calls.py", "-o", "m.engine", "--use-dla", "--allow-gpu-fallback")
    for flag in ("PREFER_PRECISION_CONSTRAINTS", "GPU_FALLBACK"):
        assert f"config.set_flag(BuilderFlag.{flag})" in told(calls)
