"""Other operators, other inputs, one more node, and the removal of unused nodes."""

import numpy as np
import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 3] x, float[2, 3] other) => (float[2, 3] y)
<float[3] scale = {2, 2, 2}, float[3] shift = {1, 2, 3}> {
  scaled = Mul (x, scale)
  moved = Add (scaled, shift)
  y = Sub (moved, other)
}""")

graph = gs.import_onnx(MODEL)
[moved] = [node for node in graph.nodes if node.op == "Add"]
moved.inputs = [tensor for tensor in moved.inputs if tensor.name != "shift"]
moved.op, moved.name = "Elu", "activation"
moved.attrs["alpha"] = 0.25
end = gs.Variable("end", np.float32)
graph.nodes.insert(0, gs.Node("Identity", "last", inputs=moved.outputs, outputs=[end]))
graph.outputs = [end]
graph.producer_name = "a script"
graph.cleanup(remove_unused_graph_inputs=True).toposort()
print(graph)
model = onnx.shape_inference.infer_shapes(gs.export_onnx(graph))
onnx.checker.check_model(model)
onnx.save(model, "modified.onnx")
