"""Models with random weights, and samples of their inputs."""

import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TREE = pathlib.Path(__file__).resolve().parents[2]
PARITY = TREE / ".deps" / "parity"


def weight(rng, *shape, outlier=0.0):
    """Of a layer that keeps the size of its input; `outlier`: one channel is that much larger."""
    values = rng.standard_normal(shape).astype(np.float32) / np.sqrt(np.prod(shape[:-1]), dtype=np.float32)
    if outlier:
        values[0, ...] *= outlier
        values[..., 0] *= outlier
    return values


def chain(seed=0, layers=8, width=32, outliers=()):
    """MatMul after MatMul with Tanh in between; the layers of `outliers` have large channels."""
    rng = np.random.default_rng(seed)
    nodes, weights, at = [], [], "x"
    for i in range(layers):
        values = weight(rng, width, width, outlier=8.0 if i in outliers else 0.0)
        weights.append(numpy_helper.from_array(values, f"w{i}"))
        nodes.append(helper.make_node("MatMul", [at, f"w{i}"], [f"m{i}"], f"layer{i}"))
        nodes.append(helper.make_node("Tanh", [f"m{i}"], [f"t{i}"], f"tanh{i}"))
        at = f"t{i}"
    graph = helper.make_graph(
        nodes, "chain", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", width])],
        [helper.make_tensor_value_info(at, TensorProto.FLOAT, ["N", width])], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def mixed_operators(seed=0):
    """Conv, ConvTranspose, Gemm in both forms, MatMul, and one weight that two nodes share."""
    rng = np.random.default_rng(seed)
    values = {"conv": weight(rng, 8, 4, 3, 3), "deconv": weight(rng, 8, 4, 2, 2), "gemm": weight(rng, 256, 32),
              "gemm_t": weight(rng, 32, 32), "shared": weight(rng, 32, 32, outlier=4), "bias": weight(rng, 32)}
    nodes = [
        helper.make_node("Conv", ["x", "conv"], ["a"], "conv", strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"], "relu"),
        helper.make_node("ConvTranspose", ["b", "deconv"], ["c"], "deconv", strides=[2, 2]),
        helper.make_node("Flatten", ["c"], ["d"], "flatten"),
        helper.make_node("Gemm", ["d", "gemm", "bias"], ["e"], "gemm"),
        helper.make_node("Gemm", ["e", "gemm_t"], ["f"], "gemm_t", transB=1),
        helper.make_node("MatMul", ["f", "shared"], ["g"], "first"),
        helper.make_node("Tanh", ["g"], ["h"], "tanh"),
        helper.make_node("MatMul", ["h", "shared"], ["y"], "second"),
    ]
    graph = helper.make_graph(
        nodes, "operators", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 4, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 32])],
        [numpy_helper.from_array(value, name) for name, value in values.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def resnet50(seed=0):
    """onnx's light model: its constants become random weights, and Softmax is left out."""
    model = onnx.load(PARITY / "onnx/backend/test/data/light/light_resnet50.onnx")
    graph, rng = model.graph, np.random.default_rng(seed)
    shapes = {i.name: tuple(numpy_helper.to_array(i)) for i in graph.initializer if i.data_type == TensorProto.INT64}
    shapes_of = {i.name: tuple(i.dims) for i in graph.initializer}
    made = {n.output[0]: shapes[n.input[0]] for n in graph.node if n.op_type == "ConstantOfShape"}
    used = {n.input[0] for n in graph.node if n.op_type == "ConstantOfShape"}
    values = {}
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            shape = made[node.input[1]]
            deviation = np.sqrt(2.0 / np.prod(shape[1:]))
            scales = np.exp(rng.standard_normal((shape[0],) + (1,) * (len(shape) - 1)) * 0.5)
            values[node.input[1]] = rng.standard_normal(shape) * deviation * scales
        elif node.op_type == "BatchNormalization":
            size = made.get(node.input[1]) or shapes_of[node.input[1]]
            values[node.input[1]] = 1 + 0.2 * rng.standard_normal(size)
            values[node.input[2]] = 0.1 * rng.standard_normal(size)
            values[node.input[3]] = 0.1 * rng.standard_normal(size)
            values[node.input[4]] = 1 + 0.3 * rng.random(size)
    for name, shape in made.items():
        if name not in values:
            values[name] = np.zeros(shape)
    nodes = [n for n in graph.node if n.op_type not in ("ConstantOfShape", "Softmax")]
    initializers = [i for i in graph.initializer if i.name not in used and i.name not in values]
    initializers += [numpy_helper.from_array(v.astype(np.float32), name) for name, v in values.items()]
    constants = {i.name for i in initializers} | used
    inputs = [i for i in graph.input if i.name not in constants]
    output = helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, [1, 1000])
    del graph.node[:], graph.initializer[:], graph.input[:], graph.output[:], graph.value_info[:]
    graph.node.extend(nodes)
    graph.initializer.extend(initializers)
    graph.input.extend(inputs)
    graph.output.append(output)
    for i, node in enumerate(graph.node):
        node.name = f"{node.op_type}_{i}"
    model.ir_version = 8
    return onnx.version_converter.convert_version(model, 13)


def bert(seed=0, layers=2, hidden=64, heads=4, length=16):
    """An encoder with biases, LayerNormalization, Gelu of Erf and a mask."""
    rng = np.random.default_rng(seed)
    nodes, weights = [], []

    def constant(name, value):
        weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def node(op, inputs, name, **attributes):
        nodes.append(helper.make_node(op, inputs, [name], name, **attributes))
        return name

    def linear(x, rows, columns, name):
        product = node("MatMul", [x, constant(name + ".weight", weight(rng, rows, columns))], name)
        bias = constant(name + ".bias", 0.1 * rng.standard_normal(columns).astype(np.float32))
        return node("Add", [product, bias], name + ".biased")

    def norm(x, name):
        scale = constant(name + ".scale", np.exp(rng.standard_normal(hidden) * 0.5).astype(np.float32))
        return node("LayerNormalization", [x, scale, constant(name + ".shift", np.zeros(hidden, np.float32))], name)

    def split(x, name, order):
        return node("Transpose", [node("Reshape", [x, "split"], name + ".split")], name, perm=order)

    constant("split", np.array([1, length, heads, hidden // heads]))
    constant("joined", np.array([1, length, hidden]))
    constant("root2", np.float32(np.sqrt(2)))
    constant("half", np.float32(0.5))
    constant("one", np.float32(1))
    constant("far", np.float32(-1e4))
    constant("scale", np.float32(1 / np.sqrt(hidden // heads)))
    table = constant("table", rng.standard_normal((97, hidden)).astype(np.float32))
    mask = node("Mul", [node("Sub", ["one", "mask"], "absent"), "far"], "bias")
    x = norm(node("Gather", [table, "ids"], "embedding"), "norm0")
    for i in range(layers):
        p = f"layer.{i}."
        q, k, v = (split(linear(x, hidden, hidden, p + n), p + n + ".heads", [0, 2, 3, 1] if n == "k" else [0, 2, 1, 3])
                   for n in "qkv")
        scores = node("Mul", [node("MatMul", [q, k], p + "scores"), "scale"], p + "scaled")
        shares = node("Softmax", [node("Add", [scores, mask], p + "masked")], p + "shares", axis=-1)
        mixed = node("Transpose", [node("MatMul", [shares, v], p + "mixed")], p + "turned", perm=[0, 2, 1, 3])
        mixed = linear(node("Reshape", [mixed, "joined"], p + "joined"), hidden, hidden, p + "out")
        x = norm(node("Add", [x, mixed], p + "residual1"), p + "norm1")
        inner = linear(x, hidden, 4 * hidden, p + "inner")
        erf = node("Erf", [node("Div", [inner, "root2"], p + "root")], p + "erf")
        gelu = node("Mul", [node("Mul", [inner, "half"], p + "half"), node("Add", [erf, "one"], p + "more")], p + "gelu")
        x = norm(node("Add", [x, linear(gelu, 4 * hidden, hidden, p + "outer")], p + "residual2"), p + "norm2")
    graph = helper.make_graph(
        nodes, "bert", [helper.make_tensor_value_info("ids", TensorProto.INT64, [1, length]),
                        helper.make_tensor_value_info("mask", TensorProto.FLOAT, [1, 1, 1, length])],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, [1, length, hidden])], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def decoder(seed=0, layers=2, hidden=64, vocabulary=97, gated=True):
    """Embedding, attention under a causal mask and SwiGLU (or a plain MLP), then logits."""
    rng = np.random.default_rng(seed)
    nodes, weights = [], []

    def constant(name, value):
        weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def node(op, inputs, name, **attributes):
        nodes.append(helper.make_node(op, inputs, [name], name, **attributes))
        return name

    def linear(x, rows, columns, name, outlier=0.0):
        return node("MatMul", [x, constant(name + ".weight", weight(rng, rows, columns, outlier=outlier))], name)

    def norm(x, name):
        square = node("Mul", [x, x], name + ".square")
        mean = node("ReduceMean", [square], name + ".mean", axes=[-1], keepdims=1)
        root = node("Sqrt", [node("Add", [mean, "epsilon"], name + ".sum")], name + ".root")
        return node("Div", [x, root], name)

    constant("epsilon", np.float32(1e-6))
    constant("scale", np.float32(1 / np.sqrt(hidden)))
    constant("table", rng.standard_normal((vocabulary, hidden)).astype(np.float32))
    length = 12
    constant("mask", np.triu(np.full((length, length), -1e4, np.float32), 1))
    x = node("Gather", ["table", "ids"], "embedding")
    for i in range(layers):
        p = f"layers.{i}."
        h = norm(x, p + "norm1")
        q, k, v = (linear(h, hidden, hidden, p + name, outlier=3.0 * (name == "k")) for name in "qkv")
        scores = node("MatMul", [q, node("Transpose", [k], p + "k.t", perm=[0, 2, 1])], p + "scores")
        scores = node("Add", [node("Mul", [scores, "scale"], p + "scaled"), "mask"], p + "masked")
        mixed = node("MatMul", [node("Softmax", [scores], p + "softmax", axis=-1), v], p + "mixed")
        x = node("Add", [x, linear(mixed, hidden, hidden, p + "o")], p + "residual1")
        h = norm(x, p + "norm2")
        up = linear(h, hidden, 2 * hidden, p + "up")
        if gated:
            gate = linear(h, hidden, 2 * hidden, p + "gate", outlier=2.0)
            up = node("Mul", [node("Mul", [gate, node("Sigmoid", [gate], p + "sigmoid")], p + "silu"), up],
                      p + "gated")
        else:
            up = node("Relu", [up], p + "relu")
        x = node("Add", [x, linear(up, 2 * hidden, hidden, p + "down")], p + "residual2")
    linear(norm(x, "norm"), hidden, vocabulary, "logits")
    graph = helper.make_graph(nodes, "decoder", [helper.make_tensor_value_info("ids", TensorProto.INT64, [1, length])],
                              [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, length, vocabulary])],
                              weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def experts(seed=0, layers=2, width=32, inner=64, count=4, activation="silu", k=2):
    """Mixtures of experts behind routers, each beside what it adds to."""
    rng = np.random.default_rng(seed)
    nodes, weights, at = [], [], "x"
    fused = 2 if activation == "swiglu" else 1
    for i in range(layers):
        p = f"layers.{i}."
        for name, shape in {"router": (width, count), "fc1": (count, fused * inner, width), "fc2": (count, width, inner),
                            "bias": (count, width)}.items():
            values = rng.standard_normal(shape) / np.sqrt(shape[0 if name == "router" else -1])
            if name == "fc1":
                values[i] *= 4  # One expert is larger.
            weights.append(numpy_helper.from_array(values.astype(np.float32), p + name))
        moe = helper.make_node("MoE", [at, p + "logits", p + "fc1", "", p + "fc2", p + "bias"], [p + "mixed"], p + "moe",
                               domain="com.microsoft", k=k, activation_type=activation, normalize_routing_weights=1)
        if fused == 2:
            moe.attribute.append(helper.make_attribute("swiglu_fusion", 1))
        nodes += [helper.make_node("MatMul", [at, p + "router"], [p + "logits"], p + "route"), moe,
                  helper.make_node("Add", [at, p + "mixed"], [p + "out"], p + "add")]
        at = p + "out"
    graph = helper.make_graph(
        nodes, "experts", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [8, width])],
        [helper.make_tensor_value_info(at, TensorProto.FLOAT, [8, width])], weights)
    return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17),
                                                                 helper.make_opsetid("com.microsoft", 1)])


def samples(model, count, seed=1, ranges=None):
    """Normal numbers, and integers below 90 (or of `ranges`)."""
    rng = np.random.default_rng(seed)
    constants = {i.name for i in model.graph.initializer}
    made = []
    for _ in range(count):
        feed = {}
        for value in model.graph.input:
            if value.name in constants:
                continue
            kind = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
            shape = [d.dim_value or 2 for d in value.type.tensor_type.shape.dim]
            if np.issubdtype(kind, np.floating):
                feed[value.name] = rng.standard_normal(shape).astype(kind)
            elif kind == bool:
                feed[value.name] = np.ones(shape, bool)
            else:
                feed[value.name] = rng.integers(*(ranges or (0, 90)), shape).astype(kind)
        made.append(feed)
    return made
