"""ONNX-Runtime, runners, loaders of bytes and scripts."""

import onnx, numpy as np
from onnx import helper as h, TensorProto as TP
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx, session_from_onnx
from polygraphy.comparator import *
from polygraphy.logger import G_LOGGER
from polygraphy.backend.base import BaseRunner

G_LOGGER.module_severity = 10


def T(f, *a, **k):
    try:
        r = f(*a, **k)
        print(repr(r))
    except BaseException as e:
        print(type(e).__name__, str(e)[:600])


m = h.make_model(
    h.make_graph(
        [h.make_node("Relu", ["x"], ["y"])],
        "g",
        [h.make_tensor_value_info("x", TP.FLOAT, ["N", 3])],
        [h.make_tensor_value_info("y", TP.FLOAT, ["N", 3])],
    ),
    opset_imports=[h.make_opsetid("", 13)],
    ir_version=8,
)
b = m.SerializeToString()
s = SessionFromOnnx(b)
T(lambda: type(s()).__name__)
T(lambda: SessionFromOnnx(b, providers=["zz"])())
T(lambda: type(session_from_onnx(lambda: b, providers=["CPU"])).__name__)
rs = [OnnxrtRunner(SessionFromOnnx(b), name="A"), OnnxrtRunner(SessionFromOnnx(b), name="B")]
rr = Comparator.run(rs)
T(lambda: [x.shape for x in rr["A"][0].values()])
print(bool(Comparator.compare_accuracy(rr)))
with rs[0] as r:
    T(lambda: r.get_input_metadata(use_numpy_dtypes=False))
    T(lambda: r.infer({"x": np.ones((1, 3), np.float32)}))
    T(lambda: r.infer({"x": np.ones((1, 3))}))
    T(lambda: r.infer({"x": np.ones((1, 4), np.float32)}))
    T(lambda: r.infer({"q": 1}))
    T(lambda: r.is_active)
    r.activate()
T(lambda: r.infer({}))
T(lambda: r.get_input_metadata())
r.deactivate()
T(lambda: r.last_inference_time())
import warnings

warnings.simplefilter("always")
with rs[0] as r:
    T(lambda: str(r.get_input_metadata()["x"].dtype))
    T(lambda: r.get_input_metadata()["x"].dtype)


class Q(BaseRunner):
    pass


q = Q(name="q")
T(lambda: (q.activate(), q.infer({})))
T(lambda: q.deactivate())
q.activate_impl()
T(lambda: q.infer_impl({}))
print(Q(prefix="p").name[:4], Q(prefix="p").name[:4], Q().name[:4], OnnxrtRunner(None).name[:17])
del q
x = Q(name="x")
x.activate()
del x
from polygraphy.backend.common import *

open("f.b", "wb").write(b"ab")
T(lambda: bytes_from_path("f.b"))
T(lambda: BytesFromPath("f.b")())
T(lambda: save_bytes(lambda: b"x", "f.c"))
T(lambda: SaveBytes(b"x", "f.c")())
open("sc.py", "w").write(
    "def f(a,b=2): return a,b\nclass K:\n  attr=5\n  def __call__(s): return 7\nk=K()\n"
)
T(lambda: invoke_from_script("sc.py", "f", 1, b=4))
T(lambda: InvokeFromScript("sc.py", "k")())
T(lambda: InvokeFromScript("sc.py", "k").attr)
T(lambda: InvokeFromScript("sc.py", "zz")())
T(lambda: BytesFromPath("nonono")())
T(lambda: BytesFromPath("f.b").call_impl())
