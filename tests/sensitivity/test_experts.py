"""Weights of experts: MoE in floating point. ONNX Runtime's CPU runs it, but no fc3."""

import numpy as np
import pytest

import models
import oracle
from test_quantized_models import kept_of

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
