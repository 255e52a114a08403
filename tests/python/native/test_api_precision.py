"""polygraphy_native.find_precision(), on the double of TensorRT."""

import sys

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import proto, tensorrt_double

ONES = {"x": np.ones(4, np.float32)}
# The second layer's result does not fit into float16.
TOO_LARGE = """<ir_version: 8, opset_import: ["" : 17]>
g (float[4] x) => (float[4] y) <float k = {1000000.0}, float one = {1.0}>
{ a = Relu (x) b = Mul (a, k) c = Div (b, k) d = Add (c, one) y = Relu (d) }"""
# The third node's weight does not.
LARGE_WEIGHT = """<ir_version: 8, opset_import: ["" : 17]>
g (float[4] x) => (float[4] y) <float small = {0.01}, float large = {100000.0}>
{ [first] a = Relu (x) [second] b = Mul (a, small) [third] c = Mul (b, large) [last] y = Relu (c) }"""


@pytest.fixture
def tensorrt():
    return tensorrt_double("10")


@pytest.fixture
def fp16(tensorrt):
    return {**tensorrt, "options": [*tensorrt["options"], ["fp16", []]]}


def agrees_with_onnx_runtime(model, runner, engines=None):
    (golden,) = pn.run(model, inputs=ONES)

    def check(engine):
        if engines is not None:
            engines.append(engine)
        (result,) = pn.run(engine, backend=runner, inputs=ONES)
        return np.allclose(result.outputs["y"], golden.outputs["y"], atol=0.01, rtol=0.01)

    return check


def model_of(text):
    return pn.Model.from_proto(proto(text))


@pytest.mark.parametrize("options, layers", [({}, 2), ({"reverse": True}, 4), ({"mode": "linear"}, 2)], ids=str)
def test_layers(fp16, tensorrt, options, layers):
    model, engines = model_of(TOO_LARGE), []
    report = pn.find_precision(model, agrees_with_onnx_runtime(model, tensorrt, engines), runner=fp16, **options)
    assert report and report.layers == layers and report.mode == options.get("mode", "bisect")
    assert report.nodes == () and report.share is None
    assert f"{'last' if options.get('reverse') else 'first'} {layers} layer(s)" in report.text
    assert engines and all(isinstance(each, str) and each.endswith(".engine") for each in engines)


def test_no_number_of_layers_is_enough(fp16):
    report = pn.find_precision(model_of(TOO_LARGE), lambda engine: False, runner=fp16)
    assert not report and report.layers is None


@pytest.mark.parametrize("family", ["10", "11", "rtx"])
def test_nodes(family, tmp_path):
    runner, model = tensorrt_double(family), model_of(LARGE_WEIGHT)
    model.save(tmp_path / "model.onnx")
    report = pn.find_precision(tmp_path / "model.onnx", agrees_with_onnx_runtime(model, runner), runner=runner,
                               mode="auto" if family == "10" else None, output=tmp_path / "mixed.onnx",
                               save_replay=tmp_path / "replay.json")
    assert report and report.mode == "auto" and report.layers is None
    assert report.nodes == (pn.PreciseNode(name="third", op_type="Mul"),)
    assert any(node.op_type == "Cast" for node in pn.load(tmp_path / "mixed.onnx").nodes)

    def refuse(engine):
        raise AssertionError("the replay has the verdicts")

    again = pn.find_precision(model, refuse, runner=runner, mode="auto", load_replay=tmp_path / "replay.json")
    assert again.nodes == report.nodes


def test_a_command_checks(fp16):
    words = [sys.executable, "-c", "import sys; print('BAD', sys.argv[1])", "{model}"]
    assert not pn.find_precision(model_of(TOO_LARGE), words, runner=fp16, fail_regex=["BAD .*engine"])
    assert pn.find_precision(model_of(TOO_LARGE), words, runner=fp16).layers == 1


def test_what_a_check_raises_is_raised(fp16):
    with pytest.raises(ZeroDivisionError):
        pn.find_precision(model_of(TOO_LARGE), lambda engine: 1 / 0, runner=fp16)
    with pytest.raises(TypeError, match="returned None"):
        pn.find_precision(model_of(TOO_LARGE), lambda engine: None, runner=fp16)
    with pytest.raises(KeyboardInterrupt):
        pn.find_precision(model_of(TOO_LARGE), lambda engine: raise_interrupt(), runner=fp16)


def raise_interrupt():
    raise KeyboardInterrupt


def test_a_check_that_fails_in_float32(tensorrt):
    with pytest.raises(pn.Error, match="precision is not the cause"):
        pn.find_precision(model_of(LARGE_WEIGHT), lambda engine: False, runner=tensorrt, mode="auto")


def test_arguments_that_make_no_sense(fp16, tensorrt, tmp_path):
    model = model_of(TOO_LARGE)
    for options, message in (({"mode": "all"}, "mode 'all'"), ({"precision": "int8"}, "'int8'"),
                             ({"check_timeout": 0}, "0 seconds"), ({"runner": "onnxrt"}, "onnxrt"),
                             ({"runner": tensorrt}, "precision"), ({"runner": "./program.sh"}, "compiles no models")):
        with pytest.raises(pn.Error, match=message):
            pn.find_precision(model, lambda engine: True, **{"runner": fp16, **options})
    (tmp_path / "model.engine").write_bytes(b"")
    with pytest.raises(pn.Error, match="cannot be changed"):
        pn.find_precision(tmp_path / "model.engine", lambda engine: True, runner=fp16)
