"""A function that a model defines itself, with attributes that its calls fill in."""

import numpy as np
import onnx
import onnx_graphsurgeon as gs

x = gs.Variable("x", np.float32, ("n", 4))
gate = gs.Function(
    "Gate", domain="parts", inputs=[x], attrs={"alpha": 1.0, "weight": None}, opset=17
)
weight = gate.layer(
    op="Constant", outputs=["w"], attrs={"value": gs.Node.AttributeRef("weight", gs.Tensor)}
)[0]
product = gate.layer(op="Mul", inputs=[x, weight], outputs=["product"])[0]
out = gate.layer(
    op="Elu",
    inputs=[product],
    outputs=["gated"],
    attrs={"alpha": gs.Node.AttributeRef("alpha", float)},
)
gate.outputs = out
print(gate)

graph = gs.Graph(
    inputs=[gs.Variable("in", np.float32, ("n", 4))], functions=[gate], opset=17, ir_version=9
)
tensor = graph.inputs[0]
for layer in range(2):
    values = gs.Constant("values", np.full(4, layer + 0.5, np.float32))
    [tensor] = graph.Gate(inputs=[tensor], attrs={"weight": values, "alpha": 0.1 * (layer + 1)})
tensor.name, tensor.dtype, tensor.shape = "out", np.float32, ("n", 4)
graph.outputs = [tensor]
print(graph)
model = gs.export_onnx(graph)
onnx.checker.check_model(model)
onnx.save(model, "gates.onnx")

again = gs.import_onnx(model)
print(again.functions[0].attrs, again.functions == graph.functions, again.functions[0].unique_id)
again.functions[0].nodes[2].op = "Celu"
again.graph_has_no_such = 1
onnx.save(gs.export_onnx(again.cleanup().toposort()), "celu.onnx")
[missing] = graph.Gate(inputs=[graph.inputs[0]], attrs={})
print(missing)
