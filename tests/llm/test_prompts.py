"""Prompts that no command can decode."""

import json

import onnx
import pytest

import decoders
from polygraphy_command import polygraphy

PAIR = ["model.onnx", "--float-model", "float.onnx"]
COMMANDS = {
    "run": ["run", "float.onnx", "--onnxrt", "--decode", 3],
    "sensitivity": ["debug", "sensitivity", *PAIR],
    "sensitivity of a format": ["debug", "sensitivity", "float.onnx", "--format", "int8"],
    "locate": ["debug", "locate", *PAIR, "--onnxrt", "--decode-step", 2],
    "locate the prompt": ["debug", "locate", *PAIR, "--onnxrt", "--decode-step", 0],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("prompts")
    spec = decoders.Spec(architecture="llama", form="optimum")
    onnx.save(decoders.make(spec), str(path / "float.onnx"))
    onnx.save(decoders.make(spec.with_(quantized="int4")), str(path / "model.onnx"))
    return path


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_tokens_outside_of_the_vocabulary_are_refused(folder, command):
    vocabulary = decoders.Spec().vocabulary
    (folder / "prompts.json").write_text(json.dumps([[1, 2], [3, vocabulary]]))
    text = polygraphy(*command, "--prompts", "prompts.json", cwd=folder).text
    assert f"The prompt has the token {vocabulary}, but the vocabulary has {vocabulary} tokens" in text
    assert "failed to run" not in text


@pytest.mark.parametrize("content", ['{"a": 1}', "5", '"To be"', "[[1, 2], [3", "[INST] To be"])
@pytest.mark.parametrize("command", [COMMANDS["run"], COMMANDS["sensitivity"]], ids=["run", "sensitivity"])
def test_other_json_is_refused(folder, command, content):
    (folder / "prompts.json").write_text(content)
    done = polygraphy(*command, "--prompts", "prompts.json", cwd=folder)
    assert done.code != 0 and "prompts.json" in done.text
    assert "Give lines of text, or a JSON list of texts and lists of token ids" in done.text


def test_prompts_of_locate_need_a_step(folder):
    (folder / "prompts.json").write_text("[[1, 2]]")
    done = polygraphy("debug", "locate", *PAIR, "--onnxrt", "--prompts", "prompts.json", cwd=folder)
    assert "--decode-step" in done.text
