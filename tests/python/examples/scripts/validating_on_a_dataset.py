"""A runner without a comparator: the script brings the data, and decides what is right."""

import copy

import numpy as np
import onnx.parser
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[N, 4] x) => (float[N, 4] y, int64[N] best) {
  y = Softmax (x)
  best = ArgMax <axis = 1, keepdims = 0> (y)
}""")
DATA = [np.eye(4, dtype=np.float32)[:size] * size for size in (1, 2, 4)]

kept = []
with OnnxrtRunner(SessionFromOnnx(MODEL.SerializeToString())) as runner:
    print(runner.get_input_metadata(), runner.is_active)
    for batch in DATA:
        outputs = runner.infer(feed_dict={"x": batch})
        assert outputs["best"].tolist() == list(range(len(batch)))
        kept.append(copy.deepcopy(outputs))
    print(runner.last_inference_time() > 0)
    for wrong in (
        {},
        {"x": DATA[0], "z": DATA[0]},
        {"x": DATA[0].astype(np.int32)},
        {"x": DATA[0][0]},
    ):
        try:
            runner.infer(wrong)
        except Exception as error:
            print(type(error).__name__, error)
print(runner.is_active, [each["y"].round(3).tolist() for each in kept])
np.save("kept.npy", np.concatenate([each["y"] for each in kept]))
