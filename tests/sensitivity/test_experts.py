"""Weights of experts: MoE in floating point, and QMoE against it. ONNX Runtime's CPU runs both, but no fc3."""

import numpy as np
import pytest

import models
import oracle
from test_quantized_models import kept_of, without_names

FORMATS = ["int8", "int8:weights-only", "int4", "int4:block=16,asymmetric", "fp8", "fp4", "bf16"]


def effects(model, feeds, form):
    """{weight: error of the model's output}, by brute force."""
    ranges = oracle.activation_ranges(model, feeds) if form == "int8" else None
    expected = oracle.run(model, feeds)
    return {role[1]: oracle.relative_error(expected, oracle.run(oracle.quantized(model, [role], form, ranges), feeds))
            for role in oracle.roles(model)}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("activation", ["relu", "swiglu"])
def test_effects_against_brute_force(polygraphy, activation, form):
    model = models.experts(activation=activation)
    feeds = models.samples(model, 3)
    result = polygraphy(model, feeds, "--format", form)
    expected = effects(model, feeds, form)
    found = {layer["weight"]: layer["effect"] for layer in result["layers"]}
    assert found.keys() == expected.keys() and len(found) == 6
    names = sorted(expected)
    assert oracle.spearman([expected[n] for n in names], [found[n] for n in names]) >= 0.95
    for name in names:
        assert found[name] == pytest.approx(expected[name], rel=0.02, abs=2e-5)
    assert result["sessions"] <= 5
    assert ("experts (MoE) are not quantised" in "".join(result["notes"])) == (form == "int8")


@pytest.mark.parametrize("form", FORMATS)
def test_bytes(polygraphy, form):
    model = models.experts(layers=1)
    weights = {i.name: models.numpy_helper.to_array(i) for i in model.graph.initializer}
    for layer in polygraphy(model, models.samples(model, 1), "--format", form)["layers"]:
        if layer["op"] == "MoE":
            expected = oracle.rounded(weights[layer["weight"]], form, *oracle.EXPERTS)[1]
            assert layer["quantized_bytes"] == expected


@pytest.mark.parametrize("form", ["int8", "int4", "fp8"])
def test_a_weight_is_measured_alone(polygraphy, form):
    """Where the result of the experts is the output, a weight's own error is its effect."""
    model = models.experts(layers=1)
    model.graph.output[0].name = "layers.0.mixed"
    del model.graph.node[-1]
    layers = [layer for layer in polygraphy(model, models.samples(model, 2), "--format", form)["layers"]
              if layer["op"] == "MoE"]
    assert len(layers) == 2 and layers[0]["sqnr"] != pytest.approx(layers[1]["sqnr"])
    for layer in layers:
        assert layer["sqnr"] == pytest.approx(-20 * np.log10(layer["effect"]), abs=0.01)


def test_the_worst_channel_is_that_of_an_expert(polygraphy):
    model = models.experts(layers=1)
    weight = next(i for i in model.graph.initializer if i.name == "layers.0.fc2")
    values = models.numpy_helper.to_array(weight).copy()
    values[2, 5, 7] = 40
    weight.CopyFrom(models.numpy_helper.from_array(values, weight.name))
    result = polygraphy(model, models.samples(model, 1))
    channel = next(layer for layer in result["layers"] if layer["weight"] == "layers.0.fc2")["worst_channel"]
    assert channel["index"] == 2 * 32 + 5 and channel["channels"] == 4 * 32
    assert channel["std"] == pytest.approx(values[2, 5].astype(np.float64).std())


@pytest.mark.parametrize("form", FORMATS)
def test_the_mixed_model_is_proved(polygraphy, tmp_path, form):
    model = models.experts()
    feeds = models.samples(model, 2)
    everything = polygraphy(model, feeds, "--format", form)["all_quantized"]
    output = tmp_path / "mixed.onnx"
    result = polygraphy(model, feeds, "--format", form, "--limit", everything * 0.7, "-o", output)
    assert kept_of(result)
    if form == "fp4":  # ONNX Runtime does not read it.
        return
    mixed = models.onnx.load(output)
    assert result["proved"] == pytest.approx(result["chosen"], rel=0.02)
    assert oracle.relative_error(oracle.run(model, feeds), oracle.run(mixed, feeds)) == pytest.approx(
        result["proved"], rel=1e-3)


def packed(codes, bits):
    if bits == 8:
        return codes
    if codes.shape[-1] % 2:
        codes = np.concatenate([codes, np.zeros((*codes.shape[:-1], 1), np.uint8)], -1)
    return codes[..., ::2] | codes[..., 1::2] << 4


def with_qmoe(model, bits, block=0, asymmetric=False):
    """Each MoE as a QMoE, packed here as ONNX Runtime's CPU reads it."""
    made = models.onnx.ModelProto.FromString(model.SerializeToString())
    graph = made.graph
    weights = {i.name: i for i in graph.initializer}
    middle, top = 2 ** (bits - 1), 2 ** bits - 1
    for node in graph.node:
        if node.op_type != "MoE":
            continue
        for name in (node.input[2], node.input[4]):
            w = models.numpy_helper.to_array(weights[name])
            blocks = w.reshape(*w.shape[:2], -1, block or w.shape[2])
            low, high = np.minimum(blocks.min(-1), 0), np.maximum(blocks.max(-1), 0)
            if asymmetric:
                scale = (high - low) / np.float32(top)
                zero = np.clip(np.rint(-low / scale), 0, top)
            else:
                scale = np.maximum(high, -low) / np.float32(middle - 1)
                zero = np.full(scale.shape, middle)
            codes = np.clip(np.rint(blocks / scale[..., None]) + zero[..., None], 0, top).astype(np.uint8)
            scale, zero = scale.astype(np.float32), zero.astype(np.uint8)
            if not block:
                scale, zero = scale[..., 0], zero[..., 0]
            constants = {"_Q": packed(codes.reshape(w.shape), bits), "_scales": scale}
            if asymmetric:
                constants["_zeros"] = packed(zero, bits)
            graph.initializer.extend(models.numpy_helper.from_array(value, name + end)
                                     for end, value in constants.items())
            graph.initializer.remove(weights[name])
        x, router, one, bias1, two, bias2 = node.input
        inputs = [x, router, one + "_Q", one + "_scales", bias1, two + "_Q", two + "_scales", bias2]
        if asymmetric:
            inputs += ["", "", "", one + "_zeros", two + "_zeros"]
        node.op_type, node.input[:] = "QMoE", inputs
        node.attribute.append(models.helper.make_attribute("expert_weight_bits", bits))
        if block:
            node.attribute.append(models.helper.make_attribute("block_size", block))
    return made


def saved(model, folder):
    models.onnx.save(model, folder / "float.onnx")
    return str(folder / "float.onnx")


@pytest.mark.parametrize("asymmetric", [False, True])
@pytest.mark.parametrize("block", [0, 16, 32])
@pytest.mark.parametrize("bits", [4, 8])
def test_integers_are_read_as_the_engine_reads_them(polygraphy, tmp_path, bits, block, asymmetric):
    """Of 48 inputs, three blocks of 16: half a byte of a row of zero points is left over."""
    model = models.experts(width=48 if block != 32 else 32, inner=96)
    feeds = models.samples(model, 2)
    made = with_qmoe(model, bits, block, asymmetric)
    result = polygraphy(made, feeds, "--float-model", saved(model, tmp_path), "--limit", 10)
    as_it_is = oracle.relative_error(oracle.run(model, feeds), oracle.run(made, feeds))
    assert len(result["layers"]) == 4 and not kept_of(result)
    assert result["proved"] == pytest.approx(as_it_is, rel=1e-3)
    # In blocks of 8 bits, the engine rounds activations, too.
    within = 1e-3 if bits == 4 or not block else 1
    assert result["all_quantized"] == pytest.approx(as_it_is, rel=within)
    sizes = {i.name: len(i.raw_data) for i in made.graph.initializer}
    if asymmetric:
        for layer in result["layers"]:
            assert layer["quantized_bytes"] >= sum(sizes[layer["weight"] + end] for end in ("_Q", "_scales"))


@pytest.mark.parametrize("activation", ["relu", "swiglu"])
def test_ranks_are_those_of_brute_force(polygraphy, tmp_path, activation):
    model = models.experts(layers=3, activation=activation)
    feeds = models.samples(model, 3)
    made = with_qmoe(model, 4, 16)
    result = polygraphy(made, feeds, "--float-model", saved(model, tmp_path))
    expected = oracle.run(model, feeds)
    found, alone = [], []
    for layer in result["layers"]:
        one = models.onnx.ModelProto.FromString(model.SerializeToString())
        stored = {i.name: i for i in made.graph.initializer}
        codes = models.numpy_helper.to_array(stored[layer["weight"] + "_Q"])
        scales = models.numpy_helper.to_array(stored[layer["weight"] + "_scales"])
        numbers = np.stack([codes & 15, codes >> 4], -1).reshape(layer["shape"]).astype(np.float32) - 8
        weight = next(i for i in one.graph.initializer if i.name == layer["weight"])
        weight.CopyFrom(models.numpy_helper.from_array(numbers * scales.repeat(16, -1), weight.name))
        alone.append(oracle.relative_error(expected, oracle.run(one, feeds)))
        found.append(layer["effect"])
    assert len(found) == 6 and found == pytest.approx(alone, rel=1e-3)


def test_names_do_not_matter(polygraphy, tmp_path):
    model = models.experts(width=64)  # Both weights of a node have one shape.
    feeds = models.samples(model, 1)
    source, made = saved(model, tmp_path), with_qmoe(model, 4, 16)
    named = polygraphy(made, feeds, "--float-model", source)
    unnamed = polygraphy(without_names(made), feeds, "--float-model", source)
    assert len(named["layers"]) == 4 and unnamed["layers"] == named["layers"]


@pytest.mark.parametrize("bits, block, asymmetric", [(4, 0, False), (4, 16, True), (8, 0, True)])
def test_kept_weights_are_put_back(polygraphy, tmp_path, bits, block, asymmetric):
    model = models.experts(layers=3)
    feeds = models.samples(model, 2)
    source, made = saved(model, tmp_path), with_qmoe(model, bits, block, asymmetric)
    expected = oracle.run(model, feeds)
    as_it_is = oracle.relative_error(expected, oracle.run(made, feeds))
    output = tmp_path / "mixed.onnx"
    result = polygraphy(made, feeds, "--float-model", source, "--limit", as_it_is * 0.6, "-o", output)
    assert 0 < sum(layer["kept"] for layer in result["layers"]) < 6
    assert result["proved"] < as_it_is * 0.6
    mixed = models.onnx.load(output)
    assert oracle.relative_error(expected, oracle.run(mixed, feeds)) == pytest.approx(result["proved"], rel=1e-3)
    everything = polygraphy(made, feeds, "--float-model", source, "--limit", 0, "-o", output)
    assert {node.op_type for node in models.onnx.load(output).graph.node} == {"MatMul", "MoE", "Add"}
    assert everything["proved"] < 1e-6


@pytest.mark.parametrize("bits, block, asymmetric", [(4, 0, False), (4, 16, True), (8, 0, True)])
def test_one_weight_of_a_node_is_put_back(polygraphy, tmp_path, bits, block, asymmetric):
    """A DequantizeLinear restores the other one."""
    model = models.experts(layers=1)
    feeds = models.samples(model, 2)
    source, made = saved(model, tmp_path), with_qmoe(model, bits, block, asymmetric)
    least = polygraphy(made, feeds, "--float-model", source)["layers"][-1]["effect"]
    output = tmp_path / "mixed.onnx"
    result = polygraphy(made, feeds, "--float-model", source, "--limit", least * 1.01, "-o", output, code=0)
    assert [layer["kept"] for layer in result["layers"]] == [True, False]
    mixed = models.onnx.load(output)
    assert sorted(node.op_type for node in mixed.graph.node) == ["Add", "DequantizeLinear", "MatMul", "MoE"]
    kind = models.onnx.TensorProto.UINT4 if bits == 4 else models.onnx.TensorProto.UINT8
    assert kind in {i.data_type for i in mixed.graph.initializer}
    error = oracle.relative_error(oracle.run(model, feeds), oracle.run(mixed, feeds))
    assert error == pytest.approx(least, rel=1e-3)


def halved(model, scales=np.float16):
    for constant in model.graph.initializer:
        if constant.data_type == models.TensorProto.FLOAT:
            kind = scales if constant.name.endswith("_scales") else np.float16
            values = models.numpy_helper.to_array(constant).astype(kind)
            constant.CopyFrom(models.numpy_helper.from_array(values, constant.name))
    for value in [*model.graph.input, *model.graph.output]:
        value.type.tensor_type.elem_type = models.TensorProto.FLOAT16
    return model


@pytest.mark.parametrize("scales", [np.float16, np.float32])
def test_half_precision(polygraphy, tmp_path, scales):
    model = halved(models.experts(layers=1, activation="relu"))
    feeds = models.samples(model, 2)
    made = halved(with_qmoe(models.experts(layers=1, activation="relu"), 4, 16), scales)
    source, output = saved(model, tmp_path), tmp_path / "mixed.onnx"
    result = polygraphy(made, feeds, "--float-model", source, "--limit", 10)
    assert result["all_quantized"] == pytest.approx(result["proved"], rel=0.02)
    least = result["layers"][-1]["effect"]
    mixed = polygraphy(made, feeds, "--float-model", source, "--limit", least * 1.1, "-o", output, code=0)
    assert mixed["proved"] == pytest.approx(least, rel=0.02)
    assert "DequantizeLinear" in {node.op_type for node in models.onnx.load(output).graph.node}


def test_a_router_with_weights_of_its_own_stays(polygraphy, tmp_path):
    """MoE has no such input."""
    model = models.experts(layers=1)
    feeds = models.samples(model, 1)
    made = with_qmoe(model, 4)
    node = next(n for n in made.graph.node if n.op_type == "QMoE")
    node.input.extend([""] * (14 - len(node.input)) + [node.input[1]])
    result = polygraphy(made, feeds, "--float-model", saved(model, tmp_path), "--limit", 0)
    notes = [note for note in result["notes"] if "stay quantised" in note]
    assert len(notes) == 1 and notes[0].endswith(": layers.0.moe")


@pytest.mark.parametrize("form", ["int4", "int8:weights-only"])
def test_the_mixed_model_can_be_read_again(polygraphy, tmp_path, form):
    model = models.experts()
    feeds = models.samples(model, 1)
    output = tmp_path / "mixed.onnx"
    first = polygraphy(model, feeds, "--format", form, "--limit", 10, "-o", output)
    again = polygraphy(models.onnx.load(output), feeds, "--float-model", saved(model, tmp_path), "--limit", 10)
    effects = [{layer["weight"]: layer["effect"] for layer in result["layers"]} for result in (first, again)]
    assert effects[1] == pytest.approx(effects[0], rel=1e-3)
    assert len(effects[1]) == 6


def test_parts_have_the_figures_of_the_whole(polygraphy):
    model = models.experts(width=128, inner=256, activation="relu")
    feeds = models.samples(model, 2)
    words = ["--format", "int8", "--limit", 10]
    whole, parts = polygraphy(model, feeds, *words), polygraphy(model, feeds, *words, "--mem-limit", "257M")
    assert "ran in" in "".join(parts["notes"]) and "experts (MoE)" in "".join(parts["notes"])
    found = {layer["weight"]: layer for layer in parts["layers"]}
    for layer in whole["layers"]:
        assert found[layer["weight"]]["effect"] == pytest.approx(layer["effect"], rel=1e-3)
        assert found[layer["weight"]]["sqnr"] == pytest.approx(layer["sqnr"], rel=1e-3)
