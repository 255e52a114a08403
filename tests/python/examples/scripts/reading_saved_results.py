"""Inputs and outputs that one run has saved, read, changed and saved again."""

import numpy as np
import onnx.parser
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, DataLoader, IterationResult, RunResults
from polygraphy.json import load_json, save_json

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 2] x, int32[3] i) => (float[2, 2] y, int32[3] j) { y = Exp (x) j = Neg (i) }""")

loader = DataLoader(seed=7, iterations=2, val_range={"x": (0, 1), "i": (-5, 5)})
runners = [
    OnnxrtRunner(SessionFromOnnx(MODEL.SerializeToString()), name=name)
    for name in ("first", "second")
]
Comparator.run(runners, loader, save_inputs_path="inputs.json").save("outputs.json")

inputs = load_json("inputs.json")
for feed_dict in inputs:
    for name, array in feed_dict.items():
        print(name, array.dtype, array.tolist())
results = RunResults.load("outputs.json")
for runner, iterations in results.items():
    for outputs in iterations:
        print(
            runner, {name: np.asarray(array).round(4).tolist() for name, array in outputs.items()}
        )
results["second"][1]["j"] = results["second"][1]["j"] + np.int32(1)
zeros = IterationResult({"y": np.zeros((2, 2), np.float32)}, runner_name="third")
results["third"] = [zeros, zeros]
print("first" in results, len(results), bool(Comparator.compare_accuracy(results)))
results.save("changed.json")
save_json(inputs[:1], "one_input.json", description="the first of the inputs")
