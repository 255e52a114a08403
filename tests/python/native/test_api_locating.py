"""polygraphy_native.locate(), on real engines."""

import dataclasses
import json

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import LANGUAGE, LAYERS, MAGIKA, need, proto

ONES = {"x": np.ones((2, 4), np.float32)}


@pytest.fixture
def model():
    return pn.Model.from_proto(proto(LAYERS))


def wrong_results(model, name="b"):
    """All tensors of a run, with an error in one of them."""
    (result,) = pn.run(model, inputs=ONES, outputs="mark all")
    outputs = {**result.outputs, name: result.outputs[name] + np.float32(0.25)}
    return [dataclasses.replace(result, outputs=outputs)]


def test_engines_that_agree(model):
    report = pn.locate(model, "onnxrt", "onnxrt graph_optimization_level=ORT_DISABLE_ALL", inputs=ONES)
    assert report and report.clean and not report.guilty and report.verdict in ("agree", "noise")
    assert {each.node for each in report.nodes} == {"a", "b", "y"} and report.outputs == ("y",)
    assert report.samples == 1 and report.format == "float32" and report.text
    assert report.answer and report.answer.agreement == "agrees" and report.answer.compared == 1
    assert report.text.startswith(report.answer.headline)
    assert report.reference.startswith("onnxrt-runner-N0-") and report.target.startswith("onnxrt-runner-N1-")


def test_a_real_model_on_two_engines():
    need("openvino")
    report = pn.locate(MAGIKA, "onnxrt", "openvino", iterations=2, input_shapes={"bytes": [1, 2048]},
                       isolate_neighbours=False, prove=False)
    assert report.samples == 2 and len(report.nodes) > 20
    assert all(each.neighbours is None for each in report.nodes)
    # Nodes that are right in place do not run alone.
    errors = [each.isolated or each.accumulated for each in report.nodes]
    assert all(error.elements > 0 and error.ratio >= 0 for error in errors)
    assert any(error.by_element > 0 for error in errors)
    assert not any(each.reference_deviates for each in report.nodes)


def test_the_guilty_node_of_earlier_results(model):
    report = pn.locate(model, "onnxrt", wrong_results(model), inputs=ONES, format="float32")
    # The wrong tensor is not an output, and the saved output is right.
    assert report and report.verdict == "guilty" and "does not make this model differ" in report.text
    assert "cannot run again" in report.proof.note
    by_name = {each.node: each for each in report.nodes}
    assert by_name["b"].op_type == "Tanh" and by_name["b"].accumulated.largest == pytest.approx(0.25)
    assert by_name["b"].isolated is None and by_name["b"].accumulated.ratio > 1000
    assert by_name["b"].reads == ("a",) and by_name["b"].makes == ("b",)
    assert by_name["a"].accumulated.ratio <= 3


def test_a_remedy(model, tmp_path):
    seen = []

    def agrees(name, reference, observed):
        seen.append(name)
        return np.allclose(reference, observed, atol=1e-6, rtol=1e-6)

    report = pn.locate(model, "onnxrt", "onnxrt", inputs=ONES, format="float16", remedy=agrees,
                       output=tmp_path / "mixed.onnx")
    assert set(seen) == {"y"} and report.remedy.evaluations > 0 and report.remedy.nodes
    assert report.remedy.written == str(tmp_path / "mixed.onnx") and pn.load(report.remedy.written).nodes
    with pytest.raises(ZeroDivisionError):
        pn.locate(model, "onnxrt", "onnxrt", inputs=ONES, format="float16", remedy=lambda *_: 1 / 0)


@pytest.mark.parametrize("options, message", [
    ({"format": "float7"}, "'float7'"), ({"noise_runs": 1}, "1 noise run"), ({"noise_runs": 0, "threshold": 0.5}, "threshold"), ({"threshold": 0.5}, "threshold"),
    ({"noise": "onxrt"}, "'onxrt'"), ({"output": "m.onnx"}, "remedy"), ({"tensor_bytes": -1}, "tensor_bytes")])
def test_options_of_locate_that_make_no_sense(model, options, message):
    with pytest.raises(pn.Error, match=message):
        pn.locate(model, "onnxrt", "onnxrt", inputs=ONES, **options)


FLOAT, INT4, PROMPTS = LANGUAGE / "float.onnx", LANGUAGE / "int4.onnx", LANGUAGE / "prompts.json"


@pytest.mark.parametrize("in_memory", [False, True])
def test_the_wrong_layer_of_a_quantised_language_model(in_memory):
    model, other = (pn.load(INT4), pn.load(FLOAT)) if in_memory else (INT4, FLOAT)
    prompts = json.loads(PROMPTS.read_text()) if in_memory else PROMPTS
    report = pn.locate(model, "onnxrt", float_model=other, decode_step=5, prompts=prompts)
    assert [each.node for each in report.guilty] == ["model.layers.1.mlp.down_proj/MatMul_Q4"]
    assert not report and report.samples == 4 and report.proof.agrees
    assert (report.target, report.reference) == (f"{INT4} on onnxrt", f"{FLOAT} on onnxrt")
    assert "the float32 and quantisation noise" in report.answer.measure


def test_a_step_of_two_engines():
    """The prompts may be among the inputs, or random."""
    def fast(**options):
        report = pn.locate(FLOAT, "onnxrt", "onnxrt graph_optimization_level=ORT_DISABLE_ALL", decode_step=2,
                           isolate_nodes=False, isolate_neighbours=False, prove=False, **options)
        assert report and report.answer.compared == 5
        return report

    assert fast(inputs=[{"input_ids": np.int64([[3, 1, 4, 1]])}]).samples == 1
    assert fast(iterations=2).samples == 2


def test_rounding_of_quantised_weights_is_noise():
    report = pn.locate(INT4, "onnxrt", "onnxrt", decode_step=0, quantization_noise=True, isolate_nodes=False,
                       isolate_neighbours=False, prove=False)
    assert report and "and quantisation noise" in report.answer.measure


@pytest.mark.parametrize("options, message", [
    ({"prompts": [[1]]}, "no effect without decode_step"), ({"tokenizer": "t.json"}, "no effect without decode_step"),
    ({"decode_step": -1}, "-1 steps"), ({"decode_step": 0, "decoder_names": "nowhere.json"}, "nowhere.json"),
    ({"decode_step": 0, "prompts": [[1]], "inputs": ONES}, "exclude each other"),
    ({"float_model": "nowhere.onnx"}, "nowhere.onnx"),
    ({"float_model": FLOAT, "remedy": lambda *_: True}, "remedy")])
def test_options_of_language_models_that_make_no_sense(options, message):
    with pytest.raises(pn.Error, match=message):
        pn.locate(INT4, "onnxrt", "onnxrt", **options)


def test_sides_of_a_float_model_and_of_a_step(model):
    with pytest.raises(TypeError, match="needs a target"):
        pn.locate(model, "onnxrt")
    with pytest.raises(pn.Error, match="Saved results run no model"):
        pn.locate(model, "onnxrt", wrong_results(model), float_model=pn.Model.from_proto(proto(LAYERS)), inputs=ONES)
    with pytest.raises(pn.Error, match="to make the cache"):
        pn.locate(INT4, wrong_results(model), "onnxrt", decode_step=1)


def test_nothing_to_locate(model):
    with pytest.raises(pn.Error, match="No results"):
        pn.locate(model, "onnxrt", [], inputs=ONES)
    with pytest.raises(pn.Error, match="nowhere"):
        pn.locate("nowhere.onnx", "onnxrt", "onnxrt")


def test_nothing_is_printed(model, capfd):
    pn.locate(model, "onnxrt", "onnxrt", inputs=ONES)
    assert capfd.readouterr() == ("", "")
