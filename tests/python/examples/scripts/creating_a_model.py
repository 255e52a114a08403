"""A model of one node, made of its parts."""

import numpy as np
import onnx
import onnx_graphsurgeon as gs

image = gs.Variable("image", dtype=np.float32, shape=("batch", 3, 8, 8))
pooled = gs.Variable("pooled", dtype=np.float32, shape=("batch", 3, 4, 4))
pool = gs.Node("MaxPool", name="pool", inputs=[image], outputs=[pooled])
pool.attrs["kernel_shape"] = [2, 2]
pool.attrs["strides"] = [2, 2]

graph = gs.Graph(nodes=[pool], inputs=[image], outputs=[pooled], opset=13, ir_version=8)
graph.doc_string = "one pool"
print(graph)
print(pool.attrs, image.outputs[0] is pool, pooled.inputs[0] is pool)

model = gs.export_onnx(graph)
onnx.checker.check_model(model)
onnx.save(model, "pool.onnx")
onnx.save(gs.export_onnx(gs.Graph()), "empty.onnx")
