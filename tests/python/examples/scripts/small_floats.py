"""Types that NumPy does not have."""

import ml_dtypes
import numpy as np
import onnx
import onnx_graphsurgeon as gs

for dtype in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
    x = gs.Variable("x", dtype, (1, 2))
    y = gs.Variable("y", dtype, (1, 2))
    c = gs.Constant("c", np.array([0.5, 1.5], dtype))
    graph = gs.Graph(
        [gs.Node("Mul", inputs=[x, c], outputs=[y])], [x], [y], opset=19, ir_version=10
    )
    onnx.save(gs.export_onnx(graph), f"{np.dtype(dtype).name}.onnx")

numbers = gs.Constant("c", np.array([1, 3.140625], ml_dtypes.bfloat16))
x, y = gs.Variable("x", onnx.TensorProto.BFLOAT16, [2]), gs.Variable(
    "y", onnx.TensorProto.BFLOAT16, [2]
)
graph = gs.Graph(
    [gs.Node("Add", inputs=[x, numbers], outputs=[y])], [x], [y], opset=19, ir_version=10
)
model = gs.export_onnx(graph)
again = gs.import_onnx(model)
print(again.inputs, again.tensors()["c"], again.tensors()["c"].values)
onnx.save(gs.export_onnx(again), "again.onnx")
