"""Questions about models, and their outputs."""

import numpy as np
import onnx
import onnx.parser
from onnx import TensorProto as TP

from polygraphy import constants
from polygraphy.backend.onnx import gs_from_onnx, infer_shapes, modify_outputs, set_upper_bound
from polygraphy.backend.onnx import util as onnx_util
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = 10

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x, float[3] c) => (float[M, 3] z)
  <float[3] c = {1, 2, 3}, float[3] d = {1, 2, 3},
   float[2, 3] w> {
  y = Add (x, c)
  w = Relu (y)
  k = Constant <value = float[3] {1, 1, 1}> ()
  kk = Add (k, c)
  w2 = Mul (w, kk)
  z = Mul (w2, d)
}""")
BRANCHES = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
g (bool b, float[N] x) => (float[M] z) {
  z = If (b) <then_branch = one () => (float[N] p) { q = Relu (x)  p = Relu (q) },
              else_branch = two () => (float[N] r) { r = Identity (x) }>
}""")
SIZES = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
g (float[N] x, int64[1] s0) => (float[A] z, float[B] z2) <int64 zero = {0}, int64 one = {1}> {
  whole = Cast <to=7> (x)
  cnt = ReduceMax <keepdims=0> (whole)
  r = Range (zero, cnt, one)
  rf = Cast <to=1> (r)
  s1 = Add (s0, one)
  z = Expand (rf, s1)
  z2 = Tile (x, s1)
}""")


def T(f):
    try:
        r = f()
        if isinstance(r, onnx.ModelProto):
            outputs = r.graph.output
            r = [(o.name, o.type.tensor_type.elem_type, onnx_util.get_shape(o)) for o in outputs]
        print(repr(r))
    except BaseException as e:
        print(type(e).__name__, str(e)[:600])


def copy(model=MODEL):
    return onnx.ModelProto.FromString(model.SerializeToString())


T(lambda: onnx_util.get_num_nodes(MODEL))
T(lambda: onnx_util.get_num_nodes(BRANCHES))
T(lambda: onnx_util.all_tensor_names(MODEL))
T(lambda: onnx_util.all_tensor_names(MODEL, include_inputs=True))
T(lambda: onnx_util.get_input_metadata(MODEL.graph))
T(lambda: onnx_util.get_output_metadata(MODEL.graph))
T(lambda: onnx_util.get_tensor_metadata(MODEL.graph.initializer))
T(lambda: onnx_util.get_dtype(MODEL.graph.initializer[0]))
T(lambda: list(onnx_util.get_shape(MODEL.graph.output[0])))
T(lambda: list(onnx_util.get_shape(onnx.helper.make_empty_tensor_value_info("e"))))
T(lambda: onnx_util.get_values(MODEL.graph.initializer[0]))
T(lambda: onnx_util.get_values(TP(data_type=999, dims=[3])))
T(lambda: onnx_util.get_values(TP(data_type=999, dims=[3])))

T(lambda: modify_outputs(copy(), ["w", "kk", "w"]))
T(lambda: modify_outputs(copy(), ["w*", "kk"]))
T(lambda: modify_outputs(copy(), ["nothing_like_it*"]))
T(lambda: modify_outputs(copy(), []))
T(lambda: modify_outputs(copy(), ["w", "y"], exclude_outputs=["y"]))
T(lambda: modify_outputs(copy(), exclude_outputs=["[zy]", "nothing*"]))
T(lambda: [o.name for o in modify_outputs(copy(), constants.MARK_ALL).graph.output])
T(lambda: [o.name for o in modify_outputs(copy(), mark_types=["relu", "Add"]).graph.output])
T(lambda: modify_outputs(copy(), mark_types=["Rellu"]))
T(lambda: modify_outputs(copy(), mark_types=["Zzzzzzzz"]))
model = copy()
T(lambda: modify_outputs(model, ["w"], copy=True) is model)
T(lambda: model == MODEL)
T(lambda: modify_outputs(lambda: model, ["w"]) is model)
T(lambda: [o.name for o in onnx_util.mark_layerwise(copy(BRANCHES)).graph.output])


def lowered():
    graph = onnx_util.lower_constant_nodes(gs_from_onnx(copy()))
    meta = TensorMetadata().add("y", np.float16, (2, 3)).add("c", np.float16, (2, 3))
    onnx_util.set_shapes_from_layerwise_meta(graph, meta)
    tensors = graph.tensors()
    return (
        [node.op for node in graph.nodes],
        type(tensors["k"]).__name__,
        tensors["k"].values.tolist(),
        tensors["y"].dtype,
        tensors["y"].shape,
        tensors["c"].shape,
    )


T(lowered)
T(lambda: onnx_util.meta_from_gs_tensors(gs_from_onnx(MODEL).inputs))


def unbounded(model):
    graph = gs_from_onnx(infer_shapes(model, allow_onnxruntime=False))
    return [tensor.name for tensor in onnx_util.get_unbounded_dds_tensors(graph)]


T(lambda: unbounded(SIZES))
T(lambda: unbounded(MODEL))


def bounded(bounds):
    model = set_upper_bound(infer_shapes(SIZES, allow_onnxruntime=False), bounds)
    values = sorted((t.name, onnx_util.get_values(t).tolist()) for t in model.graph.initializer)
    return sorted((str(n.input), n.op_type, str(n.output)) for n in model.graph.node), values


T(lambda: bounded({"cnt": 10}))
G_LOGGER.module_severity = 20
T(lambda: bounded({"r": 10}))


def end_of_text(model, **show):
    text = onnx_util.str_from_onnx(model, **show)
    return text[len(text.rstrip()) :]


for each in (MODEL, onnx.ModelProto(graph=onnx.GraphProto(name="g"), opset_import=MODEL.opset_import)):
    for show in ({}, {"show_layers": True}, {"show_attrs": True}, {"show_layers": True, "show_weights": True}):
        T(lambda: end_of_text(each, **show))
