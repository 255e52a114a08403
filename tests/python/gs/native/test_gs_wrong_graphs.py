"""Invalid graphs: every operation raises an exception, and the process continues."""

import random

import numpy as np
import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER

OPERATIONS = {
    "cleanup": lambda graph: graph.cleanup(),
    "toposort": lambda graph: graph.toposort(),
    "copy": lambda graph: graph.copy(),
    "fold_constants": lambda graph: graph.fold_constants(should_exclude_node=lambda node: False),
    "export": gs.export_onnx,
}
EXPECTED = (TypeError, ValueError, AttributeError, KeyError, RecursionError, OverflowError,
            UnicodeEncodeError, gs.OnnxGraphSurgeonException)


@pytest.fixture(autouse=True)
def quiet():
    severity, G_LOGGER.severity = G_LOGGER.severity, 100
    yield
    G_LOGGER.severity = severity


def small_graph(choose):
    tensors = [gs.Variable(f"t{i}", np.float32, [2]) for i in range(8)]
    ops = ["Add", "Relu", "Shape", "If", "Loop", "Constant", "Cast"]
    nodes = [gs.Node(choose.choice(ops), f"n{i}", inputs=choose.choices(tensors, k=2), outputs=[choose.choice(tensors)])
             for i in range(6)]
    return gs.Graph(nodes=nodes, inputs=tensors[:2], outputs=tensors[5:7])


@pytest.mark.parametrize("operation", ["cleanup", "toposort", "fold_constants", "export"])
def test_a_graph_inside_of_itself(operation):
    graph = small_graph(random.Random(0))
    graph.nodes[0].attrs["body"] = graph
    with pytest.raises((gs.OnnxGraphSurgeonException, RecursionError)):
        OPERATIONS[operation](graph)


def test_a_copy_of_a_graph_inside_of_itself():
    graph = small_graph(random.Random(0))
    graph.nodes[0].attrs["body"] = graph
    with pytest.raises(RecursionError):
        graph.copy()


def spoil(graph, choose):
    junk = [None, 0, 1.5, "x", b"y", [], {}, (), object(), np.float32(2), np.ones(3), gs.Variable("v"),
            gs.Constant("c", np.ones(2)), gs.Node("Op"), gs.Graph(), len, float("nan"), 2**70, [None], ["a", 1], np.int64,
            "\ud800", True]
    value = choose.choice(junk)
    node = choose.choice(graph.nodes)
    kind = choose.randrange(8)
    if kind == 0:
        setattr(graph, choose.choice(["nodes", "inputs", "outputs", "name", "opset", "doc_string", "import_domains",
                                      "_functions"]), value)
    elif kind == 1:
        setattr(node, choose.choice(["op", "name", "attrs", "inputs", "outputs", "domain"]), value)
    elif kind == 2:
        node.attrs[choose.choice(["a", "axis", "then_branch", 5])] = value
    elif kind == 3:
        tensor = choose.choice(node.inputs)
        setattr(tensor, choose.choice(["name", "dtype", "shape", "_values", "type", "data_location", "inputs"]), value)
    elif kind == 4:
        graph.nodes.append(choose.choice([value, node]))
    elif kind == 5:
        list.append(node.inputs, value)
    elif kind == 6:
        node.__dict__[choose.choice(["inputs", "attrs"])] = value
    else:
        graph.outputs.append(value)


@pytest.mark.parametrize("seed", range(150))
def test_spoilt_graphs(seed):
    choose = random.Random(seed)
    graph = small_graph(choose)
    for _ in range(choose.randint(1, 4)):
        try:
            spoil(graph, choose)
        except EXPECTED:
            pass
        except IndexError:
            break  # there are no nodes left
    for operation in choose.sample(sorted(OPERATIONS), len(OPERATIONS)):
        try:
            OPERATIONS[operation](graph)
        except EXPECTED:
            pass


def graph_of_everything():
    x, y, z = (gs.Variable(name, np.float32, [2]) for name in "xyz")
    inner, a, b = (gs.Variable(name, np.float32) for name in ("inner", "a", "b"))
    branch = gs.Graph([gs.Node("Neg", inputs=[x], outputs=[inner])], [], [inner])
    function = gs.Function("F", "m", nodes=[gs.Node("Add", inputs=[a, a], outputs=[b])], inputs=[a], outputs=[b])
    constant = gs.Constant("c", np.ones(2, np.float32))
    node = gs.Node("Add", "n", inputs=[x, constant], outputs=[y])
    other = gs.Node("If", "m", {"then_branch": branch}, [y], [z])
    graph = gs.Graph([node, other], [x], [z], functions=[function])
    return graph, dict(node=node, other=other, variable=y, constant=constant, branch=branch, function=function, graph=graph)


PLACES = {
    "outputs": lambda parts: parts["graph"].outputs,
    "inputs": lambda parts: parts["graph"].inputs,
    "nodes": lambda parts: parts["graph"].nodes,
    "functions": lambda parts: parts["graph"].functions,
    "outputs of a branch": lambda parts: parts["branch"].outputs,
    "nodes of a branch": lambda parts: parts["branch"].nodes,
    "inputs of a function": lambda parts: parts["function"].inputs,
    "nodes of a function": lambda parts: parts["function"].nodes,
    "inputs of a node": lambda parts: parts["node"].inputs,
    "outputs of a node": lambda parts: parts["node"].outputs,
    "inputs of another node": lambda parts: parts["other"].inputs,
}
TENSORS, NODES = ("variable", "constant"), ("node", "other")


@pytest.mark.parametrize("operation", ["cleanup", "toposort", "fold_constants", "export"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("wrong", [*TENSORS, *NODES, "branch", "function", "graph"])
def test_objects_in_places_of_others(wrong, place, operation):
    if wrong in (NODES if "nodes" in place else TENSORS) or (wrong, place) == ("function", "functions"):
        return
    graph, parts = graph_of_everything()
    list.append(PLACES[place](parts), parts[wrong])
    with pytest.raises((TypeError, AttributeError)):
        OPERATIONS[operation](graph)


@pytest.mark.parametrize("operation", ["cleanup", "toposort", "fold_constants", "export"])
def test_a_function_as_a_branch(operation):
    graph, parts = graph_of_everything()
    parts["node"].attrs["body"] = parts["function"].attrs["own"] = parts["function"]
    OPERATIONS[operation](graph)
    assert graph.functions == [parts["function"]]
