"""large_decoder.py MODEL.onnx [--layers N] [--hidden N] [--heads N] [--vocabulary N] [--tokens N]

A decoder as language models have it, with random weights in MODEL.onnx.data: layers of RMS normalisation,
attention with a causal mask, and a gated MLP with residuals. Its input is token_ids, int64[1, TOKENS]; its output
logits. Weights take 4 * (12 * hidden^2 * layers + 2 * vocabulary * hidden) bytes.
"""

import argparse

import numpy as np
import onnx
from onnx import TensorProto, helper


class Writer:
    """Appends tensors to the file of weights as they come, so that memory stays small."""

    def __init__(self, path):
        self.path = path
        self.file = open(path + ".data", "wb")
        self.initializers = []
        self.nodes = []
        self.random = np.random.default_rng(0)

    def weight(self, name, shape, scale):
        self.file.write(b"\0" * (-self.file.tell() % 4096))
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape,
                             data_location=TensorProto.EXTERNAL)
        offset, rows = self.file.tell(), int(np.prod(shape[:-1]))
        for begin in range(0, rows, 4096):
            count = min(4096, rows - begin)
            numbers = self.random.standard_normal((count, shape[-1]), dtype=np.float32) * np.float32(scale)
            self.file.write(numbers.tobytes())
        for key, value in (("location", self.path.rsplit("/", 1)[-1] + ".data"), ("offset", str(offset)),
                           ("length", str(self.file.tell() - offset))):
            tensor.external_data.add(key=key, value=value)
        self.initializers.append(tensor)
        return name

    def constant(self, name, values):
        self.initializers.append(onnx.numpy_helper.from_array(values, name))
        return name

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output


def norm(w, x, name, hidden):
    square = w.node("Mul", [x, x], f"{name}/square")
    mean = w.node("ReduceMean", [square], f"{name}/mean", axes=[-1])
    root = w.node("Sqrt", [w.node("Add", [mean, "epsilon"], f"{name}/shifted")], f"{name}/root")
    scaled = w.node("Div", [x, root], f"{name}/scaled")
    return w.node("Mul", [scaled, w.weight(f"{name}.weight", [hidden], 1.0)], f"{name}/out")


def linear(w, x, name, rows, columns):
    return w.node("MatMul", [x, w.weight(f"{name}.weight", [rows, columns], rows ** -0.5)], f"{name}/out")


def layer(w, x, name, hidden, heads):
    y = norm(w, x, f"{name}.input_norm", hidden)
    split = {}
    for part in ("q", "k", "v"):
        flat = linear(w, y, f"{name}.{part}_proj", hidden, hidden)
        shaped = w.node("Reshape", [flat, "by_head"], f"{name}/{part}/shaped")
        split[part] = w.node("Transpose", [shaped], f"{name}/{part}",
                             perm=[0, 2, 3, 1] if part == "k" else [0, 2, 1, 3])
    scores = w.node("MatMul", [split["q"], split["k"]], f"{name}/scores")
    masked = w.node("Add", [w.node("Mul", [scores, "scale"], f"{name}/scaled"), "mask"], f"{name}/masked")
    weights = w.node("Softmax", [masked], f"{name}/weights", axis=-1)
    mixed = w.node("MatMul", [weights, split["v"]], f"{name}/mixed")
    back = w.node("Transpose", [mixed], f"{name}/back", perm=[0, 2, 1, 3])
    joined = w.node("Reshape", [back, "by_token"], f"{name}/joined")
    x = w.node("Add", [x, linear(w, joined, f"{name}.o_proj", hidden, hidden)], f"{name}/attended")
    y = norm(w, x, f"{name}.post_norm", hidden)
    inner = hidden * 8 // 3
    gate = linear(w, y, f"{name}.gate_proj", hidden, inner)
    active = w.node("Mul", [gate, w.node("Sigmoid", [gate], f"{name}/sigmoid")], f"{name}/active")
    gated = w.node("Mul", [active, linear(w, y, f"{name}.up_proj", hidden, inner)], f"{name}/gated")
    return w.node("Add", [x, linear(w, gated, f"{name}.down_proj", inner, hidden)], f"{name}/out")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    for name, value in (("layers", 4), ("hidden", 64), ("heads", 4), ("vocabulary", 256), ("tokens", 8)):
        parser.add_argument(f"--{name}", type=int, default=value)
    args = parser.parse_args()
    w = Writer(args.model)
    w.constant("epsilon", np.array(1e-6, np.float32))
    w.constant("scale", np.array((args.hidden // args.heads) ** -0.5, np.float32))
    w.constant("mask", np.triu(np.full((args.tokens, args.tokens), -1e9, np.float32), 1))
    w.constant("by_head", np.array([1, args.tokens, args.heads, args.hidden // args.heads]))
    w.constant("by_token", np.array([1, args.tokens, args.hidden]))
    embedding = w.weight("embedding.weight", [args.vocabulary, args.hidden], 1.0)
    x = w.node("Gather", [embedding, "token_ids"], "embedded")
    for i in range(args.layers):
        x = layer(w, x, f"layers.{i}", args.hidden, args.heads)
    x = norm(w, x, "norm", args.hidden)
    linear(w, x, "lm_head", args.hidden, args.vocabulary)
    w.node("Identity", ["lm_head/out"], "logits")
    graph = helper.make_graph(
        w.nodes, "decoder",
        [helper.make_tensor_value_info("token_ids", TensorProto.INT64, [1, args.tokens])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, args.tokens, args.vocabulary])],
        w.initializers)
    w.file.close()
    onnx.save(helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)]), args.model)


main()
