"""polygraphy_native.sensitivity(), on ONNX Runtime."""

import json
import subprocess

import numpy as np
import onnx
import pytest

import polygraphy_native as pn
from api_models import LANGUAGE, LAYERS, chain, proto

FLOAT, INT4, PROMPTS = LANGUAGE / "float.onnx", LANGUAGE / "int4.onnx", LANGUAGE / "prompts.json"


@pytest.fixture
def model():
    return pn.Model.from_proto(chain())


def samples(count=3):
    rng = np.random.default_rng(1)
    return [{"x": rng.standard_normal((4, 32)).astype(np.float32)} for _ in range(count)]


def outputs(model):
    return np.concatenate([result.outputs["t5"] for result in pn.run(model, inputs=samples())])


def relative_error(model, other):
    expected, observed = outputs(model), outputs(other)
    return np.linalg.norm(observed - expected) / np.linalg.norm(expected)


def command(*words):
    return subprocess.run([pn.executable(), "debug", "sensitivity", *map(str, words)], capture_output=True, text=True)


def test_the_mixed_model_has_the_figures_of_the_report(model, tmp_path):
    report = pn.sensitivity(model, format="int4:block=16", limit=0.1, inputs=samples(),
                            output=tmp_path / "mixed.onnx", save_exclusions=tmp_path / "nodes.json")
    assert report and report.answer.agreement == "agrees" and report.found and report.cheapest
    assert (report.format, report.limit, report.samples) == ("int4:block=16", 0.1, 3)
    assert report.proved <= 0.1 < report.all_quantized and report.worst_output == "t5"
    mixed = pn.load(report.written)
    assert relative_error(model, mixed) == pytest.approx(report.proved, rel=0.01)
    assert len(report.layers) == 6 and 0 < len(report.kept) < 6
    assert [each.effect for each in report.layers] == sorted((each.effect for each in report.layers), reverse=True)
    kept = {node for layer in report.kept for node in layer.nodes}
    assert kept == {node.name for node in mixed.nodes if node.op_type == "MatMul"}
    assert report.kept_bytes == sum(layer.saved_bytes for layer in report.kept)
    assert set(report.exclusions["modelopt"]["nodes_to_exclude"]) == kept
    assert json.loads((tmp_path / "nodes.json").read_text()) == report.exclusions
    assert "Layer " in report.text and report.text.endswith("3 samples")


def test_figures_of_a_layer(model):
    report = pn.sensitivity(model, format="int4", inputs=samples())
    by_node = {layer.nodes[0]: layer for layer in report.layers}
    outlier = by_node["layer2"]  # has a large channel
    assert outlier.op_type == "MatMul" and outlier.weight == "w2" and outlier.shape == (32, 32)
    assert outlier.float_bytes == 32 * 32 * 4 and outlier.saved_bytes == outlier.float_bytes - outlier.quantized_bytes
    assert outlier.worst_channel.channels == 32 and outlier.worst_channel.index == 0
    assert outlier.worst_channel.outlier > 3 > by_node["layer0"].worst_channel.outlier
    weights = np.sort(model.array("w2")[:, 0])
    assert (outlier.worst_channel.min, outlier.worst_channel.max) == pytest.approx((weights[0], weights[-1]))
    assert outlier.tokens is None and report.all_quantized_tokens is None and not outlier.shared


def test_the_document_is_that_of_the_command(model, tmp_path):
    model.save(tmp_path / "m.onnx")
    files = [tmp_path / f"{i}.npz" for i in range(3)]
    for path, feed in zip(files, samples()):
        np.savez(path, **feed)
    done = command(tmp_path / "m.onnx", "--load-inputs", *files, "--json", tmp_path / "r.json")
    report = pn.sensitivity(tmp_path / "m.onnx", inputs=samples())
    assert report.json == (tmp_path / "r.json").read_text()
    assert done.returncode == (0 if report else 1) and report.format == "int8"
    assert all(line in done.stdout + done.stderr for line in report.text.splitlines())


def test_no_layer_may_stay_quantised(model):
    report = pn.sensitivity(model, format="int4", limit=0, inputs=samples())
    assert report and len(report.kept) == 6 and report.proved == 0 and report.saved_bytes == 0


@pytest.mark.parametrize("name", ["simple", "function"])
def test_other_checks(model, name):
    seen = []

    def close(output, reference, observed):
        seen.append((output, reference.shape))
        return np.abs(reference - observed).max() <= 0.2

    by = {"compare": close} if name == "function" else {"atol": 0.2, "rtol": 0}
    report = pn.sensitivity(model, format="int4", inputs=samples(), **by)
    assert report and report.limit is None and 0 < len(report.kept) < 6
    assert name == "simple" or set(seen) == {("t5", (4, 32))}
    other = pn.sensitivity(model, format="int4", inputs=samples(), compare=["simple"], atol={"t5": 0.2}, rtol=0)
    assert [layer.kept for layer in other.layers] == [layer.kept for layer in report.layers]


def test_what_a_check_raises_comes_through(model):
    with pytest.raises(ZeroDivisionError):
        pn.sensitivity(model, inputs=samples(), compare=lambda *_: 1 / 0)


def test_a_metric(model, tmp_path):
    labels = outputs(model).argmax(-1)
    (tmp_path / "labels.txt").write_text("".join(f"{label}\n" for label in labels))
    by = {"metric": "top1", "labels": tmp_path / "labels.txt"}
    report = pn.sensitivity(model, format="int4", inputs=samples(), metric_drop=1, **by)
    assert report and not report.kept and report.answer.total == 12
    strict = pn.sensitivity(model, format="int4", inputs=samples(), metric_drop=0, metric_output="t5", **by)
    assert strict and strict.kept


def test_an_error_in_no_layer(model, tmp_path):
    path = tmp_path / "quantized.onnx"
    pn.sensitivity(model, format="int4:block=16", limit=9, inputs=samples(), output=path)
    made = onnx.load(path)
    last = next(node for node in made.graph.node if node.output[0] == "t5")
    last.output[0] = "right"
    made.graph.initializer.append(onnx.numpy_helper.from_array(np.float32(0.8), "offset"))
    made.graph.node.append(onnx.helper.make_node("Add", ["right", "offset"], ["t5"]))
    report = pn.sensitivity(pn.Model.from_proto(made), float_model=model, limit=0.4, inputs=samples())
    assert not report and not report.kept and report.tried > 0
    assert report.all_quantized < 0.4 < report.all_float and report.all_float_tokens is None


def test_tokens_of_a_quantised_language_model():
    ids = json.loads(PROMPTS.read_text())
    report = pn.sensitivity(INT4, float_model=FLOAT, prompts=PROMPTS, compare="tokens:kl=0.1,margin=9")
    assert report and report.format == "as quantized" and report.samples == len(ids) == 4
    assert report.layers[0].nodes == ("model.layers.1.mlp.down_proj/MatMul",) and report.layers[0].kept
    assert report.layers[0].tokens.kl_mean == max(layer.tokens.kl_mean for layer in report.layers)
    assert report.proved_tokens.kl_mean <= 0.1 < report.all_quantized_tokens.kl_mean
    assert report.proved_tokens.same_top1 > report.all_quantized_tokens.same_top1
    again = pn.sensitivity(pn.load(INT4), float_model=pn.load(FLOAT), prompts=ids, compare="tokens:kl=0.1,margin=9")
    assert again.json == report.json


def test_in_parts(model, tmp_path):
    report = pn.sensitivity(model, format="int4", limit=0.1, inputs=samples(), mem_limit=1 << 40)
    assert report.json == pn.sensitivity(model, format="int4", limit=0.1, inputs=samples()).json


@pytest.mark.parametrize("options, message", [
    ({"format": "int5"}, "int5"),
    ({"format": "int4", "float_model": FLOAT}, "format and float_model exclude each other"),
    ({"limit": 0.1, "compare": "l2"}, "limit and compare exclude each other"),
    ({"limit": 0.1, "atol": 0.1}, "limit and compare exclude each other"),
    ({"compare": "l2", "metric": "top1"}, "compare and metric exclude each other"),
    ({"limit": -1}, "limit must be a number of at least 0, but was: -1"),
    ({"limit": float("nan")}, "but was: nan"),
    ({"most_sets": 0}, "sets must be at least 1"),
    ({"mem_limit": -1}, "mem_limit"),
    ({"compare": "l3"}, "Unknown metric 'l3'"),
    ({"compare": "tokens:axes=1"}, "the function has no argument 'axes'"),
    ({"compare": "l2", "tokens_kl": 1}, "no option 'tokens_kl'"),
    ({"metric": "top0.5", "labels": "x"}, "Unknown metric 'top0.5'"),
    ({"metric": "top1", "labels": "nowhere.txt"}, "nowhere.txt"),
    ({"metric": "top1"}, "labels"),
    ({"metric": "top1", "metric_drop": 50}, "metric_drop must be between 0 and 1, but was: 50.0"),
    ({"labels": "x"}, "need a metric"),
    ({"prompts": [[1]]}, "prompts and inputs exclude each other"),
    ({"tokenizer": "t.json"}, "no effect without prompts"),
    ({"runner": "onxrt"}, "'onxrt'"),
    ({"float_model": "nowhere.onnx"}, "nowhere.onnx")])
def test_options_that_make_no_sense(model, options, message):
    with pytest.raises(pn.Error, match=message):
        pn.sensitivity(model, **{"inputs": samples(), **options})


@pytest.mark.parametrize("prompts, message", [
    ([], "The list of prompts is empty"), ([""], "empty text"), ([[]], "no tokens"), ([[1, -1]], "negative"),
    (["to be"], "There is no tokenizer"), ("nowhere.json", "nowhere.json"),
    ([[97]], "has the token 97, but the vocabulary has 97")])
def test_prompts_that_make_no_sense(prompts, message):
    with pytest.raises(pn.Error, match=message):
        pn.sensitivity(FLOAT, prompts=prompts)
    with pytest.raises(TypeError, match="a list of token ids"):
        pn.sensitivity(FLOAT, prompts=[1, 2])


def test_models_without_anything_to_judge():
    with pytest.raises(pn.Error, match="no layer|no node|nothing"):
        pn.sensitivity(pn.Model.from_proto(proto()))
    with pytest.raises(pn.Error, match="no input|no sample"):
        pn.sensitivity(pn.Model.from_proto(proto(LAYERS)), inputs=[])


def test_nothing_is_printed(model, capfd):
    pn.sensitivity(model, inputs=samples())
    assert capfd.readouterr() == ("", "")
