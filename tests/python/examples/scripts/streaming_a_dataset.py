"""A dataset that is never whole in memory: compared as it comes, and with saved results."""

import numpy as np
import onnx.parser
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, RunResults, StreamingDataLoader

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 2] x) => (float[1, 2] y) { y = Abs (x) }""").SerializeToString()


def data():
    for number in range(3):
        yield {"x": np.full((1, 2), number - 1, np.float32)}


def runner(name):
    return OnnxrtRunner(SessionFromOnnx(MODEL), name=name)


for _ in Comparator.run([runner("inputs")], data(), save_inputs_path="inputs.json", streaming=True):
    pass
for results in Comparator.run(
    [runner("golden")], data(), save_outputs_path="golden.json", streaming=True
):
    print([(name, iterations[0]["y"].tolist()) for name, iterations in results.items()])
live = Comparator.run([runner("a"), runner("b")], data_loader=data(), streaming=True)
print(bool(Comparator.compare_accuracy([live])))
again = Comparator.run(
    [runner("again")], data_loader=StreamingDataLoader("inputs.json"), streaming=True
)
accuracy = Comparator.compare_accuracy([again, RunResults.load_streaming("golden.json")])
print(bool(accuracy), list(accuracy[0].keys()))
