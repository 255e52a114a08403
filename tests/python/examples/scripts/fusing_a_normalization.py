"""A normalization of five nodes becomes one; its weights are read and rewritten."""

import numpy as np
import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 4, 6] x) => (float[1, 4, 6] y)
<int64[3] groups = {1, 2, -1}, float[2] one = {1, 1}, float[2] zero = {0, 0},
 float[1, 4, 1] gamma = {1, 2, 3, 4}, float[1, 4, 1] beta = {0, 1, 0, 1}> {
  g = Reshape (x, groups)
  n = InstanceNormalization <epsilon = 0.001> (g, one, zero)
  s = Shape (x)
  r = Reshape (n, s)
  m = Mul (r, gamma)
  y = Add (m, beta)
}""")

graph = gs.import_onnx(MODEL)
found = 0
for norm in [node for node in graph.nodes if node.op == "InstanceNormalization"]:
    before, after = norm.i(), norm.o()
    scale, shift = after.o(), after.o().o()
    if (before.op, after.op, scale.op, shift.op) != ("Reshape", "Reshape", "Mul", "Add"):
        continue
    weights = [node.inputs[1] for node in (scale, shift)]
    if not all(isinstance(tensor, gs.Constant) for tensor in weights):
        continue
    flat = [gs.Constant(f"{t.name}_flat", t.values.reshape(-1)) for t in weights]
    end = shift.outputs[0]
    end.inputs.clear()
    attrs = {"num_groups": int(before.inputs[1].values[1]), "epsilon": norm.attrs["epsilon"]}
    graph.nodes.append(
        gs.Node("GroupNormalization", f"{end.name}_norm", attrs, [before.inputs[0], *flat], [end])
    )
    found += 1
graph.cleanup().toposort()
print(found, graph)
model = gs.export_onnx(graph)
model.opset_import[0].version = 21
model.ir_version = 10
onnx.checker.check_model(model)
onnx.save(model, "normalized.onnx")
