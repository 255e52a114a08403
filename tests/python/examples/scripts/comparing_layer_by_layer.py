"""All tensors become outputs, and the first one that differs between two models is found."""

import onnx
import onnx.parser
from polygraphy import constants
from polygraphy.backend.onnx import BytesFromOnnx, ModifyOutputs, OnnxFromPath
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, CompareFunc

TEXT = """
<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 4] x) => (float[2, 4] out) <float[4] w = {1, 2, 3, 4}> {
  mul = Mul (x, w)
  act = Sigmoid (mul)
  sub = Sub (act, w)
  out = Abs (sub)
}"""
onnx.save(onnx.parser.parse_model(TEXT), "good.onnx")
onnx.save(onnx.parser.parse_model(TEXT.replace("Sigmoid", "Tanh")), "bad.onnx")


def runner(name, **options):
    model = ModifyOutputs(OnnxFromPath(f"{name}.onnx"), **options)
    return OnnxrtRunner(SessionFromOnnx(BytesFromOnnx(model)), name=name)


results = Comparator.run([runner(name, outputs=constants.MARK_ALL) for name in ("good", "bad")])
[accuracy] = Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(atol=1e-6))
print(bool(accuracy), accuracy.percentage(), accuracy.stats())
for (first, second), iterations in accuracy.items():
    for name, result in iterations[0].items():
        print(first, second, name, bool(result), result.max_absdiff > 0)
results = Comparator.run(
    [runner(name, outputs=["act"], exclude_outputs=["out"]) for name in ("good", "bad")]
)
by_output = CompareFunc.simple(atol={"act": 1.0, "": 1e-6}, rtol=0, check_error_stat="mean")
print(bool(Comparator.compare_accuracy(results, compare_func=by_output)), list(results["bad"][0]))
results.save("act.json")
