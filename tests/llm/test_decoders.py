"""The decoders that other tests run: right ones compute what NumPy does and continue their cache, faults show where
they should and nowhere else.

Measured on ONNX Runtime 1.31.1 for CPUs, logits of a deviation of 3 and 24 tokens, prefill against prefill and steps:
f32 5e-6, f16 2e-3, int8 (QDQ) 0, int4 (MatMulNBits) 4e-6, int8-dynamic 0.5, which is its nature. Errors of the
formats: f16 0.003, int8 0.1, int4 0.7. Faults change logits by 2.3 to 14.
"""

import itertools

import numpy as np
import pytest

import cache_faults
import decoders
import numpy_decoder
from decoder_spec import FUSED
from decoding import Decoding, token_ids
from wrong_tokens import WrongTokens

WITH_CACHE = [form for form in decoders.FORMS if form != "nocache"]


def decoding(spec, rows=2, padding=None):
    return Decoding(spec, decoders.make(spec), rows, padding)


@pytest.mark.parametrize("architecture, form", list(itertools.product(decoders.ARCHITECTURES, decoders.FORMS)))
def test_computes_what_numpy_does(architecture, form):
    spec = decoders.Spec(architecture, form)
    ids = token_ids(spec)
    expected = numpy_decoder.logits(spec, decoders.make_weights(spec), ids[0])
    found = decoding(spec, 1).split(ids, 12)[0]
    assert np.abs(found - expected).max() < 1e-5
    assert 2 < expected.std() < 4
    assert len(set(expected.argmax(-1))) >= 5


@pytest.mark.parametrize("architecture, form", list(itertools.product(decoders.ARCHITECTURES, WITH_CACHE)))
def test_steps_continue_the_cache(architecture, form):
    spec = decoders.Spec(architecture, form)
    ids = token_ids(spec, 2)
    decoder = decoding(spec)
    whole = decoder.split(ids, 12)
    assert np.abs(decoder.split(ids, 7, 1, 1, 1, 1, 1) - whole).max() < 1e-5
    if form in FUSED:
        ids, whole, decoder = ids[:1], whole[:1], decoding(spec, 1)
    assert np.abs(decoder.split(ids, 5, 4, 3) - whole).max() < 1e-5


@pytest.mark.parametrize("form", [form for form in WITH_CACHE if form not in FUSED])
def test_padding_on_the_left_changes_nothing(form):
    spec = decoders.Spec(form=form)
    ids = token_ids(spec, 2)
    padded = decoding(spec, 2, [3, 0])
    for lengths in ((12,), (7, 1, 1, 1, 1, 1)):
        alone = decoding(spec, 1).split(ids[:1, 3:], 9)
        assert np.abs(padded.split(ids, *lengths)[0, 3:] - alone[0]).max() < 1e-5


@pytest.mark.parametrize("type, quantized, noise, steps", [
    ("f16", "", 0.01, 0.02), ("f32", "int8", 0.3, 0.02), ("f16", "int8", 0.3, 0.02), ("f32", "int8-dynamic", 0.3, 2),
    ("f32", "int4", 1.2, 1e-4), ("f16", "int4", 1.2, 0.02)])
@pytest.mark.parametrize("form", ["optimum", "genai"])
def test_formats_have_their_noise(form, type, quantized, noise, steps):
    exact, spec = decoders.Spec(form=form), decoders.Spec(form=form, type=type, quantized=quantized)
    ids = token_ids(spec, 1, 24)
    decoder = decoding(spec, 1)
    whole = decoder.split(ids, 24)
    error = np.sqrt(np.mean((whole - decoding(exact, 1).split(ids, 24)) ** 2))
    assert noise / 20 < error < noise
    assert np.abs(decoder.split(ids, 8, *[1] * 16) - whole).max() < steps


def faults():
    for form, fault in itertools.product(WITH_CACHE, cache_faults.FAULTS):
        if form != "window" and (form not in FUSED or not cache_faults.FAULTS[fault].written_out):
            yield form, fault


@pytest.mark.parametrize("form, fault", list(faults()))
def test_faults_show_where_they_should(form, fault):
    spec, right = decoders.Spec(form=form, fault=fault), decoders.Spec(form=form)
    ids = token_ids(spec, 2)
    needs = cache_faults.FAULTS[fault].needs
    in_padding = needs == "padding" or fault == "padding-attended"
    for padding in ([0, 0],) if form in FUSED else ([0, 0], [3, 0]):
        expected = decoding(right, 2, padding).split(ids, 12)
        real = np.arange(12) >= np.array(padding)[:, None]
        wrong = decoding(spec, 2, padding)

        def change(*lengths):
            return np.abs(wrong.split(ids, *lengths) - expected)[real].max()
        applies = any(padding) or not in_padding
        assert (change(12) > 1) == (applies and needs == "prefill")
        assert (change(7, 1, 1, 1, 1, 1) > 1) == applies
        if form not in FUSED:
            assert (change(5, 4, 3) > 1) == applies


@pytest.mark.parametrize("type, quantized", [("f16", ""), ("f32", "int8"), ("f32", "int4"), ("f16", "int4")])
@pytest.mark.parametrize("architecture", decoders.ARCHITECTURES)
def test_one_token_is_wrong(architecture, type, quantized):
    pair = WrongTokens(decoders.Spec(architecture, "nocache", type, quantized, hidden=256))

    def logits(side):
        return Decoding(side[0], decoders.make(*side), len(pair.samples))(pair.samples)
    reference, healthy, target = (logits(side) for side in (pair.reference, pair.healthy, pair.target))
    at = pair.sample, pair.position
    change = np.abs(target - healthy).max(-1)
    assert change[at] > 5
    change[at] = 0
    assert change.max() < 1.5
    assert reference[at].argmax() == healthy[at].argmax() == pair.token != target[at].argmax()


def test_same_seed_same_model():
    spec = decoders.Spec(quantized="int8")
    assert decoders.make(spec).SerializeToString() == decoders.make(spec).SerializeToString()
    assert decoders.make(spec).SerializeToString() != decoders.make(spec.with_(seed=1)).SerializeToString()


def test_kinds_and_faults_that_do_not_exist():
    for wrong in (lambda: decoders.parse_kind("gpt"), lambda: decoders.Spec(fault="none-such"),
                  lambda: decoders.Spec(form="genai", fault="causal-top-left"),
                  lambda: decoders.Spec(form="nocache", fault="past-zeroed")):
        with pytest.raises(ValueError):
            wrong()
