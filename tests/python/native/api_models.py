"""Models of the tests of the API."""

from pathlib import Path

import numpy as np
import onnx.parser
import pytest
from onnx import helper

import polygraphy_native as pn

REPOSITORY = Path(__file__).resolve().parents[3]
MAGIKA = REPOSITORY / ".deps" / "models" / "magika.onnx"
LANGUAGE = REPOSITORY / "examples" / "language_models"

PLUS = """
<ir_version: 8, opset_import: ["" : 17], producer_name: "tests">
g (float[2, 3] x) => (float[2, 3] z) <float[3] c = {1, 2, 3}> {
  y = Add (x, c)
  w = Relu (y)
  z = Mul (w, c)
}"""

# Its batch is open.
LAYERS = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 4] x) => (float[N, 4] y) <float[4, 4] w = {
  1, 0.3, 0, 2, 0, 1.1, 0, 3, 0.7, 0, 1, 0, 2, 0, 0.9, 1}> {
  a = MatMul (x, w)
  b = Tanh (a)
  y = MatMul (b, w)
}"""

# The shape arithmetic folds away.
FLATTEN = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x) => (float[M] z) {
  s = Shape (x)
  n = ReduceProd <keepdims = 1> (s)
  z = Reshape (x, n)
}"""


def proto(text=PLUS):
    return onnx.parser.parse_model(text)


def chain(layers=6, width=32):
    """MatMul, Tanh, MatMul ... with random weights, those of w2 with a large channel."""
    rng = np.random.default_rng(0)
    nodes, weights, at = [], [], "x"
    for i in range(layers):
        values = rng.standard_normal((width, width)).astype(np.float32) / np.sqrt(width, dtype=np.float32)
        if i == 2:
            values[:, 0] *= 8
        weights.append(onnx.numpy_helper.from_array(values, f"w{i}"))
        nodes += [helper.make_node("MatMul", [at, f"w{i}"], [f"m{i}"], f"layer{i}"),
                  helper.make_node("Tanh", [f"m{i}"], [f"t{i}"], f"tanh{i}")]
        at = f"t{i}"
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["N", width]) for name in ("x", at)]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def need(backend):
    """Skips the test if the engine is missing."""
    status = {each.name: each for each in pn.backends()}[backend]
    if not status.available:
        pytest.skip(status.reason)


def tensorrt_double(family):
    """A runner of a double of TensorRT: "10", "11", "rtx"."""
    doubles = Path(pn.tree(), "tests", "doubles", "tensorrt")
    library = doubles / family / ("libtensorrt_rtx.so.1" if family == "rtx" else f"libnvinfer.so.{family}")
    if not library.exists():
        pytest.skip("the doubles are not built: ninja pg_tensorrt_doubles")
    return {"backend": "tensorrt", "library": str(library),
            "options": [["trt_driver", [str(doubles / "libcuda.so.1")]]]}
