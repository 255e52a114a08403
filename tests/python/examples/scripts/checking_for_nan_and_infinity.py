"""Outputs with NaN and infinity, and outputs that a custom step prepares for the comparison."""

import numpy as np
import onnx.parser
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, CompareFunc, PostprocessFunc

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[6] x) => (float[6] inverse, float[6] root) {
  inverse = Reciprocal (x) root = Sqrt (x) }""")
data = [{"x": np.array([4, 0, 1, -1, 9, 16], np.float32)}]
session = SessionFromOnnx(MODEL.SerializeToString())
results = Comparator.run([OnnxrtRunner(session, name=name) for name in "ab"], data_loader=data)
print(Comparator.validate(results), Comparator.validate(results, check_inf=True, check_nan=False))
print(bool(Comparator.compare_accuracy(results)))
print(
    bool(
        Comparator.compare_accuracy(
            results, compare_func=CompareFunc.simple(infinities_compare_equal=True)
        )
    )
)

best = Comparator.postprocess(results, PostprocessFunc.top_k(k={"inverse": 2, "root": (3, 0)}))
print({name: array.tolist() for name, array in best["a"][0].items()})
best["b"][0]["root"] = best["b"][0]["root"][::-1].copy()
for tolerance in (0, 2):
    print(
        bool(
            Comparator.compare_accuracy(
                best, compare_func=CompareFunc.indices(index_tolerance=tolerance)
            )
        )
    )
best.save("best.json")


def compare_signs(first, second):
    return {
        name: bool(np.array_equal(np.sign(first[name]), np.sign(second[name]))) for name in first
    }


print(bool(Comparator.compare_accuracy(best, compare_func=compare_signs)))
