"""Decoders without --prompts and --decode-step: generated prompts, an empty cache, and masks that fit."""

import json

import onnx
import pytest

import decoders
from polygraphy_command import polygraphy

SAYS = "is a cache): generated prompts of 12 tokens run with an empty cache"


@pytest.fixture(params=["optimum", "genai"])
def folder(tmp_path, request):
    spec = decoders.Spec(architecture="llama", form=request.param)
    onnx.save(decoders.make(spec), str(tmp_path / "float.onnx"))
    onnx.save(decoders.make(spec.with_(quantized="int4")), str(tmp_path / "model.onnx"))
    return tmp_path


@pytest.mark.parametrize("command", ["locate", "sensitivity"])
def test_generated_prompts_take_the_place_of_generated_caches(folder, command):
    engine = ["--onnxrt"] if command == "locate" else []
    done = polygraphy("debug", command, "model.onnx", "--float-model", "float.onnx", *engine, "--iterations", 2,
                      "--json", "found.json", cwd=folder)
    assert done.code == 0, done.text
    assert done.text.count(SAYS) == 1
    assert json.loads((folder / "found.json").read_text())["samples"] == 2


def test_a_plain_run_that_fails_names_the_way(tmp_path):
    onnx.save(decoders.make(decoders.Spec(architecture="llama", form="genai")), str(tmp_path / "model.onnx"))
    done = polygraphy("run", "model.onnx", "--onnxrt", cwd=tmp_path, code=1)
    assert "--decode 0" in done.text.partition("[!]")[2], done.text


@pytest.mark.parametrize("command", ["locate", "sensitivity"])
def test_given_shapes_are_taken_as_they_are(folder, command):
    engine = ["--onnxrt"] if command == "locate" else []
    done = polygraphy("debug", command, "model.onnx", "--float-model", "float.onnx", *engine, "--input-shapes",
                      "input_ids:[1,4]", "attention_mask:[1,4]", cwd=folder)
    assert SAYS not in done.text
