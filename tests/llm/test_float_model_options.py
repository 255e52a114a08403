"""`debug locate --float-model`: its options, and models with other inputs, outputs and number formats."""

import json

import numpy as np
import onnx
import pytest

import decoders
from polygraphy_command import polygraphy
from test_float_model import misplace_half_of_a_layer

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
    assert "A step needs a runner as the reference, to make the cache" in done.text


@pytest.mark.parametrize("command, code", [
    (["debug", "locate", "model.onnx", "--float-model", "float.onnx", "--decode-step"], 3),
    (["run", "model.onnx", "--decode"], 1)])
def test_steps_have_a_limit(folder, command, code):
    text = polygraphy(*command, 2 ** 20 + 1, "--onnxrt", cwd=folder, code=code).text
    assert "cannot decode 1048577 steps, but 1048576 at most" in text
    text = polygraphy(*command, 1001, "--onnxrt", cwd=folder).text
    assert "1001 steps take as many inferences for each prompt, one by one" in text


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
    done = polygraphy("debug", "locate", "large.onnx", "--onnxrt", "--openvino", "--quantization-noise", *limit,
                      cwd=folder, code=0)
    assert "[W] The model has no quantised weights of a known form" in done.text
    assert ("do not fit the memory limit" in done.text) == bool(limit)
    assert "within 3× the float32 noise" in done.text and "quantisation noise" not in done.text


def test_every_line_says_that_quantisation_is_noise(folder):
    polygraphy("run", "float.onnx", "--onnxrt", "--decode", 2, "--save-outputs", "float.json", cwd=folder, code=0)
    done = polygraphy("run", "model.onnx", "--onnxrt", "--decode", 2, "--load-outputs", "float.json", "--noise-floor",
                      "--quantization-noise", cwd=folder)
    lines = [line for line in done.text.splitlines() if "Noise Floor | Output: 'logits'" in line]
    assert lines and all("× the float32 and quantisation noise" in line for line in lines)


@pytest.fixture
def whole(tmp_path):
    """Without a cache; returns the models, which are not saved yet."""
    spec = decoders.Spec(architecture="llama", form="nocache")
    np.savez(tmp_path / "ids.npz", input_ids=np.arange(20)[None])
    return decoders.make(spec), decoders.make(spec.with_(quantized="int4"))


def rename(model, names):
    for value in [*model.graph.input, *model.graph.output]:
        value.name = names.get(value.name, value.name)
    for node in model.graph.node:
        for values in (node.input, node.output):
            values[:] = [names.get(name, name) for name in values]


def save(folder, float_model, model):
    onnx.save(float_model, str(folder / "float.onnx"))
    onnx.save(model, str(folder / "model.onnx"))
    return folder


@pytest.mark.parametrize("name", ["input_ids", "ids"])
def test_inputs_may_have_other_names(tmp_path, whole, name):
    rename(whole[1], {"input_ids": "ids", "logits": "scores"})
    np.savez(tmp_path / "ids.npz", **{name: np.arange(20)[None], "other": np.zeros(3)})
    text = locate(save(tmp_path, *whole), "--load-inputs", "ids.npz", code=0)
    assert "model.onnx gets the values of 'input_ids' of float.onnx" in text and "Input 'ids' of " in text
    assert "does not match expected input name" not in text
    assert "1 output of model.onnx on onnxrt and float.onnx on onnxrt agrees within" in text


def test_values_that_do_not_fit_name_the_model(tmp_path, whole):
    rename(whole[1], {"input_ids": "ids"})
    text = locate(save(tmp_path, *whole), "--input-shapes", "ids:[1,7]", code=3)
    assert "No input is named 'ids'" in text and "The inputs are made for 'float.onnx'." in text


def test_token_ids_may_be_of_another_type(tmp_path, whole):
    model = whole[1]
    model.graph.input[0].type.tensor_type.elem_type = onnx.TensorProto.INT32
    rename(model, {"input_ids": "wide"})
    model.graph.input[0].name = "input_ids"
    model.graph.node.insert(0, onnx.helper.make_node("Cast", ["input_ids"], ["wide"], name="widen", to=7))
    locate(save(tmp_path, *whole), "--load-inputs", "ids.npz", code=0)
    np.savez(tmp_path / "ids.npz", input_ids=np.array([[2 ** 40]]))
    text = locate(tmp_path, "--load-inputs", "ids.npz", code=3)
    assert "Input 'input_ids' has numbers that int64 holds, but not int32" in text


def test_inputs_and_outputs_of_one_model_are_named(tmp_path, whole):
    float_model, model = whole
    float_model.graph.input.append(onnx.helper.make_tensor_value_info("unused", 1, [2]))
    inner = next(node.output[0] for node in float_model.graph.node if node.op_type == "Softmax")
    float_model.graph.output.append(onnx.helper.make_tensor_value_info(inner, 1, None))
    text = locate(save(tmp_path, float_model, model), code=0)
    assert "Only float.onnx has the input 'unused'" in text
    assert f"Only float.onnx has the output '{inner}'" in text
    assert "1 other was not compared" in text
    model.graph.input.append(onnx.helper.make_tensor_value_info("scale", 1, [3]))
    text = locate(save(tmp_path, float_model, model), code=3)
    assert "'float.onnx' has no input like scale [dtype=float32, shape=(3,)] of " in text


def test_other_shapes_of_outputs_are_named(tmp_path, whole):
    model = whole[1]
    rename(model, {"logits": "all"})
    model.graph.output[0].name = "logits"
    model.graph.output[0].type.tensor_type.shape.dim[2].dim_value = 96
    for name, value in (("begin", [0]), ("end", [96]), ("axis", [2])):
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.array(value), name))
    model.graph.node.append(onnx.helper.make_node("Slice", ["all", "begin", "end", "axis"], ["logits"], name="cut"))
    text = locate(save(tmp_path, *whole), "--load-inputs", "ids.npz", code=1)
    assert "its result is float32 (1, 20, 96), but float32 (1, 20, 97) in the reference's model" in text


@pytest.mark.parametrize("quantized", ["", "int4", "int8", "int8-dynamic"])
@pytest.mark.parametrize("wrong", [False, True])
def test_the_float_model_may_be_coarser(folder, quantized, wrong):
    spec = decoders.Spec(architecture="llama", form="optimum")
    model = decoders.make(spec.with_(quantized=quantized))
    layer = misplace_half_of_a_layer(model, 2) if wrong else ""
    save(folder, decoders.make(spec.with_(type="f16")), model)
    text = locate(folder, *STEP)
    assert "float.onnx has results in float16" in text and "the noise of float16 counts" in text
    found = [line.split("'")[1] for line in text.splitlines() if line.startswith("      guilty")]
    assert [name.startswith(f"{layer}/") for name in found] == [True] * wrong, text
    assert text.split("× ")[1].startswith("the float16 "), text


def test_a_float_model_that_overflows_accuses_no_other_node(folder):
    spec = decoders.Spec(architecture="qwen", form="optimum")
    weights = decoders.make_weights(spec)
    weights["model.layers.0.mlp.up_proj.weight"] *= np.float32(6e4)
    weights["model.layers.0.mlp.down_proj.weight"] /= np.float32(6e4)
    save(folder, decoders.make(spec.with_(type="f16"), weights), decoders.make(spec, weights))
    locate(folder, *STEP, "--json", "nodes.json", code=1)
    nodes = json.loads((folder / "nodes.json").read_text())["nodes"]
    guilty = [(node["verdict"], node["node"]) for node in nodes
              if node["verdict"] in ("overflow", "guilty", "guilty in place", "non-finite")]
    assert {verdict for verdict, _ in guilty} == {"overflow"}, guilty
    assert {node for _, node in guilty} <= {"model.layers.0.mlp.up_proj/MatMul", "/model/layers.0/mlp/Mul"}, guilty
