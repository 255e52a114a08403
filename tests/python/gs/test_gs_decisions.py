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


def all_names(found):
    """Of the tensors that a graph and those nested in it define."""
    graphs = [found, *found.subgraphs(recursive=True)]
    made = [t.name for each in graphs for node in each.nodes for t in node.outputs]
    constants = {id(t): t.name for each in graphs for t in each.tensors().values() if isinstance(t, gs.Constant)}
    return [*made, *constants.values(), *(t.name for each in graphs for t in each.inputs)]


def test_new_names_are_free():
    found = gs.import_onnx(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 15]>
g (bool c, float[2] x) => (float[2] y) {
  z_0 = Abs (x)
  y = If (c) <then_branch = t () => (float[2] s) { s = Sin (z_0) },
              else_branch = e () => (float[2] z_3) { z_3 = Cos (x) }>
}"""))
    branch = found.nodes[1].attrs["then_branch"]
    # An outer tensor, a tensor that no graph has yet, and tensors of a branch.
    (inner,) = branch.layer(op="Abs", inputs=branch.nodes[0].inputs, outputs=["z"])
    branch.outputs = [inner]
    (outer,) = found.layer(op="Add", inputs=[0.5, gs.Constant("onnx_graphsurgeon_lst_constant_0", np.float32([1, 2]))],
                           outputs=["z"])
    found.layer(op="Add", inputs=[outer, found.nodes[0].outputs[0]], outputs=["z"])
    found.outputs.append(found.nodes[-1].outputs[0])
    found.outputs[-1].dtype, found.outputs[-1].shape = np.float32, (2,)
    names = all_names(found)
    assert len(set(names)) == len(names), names
    onnx.checker.check_model(gs.export_onnx(found.cleanup().toposort()), full_check=True)


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
