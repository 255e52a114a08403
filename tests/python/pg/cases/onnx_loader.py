"""Models of files, of bytes, folded, with shapes, in parts."""

import os

import numpy as np
import onnx
import onnx.parser
import onnx_graphsurgeon

from polygraphy.backend.onnx import *
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER

onnx_graphsurgeon.logger.G_LOGGER.colors = False
G_LOGGER.module_severity = 0

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x) => (float[2, 3] z) <float[3] c = {1, 2, 3}> {
  y = Add (x, c)
  w = Relu (y)
  k = Constant <value = float[3] {1, 1, 1}> ()
  kk = Add (k, c)
  w2 = Mul (w, kk)
  z = Mul (w2, c)
}""")
LARGE = onnx.ModelProto.FromString(MODEL.SerializeToString())
LARGE.graph.initializer.append(onnx.numpy_helper.from_array(np.arange(2000.0), "large"))
LARGE.graph.node.append(onnx.helper.make_node("Neg", ["large"], ["minus"]))


def sizes(tensor):
    return [dim.dim_value for dim in tensor.type.tensor_type.shape.dim]


def T(f):
    try:
        r = f()
        if isinstance(r, onnx.ModelProto):
            tensors = [*r.graph.input, *r.graph.output]
            r = (
                [(n.op_type, list(n.input), list(n.output)) for n in r.graph.node],
                {t.name: onnx.numpy_helper.to_array(t).tolist() for t in r.graph.initializer},
                [(t.name, t.type.tensor_type.elem_type, sizes(t)) for t in tensors],
            )
        print(repr(r))
    except BaseException as e:
        print(type(e).__name__, str(e)[:600])


def shapes(model):
    return sorted((t.name, sizes(t)) for t in model.graph.value_info if t.name != "z")


def values(model):
    return [onnx.numpy_helper.to_array(t).sum() for t in model.graph.initializer]


# Bytes and files.
T(lambda: onnx_from_bytes(bytes_from_onnx(lambda: MODEL)) == MODEL)
T(lambda: OnnxFromBytes(b"not a model")())
T(lambda: save_onnx(LARGE, "a/m.onnx") is LARGE)
T(lambda: onnx_from_path("a/m.onnx") == LARGE)
T(lambda: onnx_from_path("nothing.onnx"))
T(lambda: save_onnx(MODEL, "m.onnx", size_threshold=3, all_tensors_to_one_file=False) is MODEL)
T(lambda: save_onnx(MODEL, "m.textproto") is MODEL)
T(lambda: open("m.textproto").read() == open("m.textproto").read() != "")
T(lambda: onnx_from_path("m.textproto") == MODEL)
given = onnx.ModelProto.FromString(LARGE.SerializeToString())
T(lambda: save_onnx(given, "b/m.onnx", external_data_path="w.bin", size_threshold=1000) is given)
T(lambda: [(name, os.path.getsize("b/" + name)) for name in os.listdir("b") if name != "m.onnx"])
T(lambda: onnx_from_path("b/m.onnx").graph.node == LARGE.graph.node)
T(lambda: values(onnx_from_path("b/m.onnx")))
model = onnx_from_path("b/m.onnx", ignore_external_data=True)
T(lambda: [t.data_location for t in model.graph.initializer])
os.makedirs("c")
os.rename("b/w.bin", "c/w.bin")
T(lambda: type(onnx_from_path("b/m.onnx")))
for ignored in (None, True):
    model = onnx_from_path("b/m.onnx", external_data_dir="c", ignore_external_data=ignored)
    T(lambda: values(model))

# Shapes.
T(lambda: shapes(infer_shapes(MODEL, allow_onnxruntime=False)))

# Folding.
G_LOGGER.module_severity = 20
T(lambda: fold_constants(MODEL))
T(lambda: fold_constants(MODEL, num_passes=1, do_shape_inference=False, partitioning="recursive"))
T(lambda: fold_constants(MODEL, num_passes=0) is MODEL)
T(lambda: fold_constants(MODEL, size_threshold=4))
T(lambda: fold_constants(MODEL, partitioning="nonsense"))
T(lambda: fold_constants(MODEL, partitioning="nonsense", error_ok=False))

# Parts.
meta = TensorMetadata
begin = meta().add("y", np.float32, (2, 3))
T(lambda: extract_subgraph(MODEL, begin, meta().add("w2", np.float16, None)))
T(lambda: extract_subgraph(MODEL, meta().add("y", None, None)))
T(lambda: extract_subgraph(MODEL, None, meta().add("y", None, None), check_meta=False))
T(lambda: extract_subgraph(MODEL, meta().add("w2", None, None), meta().add("kk", None, None)))
T(lambda: extract_subgraph(MODEL, meta(), meta().add("w", np.float32, None)))
T(lambda: extract_subgraph(MODEL, meta().add("nothing", None, None)))
graph = gs_from_onnx(MODEL)
part = extract_subgraph(graph, begin)
T(lambda: (type(part).__name__, [n.op for n in part.nodes], [n.op for n in graph.nodes]))
