"""make_models.py FOLDER: the models of docs/llm.md, with random weights.

float.onnx is a decoder of two layers with a cache, as Optimum exports it; int4.onnx is the same with 4-bit weights
(MatMulNBits), of which one layer's blocks are in the wrong order, as a faulty converter would leave them.
"""

import os
import sys

import numpy as np
import onnx
from onnx import numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "llm"))
import decoders  # noqa: E402

GUILTY = "model.layers.1.mlp.down_proj.weight_Q4"


def main(folder):
    spec = decoders.Spec(architecture="qwen", form="optimum")
    onnx.save(decoders.make(spec), os.path.join(folder, "float.onnx"))
    model = decoders.make(spec.with_(quantized="int4"))
    for tensor in model.graph.initializer:
        if tensor.name == GUILTY:
            blocks = np.roll(numpy_helper.to_array(tensor), 1, axis=1)
            tensor.CopyFrom(numpy_helper.from_array(blocks, tensor.name))
    onnx.save(model, os.path.join(folder, "int4.onnx"))


if __name__ == "__main__":
    main(*sys.argv[1:])
