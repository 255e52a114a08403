"""`debug locate --float-model`: which node of a quantised decoder is wrong, beside its float32 original."""

import json
import os

import numpy as np
import onnx
import pytest

import decoders
import model_forms
from polygraphy_command import polygraphy

FORMATS = [("f16", ""), ("f32", "int8"), ("f32", "int8-dynamic"), ("f32", "int4")]
PROMPTS = [[5, 17, 3, 88, 41], [7, 9, 60, 33, 2, 11, 90]]
STEP = ["--decode-step", 3, "--prompts", "prompts.json"]
# More seeds: POLYGRAPHY_SEEDS=0..25.
FIRST, LAST = map(int, os.environ.get("POLYGRAPHY_SEEDS", "0..0").split(".."))
SUFFIXES = (".weight_Q4", ".weight_quantized", "_proj.weight", "lm_head.weight")


def locate(folder, *arguments, code=None):
    done = polygraphy("debug", "locate", "model.onnx", "--float-model", "float.onnx", "--onnxrt", "--json", "nodes.json",
                      *arguments, cwd=folder, code=code)
    nodes = json.loads((folder / "nodes.json").read_text())["nodes"] if (folder / "nodes.json").exists() else []
    return done.text, nodes


def guilty(nodes):
    return [node["node"] for node in nodes if node["verdict"] in ("guilty", "guilty in place", "non-finite")]


def misplace_half_of_a_layer(model, seed):
    """Half of the rows of one weight lie one place further. Its layer's name."""
    weights = [tensor for tensor in model.graph.initializer if tensor.name.endswith(SUFFIXES)]
    tensor = weights[np.random.default_rng(seed).integers(len(weights))]
    values = onnx.numpy_helper.to_array(tensor).copy()
    values[:len(values) // 2] = np.roll(values[:len(values) // 2], 1, axis=0)
    tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))
    return tensor.name.rsplit(".", 1)[0]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "prompts.json").write_text(json.dumps(PROMPTS))
    return tmp_path


def save(folder, spec, **changes):
    """The original, and the model, which is not saved yet."""
    onnx.save(decoders.make(spec), str(folder / "float.onnx"))
    return decoders.make(spec.with_(**changes))


@pytest.mark.parametrize("type, quantized", FORMATS)
@pytest.mark.parametrize("seed", range(FIRST, LAST + 1))
def test_the_wrong_layer_at_a_step(folder, type, quantized, seed):
    model = save(folder, decoders.Spec(architecture="qwen", form="optimum", seed=seed), type=type, quantized=quantized)
    onnx.save(model, str(folder / "model.onnx"))
    text, nodes = locate(folder, *STEP, code=0)
    assert guilty(nodes) == [], text
    assert " in 2 samples at step 3 agree" in text
    assert json.loads((folder / "nodes.json").read_text())["verdict"] != "noise" or "No node is guilty at step 3" in text
    assert "[W] Step 3 was judged alone, with the reference's cache: neither the prefill" in text
    assert json.loads((folder / "nodes.json").read_text())["answer"]["place"] == "step 3"
    layer = misplace_half_of_a_layer(model, seed)
    onnx.save(model, str(folder / "model.onnx"))
    text, nodes = locate(folder, *STEP)
    found = guilty(nodes)
    assert len(found) == 1 and found[0].startswith(f"{layer}/"), text


def test_the_sides_are_called_by_their_models(folder):
    model = save(folder, decoders.Spec(architecture="qwen", form="optimum"), quantized="int4")
    misplace_half_of_a_layer(model, 5)
    onnx.save(model, str(folder / "model.onnx"))
    text, _ = locate(folder, *STEP, code=1)
    assert "166 of 166 nodes have results that float.onnx has, too" in text
    assert "1 of 5 outputs of model.onnx on onnxrt and float.onnx on onnxrt in 2 samples at step 3 differs by more than 3× " \
           "the float32 and quantisation noise" in text
    assert "Proof: with the reference's results of 1 node(s), all outputs agree" in text


def test_without_decoding(folder):
    spec = decoders.Spec(architecture="qwen", form="nocache")
    model = save(folder, spec, quantized="int4")
    layer = misplace_half_of_a_layer(model, 2)
    onnx.save(model, str(folder / "model.onnx"))
    np.savez(folder / "ids.npz", input_ids=np.arange(20)[None])
    text, nodes = locate(folder, "--load-inputs", "ids.npz")
    assert [name.startswith(f"{layer}/") for name in guilty(nodes)] == [True], text


def test_saved_results_of_the_float_model(folder):
    spec = decoders.Spec(architecture="qwen", form="nocache")
    model = save(folder, spec, quantized="int4")
    for node in model.graph.node:  # as quantisers name results
        for names in (node.input, node.output):
            for i, name in enumerate(names):
                names[i] = name.removesuffix("_Q4") if name.endswith("MatMul_Q4") else name
    layer = misplace_half_of_a_layer(model, 2)
    onnx.save(model, str(folder / "model.onnx"))
    np.savez(folder / "ids.npz", input_ids=np.arange(20)[None])
    polygraphy("run", "float.onnx", "--onnxrt", "--load-inputs", "ids.npz", "--onnx-outputs", "mark", "all",
               "--save-outputs", "float.json", cwd=folder, code=0)
    done = polygraphy("debug", "locate", "model.onnx", "--onnxrt", "--load-inputs", "ids.npz", "--load-outputs",
                      "float.json", "--quantization-noise", "--json", "nodes.json", cwd=folder)
    found = guilty(json.loads((folder / "nodes.json").read_text())["nodes"])
    assert [name.startswith(f"{layer}/") for name in found] == [True], done.text


def test_nodes_that_quantise_are_judged_with_the_next(folder):
    onnx.save(save(folder, decoders.Spec(architecture="qwen", form="optimum"), quantized="int8"),
              str(folder / "model.onnx"))
    text, nodes = locate(folder, *STEP, code=0)
    assert "45 nodes that the float model lacks are judged with the next ones that both have" in text
    assert {node["ran_with"] for node in nodes if node["node"] == "lm_head/input/QuantizeLinear"} == {"lm_head/MatMul"}


def test_rounding_that_the_noise_lacks_makes_nobody_guilty(folder):
    random = np.random.default_rng(0)
    weight = random.standard_normal((16, 8)).astype(np.float32)
    constants = {"w": weight, "q": np.rint(weight * 30).astype(np.int8), "step": np.float32(1 / 30),
                 "x_step": np.float32(0.01), "y_step": np.float32(0.1), "zero": np.int8(0)}

    def make(name, *nodes):
        graph = onnx.helper.make_graph(
            [onnx.helper.make_node(op, inputs.split(), [output], name=output) for op, inputs, output in nodes], "g",
            [onnx.helper.make_tensor_value_info("x", 1, [2, 16])], [onnx.helper.make_tensor_value_info("y", 1, [2, 8])],
            [onnx.numpy_helper.from_array(np.asarray(value), constant) for constant, value in constants.items()])
        model = onnx.helper.make_model(graph, ir_version=10, opset_imports=[onnx.helper.make_opsetid("", 21)])
        onnx.save(model, str(folder / name))
    make("float.onnx", ("MatMul", "x w", "product"), ("Tanh", "product", "y"))
    make("model.onnx", ("QuantizeLinear", "x x_step zero", "whole"),
         ("QLinearMatMul", "whole x_step zero q step zero y_step zero", "product_quantized"),
         ("DequantizeLinear", "product_quantized y_step zero", "product"), ("Tanh", "product", "y"))
    text, nodes = locate(folder, code=1)
    assert guilty(nodes) == [], text
    assert "the guilty node is unknown, since the noise lacks the rounding of 'product_quantized' (QLinearMatMul)" in text


def save_layer(folder, name, nodes, constants):
    graph = onnx.helper.make_graph(
        nodes, "g", [onnx.helper.make_tensor_value_info("x", 1, [2, 32])],
        [onnx.helper.make_tensor_value_info("y", 1, [2, 8])],
        [onnx.numpy_helper.from_array(value, constant) for constant, value in constants.items()])
    opsets = [onnx.helper.make_opsetid("", 21), onnx.helper.make_opsetid("com.microsoft", 1)]
    onnx.save(onnx.helper.make_model(graph, ir_version=10, opset_imports=opsets), str(folder / name))


def test_weights_that_the_noise_does_not_move_make_nobody_guilty(folder):
    weight = np.random.default_rng(0).standard_normal((32, 8)).astype(np.float32)
    make = onnx.helper.make_node
    save_layer(folder, "float.onnx", [make("MatMul", ["x", "w"], ["y"], name="product")], {"w": weight})
    save_layer(folder, "model.onnx", [
        make("Reshape", ["q", "shape"], ["matrix"]), make("DequantizeLinear", ["matrix", "steps"], ["v"], axis=1),
        make("MatMul", ["x", "v"], ["y"], name="product")],
        {"q": np.rint(weight * 20).astype(np.int8).ravel(), "shape": np.array([32, 8]),
         "steps": np.full(8, 1 / 20, np.float32)})
    text, nodes = locate(folder, code=1)
    assert guilty(nodes) == [], text
    assert "the guilty node is unknown, since the noise lacks the rounding of 'v' (DequantizeLinear)" in text
    assert "and of quantisation" not in text


@pytest.mark.parametrize("wrong", [False, True])
def test_groups_of_rows_of_gptq(folder, wrong):
    random = np.random.default_rng(1)
    weight = random.standard_normal((32, 8)).astype(np.float32)
    groups = random.permutation(np.repeat([0, 1], 16)).astype(np.int32)
    weight[groups == 1] *= 5
    scales = np.stack([np.abs(weight[groups == group]).max(0) / 7 for group in (0, 1)], 1)  # [column, group]
    numbers = np.rint(weight.T / scales[:, groups] + 8).astype(np.uint8)
    packed = (numbers[:, ::2] | numbers[:, 1::2] << 4).reshape(8, 2, 8)
    make = onnx.helper.make_node
    save_layer(folder, "float.onnx", [make("MatMul", ["x", "w"], ["y"], name="product")], {"w": weight})
    save_layer(folder, "model.onnx", [
        make("MatMulNBits", ["x", "b", "s", "", "g"], ["y"], name="product", domain="com.microsoft", K=32, N=8, bits=4,
             block_size=16)],
        {"b": packed, "s": scales.ravel().astype(np.float32), "g": np.sort(groups) if wrong else groups})
    text, nodes = locate(folder, code=int(wrong))
    assert guilty(nodes) == ["product"] * wrong, text
    assert "and of quantisation" in text


def number(model):
    """Names as of exporters that number tensors and nodes in their order."""
    graph = model.graph
    names = {tensor.name: tensor.name for tensor in [*graph.input, *graph.output, *graph.initializer]}
    for place, node in enumerate(graph.node):
        for i, name in enumerate(node.output):
            node.output[i] = names.setdefault(name, str(len(names)))
        for i, name in enumerate(node.input):
            node.input[i] = names.get(name, name)
        node.name = f"{node.op_type}_{place}"
    del graph.value_info[:]


def test_exporters_may_number_tensors(folder):
    spec = decoders.Spec(architecture="qwen", form="nocache")
    original, model = decoders.make(spec), decoders.make(spec.with_(quantized="int8"))
    right = decoders.make(spec.with_(quantized="int8"))
    layer = misplace_half_of_a_layer(model, 2)
    place = next(i for i, node in enumerate(model.graph.node) if node.name.startswith(f"{layer}/MatMul"))
    for one in (original, model, right):
        number(one)
    onnx.save(original, str(folder / "float.onnx"))
    np.savez(folder / "ids.npz", input_ids=np.arange(20)[None])
    onnx.save(right, str(folder / "model.onnx"))
    text, nodes = locate(folder, "--load-inputs", "ids.npz", code=0)
    assert guilty(nodes) == [], text
    onnx.save(model, str(folder / "model.onnx"))
    text, nodes = locate(folder, "--load-inputs", "ids.npz")
    assert guilty(nodes) == [f"MatMul_{place}"], text


def test_numbers_beyond_float16_are_named(folder):
    spec = decoders.Spec(architecture="qwen", form="optimum")
    weights = decoders.make_weights(spec)
    weights["model.layers.0.mlp.up_proj.weight"] *= np.float32(6e4)
    weights["model.layers.0.mlp.down_proj.weight"] /= np.float32(6e4)
    onnx.save(decoders.make(spec, weights), str(folder / "float.onnx"))
    onnx.save(decoders.make(spec.with_(type="f16"), weights), str(folder / "model.onnx"))
    text, nodes = locate(folder, *STEP, code=1)
    assert [(node["verdict"], node["node"]) for node in nodes[:2]] == [
        ("overflow", "model.layers.0.mlp.up_proj/MatMul"), ("overflow", "/model/layers.0/mlp/Mul")], text
    assert "it reads '/model/layers.0/mlp/Mul', with numbers beyond the range of its type" in json.dumps(nodes)


def renumber(model):
    """The model with numbers as names, as exporters give them. The layer of each new name."""
    kept = {value.name for value in [*model.graph.input, *model.graph.output]}
    names = {}

    def number(name):
        return name if not name or name in kept else names.setdefault(name, f"val_{len(names)}")
    for i, node in enumerate(model.graph.node):
        node.name = f"node_{i}"
        for values in (node.input, node.output):
            values[:] = [number(name) for name in values]
    for tensor in model.graph.initializer:
        tensor.name = number(tensor.name)
    return {new: old for old, new in names.items()}


def test_numbers_in_names_may_mean_other_tensors(folder):
    spec = decoders.Spec(architecture="qwen", form="optimum")
    model = save(folder, spec, quantized="int8")
    float_model = decoders.make(spec)
    renumber(float_model)
    onnx.save(float_model, str(folder / "float.onnx"))
    layer = misplace_half_of_a_layer(model, 2)
    names = renumber(model)
    onnx.save(model, str(folder / "model.onnx"))
    text, nodes = locate(folder, *STEP)
    found = [node["tensor"] for node in nodes if node["verdict"] == "guilty"]
    assert [names[tensor].startswith(f"{layer}/") for tensor in found] == [True], text


def in_another_order(model):
    """Each node as soon as its inputs are there, in an order of chance."""
    random, left = np.random.default_rng(1), list(model.graph.node)
    have = {""} | {value.name for value in [*model.graph.input, *model.graph.initializer]}
    del model.graph.node[:]
    while left:
        ready = [node for node in left if have.issuperset(node.input)]
        node = ready[random.integers(len(ready))]
        left.remove(node)
        have.update(node.output)
        model.graph.node.append(node)


def test_tensors_of_other_shapes_accuse_nobody(folder):
    model = save(folder, decoders.Spec(architecture="qwen", form="optimum"), quantized="int8")
    in_another_order(model)
    renumber(model)
    onnx.save(model, str(folder / "model.onnx"))
    text, nodes = locate(folder, *STEP, code=0)
    assert guilty(nodes) == [], text


def test_a_cache_in_another_format_accuses_nobody(folder):
    model = save(folder, decoders.Spec(architecture="llama", form="optimum"))
    onnx.save(model_forms.with_narrow_caches(model, "f16"), str(folder / "model.onnx"))
    text, nodes = locate(folder, *STEP, code=0)
    assert guilty(nodes) == [], text


def test_the_wrong_order_of_models_is_refused(folder):
    spec = decoders.Spec(architecture="llama", form="nocache")
    onnx.save(save(folder, spec, quantized="int4"), str(folder / "model.onnx"))
    done = polygraphy("debug", "locate", "float.onnx", "--float-model", "model.onnx", "--onnxrt", cwd=folder, code=3)
    assert "The float model 'model.onnx' has quantised weights, and the model '" in done.text


def test_a_layer_of_nans_hides_the_noise(folder):
    model = save(folder, decoders.Spec(architecture="qwen", form="optimum"), quantized="int4")
    scales, = (tensor for tensor in model.graph.initializer
               if tensor.name == "model.layers.0.mlp.down_proj.weight_scales")
    values = onnx.numpy_helper.to_array(scales) * np.float32(np.nan)
    scales.CopyFrom(onnx.numpy_helper.from_array(values, scales.name))
    onnx.save(model, str(folder / "model.onnx"))
    text, nodes = locate(folder, *STEP, code=1)
    assert guilty(nodes) == ["model.layers.0.mlp.down_proj/MatMul_Q4"], text
    assert "the reference's numbers are 0 to 0" not in text
    assert "No proof: the outputs of the target's model are NaN or infinite" in text


def test_two_runners_may_have_a_model_each(folder):
    model = save(folder, decoders.Spec(architecture="llama", form="nocache"), quantized="int4")
    onnx.save(model, str(folder / "model.onnx"))
    text, nodes = locate(folder, "--openvino", "--trust", "openvino", code=0)
    assert "model.onnx on onnxrt against float.onnx on openvino" in text


@pytest.mark.parametrize("arguments, answer", [
    (["--remedy"], "A remedy needs both sides to run the same model"),
    (["--load-outputs", "float.json"], "Saved results run no model of the reference"),
    (["--on", "local", "--tasks", "tasks"], "--float-model cannot be used in tasks"),
    (["--trust", "onnxrt"], "--trust chooses between two runners, but one runs both models"),
])
def test_what_needs_one_model_is_refused(folder, arguments, answer):
    spec = decoders.Spec(architecture="llama", form="nocache")
    onnx.save(save(folder, spec, quantized="int4"), str(folder / "model.onnx"))
    polygraphy("run", "float.onnx", "--onnxrt", "--save-outputs", "float.json", cwd=folder, code=0)
    text, _ = locate(folder, *arguments, code=3)
    assert answer in text


def test_the_float_model_must_fit_into_memory(folder):
    spec = decoders.Spec(architecture="llama", form="nocache", hidden=128)
    onnx.save(save(folder, spec, quantized="int4"), str(folder / "model.onnx"))
    text, _ = locate(folder, "--mem-limit", "50K", code=3)
    assert "A model of the reference needs the whole model, but its weights of " in text


def test_other_inputs_get_a_sentence(folder):
    spec = decoders.Spec(architecture="llama", form="nocache")
    onnx.save(save(folder, spec, form="optimum"), str(folder / "model.onnx"))
    text, _ = locate(folder, code=3)
    assert "'float.onnx' has no input like attention_mask [dtype=int64, shape=" in text
    assert "model.onnx'; its inputs are: input_ids [dtype=int64, shape=" in text
