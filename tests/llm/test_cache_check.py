"""`check consistency --only-check cache`: planted faults are found, right models cause no alarm."""

import itertools
import json
import os

import numpy as np
import onnx
import pytest

import cache_faults
import decoder_spec
import decoders
from polygraphy_command import polygraphy

FORMATS = [("f32", ""), ("f16", ""), ("f32", "int4")]
WRITTEN_OUT = ["optimum", "hf", "torch"]
FUSED = list(decoder_spec.FUSED)
SEED = int(os.environ.get("POLYGRAPHY_SEED", "0"))


def check(folder, spec):
    onnx.save(decoders.make(spec.with_(seed=SEED)), str(folder / "model.onnx"))
    return polygraphy("check", "consistency", "model.onnx", "--onnxrt", "--only-check", "cache", cwd=folder)


@pytest.mark.parametrize("architecture, form, format",
                         list(itertools.product(["qwen", "llama"], WRITTEN_OUT + FUSED, FORMATS)))
def test_right_models_pass(tmp_path, architecture, form, format):
    done = check(tmp_path, decoders.Spec(architecture=architecture, form=form, type=format[0], quantized=format[1]))
    assert done.code == 0, done.text
    assert "a prefill of 12 tokens against one of 4 and 8 steps" in done.text


def test_models_that_quantise_by_themselves_pass_with_a_note(tmp_path):
    done = check(tmp_path, decoders.Spec(architecture="qwen", form="optimum", quantized="int8-dynamic"))
    assert done.code == 0, done.text
    assert "that counts as noise" in done.text


def test_float16_activations_are_not_quantised(tmp_path):
    done = check(tmp_path, decoders.Spec(architecture="qwen", form="optimum", type="f16", quantized="int4"))
    assert done.code == 0, done.text
    assert "that counts as noise" not in done.text


# Each fault in one of the forms that it can be in, and one of the formats.
@pytest.mark.parametrize("number, fault", list(enumerate(cache_faults.FAULTS)))
def test_faults_are_found(tmp_path, number, fault):
    forms = WRITTEN_OUT + ([] if cache_faults.FAULTS[fault].written_out else ["genai", "shared"])
    type, quantized = FORMATS[number % 3]
    done = check(tmp_path, decoders.Spec(architecture=["qwen", "llama"][number % 2], form=forms[number % len(forms)],
                                         type=type, quantized=quantized, fault=fault))
    assert done.code == 1, done.text
    assert " differs " in done.text and " failed " not in done.text


def without_noise(model):
    """The same model, but rounding errors make NaNs of its logits: of the lowest number, times 1 as rounded, times 0."""
    values = {"zero": [0.0], "lowest": [np.finfo(np.float32).min]}
    model.graph.initializer.extend(onnx.numpy_helper.from_array(np.array(value, np.float32), "test." + name)
                                   for name, value in values.items())
    for node in model.graph.node:
        node.output[:] = ["test.logits" if name == "logits" else name for name in node.output]
    nodes = [("Mul", ["test.logits", "test.zero"], "test.zeros"), ("Exp", ["test.zeros"], "test.ones"),
             ("Mul", ["test.ones", "test.lowest"], "test.masks"), ("Mul", ["test.masks", "test.zero"], "test.hidden"),
             ("ReduceSum", ["test.hidden"], "test.sum"), ("Add", ["test.logits", "test.sum"], "logits")]
    model.graph.node.extend(onnx.helper.make_node(op, inputs, [output]) for op, inputs, output in nodes)
    return model


@pytest.mark.parametrize("fault, code", [("past-zeroed", 1), ("", 0)])
def test_large_differences_are_no_noise_though_it_is_not_known(tmp_path, fault, code):
    spec = decoders.Spec(architecture="qwen", form="optimum", type="f32", fault=fault).with_(seed=SEED)
    onnx.save(without_noise(decoders.make(spec)), str(tmp_path / "model.onnx"))
    done = polygraphy("check", "consistency", "model.onnx", "--onnxrt", "--only-check", "cache", cwd=tmp_path)
    assert done.code == code, done.text
    assert ("show no finite noise of the logits" in done.text) == bool(fault)


def test_a_model_without_a_cache_has_nothing_to_check(tmp_path):
    done = check(tmp_path, decoders.Spec(architecture="llama", form="nocache"))
    assert "the model has no cache" in done.text


def renamed(model, names):
    """`names`: from old to new, of inputs and outputs."""
    for value in [*model.graph.input, *model.graph.output]:
        value.name = names.get(value.name, value.name)
    for node in model.graph.node:
        for slots in (node.input, node.output):
            for i, name in enumerate(slots):
                slots[i] = names.get(name, name)
    return model


def test_a_file_names_caches_of_other_names(tmp_path):
    model = decoders.make(decoders.Spec(architecture="qwen", form="optimum"))
    # In an order that says nothing.
    pasts = [value.name for value in model.graph.input if "past" in value.name]
    pairs = {f"a{i}": f"b{len(pasts) - i}" for i in range(len(pasts))}
    names = dict(zip(pasts, pairs)) | {past.replace("past_key_values", "present"): pairs[f"a{i}"]
                                       for i, past in enumerate(pasts)}
    model = renamed(model, names)
    outputs = sorted((value for value in model.graph.output), key=lambda value: value.name)
    del model.graph.output[:]
    model.graph.output.extend(outputs)
    onnx.save(model, str(tmp_path / "model.onnx"))
    (tmp_path / "names.json").write_text(json.dumps({"caches": pairs}))
    run = ["check", "consistency", "model.onnx", "--onnxrt", "--only-check", "cache"]
    done = polygraphy(*run, "--decoder-names", "names.json", cwd=tmp_path)
    assert done.code == 0, done.text
    assert "a prefill of 12 tokens against one of 4 and 8 steps" in done.text
    (tmp_path / "names.json").write_text('{"caches": {"a0": "nosuch"}}')
    assert "The model has no output 'nosuch'" in polygraphy(*run, "--decoder-names", "names.json", cwd=tmp_path).text
