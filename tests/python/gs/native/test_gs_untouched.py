"""Graphs stay models until the first access to their objects, which changes only the time."""

import copy
import pickle
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER

ROOT = Path(__file__).resolve().parents[4]
MODELS = sorted((ROOT / ".deps" / "onnx-testdata").rglob("model.onnx"))

TEXT = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x, float[3] unused) => (float[2, 3] z) <float[3] c = {1, 2, 3}> {
  w = Relu (y)
  y = Add (x, c)
  dead = Neg (x)
  z = Mul (w, c)
}"""


@pytest.fixture
def model():
    return onnx.parser.parse_model(TEXT)


def untouched(graph):
    return "_model" in vars(graph)


def objects(graph):
    len(graph.nodes)
    assert not untouched(graph)
    return graph


OPERATIONS = {
    "nothing": lambda graph: graph,
    "cleanup and toposort": lambda graph: graph.toposort().cleanup(remove_unused_graph_inputs=True),
    "copy": lambda graph: graph.copy(),
    "cleanup of a copy": lambda graph: graph.copy().cleanup(),
    "folding": lambda graph: graph.fold_constants().cleanup(),
    "folding of parts": lambda graph: graph.toposort().fold_constants(partitioning="recursive", size_threshold=64),
    "a new name and opset": lambda graph: rename(graph),
}


def rename(graph):
    graph.name, graph.doc_string, graph.opset = "another", "text", 18
    return graph


def exported(graph):
    """The model, with all values in one form: those that folding has moved keep that of the file."""
    try:
        model = gs.export_onnx(graph)
        for tensor in model.graph.initializer:
            tensor.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor), tensor.name))
        return model.SerializeToString(deterministic=True)
    except gs.OnnxGraphSurgeonException as error:
        return str(error)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_results_are_those_of_objects(operation):
    severity, G_LOGGER.severity = G_LOGGER.severity, 100
    some = 0
    try:
        for path in MODELS[::3]:
            model = onnx.load(path)
            graph = gs.import_onnx(model)
            some += untouched(graph)
            first = exported(OPERATIONS[operation](graph))
            assert first == exported(OPERATIONS[operation](objects(gs.import_onnx(model)))), path
    finally:
        G_LOGGER.severity = severity
    assert some > 400


def test_only_looking_makes_objects(model):
    graph = gs.import_onnx(model)
    assert exported(graph.toposort().cleanup()) and untouched(graph)
    assert untouched(graph.copy())
    assert [node.op for node in graph.nodes] == ["Add", "Relu", "Mul"]
    assert not untouched(graph)
    assert list(vars(graph)) == list(vars(gs.Graph()))


@pytest.mark.parametrize("look", [
    lambda graph: graph.inputs, lambda graph: graph.outputs, lambda graph: graph.tensors(), lambda graph: str(graph),
    lambda graph: graph == graph.copy(), lambda graph: graph.layer(op="Relu", inputs=["a"], outputs=["b"]),
    lambda graph: graph.fold_constants(should_exclude_node=lambda node: False), lambda graph: list(graph.subgraphs()), lambda graph: graph.copy({"x": gs.Variable("x")}),
])
def test_whatever_needs_objects_has_them(model, look):
    graph = gs.import_onnx(model)
    look(graph)
    assert not untouched(graph) and {tensor.name for tensor in graph.inputs} == {"x", "unused"}


def test_what_folding_computes_is_an_array():
    model = onnx.parser.parse_model("""
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[3] x) => (float[3] z) <float[3] c = {1, 2, 3}> {
      y = Add (c, c)
      z = Mul (x, y)
    }""")
    graph = gs.import_onnx(model).fold_constants().cleanup()
    assert untouched(graph)
    (multiply,) = graph.nodes
    assert np.array_equal(multiply.inputs[1]._values, np.float32([2, 4, 6]))


def test_assigning_is_looking(model):
    graph = gs.import_onnx(model)
    graph.outputs = []
    assert graph.outputs == [] and len(graph.nodes) == 4


def test_copies_are_independent(model):
    graph = gs.import_onnx(model)
    other = graph.copy()
    other.nodes.clear()
    other.name = "other"
    assert len(graph.nodes) == 4 and graph.name == "g"


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda graph: pickle.loads(pickle.dumps(graph))])
def test_duplicates_by_python(model, duplicate):
    graph = gs.import_onnx(model)
    assert exported(duplicate(graph)) == exported(graph)


def test_a_function_that_is_added(model):
    graph = gs.import_onnx(model)
    x, y = gs.Variable("x", np.float32), gs.Variable("y", np.float32)
    function = gs.Function("F", nodes=[gs.Node("Relu", inputs=[x], outputs=[y])], inputs=[x], outputs=[y])
    graph.functions.append(function)
    assert [each.name for each in gs.export_onnx(graph).functions] == ["F"]


def test_other_attributes_are_the_scripts_own(model):
    graph = gs.import_onnx(model)
    graph.mine = 1
    assert graph.mine == 1 and not hasattr(graph, "__of_nobody__") and untouched(graph)


def test_types_at_the_ends_are_checked(model):
    model.graph.output[0].ClearField("type")
    with pytest.raises(gs.OnnxGraphSurgeonException, match="must include dtype information"):
        gs.export_onnx(gs.import_onnx(model))


def test_a_cycle_is_an_error(model):
    model.graph.node[1].input[0] = "z"
    with pytest.raises(gs.OnnxGraphSurgeonException, match="(?i)cycle"):
        gs.import_onnx(model).toposort()


def test_types_that_say_nothing_are_dropped():
    text = """<ir_version: 8, opset_import: ["" : 16]>
        g (float[2] x, bool p) => (float[2] y) {
          y = If (p) <then_branch = t () => (u) { u = Exp (x) }, else_branch = e () => (v) { v = Neg (x) }>
        }"""
    model = onnx.parser.parse_model(text)
    branches = [attribute.g for attribute in model.graph.node[0].attribute]
    for branch in branches:
        branch.output[0].type.SetInParent()
    assert untouched(gs.import_onnx(model))
    for graph in (gs.import_onnx(model), objects(gs.import_onnx(model))):
        attributes = gs.export_onnx(graph).graph.node[0].attribute
        assert not any(attribute.g.output[0].HasField("type") for attribute in attributes)
