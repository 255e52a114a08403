"""Options of `debug locate --float-model`: which exclude each other, and what they say."""

import numpy as np
import onnx
import pytest

import decoders
from polygraphy_command import polygraphy

STEP = ["--decode-step", "3"]


@pytest.fixture
def folder(tmp_path):
    spec = decoders.Spec(architecture="llama", form="optimum")
    onnx.save(decoders.make(spec), str(tmp_path / "float.onnx"))
    onnx.save(decoders.make(spec.with_(quantized="int4")), str(tmp_path / "model.onnx"))
    return tmp_path


def locate(folder, *arguments, code=None):
    return polygraphy("debug", "locate", "model.onnx", "--float-model", "float.onnx", "--onnxrt", *arguments,
                      cwd=folder, code=code).text


@pytest.mark.parametrize("options", [["--mem-limit", "1G"], ["--on", "local", "--tasks", "tasks"]])
def test_a_step_excludes_parts_and_tasks(folder, options):
    assert f"--decode-step and {options[0]} exclude each other" in locate(folder, *STEP, *options, code=3)
    done = polygraphy("debug", "locate", "float.onnx", "--onnxrt", "--openvino", *STEP, *options, cwd=folder, code=3)
    assert f"--decode-step and {options[0]} exclude each other" in done.text


def test_a_step_needs_a_runner_of_the_correct_side(folder):
    polygraphy("run", "float.onnx", "--onnxrt", "--decode", 3, "--save-outputs", "float.json", cwd=folder, code=0)
    done = polygraphy("debug", "locate", "model.onnx", "--onnxrt", "--load-outputs", "float.json", *STEP, cwd=folder,
                      code=3)
    assert "--decode-step needs a runner of the correct side, to make the cache" in done.text


@pytest.mark.parametrize("command, code", [
    (["debug", "locate", "model.onnx", "--float-model", "float.onnx", "--decode-step"], 3),
    (["run", "model.onnx", "--decode"], 1)])
def test_steps_have_a_limit(folder, command, code):
    text = polygraphy(*command, 2 ** 20 + 1, "--onnxrt", cwd=folder, code=code).text
    assert "cannot decode 1048577 steps, but 1048576 at most" in text
    text = polygraphy(*command, 1001, "--onnxrt", cwd=folder).text
    assert "1001 steps take as many inferences for each prompt, one after the other" in text


def test_a_step_beyond_the_buffer_is_refused_before_the_work(folder):
    spec = decoders.Spec(architecture="llama", form="shared", max_length=20)
    onnx.save(decoders.make(spec), str(folder / "float.onnx"))
    onnx.save(decoders.make(spec.with_(quantized="int4")), str(folder / "model.onnx"))
    text = locate(folder, "--decode-step", 9, code=3)
    assert "holds 20 positions, and the prompt of 12 tokens with 9 steps needs 21" in text


@pytest.mark.parametrize("limit", [[], ["--mem-limit", "260M"]])
def test_noise_of_quantisation_is_a_warning_of_float_models(folder, limit):
    random = np.random.default_rng(0)
    weights = [random.standard_normal((512, 512)).astype(np.float32) / 16 for _ in range(6)]
    names = ["x", "a", "b", "c", "d", "e", "y"]
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", [names[i], f"w{i}"], [names[i + 1]], name=f"product{i}") for i in range(6)],
        "g", [onnx.helper.make_tensor_value_info("x", 1, [1, 512])],
        [onnx.helper.make_tensor_value_info("y", 1, [1, 512])],
        [onnx.numpy_helper.from_array(weight, f"w{i}") for i, weight in enumerate(weights)])
    onnx.save(onnx.helper.make_model(graph, ir_version=10, opset_imports=[onnx.helper.make_opsetid("", 21)]),
              str(folder / "large.onnx"))
    done = polygraphy("debug", "locate", "large.onnx", "--onnxrt", "--onnxrt", "--quantization-noise", *limit,
                      cwd=folder, code=0)
    assert "[W] The model has no quantised weights of a known form" in done.text
    assert ("do not fit the memory limit" in done.text) == bool(limit)
    assert "by 3 times the noise of float32" in done.text and "and of quantisation" not in done.text


def test_every_line_says_that_quantisation_is_noise(folder):
    polygraphy("run", "float.onnx", "--onnxrt", "--decode", 2, "--save-outputs", "float.json", cwd=folder, code=0)
    done = polygraphy("run", "model.onnx", "--onnxrt", "--decode", 2, "--load-outputs", "float.json", "--noise-floor",
                      "--quantization-noise", cwd=folder)
    lines = [line for line in done.text.splitlines() if "Noise Floor | Output: 'logits'" in line]
    assert lines and all("times the noise of float32 and of quantisation" in line for line in lines)
