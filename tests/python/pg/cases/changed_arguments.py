"""Every public function and method, with arguments by the names of its parameters: what changes."""

import contextlib
import copy
import importlib
import inspect

import numpy as np
import onnx
import onnx.parser
import onnx_graphsurgeon as gs

from polygraphy.common import TensorMetadata
from polygraphy.comparator import IterationResult, RunResults
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.CRITICAL
gs.logger.G_LOGGER.severity = gs.logger.G_LOGGER.CRITICAL

TEXT = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x) => (float[2, 3] z) <float[3] c = {1, 2, 3}> {
  k = Identity (c)
  y = Add (x, k)
  w = Relu (y)
  z = Mul (w, c)
}"""
MODULES = [
    "polygraphy.backend.base",
    "polygraphy.backend.common",
    "polygraphy.backend.onnx",
    "polygraphy.backend.onnx.util",
    "polygraphy.backend.onnxrt",
    "polygraphy.common",
    "polygraphy.comparator",
    "polygraphy.datatype",
    "polygraphy.func",
    "polygraphy.json",
    "polygraphy.util",
    "onnx_graphsurgeon",
]
LEFT_OUT = {"inverted"}  # the original has no such name


def model():
    return onnx.parser.parse_model(TEXT)


def graph():
    return gs.import_onnx(model())


def results():
    made = [IterationResult({"z": np.full((2, 3), i, np.float32)}, 0.1, "r") for i in range(2)]
    return RunResults([("a", made), ("b", copy.deepcopy(made))])


def metadata():
    return TensorMetadata().add("x", np.float32, (2, 3))


ARRAY = lambda: np.arange(6, dtype=np.float32).reshape(2, 3)  # noqa: E731
MAKERS = {
    "model": model,
    "graph": graph,
    "attrs": lambda: {"axis": 1, "names": ["a"]},
    "inputs": lambda: [gs.Variable("x", np.float32, (2, 3))],
    "outputs": lambda: ["w"],
    "nodes": lambda: [],
    "values": ARRAY,
    "array": ARRAY,
    "arr": ARRAY,
    "arr0": ARRAY,
    "arr1": ARRAY,
    "obj": lambda: {"a": [1, 2], "b": {"c": ARRAY()}},
    "dic": lambda: {"b": 1, "a": [2]},
    "dct": lambda: {"b": 1, "a": [2]},
    "mapping": lambda: {"b": 1, "a": [2]},
    "lst": lambda: [1, [2, 3]],
    "seq": lambda: [1, [2, 3]],
    "sequence": lambda: [1, [2, 3]],
    "elems": lambda: ["a", "b"],
    "names": lambda: ["x", "c"],
    "items": lambda: [1, 2],
    "iterable": lambda: [1, 2],
    "shape": lambda: [2, -1],
    "new_shape": lambda: [3, 2],
    "default_shape": lambda: [2, 3],
    "dtype": lambda: np.float32,
    "name": lambda: "x",
    "op": lambda: "Relu",
    "run_results": results,
    "iteration_result": lambda: results()[0][1][0],
    "iter_result": lambda: results()[0][1][0],
    "feed_dict": lambda: {"x": ARRAY()},
    "feed": lambda: {"x": ARRAY()},
    "input_metadata": metadata,
    "output_metadata": metadata,
    "meta": metadata,
    "metadata": metadata,
    "upper_bounds": lambda: {"w": 3},
    "tensor_map": lambda: {},
    "providers": lambda: ["cpu"],
    "val_range": lambda: {"x": (0, 1)},
    "rtol": lambda: {"z": 1e-3, "": 1e-2},
    "atol": lambda: {"z": 1e-3},
    "data_loader": lambda: [{"x": ARRAY()}] * 2,
    "runners": lambda: [],
    "compare_func": lambda: None,
    "fold_shapes": lambda: True,
    "other": results,
    "key": lambda: "x",
    "path": lambda: "file",
    "contents": lambda: b"bytes",
    "iterations": lambda: results()[0][1],
    "out_list": lambda: [{"z": ARRAY()}],
    "runner_name": lambda: "c",
    "doc": lambda: "{}",
    "src": lambda: "{}",
    "import_domains": lambda: [onnx.helper.make_opsetid("", 17)],
    "onnx_graph": lambda: model().graph,
    "onnx_model": model,
    "tensor_names": lambda: ["x"],
    "onnx_names": lambda: ["x"],
    "layer_names": lambda: {"x"},
    "default": lambda: 0,
    "value": lambda: [1],
    "num": lambda: 3,
}


def shown(value):
    """All of its contents, as text."""
    if isinstance(value, (onnx.ModelProto, onnx.GraphProto, onnx.OperatorSetIdProto)):
        return value.SerializeToString(deterministic=True).hex()
    if isinstance(value, gs.Graph):
        return shown(gs.export_onnx(value, do_type_check=False)) + str(len(value.nodes))
    if isinstance(value, gs.Tensor):
        return repr((value.name, str(value.dtype), str(value.shape), len(value.inputs), len(value.outputs)))
    if isinstance(value, IterationResult):
        return repr((value.runtime, value.runner_name, {k: v.tolist() for k, v in value.items()}))
    if isinstance(value, RunResults):
        return repr([(name, list(map(shown, each))) for name, each in value.items()])
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape, value.tolist()))
    if isinstance(value, dict):
        return repr([(key, shown(each)) for key, each in value.items()])
    if isinstance(value, (list, tuple)):
        return repr([type(value).__name__] + list(map(shown, value)))
    return repr(value)


OF_NODES = {"outputs": lambda: [gs.Variable("y")], "attrs": lambda: {"axis": 1, "names": ["a"]}}


def arguments_of(function, makers):
    """By name; None: a needed one is not known here."""
    given = {}
    for name, each in inspect.signature(function).parameters.items():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        if name in makers:
            given[name] = makers[name]()
        elif each.default is each.empty:
            return None
    return given


def look_at(label, function, described=None):
    try:
        of_nodes = label.startswith(("onnx_graphsurgeon", "Node"))
        given = arguments_of(described or function, MAKERS | OF_NODES if of_nodes else MAKERS)
    except (TypeError, ValueError):
        return
    if not given:
        return
    before = {name: shown(each) for name, each in given.items()}
    try:
        with contextlib.redirect_stdout(None), contextlib.redirect_stderr(None):
            result = function(**given)
            if inspect.isgenerator(result):
                list(result)
    except Exception:
        pass  # of wrong values; that also leaves them alone
    changed = [name for name, each in given.items() if shown(each) != before[name]]
    print(f"{label}({', '.join(given)}) changes {changed}")


def methods(label, make):
    for name in sorted(name for name in dir(type(make())) if not name.startswith("_")):
        if not callable(inspect.getattr_static(type(make()), name)) and not inspect.isfunction(
            getattr(type(make()), name, None)
        ):
            continue
        look_at(f"{label}.{name}", getattr(make(), name))


for module_name in MODULES:
    module = importlib.import_module(module_name)
    for name, item in sorted(vars(module).items()):
        owner = getattr(item, "__module__", None) or "polygraphy"  # immediate forms have none
        if name.startswith("_") or name in LEFT_OUT or not callable(item):
            continue
        if owner.startswith(("polygraphy", "onnx_graphsurgeon")):
            # Immediate forms of loaders have their parameters.
            loader = getattr(module, "".join(part.capitalize() for part in name.split("_")), None)
            look_at(f"{module_name}.{name}", item, loader)
for label, make in {
    "Graph": graph,
    "Variable": lambda: gs.Variable("x", np.float32, (2, 3)),
    "Constant": lambda: gs.Constant("c", ARRAY()),
    "Node": lambda: gs.Node("Relu", "r", {"axis": 1}),
    "TensorMetadata": metadata,
    "RunResults": results,
    "IterationResult": lambda: results()[0][1][0],
}.items():
    methods(label, make)


def layer(inputs, outputs, attrs):
    graph().layer(op="Relu", inputs=inputs, outputs=outputs, attrs=attrs)


def layer_of_names(outputs):
    graph().layer(op="Relu", inputs=["x"], outputs=outputs)


look_at("Node: layer", layer)
look_at("layer", layer_of_names)
