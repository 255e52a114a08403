"""The set of layers that stays in floating point: within the limit, and none is cheaper."""

import itertools
import json

import numpy as np
import onnx
import pytest

import models
import oracle
from conftest import EXACT_INT8


def kept_of(result):
    return {tuple(layer["nodes"]) for layer in result["layers"] if layer["kept"]}


def cheapest(model, feeds, form, limit):
    """The bytes of the cheapest set, by trying all of them."""
    roles, expected = oracle.roles(model), oracle.run(model, feeds)
    weights = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
    costs = [w.nbytes - oracle.rounded(w, form, *role[2:])[1] for role in roles for w in [weights[role[1]]]]
    ranges = oracle.activation_ranges(model, feeds) if form == "int8" else None
    sets = [s for size in range(len(roles) + 1) for s in itertools.combinations(range(len(roles)), size)]
    for kept in sorted(sets, key=lambda s: sum(costs[i] for i in s)):
        chosen = [role for i, role in enumerate(roles) if i not in kept]
        if oracle.relative_error(expected, oracle.run(oracle.quantized(model, chosen, form, ranges), feeds)) <= limit:
            return sum(costs[i] for i in kept)


@pytest.mark.parametrize("form, share", [("int8", 0.5), ("int4:block=32", 0.5), ("int4:block=32", 0.8), ("fp4", 0.6)])
@pytest.mark.parametrize("seed", [0, 1])
def test_no_set_is_cheaper(polygraphy, form, share, seed):
    model = models.chain(seed=seed, layers=7, outliers=(1, 4))
    feeds = models.samples(model, 2)
    words = ["--format", form, *EXACT_INT8]
    limit = polygraphy(model, feeds, *words)["all_quantized"] * share
    result = polygraphy(model, feeds, *words, "--limit", limit, code=0)
    assert result["cheapest"] and result["chosen"] <= limit
    # ONNX Runtime has no DequantizeLinear of float4.
    assert "does not run the mixed model" in result["notes"][0] if form == "fp4" else result["proved"] <= limit
    assert 0 < len(kept_of(result)) < 7
    assert result["kept_bytes"] == cheapest(model, feeds, form, limit)


@pytest.mark.parametrize("form", ["int8", "int4:block=32", "int4:block=16,asymmetric", "fp8", "bf16", "fp16"])
@pytest.mark.parametrize("make", [models.chain, models.mixed_operators, models.decoder])
def test_mixed_model_is_within_the_limit(polygraphy, tmp_path, make, form):
    model = make()
    feeds = models.samples(model, 2)
    everything = polygraphy(model, feeds, "--format", form)["all_quantized"]
    output, exclusions = tmp_path / "mixed.onnx", tmp_path / "exclusions.json"
    result = polygraphy(model, feeds, "--format", form, "--limit", everything * 0.7, "-o", output,
                        "--save-exclusions", exclusions, code=0)
    mixed = onnx.load(output)
    onnx.checker.check_model(mixed)
    error = oracle.relative_error(oracle.run(model, feeds), oracle.run(mixed, feeds))
    assert error <= everything * 0.7
    assert error == pytest.approx(result["proved"], rel=0.05, abs=1e-6)
    kept = sorted(name for names in kept_of(result) for name in names)
    lists = json.loads(exclusions.read_text())
    assert sorted(lists) == ["modelopt", "olive", "onnxruntime"]
    assert all(sorted(tool["nodes_to_exclude"]) == kept for tool in lists.values())
    # Weights of kept layers are there as they were.
    before = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
    after = {i.name: i for i in mixed.graph.initializer}
    for layer in result["layers"]:
        if layer["kept"]:
            np.testing.assert_array_equal(onnx.numpy_helper.to_array(after[layer["weight"]]), before[layer["weight"]])
        else:
            assert layer["shared"] or layer["weight"] not in after
    saved = sum(layer["saved_bytes"] for layer in result["layers"] if not layer["kept"])
    assert result["saved_bytes"] == saved


@pytest.mark.parametrize("form", ["int4:block=16", "int4:block=16,asymmetric"])
def test_mixed_model_fills_up_a_shorter_block(polygraphy, tmp_path, form):
    model = models.chain(width=24)
    feeds = models.samples(model, 2)
    output = tmp_path / "mixed.onnx"
    result = polygraphy(model, feeds, "--format", form, "--limit", 10, "-o", output, code=0)
    mixed = onnx.load(output)
    assert {node.op_type for node in mixed.graph.node} == {"MatMulNBits", "Tanh"}
    error = oracle.relative_error(oracle.run(model, feeds), oracle.run(mixed, feeds))
    assert error == pytest.approx(oracle.relative_error(
        oracle.run(model, feeds), oracle.run(oracle.quantized(model, oracle.roles(model), form), feeds)), rel=1e-3)
    assert error == pytest.approx(result["proved"], rel=1e-3)


def test_everything_within_the_limit(polygraphy):
    model = models.chain()
    result = polygraphy(model, models.samples(model, 1), "--format", "fp16", "--limit", "0.1", code=0)
    assert not kept_of(result) and result["cheapest"] and result["kept_bytes"] == 0


def test_limit_that_only_floats_reach(polygraphy):
    model = models.chain()
    result = polygraphy(model, models.samples(model, 1), "--format", "int4", "--limit", "0", code=0)
    assert len(kept_of(result)) == 8 and result["saved_bytes"] == 0


def test_kernels_with_more_error_than_the_format_are_named(polygraphy, tmp_path):
    """Where int8 saturates; other processors compute the mixed model as its layers round."""
    model, output = models.chain(layers=5, outliers=(1, 4)), tmp_path / "mixed.onnx"
    feeds = models.samples(model, 2)
    everything = polygraphy(model, feeds, "--format", "int8", "--limit", 9, "-o", output, code=0)["all_quantized"]
    runs = oracle.relative_error(oracle.run(model, feeds), oracle.run(onnx.load(output), feeds))
    for exact in ([], EXACT_INT8):
        notes = polygraphy(model, feeds, "--format", "int8", "--limit", everything * 1.01, *exact)["notes"]
        assert any("with more error than its format" in note for note in notes) == (runs > 1.2 * everything and not exact)
