"""Several nodes become one, in place: by names of tensors, and for all places that look alike."""

import numpy as np
import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 2] x) => (float[2, 2] y) <float low = {0}, float high = {6}, float three = {3}> {
  start = Identity (x)
  upper = Min (start, high)
  clipped = Max (upper, low)
  u = Add (clipped, three)
  v = Clip (u, low, high)
  y = Mul (clipped, v)
}""")


@gs.Graph.register()
def replace(self, op, inputs, outputs, **attrs):
    for tensor in outputs:
        tensor.inputs.clear()
    return self.layer(op=op, inputs=inputs, outputs=outputs, attrs=attrs)


graph = gs.import_onnx(MODEL)
tensors = graph.tensors()
graph.replace("Clip", [tensors[name] for name in ("start", "low", "high")], [tensors["clipped"]])
graph.cleanup().toposort()
print(graph)
onnx.checker.check_model(gs.export_onnx(graph))
onnx.save(gs.export_onnx(graph), "clip.onnx")

for node in list(graph.nodes):
    if node.op == "Mul" and node.i(1).op == "Clip" and node.i(1).i().op == "Add":
        graph.replace("HardSwishLike", [node.inputs[0]], [node.outputs[0]], scale=1 / 6)
        node.inputs.clear()
graph.cleanup().toposort()
print([(node.op, node.name, node.attrs) for node in graph.nodes])
onnx.save(gs.export_onnx(graph), "swish.onnx")
