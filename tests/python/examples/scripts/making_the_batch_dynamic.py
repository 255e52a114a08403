"""A fixed batch becomes a name in inputs, outputs, values of constants and inferred shapes."""

import numpy as np
import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 2, 4] x) => (float[1, 8] y)
<int64[2] to = {1, 8}, float[8] w = {1, 2, 3, 4, 5, 6, 7, 8}> {
  s = Sigmoid (x)
  r = Reshape (s, to)
  y = Mul (r, w)
}""")
graph = gs.import_onnx(onnx.shape_inference.infer_shapes(MODEL))
for tensor in graph.inputs + graph.outputs:
    tensor.shape[0] = "N"
for node in graph.nodes:
    for tensor in node.outputs:
        if tensor not in graph.outputs:
            tensor.shape = None
    if node.op == "Reshape":
        node.inputs[1].values[0] = -1
print(graph.inputs, graph.outputs, graph.tensors()["to"].values)
model = onnx.shape_inference.infer_shapes(gs.export_onnx(graph))
onnx.checker.check_model(model)
onnx.save(model, "dynamic.onnx")
onnx.save(MODEL, "fixed.onnx")  # as it was
