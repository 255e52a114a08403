"""Removes pairs of transposes that undo each other, and identities, while a script walks."""

import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 2, 3] x) => (float[1, 2, 3] y) <float[3] b = {1, 2, 3}> {
  i = Identity (x)
  t = Transpose <perm = [0, 2, 1]> (i)
  u = Transpose <perm = [0, 2, 1]> (t)
  v = Add (u, b)
  w = Identity (v)
  y = Relu (w)
}""")


def put(graph, old, new):
    for node in graph.nodes:
        node.inputs = [new if tensor is old else tensor for tensor in node.inputs]
    graph.outputs = [new if tensor is old else tensor for tensor in graph.outputs]


graph = gs.import_onnx(MODEL)
counts = {"identities": 0, "pairs": 0}
for node in graph.nodes:
    if node.op == "Identity":
        put(graph, node.outputs[0], node.inputs[0])
        node.inputs.clear()
        node.outputs.clear()
        counts["identities"] += 1
for node in graph.nodes:
    if node.op != "Transpose" or not node.outputs or len(node.outputs[0].outputs) != 1:
        continue
    second = node.outputs[0].outputs[0]
    if second.op != "Transpose":
        continue
    first = node.attrs["perm"]
    if [first[axis] for axis in second.attrs["perm"]] == sorted(first):
        put(graph, second.outputs[0], node.inputs[0])
        counts["pairs"] += 1
print(counts, [node.op for node in graph.nodes])
model = gs.export_onnx(graph.cleanup().toposort())
onnx.checker.check_model(model)
print([node.op_type for node in model.graph.node])
onnx.save(model, "shorter.onnx")
