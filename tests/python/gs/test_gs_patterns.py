"""Patterns of nodes."""

import numpy as np
import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER


def test_patterns_match_and_log_as_in_the_original(same):
    same("""
import numpy as np
def V(name): return gs.Variable(name, np.float32, [1])
def C(name): return gs.Constant(name, np.ones(1))
x, y, z, u, v = map(V, "xyzuv")
graph = gs.Graph([gs.Node("Conv", "conv", inputs=[x, C("w")], outputs=[y]),
                  gs.Node("Relu", "relu", inputs=[y], outputs=[z]),
                  gs.Node("Conv", "conv2", inputs=[z, C("w2")], outputs=[u]),
                  gs.Node("Relu", "relu2", inputs=[u], outputs=[v])], [x], [v])
def conv_relu(outputs=True):
    pattern = gs.GraphPattern()
    i, k = pattern.variable(), pattern.constant("kernel")
    o = pattern.add("C", "Conv", inputs=[i, k])
    r = pattern.add("R", "Relu", inputs=[o])
    if outputs:
        pattern.set_output_tensors([r])
    return pattern
def told(matches):
    for match in matches:
        print(match, list(match), match.inputs, match.outputs, match.constants, vars(match).keys())
matches = conv_relu().match_all(graph)
told(matches)
print(matches[0].get("C") is graph.nodes[0], matches[0]["C"], str(matches[0]["C"]))
show("unknown", lambda: matches[0].get("Q"))
told(conv_relu(outputs=False).match_all(graph))
checked = gs.GraphPattern()
i, k = checked.variable(), checked.constant()
o = checked.add("C", "Conv", lambda node: node.name == "conv2", inputs=[i, k])
checked.set_output_tensors([o])
told(checked.match_all(graph))
sub, whole = conv_relu(), gs.GraphPattern()
i = whole.variable()
first = whole.add("S1", sub, inputs=[i])
second = whole.add("S2", sub, inputs=[first])
whole.set_output_tensors([second])
matches = whole.match_all(graph)
told(matches)
print(matches[0].get("S1").get("C").name, {k: v for k, v in vars(whole).items() if k != "nodes"})
""")


def test_patterns_are_built_as_in_the_original(same):
    same("""
pattern = gs.GraphPattern()
a, b, c = pattern.variable(), pattern.constant(), pattern.constant("w")
one = pattern.add("n1", "Conv", inputs=[a, b, c])
two = pattern.add("n2", "Split", lambda node: True, [one], 2)
none = pattern.add("n3", "Sink", inputs=[two[0]], num_output_tensors=0)
pattern.set_output_tensors([two[1]])
print(a, b, c, one, two, none, {k: v for k, v in vars(pattern).items() if k != "nodes"})
for text in ["pattern.add('n1', 'X')", "pattern.set_output_tensors([99])",
             "pattern.nodes['n1'].add('x', 'y')", "gs.GraphPattern().match_all(gs.Graph())"]:
    try:
        eval(text)
        print(text, "works")
    except AssertionError:
        print(text, "fails")
""")


@pytest.fixture
def diamond():
    """A node whose output goes through two others, crosswise, into one."""
    x, y, a, b, o = (gs.Variable(name, np.float32, [1]) for name in ("x", "y", "a", "b", "o"))
    nodes = [
        gs.Node("A", inputs=[x], outputs=[y]),
        gs.Node("B", inputs=[y], outputs=[a]),
        gs.Node("B", inputs=[y], outputs=[b]),
        gs.Node("C", inputs=[b, a], outputs=[o]),
    ]
    return gs.Graph(nodes, [x], [o])


def diamond_pattern():
    pattern = gs.GraphPattern()
    start = pattern.add("a", "A", inputs=[pattern.variable()])
    left = pattern.add("left", "B", inputs=[start])
    right = pattern.add("right", "B", inputs=[start])
    pattern.set_output_tensors([pattern.add("c", "C", inputs=[left, right])])
    return pattern


def test_branches_in_another_order_and_nodes_without_names_are_found(diamond):
    with G_LOGGER.suppress():
        (match,) = diamond_pattern().match_all(diamond)
    assert match.get("left") is diamond.nodes[2] and match.get("right") is diamond.nodes[1]
    assert match.inputs == [diamond.inputs[0]] and match.outputs == [diamond.outputs[0]]


def test_ends_of_a_match_have_nodes(diamond):
    pattern = diamond_pattern()
    with G_LOGGER.suppress():
        (match,) = pattern.match_all(diamond)
    assert pattern.get_inbound_or_outbound_onnx_node(match, True, 0) is diamond.nodes[0]
    assert pattern.get_inbound_or_outbound_onnx_node(match, False, 0) is diamond.nodes[3]


def test_one_node_can_be_tried_from_either_end(diamond):
    pattern, used = diamond_pattern(), set()
    with G_LOGGER.suppress():
        match = pattern.match(diamond.nodes[3], False, 0, used, {"o"})
        assert match.get("a") is diamond.nodes[0] and len(used) == 4
        assert pattern.match(diamond.nodes[0], True, 0, used, {"o"}) is None
        assert pattern.match(diamond.nodes[0], True, 0, set(), {"y"}) is None


def test_a_pattern_without_inputs_is_refused():
    with pytest.raises(AssertionError, match="first variable"):
        gs.GraphPattern().match_all(gs.Graph([gs.Node("A")]))


def test_a_pattern_that_falls_apart_is_refused():
    pattern = gs.GraphPattern()
    pattern.add("a", "A", inputs=[pattern.variable()])
    pattern.add("b", "B")
    with pytest.raises(AssertionError):
        pattern.match_all(gs.Graph([gs.Node("A")]))
