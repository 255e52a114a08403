"""A model and its optimized form, run by ONNX-Runtime, compared with random inputs."""

import onnx.parser
from polygraphy.backend.onnx import BytesFromOnnx, FoldConstants, OnnxFromBytes
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, CompareFunc

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 3, 4, 4] x) => (float[1, 3, 4, 4] y)
<float[3, 1, 1] a = {1, 2, 3}, float[3, 1, 1] b = {0.5, 1, 2}> {
  c = Mul (a, b)
  p = Mul (x, c)
  y = Tanh (p)
}""")

folded = FoldConstants(OnnxFromBytes(MODEL.SerializeToString()))
runners = [
    OnnxrtRunner(SessionFromOnnx(MODEL.SerializeToString()), name="as-it-is"),
    OnnxrtRunner(SessionFromOnnx(BytesFromOnnx(folded)), name="folded"),
]
results = Comparator.run(runners, warm_up=1)
print([(name, len(iterations), list(iterations[0])) for name, iterations in results.items()])
accuracy = Comparator.compare_accuracy(
    results, compare_func=CompareFunc.simple(atol=1e-5, rtol=1e-5)
)
print(bool(accuracy), [(each.percentage(), each.stats()) for each in accuracy])
accuracy.save("accuracy.json")
print(Comparator.validate(results, check_inf=True, check_nan=True))
results.save("results.json")
