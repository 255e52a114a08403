"""Groups about ONNX models load, infer, run and save."""

import os

import numpy as np
import onnx
import onnx_graphsurgeon as gs
from argument_groups import attempt, parse
from onnx import TensorProto, helper, numpy_helper
from polygraphy.common import TensorMetadata
from polygraphy.tools.args import (
    DataLoaderArgs,
    ModelArgs,
    OnnxInferShapesArgs,
    OnnxLoadArgs,
    OnnxrtSessionArgs,
    OnnxSaveArgs,
)
from polygraphy.tools.util import override_input_shapes


def tensor(name):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["b", 2])


def model(nodes, initializers=()):
    graph = helper.make_graph(nodes, "g", [tensor("x")], [tensor("y")], list(initializers))
    opset = helper.make_opsetid("", 13)
    return helper.make_model(graph, ir_version=8, opset_imports=[opset])


first, second = helper.make_node("Relu", ["x"], ["h"]), helper.make_node("Relu", ["h"], ["y"])
onnx.save(model([first, second]), "a.onnx")
weights = numpy_helper.from_array(np.ones((600, 2), np.float32), "w")
onnx.save(model([helper.make_node("Mul", ["x", "w"], ["y"])], [weights]), "w.onnx")


def show(what) -> None:
    if not isinstance(what, onnx.ModelProto):
        print("  ", type(what).__name__)
        return
    shapes = {
        info.name: [dim.dim_param or dim.dim_value for dim in info.type.tensor_type.shape.dim]
        for info in [*what.graph.value_info, *what.graph.output]
    }
    outputs = [info.name for info in what.graph.output]
    print("  ", [node.op_type for node in what.graph.node], outputs, shapes.get("h"))


def files() -> list:
    return sorted(os.path.join(folder, f) for folder, _, names in os.walk(".") for f in names)


def groups(**config):
    return [
        ModelArgs(),
        OnnxLoadArgs(allow_saving=True),
        OnnxInferShapesArgs(allow_force_fallback=True),
        OnnxSaveArgs(allow_shape_inference=True, **config),
        OnnxrtSessionArgs(),
        DataLoaderArgs(),
    ]


def run_groups(argv, **config):
    _, load, infer, save, session, _ = all_groups = groups(**config)
    if not parse(all_groups, argv):
        return
    show(attempt(load.load_onnx))
    given = onnx.load("a.onnx")
    for force in (None, True, False):
        show(infer.infer_shapes(given, force))
        show(infer.infer_shapes("a.onnx", force=force))
    if save.path is not None:
        show(save.save_onnx(given))
    show(save.save_onnx(given, "folder/b.onnx"))
    show(save.save_onnx(onnx.load("w.onnx"), path="c.onnx"))
    print(files())
    show(attempt(session.load_onnxrt_session))
    for other in (given.SerializeToString(), "a.onnx"):
        loaded = attempt(session.load_onnxrt_session, other)
        print("  ", loaded and loaded.get_providers())
    for outputs in ([], [["h"]], [["y", "h"]]):
        result, metadata = infer.fallback_inference(given, *outputs)
        values = {name: np.asarray(value).round(4).tolist() for name, value in result.items()}
        print("  ", values, metadata)


run_groups(["a.onnx"])
run_groups(["a.onnx", "--shape-inference", "-v"])
run_groups(["a.onnx", "--force-fallback-shape-inference", "--val-range", "[2,3]", "--seed", "5"])
run_groups(["a.onnx", "-o", "new/s.onnx"])
run_groups(["a.onnx", "--onnx-outputs", "h", "--providers", "cpu"])
run_groups(["w.onnx", "-o", "t.onnx", "--external-data-size-threshold", "0"])
run_groups(["w.onnx", "-o", "u.onnx", "--no-save-all-tensors-to-one-file"])
run_groups(["a.onnx", "--graph-optimization-level", "ORT_DISABLE_ALL", "--providers", "nope"])
run_groups(["a.onnx", "--save-external-data"], allow_multiple_models=True)
run_groups(
    ["w.onnx", "--save-external-data", "_x", "--external-data-size-threshold", "0"],
    allow_multiple_models=True,
)
for size in ("0", "1M"):
    save = OnnxSaveArgs()
    argv = ["-o", f"v{size}.onnx", "--save-external-data", f"v{size}.bin"]
    parse([save], [*argv, "--external-data-size-threshold", size])
    save.save_onnx(onnx.load("w.onnx"))
    print(files())


def graph():
    x = gs.Variable("x", np.float32, ["b", 3])
    y = gs.Variable("y", np.float32, (2, 3))
    h = gs.Variable("h", np.float32, [5, 5])
    o = gs.Variable("o", np.float32, [5, 5])
    c = gs.Constant("c", np.ones((1, 3), np.float32))
    nodes = [
        gs.Node("Sum", inputs=[x, y, c], outputs=[h]),
        gs.Node("Relu", inputs=[h], outputs=[o]),
    ]
    return gs.Graph(nodes, inputs=[x, y], outputs=[o], opset=13)


for metadata in (
    TensorMetadata(),
    TensorMetadata().add("x", None, (4, 3)),
    TensorMetadata().add("x", np.int32, (4, 3)).add("y", None, (9, "n")),
    TensorMetadata().add("h", None, (1,)),
    TensorMetadata().add("q", None, (1,)),
):
    given = graph()
    changed = attempt(override_input_shapes, given, metadata)
    for one in (given, changed or given):
        for name, value in one.tensors().items():
            shape = None if value.shape is None else list(value.shape)
            print("  ", name, value.dtype, shape, value in one.inputs)
