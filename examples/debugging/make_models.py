#!/usr/bin/env python3
"""Writes models/*.onnx, which the examples reduce. Needs the onnx package."""
import os

import onnx
import onnx.parser

HERE = os.path.dirname(os.path.abspath(__file__))

MODELS = {
    # The size that it asks for is one too small: no runtime can run it.
    "impossible_reshape": """<ir_version: 8, opset_import: ["": 17]>
impossible_reshape (float[1,3,28,28] x) => (float[1,2351] y) <int64[2] shape = {1, 2351}, float[1] one = {1}> {
  a = Identity(x)  b = LeakyRelu(a)  c = Add(b, one)  d = Identity(c)
  e = Reshape(d, shape)  f = Identity(e)  y = LeakyRelu(f)
}""",
    # Runs everywhere; the Softsign stands for an operator that one runtime computes wrongly.
    "two_branches": """<ir_version: 8, opset_import: ["": 17]>
two_branches (float[1,16] x) => (float[1,16] y) <float[1] two = {2}> {
  a = Mul(x, two)  b = Sin(a)  c = Cos(a)  d = Softsign(c)  e = Add(b, d)  f = Relu(e)  y = Sqrt(f)
}""",
    # The batch size is open, and a shape is computed from it.
    "dynamic": """<ir_version: 8, opset_import: ["": 17]>
dynamic (float[N,4,4] x) => (float[N,16] y) <int64[1] first = {0}, int64[1] rest = {16}> {
  a = Relu(x)  s = Shape(a)  n = Gather(s, first)  t = Concat<axis = 0>(n, rest)
  b = Reshape(a, t)  c = Softsign(b)  y = Neg(c)
}""",
    # The operator at fault is in the body of a loop.
    "loop": """<ir_version: 8, opset_import: ["": 17]>
loop (float[1,16] x) => (float[1,16] y) <int64 times = {3}, bool always = {1}> {
  a = Sin(x)
  b = Loop(times, always, a) <body = step (int64 i, bool go, float[1,16] v) => (bool go_on, float[1,16] w) {
        go_on = Identity(go)  r = Cos(v)  s = Softsign(r)  w = Mul(s, v)
      }>
  y = Relu(b)
}""",
    # Here it is in a function that is called twice.
    "function": """<ir_version: 9, opset_import: ["": 17, "local": 1]>
function (float[1,16] x) => (float[1,16] y) {
  a = Sin(x)  b = local.gate(a)  c = Cos(b)  y = local.gate(c)
}
<domain: "local", opset_import: ["": 17]> gate (v) => (w) {
  one = Constant<value_float = 1.0>()  r = Add(v, one)  s = Softsign(r)  w = Mul(s, v)
}""",
    # The root of a negative number, for inputs below a half.
    "second_sample": """<ir_version: 8, opset_import: ["": 17]>
second_sample (float[1,4] x) => (float[1,4] y) <float[1] half = {0.5}> {
  a = Identity(x)  b = Sub(a, half)  c = Identity(b)  d = Sqrt(c)  e = Add(d, a)  y = Relu(e)
}""",
    # The same for inputs of any kind: whether one comes to it depends on what the nodes before it make of the inputs.
    "nan": """<ir_version: 8, opset_import: ["": 17]>
nan (float[1,16] x) => (float[1,16] y) <float[1] two = {2}> {
  a = Sin(x)  b = Sub(a, two)  c = Identity(b)  d = Identity(c)  e = Sqrt(d)  f = Add(e, a)  y = Relu(f)
}""",
    # The greatest integers need more than 32 bits, which one runtime does not have.
    "large_integers": """<ir_version: 8, opset_import: ["": 17]>
large_integers (float[1,8] x) => (float[1,8] y) <float[1] scale = {1000}, int64[1] steps = {5000000}> {
  a = Relu(x)  b = Mul(a, scale)  c = Cast<to = 7>(b)  d = Mul(c, steps)  e = Cast<to = 1>(d)  f = Div(e, scale)  y = Relu(f)
}""",
}

for name, text in MODELS.items():
    model = onnx.parser.parse_model(text)
    for i, node in enumerate(model.graph.node):
        node.name = f"node_{i}"
    onnx.checker.check_model(model)
    onnx.save(model, os.path.join(HERE, "models", name + ".onnx"))
