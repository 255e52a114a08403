"""The functions of the loaders: each step is done when it is called, and can be looked at."""

import numpy as np
import onnx
import onnx.parser
from polygraphy.backend.common import bytes_from_path, save_bytes
from polygraphy.backend.onnx import (
    bytes_from_onnx,
    fold_constants,
    gs_from_onnx,
    modify_outputs,
    onnx_from_bytes,
    onnx_from_path,
    save_onnx,
)
from polygraphy.backend.onnxrt import OnnxrtRunner, session_from_onnx

onnx.save(
    onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17], producer_name: "a script", producer_version: "1">
net (float[N, 2] x) => (float[N, 2] y) <float[2] one = {1, 1}, float[2] two = {2, 2}> {
  three = Add (one, two)
  h = Mul (x, three)
  y = Sqrt (h)
}"""),
    "model.onnx",
)

model = fold_constants(onnx_from_path("model.onnx"), do_shape_inference=False)
print([node.op_type for node in model.graph.node])
save_onnx(model, "folded.onnx")
save_bytes(bytes_from_onnx(model), "as_bytes")
print(onnx_from_bytes(bytes_from_path("as_bytes")) == model, gs_from_onnx(model).outputs)
model = modify_outputs(model, outputs=["h"])
print([value.name for value in model.graph.output])

with OnnxrtRunner(
    session_from_onnx(bytes_from_onnx(model), providers=["cpu"]), name="now"
) as runner:
    print(runner.name, runner.infer({"x": np.ones((1, 2), np.float32)}))
