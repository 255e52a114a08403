"""Computing with shapes that are known at run time only."""

import numpy as np
import onnx
import onnx_graphsurgeon as gs


@gs.Graph.register()
def op(self, kind, *inputs, **attrs):
    return self.layer(op=kind, inputs=list(inputs), attrs=attrs, outputs=[kind.lower()])[0]


graph = gs.Graph(opset=11, ir_version=8)
x = gs.Variable("x", np.float32, (gs.Tensor.DYNAMIC, 3, "height", 5))
graph.inputs = [x]
shape = graph.op("Shape", x)
flat = graph.op("Reshape", x, graph.op("ReduceProd", shape, axes=[0], keepdims=1))
front = graph.op("Gather", shape, [0, 1])
back = graph.op("ReduceProd", graph.op("Gather", shape, [2, 3]), axes=[0])
merged = graph.op("Reshape", x, graph.op("Concat", front, back, axis=0))
half = graph.op("Div", shape, 2)
for tensor, name, dtype in (
    (flat, "flat", np.float32),
    (merged, "merged", np.float32),
    (half, "half", np.int64),
):
    tensor.name, tensor.dtype = name, dtype
graph.outputs = [flat, merged, half]
print(graph.tensors().keys())
model = gs.export_onnx(graph)
onnx.save(model, "shapes.onnx")

static = gs.import_onnx(model)
static.inputs[0].shape = [2, 3, 4, 5]
static.fold_constants().cleanup()
print(
    {name: t.values.tolist() for name, t in static.tensors().items() if isinstance(t, gs.Constant)}
)
onnx.save(gs.export_onnx(static), "static.onnx")
