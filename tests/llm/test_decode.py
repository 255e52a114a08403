"""`run --decode`: prompts, steps and caches of the forms that exporters write."""

import json
import os
import re

import numpy as np
import onnx
import pytest
import tokenizers

import decoders
import numpy_decoder
from polygraphy_command import polygraphy

FORMS = ["optimum", "genai", "shared", "window", "hf", "torch"]
PROMPT = [5, 17, 3, 88, 41]


def save(spec, path):
    onnx.save(decoders.make(spec), str(path))


def decode(folder, model, *arguments, steps=6, code=0):
    return polygraphy("run", model, "--onnxrt", "--decode", steps, "--prompts", "prompts.json", *arguments,
                      cwd=folder, code=code)


def outputs_of(path):
    """Arrays of a file of results, by name."""
    with np.load(path) as arrays:
        return {name.rsplit("/", 1)[-1]: arrays[name] for name in arrays.files}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "prompts.json").write_text(json.dumps([PROMPT]))
    return tmp_path


@pytest.mark.parametrize("architecture", ["qwen", "llama"])
@pytest.mark.parametrize("form", FORMS)
def test_logits_and_tokens_are_numpys(folder, architecture, form):
    spec = decoders.Spec(architecture=architecture, form=form)
    save(spec, folder / "model.onnx")
    done = decode(folder, "model.onnx", "--save-outputs", "outputs.npz")
    saved = outputs_of(folder / "outputs.npz")
    tokens = saved["tokens"]
    weights = decoders.make_weights(spec)
    expected = numpy_decoder.logits(spec, weights, tokens[0, :-1])
    logits = next(array for name, array in saved.items() if array.ndim == 3)
    assert np.abs(logits[0] - expected).max() < 1e-5, done.text
    assert list(tokens[0, :5]) == PROMPT
    assert list(tokens[0, 5:]) == list(expected.argmax(-1)[4:])


def test_all_forms_have_the_same_tokens(folder):
    tokens = set()
    for form in FORMS:
        save(decoders.Spec(architecture="llama", form=form), folder / "model.onnx")
        decode(folder, "model.onnx", "--save-outputs", "outputs.npz")
        tokens.add(tuple(outputs_of(folder / "outputs.npz")["tokens"][0]))
    assert len(tokens) == 1


def test_the_first_runner_forces_the_others(folder):
    spec = decoders.Spec(architecture="qwen", form="optimum")
    save(spec, folder / "float.onnx")
    save(spec.with_(quantized="int4"), folder / "int4.onnx")
    decode(folder, "float.onnx", "--save-outputs", "float.npz", steps=20)
    decode(folder, "int4.onnx", "--load-outputs", "float.npz", "--save-outputs", "int4.npz", "--compare",
           "tokens:margin=100", steps=20)
    decode(folder, "int4.onnx", "--free-run", "--save-outputs", "free.npz", steps=20)
    of = {name: outputs_of(folder / f"{name}.npz")["tokens"].tolist() for name in ("float", "int4", "free")}
    assert of["int4"] == of["float"]
    assert of["free"] != of["float"]


def test_noise_of_quantisation_explains_flips(folder):
    spec = decoders.Spec(architecture="qwen", form="genai")
    save(spec, folder / "float.onnx")
    save(spec.with_(quantized="int4"), folder / "int4.onnx")
    decode(folder, "float.onnx", "--save-outputs", "float.npz", steps=20)
    arguments = ["--load-outputs", "float.npz", "--compare", "tokens"]
    text = decode(folder, "int4.onnx", *arguments, steps=20, code=1).text
    assert "flip, the first is logits[0, " in text
    assert "(int4.onnx) and onnxrt-runner-N0 (float.npz) differs by tokens" in text
    done = decode(folder, "int4.onnx", *arguments, "--noise-floor", "--quantization-noise", steps=20)
    assert "tokens flip, all at near ties" in done.text


@pytest.mark.parametrize("fault", ["last-missing", "layers-crossed"])
def test_a_wrong_cache_is_no_near_tie(folder, fault):
    """One prefill of all tokens is the reference: the noise floor's own."""
    spec = decoders.Spec(architecture="qwen", form="optimum")
    save(spec, folder / "right.onnx")
    save(spec.with_(fault=fault), folder / "wrong.onnx")
    decode(folder, "right.onnx", "--save-outputs", "right.npz", steps=20)
    done = decode(folder, "wrong.onnx", "--load-outputs", "right.npz", "--compare", "tokens", "--noise-floor",
                  steps=20, code=1)
    assert "wrong, the first is logits[0, " in done.text


def test_two_engines_agree(folder):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    done = decode(folder, "model.onnx", "--openvino", "--compare", "tokens", "--noise-floor")
    assert "11 tokens, none flips" in done.text


def test_locate_examines_a_step(folder):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    done = polygraphy("debug", "locate", "model.onnx", "--onnxrt", "--openvino", "--decode-step", 2, "--prompts",
                      "prompts.json", "--compare", "tokens", cwd=folder, code=0)
    assert "1 token, which does not flip" in done.text


def test_texts_go_through_the_users_tokenizer(folder):
    words = tokenizers.models.WordLevel({"[UNK]": 0, "to": 5, "be": 9}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(words)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    polygraphy("run", "model.onnx", "--onnxrt", "--decode", 1, "--prompt", "to be or", "--save-outputs",
               "outputs.npz", cwd=folder, code=0)
    assert list(outputs_of(folder / "outputs.npz")["tokens"][0, :3]) == [5, 9, 0]


def test_flips_are_named_by_the_tokenizer(folder):
    words = tokenizers.models.WordLevel({"[UNK]": 0, **{f"w{i}": i for i in range(1, 97)}}, unk_token="[UNK]")
    tokenizers.Tokenizer(words).save(str(folder / "tokenizer.json"))
    spec = decoders.Spec(architecture="llama", form="optimum")
    save(spec, folder / "float.onnx")
    save(spec.with_(quantized="int4"), folder / "int4.onnx")
    decode(folder, "float.onnx", "--save-outputs", "float.npz", steps=20)
    done = decode(folder, "int4.onnx", "--load-outputs", "float.npz", "--compare", "tokens", "--output-dir", "out",
                  steps=20, code=1)
    flips = json.loads((folder / "out" / "report.json").read_text())["answer"]["tokens"]["all_flips"]
    assert flips and all((flip["text"], flip["instead_text"]) == (f"w{flip['token']}", f"w{flip['instead']}")
                         for flip in flips)
    first = next(flip for flip in flips if flip["wrong"])
    line = "sample 0, {place}: '{text}' became '{instead_text}', wrong".format(**first)
    assert line in done.text
    (folder / "tokenizer.json").write_text("{}")
    done = decode(folder, "int4.onnx", "--load-outputs", "float.npz", "--compare", "tokens", steps=20, code=1)
    assert " became 'w" not in done.text and "tokens flip" in done.text


def test_texts_need_a_tokenizer(folder, monkeypatch):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    run = ["run", "model.onnx", "--onnxrt", "--decode", 1, "--prompt", "to be"]
    assert "tokenizer.json for the prompts" in polygraphy(*run, cwd=folder, code=1).text
    (folder / "tokenizer.json").write_text("{}")
    assert "The tokenizer" in polygraphy(*run, cwd=folder, code=1).text
    # The package is the last of the folders.
    monkeypatch.setenv("PYTHONPATH", os.environ["PYTHONPATH"].rpartition(os.pathsep)[0])
    assert "'tokenizers' is required" in polygraphy(*run, cwd=folder, code=1).text


def test_names_and_sizes_may_be_given(folder):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    pairs = {f"past_key_values.{i}.{part}": f"present.{i}.{part}" for i in range(2) for part in ("key", "value")}
    (folder / "names.json").write_text(json.dumps({"tokens": "input_ids", "logits": "logits", "caches": pairs}))
    decode(folder, "model.onnx", "--decoder-names", "names.json")


@pytest.mark.parametrize("names, answer", [
    ('{"tokens": "ids"}', "The model has no input 'ids'"),
    ('{"caches": {"past_key_values.0.key": "present.9.key"}}', "The model has no output 'present.9.key'"),
    ('{"cache": {}}', "there is no member 'cache'"),
    ('{"sizes": {"n": -4}}', "a size lies between"),
    ("[]", "names.json"),
])
def test_a_wrong_description_gets_a_sentence(folder, names, answer):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    (folder / "names.json").write_text(names)
    assert answer in decode(folder, "model.onnx", "--decoder-names", "names.json", code=1).text


@pytest.mark.parametrize("prompts, answer", [
    ("", "has no prompt"), ("[[]]", "no tokens"), ("[[1.5]]", "prompts.json"), ("[[-1]]", "not negative"),
    ("to be", "There is no tokenizer"),
])
def test_wrong_prompts_get_a_sentence(folder, prompts, answer):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    (folder / "prompts.json").write_text(prompts)
    assert answer in decode(folder, "model.onnx", code=1).text


def test_saved_tokens_must_fit(folder):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    decode(folder, "model.onnx", "--save-outputs", "saved.npz")
    done = decode(folder, "model.onnx", "--load-outputs", "saved.npz", steps=7, code=1)
    assert "The saved outputs have no tokens for this prompt of 5 tokens and 7 steps" in done.text


def test_saved_prompts_keep_their_order(folder):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    (folder / "prompts.json").write_text(json.dumps([PROMPT, PROMPT[::-1]]))
    decode(folder, "model.onnx", "--save-outputs", "saved.npz")
    (folder / "prompts.json").write_text(json.dumps([PROMPT[::-1], PROMPT]))
    done = decode(folder, "model.onnx", "--load-outputs", "saved.npz", "--compare", "tokens", code=1)
    assert "Prompt 0 is prompt 1 of the saved outputs" in done.text
    (folder / "prompts.json").write_text(json.dumps([PROMPT]))
    decode(folder, "model.onnx", "--load-outputs", "saved.npz", "--compare", "tokens", code=0)


def test_texts_that_part_are_no_flips(folder):
    spec = decoders.Spec(architecture="qwen", form="optimum")
    save(spec, folder / "float.onnx")
    save(spec.with_(quantized="int4"), folder / "int4.onnx")
    decode(folder, "float.onnx", "--save-outputs", "float.npz", steps=20)
    done = decode(folder, "int4.onnx", "--free-run", "--load-outputs", "float.npz", "--compare", "tokens",
                  "--noise-floor", "--quantization-noise", steps=20, code=0)
    assert "The sides decoded other tokens" in done.text
    # How many: the kernels of 4 bits differ between processors.
    assert re.search(r"\d of \d tokens flips?, (all )?at (a )?near tie", done.text), done.text
    (folder / "prompts.json").write_text(json.dumps([PROMPT[::-1]]))
    done = decode(folder, "float.onnx", "--free-run", "--load-outputs", "float.npz", "--compare", "tokens", steps=20,
                  code=1)
    assert "The sides were given other prompts" in done.text


def test_the_saved_side_is_the_reference(folder):
    spec = decoders.Spec(architecture="qwen", form="nocache", quantized="int4")
    save(spec.with_(quantized=""), folder / "float.onnx")
    save(spec, folder / "int4.onnx")
    np.savez(folder / "ids.npz", input_ids=np.arange(40)[None])
    run = ["--onnxrt", "--load-inputs", "ids.npz"]
    polygraphy("run", "float.onnx", *run, "--save-outputs", "float.npz", cwd=folder, code=0)
    polygraphy("run", "int4.onnx", *run, "--save-outputs", "int4.npz", cwd=folder, code=0)
    texts = [polygraphy("run", *sides, "--compare", "tokens", cwd=folder, code=1).text
             for sides in (["int4.onnx", *run, "--load-outputs", "float.npz"],
                           ["--load-outputs", "float.npz", "int4.npz"])]
    divergences = [next(line.split("]", 1)[1] for line in text.splitlines() if "Divergence" in line)
                   for text in texts]
    assert divergences[0] == divergences[1]


def test_tokens_beyond_the_vocabulary_get_a_sentence(folder):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    (folder / "prompts.json").write_text("[[5, 97]]")
    assert "token 97, but the vocabulary has 97 tokens" in decode(folder, "model.onnx", code=1).text


def test_padding_is_refused(folder):
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    np.savez(folder / "padded.npz", input_ids=np.array([[0, 2, 3]]), attention_mask=np.array([[0, 1, 1]]))
    done = polygraphy("run", "model.onnx", "--onnxrt", "--decode", 2, "--load-inputs", "padded.npz", cwd=folder, code=1)
    assert "The mask 'attention_mask' of a prompt hides tokens" in done.text


def test_what_cannot_be_decoded_gets_a_sentence(folder):
    save(decoders.Spec(architecture="llama", form="nocache"), folder / "nocache.onnx")
    assert "No input of the model matches an output as a cache does" in decode(folder, "nocache.onnx", code=1).text
    save(decoders.Spec(architecture="llama", form="shared", max_length=8), folder / "short.onnx")
    assert "holds 8 positions" in decode(folder, "short.onnx", code=1).text
    save(decoders.Spec(architecture="llama", form="genai"), folder / "genai.onnx")
    text = decode(folder, "genai.onnx", steps=256, code=1).text
    assert "The model knows 256 positions ('cos_cache'), and the prompt of" in text
    save(decoders.Spec(architecture="llama", form="optimum"), folder / "model.onnx")
    assert "exclude each other" in decode(folder, "model.onnx", "--mem-limit", "1G", code=1).text
    assert "cannot decode -1 steps" in decode(folder, "model.onnx", steps=-1, code=1).text
