"""Effects of layers against a quantised model and a session for each layer. Half of the cases are held out."""

import numpy as np
import pytest

import models
import oracle

FORMATS = ["int8", "int8:weights-only", "int4:block=32", "int4:block=16,asymmetric", "fp8", "fp4", "bf16", "fp16"]


def effects_of(result):
    return {tuple(layer["nodes"]): layer["effect"] for layer in result["layers"]}


def check(polygraphy, model, feeds, form):
    result = polygraphy(model, feeds, "--format", form)
    expected = oracle.effects(model, feeds, form)
    found = effects_of(result)
    assert set(found) == set(expected)
    names = sorted(expected)
    rank = oracle.spearman([expected[n] for n in names], [found[n] for n in names])
    print(f"{form}: {len(names)} layers, Spearman {rank:.4f}, {result['sessions']} sessions, "
          f"{result['runs']} runs, {result['cpu']:.2f} s")
    assert rank >= 0.95
    assert result["sessions"] <= 5
    for name in names:
        assert found[name] == pytest.approx(expected[name], rel=0.1, abs=2e-5)
    assert [layer["effect"] for layer in result["layers"]] == sorted(found.values(), reverse=True)


@pytest.mark.parametrize("form", FORMATS)
def test_chain(polygraphy, form):
    model = models.chain(outliers=(2, 5))
    check(polygraphy, model, models.samples(model, 3), form)


@pytest.mark.parametrize("form", FORMATS)
def test_decoder(polygraphy, form):
    model = models.decoder()
    check(polygraphy, model, models.samples(model, 2), form)


@pytest.mark.parametrize("form", ["int8", "int4:block=32"])
def test_plain_decoder(polygraphy, form):
    model = models.decoder(seed=7, gated=False)
    check(polygraphy, model, models.samples(model, 2), form)


@pytest.mark.parametrize("form", FORMATS)
def test_operators(polygraphy, form):
    model = models.mixed_operators()
    check(polygraphy, model, models.samples(model, 2), form)


@pytest.mark.parametrize("form", ["int8", "int4:block=32"])
def test_bert(polygraphy, form):
    model = models.bert()
    feeds = models.samples(model, 2)
    for feed in feeds:
        feed["mask"] = (np.arange(16) < 12).astype(np.float32).reshape(1, 1, 1, 16)
    check(polygraphy, model, feeds, form)


def test_resnet50(polygraphy):
    model = models.resnet50()
    check(polygraphy, model, models.samples(model, 1), "int8")


@pytest.mark.parametrize("form", ["int8", "int4:block=32"])
def test_magika(polygraphy, form):
    model = models.onnx.load(models.TREE / ".deps" / "models" / "magika.onnx")
    check(polygraphy, model, models.samples(model, 2, ranges=(0, 257)), form)
