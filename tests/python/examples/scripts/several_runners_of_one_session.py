"""One session, several runners, activated and left in any order, each with other shapes."""

import numpy as np
import onnx.parser
from polygraphy.backend.onnxrt import OnnxrtRunner, session_from_onnx
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[batch, 3] X) => (float[batch, 3] Y) { Y = Identity (X) }""")

session = session_from_onnx(MODEL.SerializeToString())
one, many = OnnxrtRunner(session, name="one"), OnnxrtRunner(session, name="many")
row = np.arange(3, dtype=np.float32).reshape(1, 3)
with one:
    print(one.infer({"X": row})["Y"])
    with many:
        print(many.infer({"X": np.repeat(row, 4, axis=0)})["Y"].shape)
    print(one.infer({"X": row})["Y"].shape)
with G_LOGGER.verbosity(G_LOGGER.EXTRA_VERBOSE), many:
    print(many.infer({"X": np.repeat(row, 16, axis=0)})["Y"].shape)
many.activate()
many.deactivate()
try:
    many.infer({"X": row})
except PolygraphyException as error:
    print(error)
many.deactivate()
np.savetxt("row.txt", row)
