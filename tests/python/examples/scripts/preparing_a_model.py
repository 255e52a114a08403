"""Chains of loaders that change a model: shapes, constants, parts, precision, bounds."""

import numpy as np
import onnx
import onnx.parser
from polygraphy.backend.onnx import (
    ExtractSubgraph,
    FoldConstants,
    InferShapes,
    ModifyOutputs,
    OnnxFromPath,
    SaveOnnx,
    SetUpperBound,
)
from polygraphy.common import TensorMetadata

onnx.save(
    onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[4, 6] x) => (int64[2, K] places, float[N, 6] rows)
<int64[1] axis = {0}, int64[2] all = {-1, 6}> {
  hot = Relu (x)
  places = NonZero (hot)
  size = Shape (hot)
  part = Gather (size, axis)
  wide = Concat <axis = 0> (part, part)
  rows = Reshape (hot, all)
}"""),
    "model.onnx",
)

model = OnnxFromPath("model.onnx")
inferred = InferShapes(model)()
sizes = {
    value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
    for value in inferred.graph.value_info
}
print(sizes["hot"], sizes["size"], sizes["part"], sizes["wide"])
print([node.op_type for node in FoldConstants(model, partitioning="basic")().graph.node])
SaveOnnx(SetUpperBound(model, upper_bounds={"places": 24}), "bounded.onnx")()
changed = ModifyOutputs(model, outputs=["size", "hot"], exclude_outputs=["size"])()
print([value.name for value in changed.graph.output])
inputs = TensorMetadata().add("hot", dtype=np.float32, shape=(4, 6))
outputs = TensorMetadata().add("places", dtype=np.int64, shape=None)
part = SaveOnnx(ExtractSubgraph(model, inputs, outputs), "part.onnx")()
print([node.op_type for node in part.graph.node], [value.name for value in part.graph.input])
SaveOnnx(model, "outside.onnx", external_data_path="outside.bin", size_threshold=0)()
print(onnx.load("outside.onnx") == onnx.load("model.onnx"))
try:
    ExtractSubgraph(model, TensorMetadata().add("hot", None, None), outputs)()
except Exception as error:
    print(type(error).__name__, error)
