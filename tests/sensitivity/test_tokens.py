"""Figures of tokens, for models that return logits."""

import numpy as np
import onnx
import pytest

import models
import oracle


def figures(expected, observed):
    """Mean Kullback-Leibler divergence and share of equal tokens, of all rows together."""
    def log_softmax(logits):
        shifted = logits.astype(np.float64) - logits.max(-1, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    p, q = (np.concatenate([log_softmax(o["logits"]).reshape(-1, o["logits"].shape[-1]) for o in side])
            for side in (expected, observed))
    return float((np.exp(p) * (p - q)).sum(-1).mean()), float((p.argmax(-1) == q.argmax(-1)).mean())


@pytest.mark.parametrize("form", ["int8", "int4:block=32", "fp4"])
@pytest.mark.parametrize("gated", [True, False])
def test_figures_of_tokens(polygraphy, form, gated):
    model = models.decoder(gated=gated)
    feeds = models.samples(model, 2)
    feeds[1]["ids"] = feeds[1]["ids"][:, ::-1].copy()
    ranges = oracle.activation_ranges(model, feeds) if form == "int8" else None
    expected = oracle.run(model, feeds)
    result = polygraphy(model, feeds, "--format", form)
    of_layers = {tuple(layer["nodes"]): layer["tokens"] for layer in result["layers"]}
    rank = [[], []]
    for role in oracle.roles(model):
        divergence, same = figures(expected, oracle.run(oracle.quantized(model, [role], form, ranges), feeds))
        found = of_layers[tuple(role[0])]
        assert found["kl_mean"] == pytest.approx(divergence, rel=0.1, abs=1e-7)
        assert found["same_top1"] == pytest.approx(same, abs=1.5 / 24)
        rank[0].append(divergence)
        rank[1].append(found["kl_mean"])
    assert oracle.spearman(*rank) >= 0.95
    everything = oracle.quantized(model, oracle.roles(model), form, ranges)
    assert result["all_quantized_tokens"]["kl_mean"] == pytest.approx(figures(expected, oracle.run(everything, feeds))[0],
                                                                      rel=0.1)


def test_figures_of_the_mixed_model(polygraphy, tmp_path):
    model = models.decoder()
    feeds = models.samples(model, 2)
    output = tmp_path / "mixed.onnx"
    result = polygraphy(model, feeds, "--format", "int4", "--limit", 0.1, "-o", output, code=0)
    divergence, same = figures(oracle.run(model, feeds), oracle.run(onnx.load(output), feeds))
    assert result["proved_tokens"]["kl_mean"] == pytest.approx(divergence, rel=0.01)
    assert result["proved_tokens"]["same_top1"] == pytest.approx(same)


def test_models_without_logits_have_none(polygraphy):
    result = polygraphy(models.chain(), models.samples(models.chain(), 1))
    assert "all_quantized_tokens" not in result and "tokens" not in result["layers"][0]
