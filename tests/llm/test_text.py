"""`run --text`: windows of a text, perplexity, and what two runners' predictions differ by."""

import json
import re

import numpy as np
import onnx
import pytest

import decoders
import numpy_decoder
from polygraphy_command import polygraphy

SPEC = decoders.Spec(architecture="qwen", form="optimum")
WINDOW = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("text")
    onnx.save(decoders.make(SPEC), str(path / "float.onnx"))
    onnx.save(decoders.make(SPEC.with_(quantized="int4")), str(path / "int4.onnx"))
    ids = np.random.default_rng(3).integers(0, SPEC.vocabulary, 3 * WINDOW + 5)
    (path / "text.json").write_text(json.dumps(ids.tolist()))
    return path


def run(folder, *arguments, code=0):
    return polygraphy("run", *arguments, "--text", "text.json", "--window", WINDOW, "--output-dir", "report", cwd=folder,
                      code=code)


def losses(folder, window):
    """Of the tokens of the second half, by NumPy."""
    ids = json.loads((folder / "text.json").read_text())[window * WINDOW:][:WINDOW]
    logits = numpy_decoder.logits(SPEC, decoders.make_weights(SPEC), np.array(ids)).astype(np.float64)
    shifted = logits - logits.max(-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return [-log_p[at, ids[at + 1]] for at in range(WINDOW // 2, WINDOW - 1)]


def test_the_perplexity_of_a_text_is_numpys(folder):
    done = run(folder, "float.onnx", "--onnxrt", "--save-outputs", "float.npz")
    text = json.loads((folder / "report" / "report.json").read_text())["answer"]["text"]
    expected = np.concatenate([losses(folder, window) for window in range(3)])
    assert text["windows"] == 3 and text["tokens"] == len(expected)
    perplexity = np.exp(expected.mean())
    assert abs(text["runners"][0]["perplexity"] / perplexity - 1) < 1e-5
    error = perplexity * expected.std() / (len(expected) - 1) ** 0.5
    assert abs(text["runners"][0]["perplexity_error"] / error - 1) < 1e-4
    printed = re.search(r"Perplexity of onnxrt-runner-N0: (\S+) ", done.text)  # six digits
    assert abs(float(printed[1]) / perplexity - 1) < 2e-5


def test_two_models_on_a_text(folder):
    run(folder, "float.onnx", "--onnxrt", "--save-outputs", "float.npz")
    done = run(folder, "int4.onnx", "--onnxrt", "--load-outputs", "float.npz")
    assert re.search(r"against onnxrt-runner-N0 \(.*float.npz\): divergence \S+ \+/- \S+ nats", done.text)
    answer = json.loads((folder / "report" / "report.json").read_text())["answer"]
    flips = answer["tokens"]["all_flips"]
    assert len(flips) == answer["tokens"]["flips"] > 0
    assert {flip["sample"] for flip in flips} <= {0, 1, 2}
    assert all(flip["token"] != flip["instead"] and not flip["wrong"] for flip in flips)
    assert 0 < answer["tokens"]["divergence_error"] < answer["tokens"]["mean_divergence"]
    assert "near ties are an estimate" in done.text


def test_two_files_without_a_model(folder):
    for model in ("float", "int4"):
        run(folder, f"{model}.onnx", "--onnxrt", "--save-outputs", f"{model}.npz")
    pair = ["run", "--load-outputs", "float.npz", "int4.npz", "--compare"]
    assert "near ties are an estimate" in polygraphy(*pair, "tokens:margin=auto", cwd=folder, code=0).text
    polygraphy(*pair, "tokens", cwd=folder, code=1)


@pytest.mark.parametrize("arguments, answer", [
    (["--decode", 2], "exclude each other"), (["--prompts", "text.json"], "--text and --prompts exclude each other"),
    (["--decode", 2, "--prompts", "text.json"], "exclude each other"),
    (["--window", 1], "has none to predict")])
def test_what_makes_no_sense_gets_a_sentence(folder, arguments, answer):
    done = polygraphy("run", "float.onnx", "--onnxrt", "--text", "text.json", *arguments, cwd=folder, code=1)
    assert answer in done.text
