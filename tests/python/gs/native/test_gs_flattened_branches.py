"""Folding an If leaves its branches to the caller who has them."""

import numpy as np
import onnx
import onnx.parser
import pytest

import onnx_graphsurgeon as gs

BRANCHES = """<ir_version: 8, opset_import: ["" : 15]>
g (float[2] x) => (float[2] y) <bool c = {1}, float[2] w = {1, 2}> {
  y = If (c) <then_branch = t () => (float[2] s) <float[2] k = {3, 4}> { r = Sin (x) s = Mul (r, k) },
              else_branch = e () => (float[2] q) { q = Cos (x) }>
}"""


def parsed(text):
    return onnx.parser.parse_model(text)


@pytest.fixture
def graph():
    return gs.import_onnx(parsed(BRANCHES))


def test_a_branch_that_replaces_its_if_keeps_its_lists(graph):
    branch = graph.nodes[0].attrs["then_branch"]
    other = graph.nodes[0].attrs["else_branch"]
    nodes, outputs = list(branch.nodes), list(branch.outputs)
    graph.fold_constants().cleanup()
    assert [node.op for node in graph.nodes] == ["Sin", "Mul"]
    # As in the original: its nodes are those of the graph now.
    assert len(branch.nodes) == 2 and all(a is b for a, b in zip(branch.nodes, nodes))
    assert all(a is b for a, b in zip(branch.nodes, graph.nodes)) and branch.outputs[0] is outputs[0]
    assert [node.op for node in other.nodes] == ["Cos"]
    onnx.checker.check_model(gs.export_onnx(graph), full_check=True)


def test_a_branch_of_two_ifs_is_copied(graph):
    node = graph.nodes[0]
    y = gs.Variable("y2", np.float32, (2,))
    graph.nodes.append(gs.Node("If", attrs=dict(node.attrs), inputs=node.inputs, outputs=[y]))
    graph.outputs.append(y)
    branch = node.attrs["then_branch"]
    names = [tensor.name for each in branch.nodes for tensor in each.outputs]
    graph.fold_constants().cleanup()
    assert [tensor.name for each in branch.nodes for tensor in each.outputs] == names
    assert [node.op for node in graph.nodes] == ["Sin", "Mul"] * 2
    onnx.checker.check_model(gs.export_onnx(graph), full_check=True)
