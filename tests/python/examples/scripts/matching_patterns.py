"""Patterns with a check, and with a pattern inside of another."""

import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[2] x, float[2] z) => (float[2] p, float[2] q) <float[2] c = {1, 2}> {
  a = Mul (x, c)
  b = Sigmoid (a)
  d = Mul (a, b)
  p = LeakyRelu <alpha = 0.5> (d)
  e = Sigmoid (z)
  f = Mul (z, e)
  q = LeakyRelu <alpha = 0.75> (f)
}""")
for number, node in enumerate(onnx.load_from_string(MODEL.SerializeToString()).graph.node):
    MODEL.graph.node[number].name = f"n{number}"

swish = gs.GraphPattern()
inside = swish.variable()
swish.set_output_tensors(
    [swish.add("Product", "Mul", inputs=[inside, swish.add("Gate", "Sigmoid", inputs=[inside])])]
)

pattern = gs.GraphPattern()
start = pattern.variable()
gated = pattern.add("Swish", swish, inputs=[start])
end = pattern.add(
    "Leak", "LeakyRelu", inputs=[gated], check_func=lambda node: node.attrs["alpha"] < 0.6
)
pattern.set_output_tensors([end])

graph = gs.import_onnx(MODEL)
for match in swish.match_all(graph):
    print("swish", match.inputs, match.outputs, match.get("Product").name)
for match in pattern.match_all(graph):
    print(match, match.get("Leak").name, match.get("Swish").get("Gate").name)
    out = match.outputs[0]
    out.inputs.clear()
    graph.nodes.append(
        gs.Node(
            "LeakySwish", "fused", {"alpha": match.get("Leak").attrs["alpha"]}, match.inputs, [out]
        )
    )
onnx.save(gs.export_onnx(graph.cleanup().toposort()), "fused.onnx")
