"""Models that others have quantised, against their references."""

import numpy as np
import pytest
from onnxruntime import quantization

import models
import oracle


class Reader(quantization.CalibrationDataReader):
    def __init__(self, feeds):
        self.feeds = iter(feeds)

    def get_next(self):
        return next(self.feeds, None)


def with_nbits(model, block=32):
    """Each MatMul by a weight as MatMulNBits, packed here."""
    made = models.onnx.ModelProto.FromString(model.SerializeToString())
    weights = {i.name: i for i in made.graph.initializer}
    for node in made.graph.node:
        if node.op_type != "MatMul" or node.input[1] not in weights:
            continue
        w = models.numpy_helper.to_array(weights[node.input[1]])
        rows, columns = w.shape
        blocks = w.T.reshape(columns, rows // block, block)
        top = np.take_along_axis(blocks, np.abs(blocks).argmax(-1, keepdims=True), -1)
        codes = (np.clip(np.rint(blocks / (top / -8)), -8, 7) + 8).astype(np.uint8)
        packed = codes[..., ::2] | codes[..., 1::2] << 4
        name = node.input[1]
        made.graph.initializer.extend([models.numpy_helper.from_array(packed, name + "_Q4"),
                                       models.numpy_helper.from_array((top / -8).reshape(-1), name + "_scales")])
        node.op_type, node.domain, node.name = "MatMulNBits", "com.microsoft", node.name + "_Q4"
        node.input[1] = name + "_Q4"
        node.input.append(name + "_scales")
        for key, value in {"K": rows, "N": columns, "bits": 4, "block_size": block}.items():
            node.attribute.append(models.helper.make_attribute(key, value))
        made.graph.initializer.remove(weights[name])
    made.opset_import.append(models.helper.make_opsetid("com.microsoft", 1))
    return made


def by_tool(tool, model, feeds, folder):
    source, target = str(folder / "float.onnx"), str(folder / "quantized.onnx")
    models.onnx.save(model, source)
    if tool == "nbits":
        return source, with_nbits(model)
    if tool == "dynamic":
        quantization.quantize_dynamic(source, target)
    else:
        form = quantization.QuantFormat.QDQ if tool == "qdq" else quantization.QuantFormat.QOperator
        quantization.quantize_static(source, target, Reader(feeds), quant_format=form, per_channel=tool == "qdq")
    return source, models.onnx.load(target)


@pytest.mark.parametrize("tool", ["qdq", "qoperator", "dynamic", "nbits"])
@pytest.mark.parametrize("make", [lambda: models.chain(outliers=(3,)), models.decoder])
def test_finds_the_layers_that_suffer(polygraphy, tmp_path, make, tool):
    model = make()
    feeds = models.samples(model, 2)
    source, made = by_tool(tool, model, feeds, tmp_path)
    result = polygraphy(made, feeds, "--float-model", source)
    assert len(result["layers"]) == len(oracle.roles(model)), result["notes"]
    assert 0 < result["all_quantized"] < 1
    if tool == "nbits":
        expected = oracle.effects(model, feeds, "int4:block=32")
        found = {tuple(layer["nodes"]): layer["effect"] for layer in result["layers"]}
        names = sorted(expected)
        assert oracle.spearman([expected[n] for n in names], [found[n] for n in names]) >= 0.95


def without_names(model):
    """New names for nodes and tensors, but for inputs and outputs."""
    kept = {v.name for v in [*model.graph.input, *model.graph.output]} | {""}
    names = {}

    def renamed(name):
        return name if name in kept else names.setdefault(name, f"tensor{len(names)}")
    for i, node in enumerate(model.graph.node):
        node.name = f"node_{i}"
        node.input[:] = [renamed(n) for n in node.input]
        node.output[:] = [renamed(n) for n in node.output]
    for initializer in model.graph.initializer:
        initializer.name = renamed(initializer.name)
    del model.graph.value_info[:]
    return model


@pytest.mark.parametrize("tool", ["qdq", "qoperator", "dynamic", "nbits"])
@pytest.mark.parametrize("make", [lambda: models.chain(outliers=(3,)), models.decoder])
def test_names_do_not_matter(polygraphy, tmp_path, make, tool):
    model = make()
    feeds = models.samples(model, 1)
    source, made = by_tool(tool, model, feeds, tmp_path)
    named = polygraphy(made, feeds, "--float-model", source)
    unnamed = polygraphy(without_names(made), feeds, "--float-model", source)
    assert unnamed["layers"] == named["layers"]


@pytest.mark.parametrize("tool", ["qdq", "nbits"])
@pytest.mark.parametrize("damaged", [2, 3])
def test_similar_weights_are_told_by_their_place(polygraphy, tmp_path, tool, damaged):
    """Layers 2 and 3 are nearly one: the damaged one is closest to neither, or to the other."""
    model = models.chain()
    weights = {i.name: i for i in model.graph.initializer}
    near = models.numpy_helper.to_array(weights["w2"]) * np.float32(1.001)
    weights["w3"].CopyFrom(models.numpy_helper.from_array(near, "w3"))
    feeds = models.samples(model, 1)
    source, made = by_tool(tool, model, feeds, tmp_path)
    scale = next(i for i in made.graph.initializer if i.name.startswith(f"w{damaged}") and i.name.endswith(
        ("_scale", "_scales")))
    scale.CopyFrom(models.numpy_helper.from_array(models.numpy_helper.to_array(scale) * np.float32(1.3), scale.name))
    result = polygraphy(without_names(made), feeds, "--float-model", source)
    assert len(result["layers"]) == 8
    assert min(result["layers"], key=lambda layer: layer["sqnr"])["nodes"] == [f"layer{damaged}"]


def test_a_ruined_layer_is_found_by_its_place(polygraphy, tmp_path):
    """Its weight resembles no other, so that only the structure says which it is."""
    model = models.chain()
    feeds = models.samples(model, 1)
    source, made = by_tool("nbits", model, feeds, tmp_path)
    values = next(i for i in made.graph.initializer if i.name == "w4_Q4")
    values.CopyFrom(models.numpy_helper.from_array(models.numpy_helper.to_array(values)[::-1].copy(), values.name))
    result = polygraphy(without_names(made), feeds, "--float-model", source)
    assert len(result["layers"]) == 8, result["notes"]
    assert result["layers"][0]["nodes"] == ["layer4"] and result["layers"][0]["sqnr"] < 3


def kept_of(result):
    return {name for layer in result["layers"] if layer["kept"] for name in layer["nodes"]}


@pytest.mark.parametrize("tool", ["qdq", "qoperator", "dynamic", "nbits"])
@pytest.mark.parametrize("make", [lambda: models.chain(outliers=(3,)), models.decoder, models.mixed_operators])
def test_kept_layers_are_put_back(polygraphy, tmp_path, make, tool):
    if (make, tool) == (models.mixed_operators, "nbits"):
        pytest.skip("with_nbits() packs a weight once a node")
    model = make()
    feeds = models.samples(model, 2)
    source, made = by_tool(tool, model, feeds, tmp_path)
    expected = oracle.run(model, feeds)
    as_it_is = oracle.relative_error(expected, oracle.run(made, feeds))
    output = tmp_path / "mixed.onnx"
    everything = polygraphy(made, feeds, "--float-model", source, "--limit", 0, "-o", output)
    assert not any("stay quantised" in note for note in everything["notes"])
    ops = {node.op_type for node in models.onnx.load(output).graph.node}
    # Results of QLinear operators and inputs of other nodes stay rounded, whatever is put back.
    rest = everything["proved"]
    result = polygraphy(made, feeds, "--float-model", source, "--limit", as_it_is * 0.6, "-o", output)
    mixed = models.onnx.load(output)
    error = oracle.relative_error(expected, oracle.run(mixed, feeds))
    if rest < as_it_is * 0.6:
        assert kept_of(result) and "all_float" not in result
    else:
        assert tool in ("qdq", "qoperator") and result["all_float"] == pytest.approx(rest, rel=0.02)
    assert error == pytest.approx(result["proved"], rel=0.02)
    assert error < as_it_is * (1.05 if tool in ("qdq", "qoperator") else 1)
    assert result["sessions"] <= 6
    if make is models.decoder:  # Its products of two activations stay quantised.
        return
    assert not {"MatMulNBits", "QLinearMatMul", "QLinearConv", "QGemm", "MatMulInteger", "ConvInteger"} & ops
    if tool in ("nbits", "dynamic"):
        assert everything["proved"] < 1e-6


def test_all_layers_quantised_is_the_model_as_it_is(polygraphy, tmp_path):
    model = models.decoder()
    feeds = models.samples(model, 2)
    source, made = by_tool("qdq", model, feeds, tmp_path)
    result = polygraphy(made, feeds, "--float-model", source, "--limit", 10)
    as_it_is = oracle.relative_error(oracle.run(model, feeds), oracle.run(made, feeds))
    assert not kept_of(result) and result["proved"] == pytest.approx(as_it_is, rel=0.01)
