"""Models of the tests of the API."""

from pathlib import Path

import onnx.parser

REPOSITORY = Path(__file__).resolve().parents[3]
MAGIKA = REPOSITORY / ".deps" / "models" / "magika.onnx"

PLUS = """
<ir_version: 8, opset_import: ["" : 17], producer_name: "tests">
g (float[2, 3] x) => (float[2, 3] z) <float[3] c = {1, 2, 3}> {
  y = Add (x, c)
  w = Relu (y)
  z = Mul (w, c)
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
