"""The lists that keep both ends of an edge."""

import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon.util.misc import SynchronizedList


def test_operations_on_lists_do_what_they_do_in_the_original(same):
    same("""
import copy
from onnx_graphsurgeon.util.misc import SynchronizedList
v = [gs.Variable(f"v{i}") for i in range(6)]
n = gs.Node("A", "n", inputs=v[:2])
for text in ["n.inputs.append(v[2])", "n.inputs.insert(0, v[3])", "n.inputs[0] = v[4]",
             "del n.inputs[0]", "n.inputs.pop()", "n.inputs.pop(0)", "n.inputs.extend([v[0], v[0]])",
             "n.inputs += [v[5]]", "n.inputs + [v[1]]", "type(n.inputs + [])", "n.inputs.remove(v[0])",
             "n.inputs.remove(v[1])", "n.inputs.remove(v[1])", "copy.copy(n.inputs)",
             "type(copy.copy(n.inputs))", "type(copy.deepcopy(SynchronizedList(n, 'inputs', [])))",
             "n.inputs.sort(key=lambda x: x.name)", "n.inputs.reverse()", "n.inputs.clear()",
             "n.inputs.index(v[0])", "n.inputs == []", "type(n.inputs * 2)", "n.inputs[-1]",
             "n.inputs = (v[1], v[2])", "n.inputs = n.inputs", "n.inputs[5] = v[0]",
             "n.inputs.pop(7)", "del n.inputs[9]", "n.inputs.insert(100, v[3])", "n.inputs",
             "type(n.inputs.copy())", "n.inputs[0:2]", "type(n.inputs[:])", "v[0].outputs.append(n)",
             "v[0] in n.inputs", "n.inputs.count(v[0])", "n.outputs.append(v[5])", "v[5].inputs",
             "v[5].inputs += [gs.Node('B')]", "v[5].inputs.clear()", "n.outputs",
             "SynchronizedList(v[5], field_name='inputs', initial=[n])", "n.outputs"]:
    try:
        try:
            result = eval(text)
        except SyntaxError:
            exec(text)
            result = "done"
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(text, result, [x.name for x in n.inputs], [len(x.outputs) for x in v], sep=" | ")
""")


def test_outputs_of_a_node_can_be_taken_over(same):
    same("""
a, b = gs.Node("A", outputs=[gs.Variable("x")]), gs.Node("B", outputs=[gs.Variable("y")])
a.outputs = b.outputs
b.outputs.clear()
print(a, b, a.outputs[0].inputs)
""")


def tensors(count):
    return [gs.Variable(f"v{i}") for i in range(count)]


def test_lists_of_owners_are_the_same_objects_for_ever():
    node = gs.Node("A", inputs=tensors(2))
    inputs = node.inputs
    node.inputs = tensors(1)
    node.inputs += tensors(1)
    assert node.inputs is inputs and isinstance(inputs, list) and len(inputs) == 2


def test_slices_keep_both_ends():
    v = tensors(5)
    node = gs.Node("A", inputs=v[:3])
    node.inputs[1:] = [v[3], v[4]]
    assert node.inputs == [v[0], v[3], v[4]]
    assert [len(x.outputs) for x in v] == [1, 0, 0, 1, 1]
    del node.inputs[::2]
    assert [len(x.outputs) for x in v] == [0, 0, 0, 1, 0]
    node.inputs *= 2
    assert len(v[3].outputs) == 2
    node.inputs *= 0
    assert len(v[3].outputs) == 0 and node.inputs == []


def test_generators_keep_both_ends():
    v = tensors(2)
    node = gs.Node("A", inputs=(x for x in v))
    node.outputs.extend(x for x in v)
    assert v[0].outputs[0] is node and v[1].inputs[0] is node


def test_edges_of_equal_nodes_are_told_apart():
    x = gs.Variable("x")
    first, second = gs.Node("A", inputs=[x]), gs.Node("A", inputs=[x])
    second.inputs.clear()
    assert len(x.outputs) == 1 and x.outputs[0] is first


@pytest.mark.parametrize(
    "change",
    [
        lambda node, v: node.inputs.remove(gs.Variable("v0")),
        lambda node, v: node.inputs.append(5),
        lambda node, v: node.inputs.extend([v[1], 5]),
        lambda node, v: node.inputs.insert(0, None),
        lambda node, v: node.inputs.__setitem__(0, None),
        lambda node, v: node.inputs.__setitem__(slice(0, 1), [v[1], 5]),
        lambda node, v: setattr(node, "inputs", [v[1], 5]),
    ],
)
def test_an_operation_that_fails_changes_nothing(change):
    v = tensors(2)
    node = gs.Node("A", inputs=[v[0]])
    with pytest.raises((ValueError, AttributeError)):
        change(node, v)
    assert len(node.inputs) == 1 and node.inputs[0] is v[0]
    assert [len(x.outputs) for x in v] == [1, 0]


def test_users_can_make_lists():
    x, node = gs.Variable("x"), gs.Node("A")
    made = SynchronizedList(node, field_name="outputs", initial=[x])
    assert made == [x] and x.outputs[0] is node
