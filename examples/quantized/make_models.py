"""make_models.py FOLDER: a classifier of images with random weights, and the same with int8 weights.

float.onnx is right. In int8.onnx, the scale of one channel of one layer is wrong.
"""

import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CHANNELS, CLASSES = 12, 10
GUILTY, CHANNEL, FACTOR = "block2.conv2", 5, 8


def weight_of(name, weight, quantized):
    """The nodes and initializers that make the weight of a convolution."""
    if not quantized:
        return [], [numpy_helper.from_array(weight, f"{name}.weight")]
    scale = np.abs(weight).max(axis=(1, 2, 3)) / np.float32(127)
    numbers = np.round(weight / scale[:, None, None, None]).astype(np.int8)
    if name == GUILTY:
        scale[CHANNEL] *= FACTOR
    parts = [f"{name}.weight_int8", f"{name}.scale"]
    node = helper.make_node("DequantizeLinear", parts, [f"{name}.weight"], f"{name}.dequantize", axis=0)
    return [node], [numpy_helper.from_array(each, part) for each, part in zip((numbers, scale), parts)]


def model(quantized):
    rng = np.random.default_rng(49)
    nodes, weights = [], []

    def conv(name, read, channels=CHANNELS):
        spread = np.float32(np.sqrt(2 / (9 * channels)))
        values = rng.standard_normal((CHANNELS, channels, 3, 3), dtype=np.float32) * spread
        more, made = weight_of(name, values, quantized)
        nodes.extend([*more, helper.make_node("Conv", [read, f"{name}.weight"], [f"{name}.out"], name, pads=[1] * 4)])
        weights.extend(made)
        return f"{name}.out"

    def simple(op, name, *reads):
        nodes.append(helper.make_node(op, reads, [f"{name}.out"], name))
        return f"{name}.out"

    at = simple("Relu", "stem.relu", conv("stem", "image", 3))
    for block in ("block1", "block2", "block3"):
        inner = simple("Relu", f"{block}.relu1", conv(f"{block}.conv1", at))
        at = simple("Relu", f"{block}.relu2", simple("Add", f"{block}.add", conv(f"{block}.conv2", inner), at))
    pooled = simple("Flatten", "flatten", simple("GlobalAveragePool", "pool", at))
    nodes.append(helper.make_node("MatMul", [pooled, "classifier.weight"], ["scores"], "classifier"))
    weights.append(numpy_helper.from_array(rng.standard_normal((CHANNELS, CLASSES), dtype=np.float32), "classifier.weight"))
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 16, 16])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, CLASSES])
    graph = helper.make_graph(nodes, "classifier", [image], [scores], weights)
    return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])


def main(folder):
    onnx.save(model(quantized=False), os.path.join(folder, "float.onnx"))
    onnx.save(model(quantized=True), os.path.join(folder, "int8.onnx"))


if __name__ == "__main__":
    main(*sys.argv[1:])
