"""A node goes: its producer gets its outputs, or its consumers get its input."""

import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17, "mine" : 1]>
net (float[2] x) => (float[2] y, float[2] z) {
  a = Identity (x)
  b = mine.Probe <level = 3> (a)
  y = Abs (b)
  z = Neg (b)
}""")

graph = gs.import_onnx(MODEL)
[probe] = [node for node in graph.nodes if node.domain == "mine"]
print(probe.i(), probe.o(0).op, probe.o(1).op, probe.attrs)
probe.i().outputs = probe.outputs
probe.outputs.clear()
graph.cleanup()
print([(node.op, [t.name for t in node.inputs]) for node in graph.nodes])
onnx.save(gs.export_onnx(graph), "by_its_outputs.onnx")

graph = gs.import_onnx(MODEL)
[probe] = [node for node in graph.nodes if node.domain == "mine"]
for consumer in list(probe.outputs[0].outputs):
    consumer.inputs[consumer.inputs.index(probe.outputs[0])] = probe.inputs[0]
graph.nodes.remove(probe)
graph.cleanup()
print([(node.op, [t.name for t in node.inputs]) for node in graph.nodes])
onnx.save(gs.export_onnx(graph), "by_its_input.onnx")

try:
    graph.nodes[0].i(4)
except IndexError as error:
    print("IndexError", error)
