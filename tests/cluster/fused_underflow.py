"""fused_underflow.py MODEL.onnx

Convolutions, of which one underflows to zero where its result is an output: engines that fold the factor behind it
into its weights compute other numbers. Input and output are float[1, 256, 4, 4]; weights take 2.5 MiB.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

CHANNELS = 256


class Writer:
    def __init__(self):
        self.initializers, self.nodes = [], []
        self.random = np.random.default_rng(0)

    def constant(self, name, values):
        self.initializers.append(onnx.numpy_helper.from_array(np.asarray(values, np.float32), name))
        return name

    def node(self, op, inputs, output):
        self.nodes.append(helper.make_node(op, inputs, [output], name=output))
        return output

    def convolution(self, x, name, scale):
        weight = self.random.standard_normal((CHANNELS, CHANNELS, 1, 1)) * scale * CHANNELS ** -0.5
        return self.node("Conv", [x, self.constant(f"{name}.weight", weight)], name)


def main():
    w = Writer()
    x = "x"
    for i in range(9):
        x = w.node("Tanh", [w.convolution(x, f"conv_{i}", 1)], f"tanh_{i}")
        if i == 4:
            y = w.node("Mul", [x, w.constant("factor", 1e-25)], "small")
            y = w.convolution(y, "tiny", 1e-25)
            for name in ("grown", "grown_again"):
                y = w.node("Mul", [y, w.constant(f"{name}.factor", np.full((1, CHANNELS, 1, 1), 1e25))], name)
            x = w.node("Add", [x, y], "sum")
    shape = [1, CHANNELS, 4, 4]
    graph = helper.make_graph(w.nodes, "convolutions",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info(x, TensorProto.FLOAT, shape)], w.initializers)
    onnx.save(helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17)]), sys.argv[1])


main()
