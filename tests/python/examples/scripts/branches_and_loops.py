"""Graphs inside of nodes: their tensors of outer graphs, and what cleanup and folding do."""

import numpy as np
import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[2] x, bool c) => (float[2] y, float[2] z)
<float[2] k = {1, 2}, bool yes = {1}, int64 three = {3}> {
  u = Mul (x, k)
  unused = Neg (x)
  y = If (c) <then_branch = t () => (float[2] a) { a = Add (u, k) },
    else_branch = e () => (float[2] b) { dead = Abs (u) b = Identity (u) }>
  w = If (yes) <then_branch = t2 () => (float[2] a2) { h = Neg (u) a2 = Exp (h) },
    else_branch = e2 () => (float[2] b2) { b2 = Identity (u) }>
  z = Loop (three, yes, w) <body = l (int64 i, bool go, float[2] s) => (bool going, float[2] next)
    { going = Identity (go) next = Add (s, x) }>
}""")
for tensor in MODEL.graph.initializer:
    tensor.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor), tensor.name))
graph = gs.import_onnx(MODEL)
print(graph)
u = graph.tensors()["u"]
print([node.op for node in u.outputs], [g.name for g in graph.subgraphs()])
graph.cleanup()
print([node.op for node in graph.nodes[1].attrs["else_branch"].nodes])
onnx.save(gs.export_onnx(graph), "clean.onnx")
graph.fold_constants().cleanup().toposort()
print([node.op for node in graph.nodes])
onnx.save(gs.export_onnx(graph), "flat.onnx")
copied = graph.copy()
copied.nodes[1].attrs["then_branch"].name = "renamed"
onnx.save(gs.export_onnx(copied), "copied.onnx")

body = gs.Graph(opset=17, name="body")
body.outputs = body.layer(op="Exp", inputs=[graph.inputs[0]], outputs=["e"])
body.outputs[0].dtype, body.outputs[0].shape = np.float32, [2]
graph.nodes[1].attrs["else_branch"] = body
onnx.save(gs.export_onnx(graph.cleanup().toposort()), "another_branch.onnx")
