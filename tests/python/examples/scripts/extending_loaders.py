"""Functions that change what a loader returns, in the middle of a chain and at its end."""

import numpy as np
import onnx
import onnx.parser
from polygraphy import func
from polygraphy.backend.onnx import BytesFromOnnx, FoldConstants, GsFromOnnx, OnnxFromPath, SaveOnnx
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx

onnx.save(
    onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17], producer_name: "a script", producer_version: "1">
net (float[2] x) => (float[2] y) { h = Relu (x) y = Neg (h) }"""),
    "model.onnx",
)


@func.extend(OnnxFromPath("model.onnx"))
def named(model):
    model.graph.name = "renamed"
    print("named", model.graph.name)


@func.extend(FoldConstants(named, do_shape_inference=False))
def with_abs(model):
    changed = onnx.ModelProto.FromString(model.SerializeToString())
    changed.graph.node[0].op_type = "Abs"
    return changed


@func.extend(GsFromOnnx(with_abs))
def as_graph(graph):
    graph.nodes[1].op = "Exp"
    print([node.op for node in graph.nodes], graph.tensors()["h"])


@func.extend(SessionFromOnnx(BytesFromOnnx(SaveOnnx(with_abs, "changed.onnx"))))
def session(made):
    print([value.name for value in made.get_outputs()])


print(as_graph().name)
with OnnxrtRunner(session, name="changed") as runner:
    print(runner.infer({"x": np.array([-2, 3], np.float32)}))


@func.constantmethod
def no_change(self):
    return self


print(no_change(3))
