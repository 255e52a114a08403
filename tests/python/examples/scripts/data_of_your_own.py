"""Inputs from a generator, from a list, from a script, and outputs that no runner has made."""

import numpy as np
import onnx.parser
from polygraphy.backend.common import InvokeFromScript
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.comparator import Comparator, DataLoader, RunResults
from polygraphy.json import save_json

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 2] x) => (float[1, 2] y) { y = Identity (x) }""")

with open("data.py", "w") as script:
    script.write(
        "import numpy as np\n\ndef load_data(count=2):\n    for number in range(count):\n"
        "        yield {'x': np.full((1, 2), number, np.float32)}\n"
    )


def generated():
    yield {"x": np.ones((1, 2), np.float32)}
    yield {"x": np.zeros((1, 2), np.float32)}


session = SessionFromOnnx(MODEL.SerializeToString())
for data in (
    generated(),
    list(generated()),
    InvokeFromScript("data.py", "load_data")(3),
    DataLoader(iterations=1),
):
    results = Comparator.run([OnnxrtRunner(session, name="onnxrt")], data_loader=data)
    print([outputs["y"].round(4).tolist() for outputs in results["onnxrt"]])

expected = RunResults()
expected.add([{"y": data["x"]} for data in generated()], runner_name="by hand")
expected.add(
    [{"y": data["x"] + np.float32(1e-3)} for data in generated()], runner_name="a bit more"
)
print(bool(Comparator.compare_accuracy(expected)))
expected.save("expected.json")
save_json(list(generated()), "inputs.json", description="inputs")
for wrong in ([{"y": np.zeros((1, 2), np.float32)}], [np.zeros(2)]):
    try:
        Comparator.run([OnnxrtRunner(session, name="wrong")], data_loader=wrong)
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])


class Missing(Exception):
    """Of the script, not of the package."""


def broken(error):
    yield {"x": np.ones((1, 2), np.float32)}
    raise error


for streaming in (False, True):
    error = Missing("the second image")
    try:
        runner = OnnxrtRunner(session, name="broken")
        list(Comparator.run([runner], data_loader=broken(error), streaming=streaming))
    except Missing as caught:
        print(caught is error, runner.is_active)
