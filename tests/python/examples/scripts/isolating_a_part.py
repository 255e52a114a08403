"""The part of a model between two tensors, with shapes that inference found."""

import numpy as np
import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 4] x, float[N, 4] mask) => (float[N, 2] y)
<float[4, 2] w = {1, 2, 3, 4, 5, 6, 7, 8}> {
  masked = Mul (x, mask)
  hot = Relu (masked)
  squashed = Tanh (hot)
  y = MatMul (squashed, w)
}""")

graph = gs.import_onnx(onnx.shape_inference.infer_shapes(MODEL))
tensors = graph.tensors()
print(list(tensors), tensors["hot"])
graph.inputs = [tensors["masked"].to_variable(dtype=np.float32, shape=("N", 4))]
graph.outputs = [tensors["squashed"].to_variable(dtype=np.float32)]
graph.cleanup()
print([node.op for node in graph.nodes], graph.inputs, graph.outputs)
onnx.save(gs.export_onnx(graph), "part.onnx")

graph = gs.import_onnx(MODEL)
graph.outputs.append(graph.tensors()["hot"])
graph.outputs[-1].dtype = np.float32
onnx.save(gs.export_onnx(graph.cleanup()), "one_more_output.onnx")
