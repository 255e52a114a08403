"""Decoders of static shapes, with caches of other number formats, and with caches of an encoder."""

import json

import numpy as np
import onnx
import pytest

import decoders
import model_forms
import numpy_decoder
from polygraphy_command import polygraphy

PROMPT = [5, 17, 3, 8, 21]
SPEC = decoders.Spec(architecture="llama", form="optimum")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "prompts.json").write_text(json.dumps([PROMPT]))
    return tmp_path


def decode(folder, model, *arguments, steps=16, code=0):
    return polygraphy("run", model, "--onnxrt", "--decode", steps, "--prompts", "prompts.json", *arguments, cwd=folder,
                      code=code)


def outputs_of(path):
    with np.load(path) as arrays:
        return {name.rsplit("/", 1)[-1]: arrays[name] for name in arrays.files}


def check_cache(folder, model, *arguments, code=0):
    return polygraphy("check", "consistency", model, "--onnxrt", "--only-check", "cache", *arguments, cwd=folder,
                      code=code)


# Caches of an encoder.

@pytest.fixture
def merged(folder):
    onnx.save(model_forms.encoder_decoder(), str(folder / "merged.onnx"))
    random = np.random.default_rng(1)
    np.savez(folder / "in.npz", input_ids=np.array([PROMPT]), encoder_attention_mask=np.int64([[1, 1, 1, 1, 1, 0]]),
             encoder_hidden_states=random.standard_normal((1, 6, model_forms.SIZE)).astype(np.float32))
    return folder


def test_steps_take_the_caches_of_the_first_run(merged):
    done = polygraphy("run", "merged.onnx", "--onnxrt", "--decode", 6, "--load-inputs", "in.npz", "--save-outputs",
                      "steps.npz", cwd=merged, code=0)
    assert "past_key_values.0.encoder.key <- present.0.encoder.key, as the first run made it" in done.text
    assert "mask:" not in done.text
    steps = outputs_of(merged / "steps.npz")
    with np.load(merged / "in.npz") as given:
        np.savez(merged / "whole.npz", **{name: given[name] for name in given.files if name != "input_ids"},
                 input_ids=steps["tokens"][:, :-1])
    polygraphy("run", "merged.onnx", "--onnxrt", "--decode", 0, "--load-inputs", "whole.npz", "--save-outputs",
               "prefill.npz", cwd=merged, code=0)
    whole = outputs_of(merged / "prefill.npz")
    assert np.abs(steps["logits"] - whole["logits"]).max() < 1e-5
    assert steps["present.0.encoder.key"].shape == (1, 1, 6, model_forms.SIZE)


def test_an_encoder_decoder_agrees_with_itself(merged):
    decode(merged, "merged.onnx", "--onnxrt", "--compare", "tokens", "--noise-floor")
    for arguments in ([], ["--load-inputs", "in.npz"]):
        done = check_cache(merged, "merged.onnx", *arguments)
        assert "a prefill of 12 tokens against one of 4 and 8 steps" in done.text
        assert "two rows, 8 steps, against each row alone" in done.text
        assert "pieces" not in done.text


# Number formats of caches.

@pytest.mark.parametrize("kind", ["f16", "int8"])
def test_a_cache_in_a_coarser_format_agrees(folder, kind):
    onnx.save(decoders.make(SPEC), str(folder / "float.onnx"))
    onnx.save(model_forms.with_narrow_caches(decoders.make(SPEC), kind), str(folder / "model.onnx"))
    decode(folder, "float.onnx", "--save-outputs", "float.json")
    for judge in (["--compare", "tokens", "--noise-floor"],
                  ["--compare", "tokens", "--noise-floor", "--quantization-noise"]):
        decode(folder, "model.onnx", "--load-outputs", "float.json", *judge)
    check_cache(folder, "model.onnx")


@pytest.mark.parametrize("kind", ["f16", "int8"])
@pytest.mark.parametrize("fault", ["position-off-by-one", "last-missing"])
def test_a_wrong_cache_in_a_coarser_format_differs(folder, kind, fault):
    onnx.save(decoders.make(SPEC), str(folder / "float.onnx"))
    onnx.save(model_forms.with_narrow_caches(decoders.make(SPEC.with_(fault=fault)), kind),
              str(folder / "model.onnx"))
    decode(folder, "float.onnx", "--save-outputs", "float.json")
    decode(folder, "model.onnx", "--load-outputs", "float.json", "--compare", "tokens", "--noise-floor", code=1)
    assert " differs " in check_cache(folder, "model.onnx", code=1).text


def test_logits_in_a_coarser_format_agree(folder):
    onnx.save(decoders.make(SPEC), str(folder / "float.onnx"))
    onnx.save(with_logits(decoders.make(SPEC), onnx.TensorProto.FLOAT16, "Cast", to=onnx.TensorProto.FLOAT16),
              str(folder / "model.onnx"))
    decode(folder, "float.onnx", "--save-outputs", "float.json")
    decode(folder, "model.onnx", "--load-outputs", "float.json", "--compare", "tokens", "--noise-floor")
    decode(folder, "float.onnx", "--onnxrt", "model.onnx", "--compare", "tokens", "--noise-floor")


def with_logits(model, dtype, op, *inputs, **attributes):
    """The model with another node behind its logits."""
    logits = model.graph.output[0]
    logits.type.tensor_type.elem_type = dtype
    next(node for node in model.graph.node if logits.name in node.output).output[0] = "own_logits"
    model.graph.node.append(onnx.helper.make_node(op, ["own_logits", *inputs], [logits.name], **attributes))
    return model


def test_integers_are_no_logits_with_noise_either(folder):
    onnx.save(decoders.make(SPEC), str(folder / "float.onnx"))
    onnx.save(with_logits(decoders.make(SPEC), onnx.TensorProto.INT32, "Cast", to=onnx.TensorProto.INT32),
              str(folder / "model.onnx"))
    decode(folder, "model.onnx", "--save-outputs", "saved.json", steps=0)
    for noise in ([], ["--noise-floor"]):
        done = decode(folder, "model.onnx", "--load-outputs", "saved.json", "--compare", "tokens", *noise, steps=0,
                      code=1)
        assert "tokens needs logits, but no common output has them" in done.text


def test_a_token_that_can_never_follow_is_wrong(folder):
    onnx.save(decoders.make(SPEC), str(folder / "float.onnx"))
    model = with_logits(decoders.make(SPEC), onnx.TensorProto.FLOAT, "Add", "never")
    never = np.zeros(SPEC.vocabulary, np.float32)
    never[-1] = -np.inf
    model.graph.initializer.append(onnx.numpy_helper.from_array(never, "never"))
    onnx.save(model, str(folder / "model.onnx"))
    decode(folder, "float.onnx", "--save-outputs", "float.json")
    for noise in ([], ["--noise-floor"]):
        done = decode(folder, "model.onnx", "--load-outputs", "float.json", "--compare", "tokens", *noise, code=1)
        assert f"token {SPEC.vocabulary - 1} can never follow" in done.text or "wrong" in done.text


# Static shapes.

def test_a_past_of_a_fixed_length_shifts(folder):
    onnx.save(model_forms.static(decoders.make(SPEC), 24), str(folder / "static.onnx"))
    done = decode(folder, "static.onnx", "--save-outputs", "outputs.npz")
    assert "past_key_values.0.key <- present.0.key, the last 23 positions" in done.text
    saved = outputs_of(folder / "outputs.npz")
    expected = numpy_decoder.logits(SPEC, decoders.make_weights(SPEC), saved["tokens"][0, :-1])
    assert np.abs(saved["logits"][0] - expected).max() < 1e-5
    assert "holds 24 positions" in decode(folder, "static.onnx", steps=20, code=1).text
    assert "would have to run in one inference" in decode(folder, "static.onnx", "--onnxrt", "--noise-floor", code=1).text
    assert "the model takes a fixed number of tokens at a time" in check_cache(folder, "static.onnx", code=3).text


def test_a_prompt_alone_needs_no_cache(folder):
    spec = SPEC.with_(form="nocache")
    onnx.save(decoders.make(spec), str(folder / "model.onnx"))
    decode(folder, "model.onnx", "--save-outputs", "outputs.npz", steps=0)
    expected = numpy_decoder.logits(spec, decoders.make_weights(spec), np.array(PROMPT))
    assert np.abs(outputs_of(folder / "outputs.npz")["logits"][0] - expected).max() < 1e-5
    assert "Without steps, prompts need no cache" in decode(folder, "model.onnx", code=1).text


# Two models.

def test_the_order_of_two_models_decides_nothing(folder):
    spec = decoders.Spec(architecture="qwen", form="optimum")
    onnx.save(decoders.make(spec), str(folder / "float.onnx"))
    onnx.save(decoders.make(spec.with_(quantized="int4")), str(folder / "int4.onnx"))
    for models in (["float.onnx", "--onnxrt", "int4.onnx"], ["int4.onnx", "--onnxrt", "float.onnx"]):
        done = decode(folder, models[0], *models[1:], "--compare", "tokens", "--noise-floor", "--quantization-noise")
        assert "no quantised weights" not in done.text
