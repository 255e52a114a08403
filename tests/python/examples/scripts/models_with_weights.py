"""Constants become initializers, whether they are inputs of one node or of several."""

import numpy as np
import onnx
import onnx_graphsurgeon as gs

x = gs.Variable("x", np.float32, (2, 4))
weight = gs.Constant("weight", np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))
bias = gs.Constant("bias", np.array([1, 2, 3], np.float32))
product, total, y = (
    gs.Variable("product"),
    gs.Variable("total"),
    gs.Variable("y", np.float32, (2, 3)),
)
nodes = [
    gs.Node("MatMul", inputs=[x, weight], outputs=[product]),
    gs.Node("Add", inputs=[product, bias], outputs=[total]),
    gs.Node("Mul", inputs=[total, bias], outputs=[y]),
]
graph = gs.Graph(nodes, [x], [y], opset=13, ir_version=8)
model = gs.export_onnx(graph)
onnx.checker.check_model(model, full_check=True)
onnx.save(model, "dense.onnx")

again = gs.import_onnx(onnx.load("dense.onnx"))
read = again.tensors()["weight"]
print(read, type(read._values).__name__, read.values.sum(), len(again.tensors()["bias"].outputs))
read.values = read.values.astype(np.float16)
again.tensors()["bias"].values *= 2
onnx.save(gs.export_onnx(again), "half.onnx")
onnx.save(
    model, "outside.onnx", save_as_external_data=True, location="values.bin", size_threshold=0
)
outside = gs.import_onnx(onnx.load("outside.onnx", load_external_data=False))
print(outside.tensors()["weight"].data_location)
onnx.save(gs.export_onnx(outside), "still_outside.onnx")
print(gs.import_onnx(onnx.load("outside.onnx")).tensors()["weight"].values.sum())
