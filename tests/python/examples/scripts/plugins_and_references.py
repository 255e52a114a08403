"""Nodes that no engine knows: found by a pattern, replaced, and run by the references."""

import numpy as np
import onnx
import onnx.parser
from polygraphy import mod
from polygraphy.backend.onnx import GsFromOnnx, OnnxFromPath
from polygraphy.backend.pluginref import PluginRefRunner
from polygraphy.comparator import Comparator

gs = mod.lazy_import("onnx_graphsurgeon>=0.5.0")

onnx.save(
    onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[4] x, float[4] y) => (float[4] d, float[4] e) {
  a = Identity (x)
  b = Identity (y)
  c = Add (a, b)
  d = Neg (c)
  e = Abs (c)
}"""),
    "model.onnx",
)


def pattern():
    made = gs.GraphPattern()
    first, second = made.variable(), made.variable()
    c = made.add(
        "Sum",
        "Add",
        inputs=[first, second],
        check_func=lambda node: len(node.outputs[0].outputs) == 2,
    )
    made.set_output_tensors(
        [made.add("Minus", "Neg", inputs=[c]), made.add("Plus", "Abs", inputs=[c])]
    )
    return made


graph = gs.import_onnx(onnx.load("model.onnx"))
for match in pattern().match_all(graph):
    print(
        sorted({t.name for t in match.inputs}), [t.name for t in match.outputs], match.get("Sum").op
    )
    outputs = match.outputs
    for tensor in outputs:
        tensor.inputs.clear()
    graph.nodes.append(gs.Node("SumPlugin", "plugin", {"version": 1}, match.inputs, outputs))
graph.cleanup().toposort()
onnx.save(gs.export_onnx(graph), "plugin.onnx")

identities = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
g (float[3] x) => (float[3] z) { y = Identity (x) z = Identity (y) }""")
onnx.save(identities, "identities.onnx")
results = Comparator.run(
    [PluginRefRunner(GsFromOnnx(OnnxFromPath("identities.onnx")), name="reference")]
)
print(results["reference"][0]["z"].round(4))
try:
    Comparator.run([PluginRefRunner(GsFromOnnx(OnnxFromPath("plugin.onnx")), name="reference")])
except Exception as error:
    print(type(error).__name__, error)
