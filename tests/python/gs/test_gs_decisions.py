"""The ways to the original's behaviour that docs/differences/python.md names."""

import numpy as np
import onnx
import onnx.parser

import onnx_graphsurgeon as gs

MODEL = """<ir_version: 8, opset_import: ["" : 15]>
g (float[2, 3] x, float[3] unused) => (int64 size, float[3] y)
<float[3] c = {1, 2, 3}, float[3] unused = {4, 5, 6}> {
  size = Size (x)
  noise = RandomNormal <shape = [3]> ()
  y = Add (noise, c)
}"""


def graph():
    return gs.import_onnx(onnx.parser.parse_model(MODEL))


def ops(found):
    return [node.op for node in found.nodes]


def test_an_equal_tensor_is_removed():
    node = gs.Node("Relu", inputs=[gs.Variable("a"), gs.Variable("b")])
    other = gs.Variable("a")
    node.inputs.remove(next(each for each in node.inputs if each == other))
    assert [each.name for each in node.inputs] == ["b"]


def test_versions_that_differ():
    found = graph()
    before = found.import_domains
    found.opset = 11
    assert [each.version for each in found.import_domains] == [11]
    found.import_domains = before
    assert found.opset == 11 and [each.version for each in found.import_domains] == [15]


def test_random_values_that_stay_the_same():
    found = graph()
    assert "RandomNormal" in ops(found.fold_constants().cleanup())
    (node,) = (each for each in found.nodes if each.op == "RandomNormal")
    node.outputs[0].to_constant(np.zeros(3, np.float32))
    node.outputs.clear()
    assert ops(found.fold_constants().cleanup()) == []


def test_operators_that_stay():
    assert "Size" not in ops(graph().fold_constants().cleanup())
    found = graph().fold_constants(should_exclude_node=lambda node: node.op in ("Size", "Shape"))
    assert "Size" in ops(found.cleanup())


def test_the_nodes_of_a_graph_are_its_attributes():
    found = graph()
    assert "nodes" not in vars(found)
    assert found.nodes and "nodes" in vars(found) and "_model" not in vars(found)
