"""Functions of the user that append nodes, some for one version of ONNX only."""

import numpy as np
import onnx
import onnx_graphsurgeon as gs


@gs.Graph.register()
def dense(self, x, weights, bias):
    product = self.layer(
        op="Gemm", inputs=[x, weights, bias], outputs=["dense"], attrs={"transB": 1}
    )[0]
    product.dtype = np.float32
    return product


@gs.Graph.register()
def leaky(self, x, slope=0.01):
    return self.layer(op="LeakyRelu", inputs=[x], outputs=["leaky"], attrs={"alpha": slope})[0]


@gs.Graph.register(opsets=[13])
def squeeze(self, x, axes):
    return self.layer(op="Squeeze", inputs=[x, np.array(axes)], outputs=["squeezed"])[0]


@gs.Graph.register(opsets=[11])
def squeeze(self, x, axes):  # noqa: F811, as users write it
    return self.layer(op="Squeeze", inputs=[x], outputs=["squeezed"], attrs={"axes": axes})[0]


for opset in (11, 13):
    rng = np.random.default_rng(0)
    graph = gs.Graph(opset=opset, ir_version=8)
    graph.inputs = [gs.Variable("x", np.float32, (1, 4))]
    hidden = graph.leaky(
        graph.dense(graph.inputs[0], rng.random((3, 4), np.float32), [0.5, 1.5, 2.5])
    )
    wide = graph.layer(
        op="Concat", inputs=[hidden, hidden], outputs=["wide"], attrs={"axis": 1}, name="join"
    )[0]
    graph.outputs = [graph.squeeze(wide, [0])]
    graph.outputs[0].dtype, graph.outputs[0].shape = np.float32, (6,)
    print(
        [(node.name, node.op, [t.name for t in node.inputs + node.outputs]) for node in graph.nodes]
    )
    model = gs.export_onnx(graph)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, f"opset{opset}.onnx")

graph = gs.Graph(opset=9)
try:
    graph.squeeze(1, 2)
except AttributeError as error:
    print(error)
try:
    graph.layer(op="Add", inputs=[{"no": "tensor"}])
except gs.OnnxGraphSurgeonException as error:
    print(error)
