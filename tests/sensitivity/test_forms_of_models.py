"""Models in half precision, tied weights, tables of embeddings, external data, separate processes."""

import json

import numpy as np
import onnx
import pytest

import models
import oracle


def tied():
    """The decoder's logits are computed with the table of its embedding."""
    model = models.decoder()
    graph = model.graph
    table = next(i for i in graph.initializer if i.name == "table")
    graph.initializer.remove(next(i for i in graph.initializer if i.name == "logits.weight"))
    last = next(n for n in graph.node if n.name == "logits")
    last.op_type, last.input[1] = "Gemm", "table"
    last.attribute.append(models.helper.make_attribute("transB", 1))
    flat = models.helper.make_node("Reshape", [last.input[0], "flat"], ["flattened"], "flatten")
    last.input[0] = "flattened"
    graph.initializer.append(models.numpy_helper.from_array(np.array([-1, table.dims[1]]), "flat"))
    graph.node.insert(len(graph.node) - 1, flat)
    graph.output[0].CopyFrom(models.helper.make_tensor_value_info("logits", 1, [12, table.dims[0]]))
    return model


def layer(result, name):
    return next(layer for layer in result["layers"] if layer["nodes"] == [name])


def test_tied_weights_save_nothing_alone(polygraphy):
    model = tied()
    result = polygraphy(model, models.samples(model, 1), "--format", "int4")
    logits = layer(result, "logits")
    assert logits["shared"] and logits["saved_bytes"] == -logits["quantized_bytes"]


@pytest.mark.parametrize("form", ["int8:weights-only", "int4:block=32", "fp8"])
def test_embeddings(polygraphy, tmp_path, form):
    model = models.decoder()
    feeds = models.samples(model, 2)
    output = tmp_path / "mixed.onnx"
    result = polygraphy(model, feeds, "--format", form, "--embeddings", "--limit", 1, "-o", output, code=0)
    table = layer(result, "embedding")
    assert table["op"] == "Gather" and table["effect"] > 0 and np.isfinite(table["sqnr"])
    error = oracle.relative_error(oracle.run(model, feeds), oracle.run(onnx.load(output), feeds))
    assert error == pytest.approx(result["proved"], rel=0.01)


@pytest.mark.parametrize("form", ["int8", "int4:block=32", "fp8"])
def test_half_precision(polygraphy, tmp_path, form):
    model = models.chain()
    for weight in model.graph.initializer:
        weight.CopyFrom(models.numpy_helper.from_array(
            models.numpy_helper.to_array(weight).astype(np.float16), weight.name))
    for value in [*model.graph.input, *model.graph.output]:
        value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT16
    feeds = models.samples(model, 1)
    output = tmp_path / "mixed.onnx"
    result = polygraphy(model, feeds, "--format", form, "--limit", 1, "-o", output, code=0)
    assert result["proved"] == pytest.approx(result["chosen"], rel=0.1)
    assert ("not in float32" in "".join(result["notes"])) == (form == "int8")
    onnx.checker.check_model(onnx.load(output))


def test_external_data_and_a_separate_process(polygraphy, tmp_path):
    model = models.chain(outliers=(2,))
    feeds = models.samples(model, 1)
    plain = polygraphy(model, feeds, "--format", "int4")
    onnx.save(model, tmp_path / "outside.onnx", save_as_external_data=True, size_threshold=0)
    np.savez(tmp_path / "x.npz", **feeds[0])
    target = tmp_path / "result.json"
    process = polygraphy.command(tmp_path / "outside.onnx", "--load-inputs", tmp_path / "x.npz", "--format", "int4",
                                 "--isolate", "--onnxrt", "--json", target)
    assert process.returncode in (0, 1), process.stdout + process.stderr
    assert json.loads(target.read_text())["layers"] == plain["layers"]


def test_the_worst_channel_is_named(polygraphy):
    model = models.chain(layers=2)
    weight = models.numpy_helper.to_array(model.graph.initializer[1]).copy()
    weight[5, 17] = 40
    model.graph.initializer[1].CopyFrom(models.numpy_helper.from_array(weight, "w1"))
    channel = layer(polygraphy(model, models.samples(model, 1)), "layer1")["worst_channel"]
    column = weight[:, 17].astype(np.float64)
    centred = column - column.mean()
    assert channel["index"] == 17 and channel["channels"] == 32 and channel["max"] == 40
    assert channel["std"] == pytest.approx(column.std())
    assert channel["kurtosis"] == pytest.approx((centred ** 4).mean() / (centred ** 2).mean() ** 2)
    assert channel["q01"] == pytest.approx(np.quantile(column, 0.01))
    assert channel["outlier"] == pytest.approx(40 / np.median(np.abs(weight).max(0)))


def test_layers_are_measured_alone(polygraphy):
    model = models.chain()
    feeds = models.samples(model, 2)
    marked = onnx.ModelProto.FromString(model.SerializeToString())
    marked.graph.output.extend(onnx.ValueInfoProto(name=f"t{i}") for i in range(7))
    weights = {i.name: models.numpy_helper.to_array(i) for i in model.graph.initializer}
    result = polygraphy(model, feeds, "--format", "int4:block=8")
    outputs = oracle.run(marked, feeds)
    for i in range(8):
        signal = noise = 0.0
        for feed, output in zip(feeds, outputs):
            x = (feed["x"] if i == 0 else output[f"t{i - 1}"]).astype(np.float64)
            exact, rounded = x @ weights[f"w{i}"], x @ oracle.rounded(weights[f"w{i}"], "int4:block=8", 1, 0)[0]
            signal, noise = signal + (exact ** 2).sum(), noise + ((rounded - exact) ** 2).sum()
        assert layer(result, f"layer{i}")["sqnr"] == pytest.approx(10 * np.log10(signal / noise), abs=0.01)


def in_a_body(layers):
    """The last MatMul of a chain lies in both branches of an If, where `layers` says so also the others."""
    model = models.chain(layers=3)
    graph = model.graph
    body_nodes = list(graph.node)[-2:] if not layers else list(graph.node)
    rest = list(graph.node)[:-2] if not layers else []
    last = body_nodes[-1].output[0]
    branch = models.helper.make_graph(body_nodes, "branch", [], [models.helper.make_tensor_value_info(last, 1, None)])
    del graph.node[:]
    condition = models.helper.make_node("Constant", [], ["yes"], "yes",
                                        value=models.numpy_helper.from_array(np.array(True), "v"))
    gate = models.helper.make_node("And", ["yes", "flag"], ["open"], "and")
    graph.input.append(models.helper.make_tensor_value_info("flag", onnx.TensorProto.BOOL, []))
    graph.node.extend([*rest, condition, gate, models.helper.make_node(
        "If", ["open"], ["result"], "if", then_branch=branch, else_branch=branch)])
    graph.output[0].name = "result"
    return model


def test_layers_in_bodies_are_named(polygraphy):
    model = in_a_body(False)
    result = polygraphy(model, models.samples(model, 1), "--format", "int4")
    assert [note for note in result["notes"] if "2 layers in bodies of If, Loop or Scan" in note]
    assert len(result["layers"]) == 2


def test_layers_in_bodies_only(polygraphy):
    model = in_a_body(True)
    path, files = polygraphy.save(model, models.samples(model, 1))
    process = polygraphy.command(path, "--load-inputs", *files)
    assert "layers in bodies of If, Loop or Scan only" in process.stderr + process.stdout
