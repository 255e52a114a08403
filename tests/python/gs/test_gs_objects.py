"""Tensors, nodes, graphs and functions as plain objects."""

import copy

import numpy as np
import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER


def test_tensors_and_nodes_print_and_compare_as_in_the_original(same):
    same("""
import numpy as np
x = gs.Variable("x", np.float32, (1, "N", None))
c = gs.Constant("c", np.ones((2, 3), np.float32))
for tensor in (x, c, gs.Variable.empty()):
    print(tensor, repr(tensor), vars(tensor), tensor.is_empty())
node = gs.Node("Add", "sum", {"a": 1}, [x, c], [gs.Variable("o")])
for each in (node, gs.Node("Add"), gs.Node("Add", domain="d")):
    print(each, repr(each), list(vars(each)))
G_LOGGER.severity = G_LOGGER.VERBOSE
show("equal", lambda: node == node)
show("not equal", lambda: node == gs.Node("Add"))
show("by name", lambda: gs.Variable("a") == gs.Constant("a", np.ones(2)))
show("in", lambda: gs.Variable("x") in node.inputs)
show("hash of a tensor", lambda: hash(x))
show("hash of a node", lambda: hash(node))
show("abstract", lambda: gs.Tensor())
show("no producer", lambda: x.i())
show("no producer of a node", lambda: node.i())
show("no such input", lambda: node.i(5))
show("list as values", lambda: gs.Constant("c", [1, 2]))
show("number as values", lambda: gs.Constant("c", 5))
show("shape is derived", lambda: setattr(c, "shape", (2,)))
ref = gs.Node.AttributeRef("q", float)
print(ref, vars(ref), ref == gs.Node.AttributeRef("q", float), ref == 5)
show("hash of a reference", lambda: hash(ref))
show("what is no tensor", lambda: gs.Node("A", inputs=[1]))
show("what is no list", lambda: gs.Node("A", inputs=5))
""")


def test_graphs_and_functions_print_and_compare_as_in_the_original(same):
    same("""
import numpy as np
x, o = gs.Variable("x", np.float32, [1]), gs.Variable("o")
graph = gs.Graph([gs.Node("Relu", "r", {"k": 1}, [x], [o])], [x], [o])
function = gs.Function("f", inputs=[x], outputs=[o], attrs={"a": None})
for each in (graph, function, gs.Graph(functions=[function])):
    print(each, repr(each), list(vars(each)))
print({k: v for k, v in vars(gs.Graph()).items()}, {k: v for k, v in vars(function).items()})
print(function.unique_id, gs.Function.DEFAULT_DOMAIN, gs.Graph.DEFAULT_OPSET)
G_LOGGER.severity = G_LOGGER.ULTRA_VERBOSE
show("equal", lambda: graph == graph)
show("other", lambda: graph == gs.Graph())
show("function", lambda: function == gs.Function("g"))
show("producer", lambda: function.producer_name)
show("missing", lambda: graph.foo)
show("hasattr", lambda: hasattr(graph, "foo"))
inputs = graph.inputs = (x,)
print(type(graph.inputs), type(gs.Graph(outputs=graph.nodes[0].outputs).outputs))
nodes = []
print(gs.Graph(nodes).nodes is nodes)
show("inputs are a list", lambda: setattr(graph, "inputs", None))
""")


def test_layer_makes_tensors_and_names_as_in_the_original(same):
    same("""
import numpy as np
graph = gs.Graph(opset=13)
x = gs.Variable("x", np.float32, (2,))
graph.inputs = [x]
out = graph.layer(op="Add", inputs=[x, "y", 1, 2.0, True, [1, 2], [1.0, 2], (3,), [], np.ones(2)],
                  outputs=["o", "o"])
print(out, type(out), out is graph.nodes[0].outputs)
for name, tensor in graph.tensors().items():
    print(name, repr(tensor), tensor.dtype)
for bad in (None, {1: 2}, {1}, [None], ["a"], b"x", [x], 1j, np.bool_(True)):
    show(str(bad), lambda: graph.layer(op="A", inputs=[bad]))
for good in ("abc", [[1, 2], [3, 4]], [True], gs.Constant("e", np.ones(1))):
    graph.layer(op="A", inputs=[good])
    print(repr(graph.nodes[-1].inputs), graph.nodes[-1].name)
show("no list", lambda: graph.layer(op="A", inputs=5))
show("unknown", lambda: graph.layer(op="A", foo=3))
graph.layer(op="A", name="given", attrs={"q": 1}, domain="dd")
print(graph.nodes[-1], graph.name_idx)
graph.layer(inputs=(i for i in [x, 1]), outputs=(o for o in ["p"]), op="B")
print(graph.nodes[-1])
print(graph._generate_name("p", {"p_27", "p_28"}))
""")


def test_registered_functions_are_found_as_in_the_original(same):
    same("""
graph, x = gs.Graph(opset=13), gs.Variable("x")
@gs.Graph.register()
def add(self, a, b):
    return self.layer(op="Add", inputs=[a, b], outputs=["add_out"])
@gs.Graph.register(opsets=[13, 11])
def add2(self, a, b, k=3):
    return self.layer(op="Add2", inputs=[a, b], outputs=["add2_out"])
@gs.Graph.register(opsets=[5])
def add(self, a, b):
    return 5
@gs.Graph.register(opsets=[5, 6])
def add5(self, a, b):
    return 5
@gs.Graph.register()
def cleanup(self):
    pass
show("add", lambda: graph.add(x, x))
show("add2", lambda: graph.add2(x, b=x))
show("add5", lambda: graph.add5(1, 2))
show("too few", lambda: graph.add2(1))
other = gs.Graph(opset=5)
show("opset 5", lambda: other.add(1, 2))
show("opset 5, once more", lambda: other.add(1, 2))
show("not at opset 5", lambda: other.add2)
graph.functions = [gs.Function("add"), gs.Function("own", outputs=[gs.Variable("f", int, [2])])]
show("registered first", lambda: graph.add(x, x))
show("local", lambda: graph.own())
show("in a function", lambda: graph.functions[0].add2(x, x))
print(list(gs.Graph.GLOBAL_FUNC_MAP), {k: list(v) for k, v in gs.Graph.OPSET_FUNC_MAP.items()})
""")


def test_functions_are_called_as_in_the_original(same):
    same("""
import numpy as np
function = gs.Function("fun", inputs=[gs.Variable("a"), gs.Variable("b")],
                       outputs=[gs.Variable("o", np.float32, [1, 2])], attrs={"r": None, "d": 1})
graph, x = gs.Graph(functions=[function]), gs.Variable("x")
for call in (dict(inputs=[x, x]), dict(inputs=[x], outputs=["a", "b"], attrs={"q": 3}, name="hi"),
             dict(inputs=[x, x], outputs=["one"], attrs={"r": 3}), dict(), dict(attrs={}),
             dict(inputs=[x, x], outputs=[gs.Variable("given")])):
    show(str(sorted(call)), lambda: graph.fun(**call))
    print(graph.nodes[-1])
""")


def test_subgraphs_and_functions_are_shared_as_in_the_original(same):
    same("""
f, g = gs.Function("f"), gs.Function("g")
inner = gs.Graph(functions=[f], name="inner")
node = gs.Node("If", attrs={"a": inner})
graph = gs.Graph([node], functions=[g])
print([h.name for h in graph.functions], inner.functions is graph.functions,
      f.functions is graph.functions)
middle = gs.Graph([node], name="middle")
outer = gs.Node("If", attrs={"a": middle, "b": [inner], "c": inner})
for recursive in (False, True):
    print([s.name for s in outer.subgraphs(recursive)],
          [s.name for s in gs.Graph([outer, outer]).subgraphs(recursive)])
graph.functions = (g,)
print(graph.functions is inner.functions, len(graph.functions))
copied = gs.Node("A", "n", {"v": [1]}, domain="d").copy(inputs=[gs.Variable("x")])
print(copied)
""")


def test_node_ids_and_duplicate_names_as_in_the_original(same):
    same("""
import numpy as np
def V(name): return gs.Variable(name, np.float32, [1])
x, y, z = V("x"), V("y"), V("z")
nodes = [gs.Node("A", "a", inputs=[x, gs.Constant("c", np.ones(1))], outputs=[y]),
         gs.Node("B", "b", inputs=[y], outputs=[z]), gs.Node("D", "d", inputs=[y], outputs=[V("w")])]
graph = gs.Graph(nodes, [x], [z])
with graph.node_ids():
    print([node.id for node in graph.nodes], graph._get_used_node_ids())
show("id", lambda: nodes[0].id)
print(sorted(graph._local_tensors()), graph._foreign_tensors())
stranger = gs.Node("S", "s", outputs=[z])
show("stranger", lambda: graph._get_node_id(stranger))
two = gs.Graph([gs.Node("A", inputs=[V("d")], outputs=[V("d")])])
show("last", lambda: two.tensors()["d"] is two.nodes[0].outputs[0])
show("checked", lambda: two.tensors(check_duplicates=True))
show("mode", lambda: graph.toposort(mode="zz"))
show("partitioning", lambda: graph.fold_constants(partitioning="zz"))
""")


def test_conversion_keeps_the_object():
    node = gs.Node("A", inputs=[gs.Variable("x", np.float32, [1])])
    tensor = node.inputs[0]
    assert tensor.to_constant(np.zeros(2)) is tensor
    assert type(node.inputs[0]) is gs.Constant and node.inputs[0].outputs[0] is node
    assert list(vars(tensor)) == [
        "name", "inputs", "outputs", "type", "_values", "data_location", "_export_dtype"
    ]  # fmt: skip
    tensor.note = "kept"
    assert tensor.to_variable(np.int8) is tensor and type(tensor) is gs.Variable
    assert (tensor.dtype, tensor.shape, tensor.note) == (np.int8, [], "kept")


def test_each_variable_made_of_a_constant_has_a_shape_of_its_own_and_a_type():
    first, second = (gs.Constant("c", np.ones(1)).to_variable() for _ in range(2))
    first.shape.append(1)
    assert second.shape == [] and first.type == "tensor_type" and first.dtype == np.float64


def test_a_variable_stays_what_it_is_without_a_type():
    assert gs.Variable("x", np.int8, [1]).to_variable().dtype is np.int8


def test_copies_keep_everything_but_edges():
    variable = gs.Variable("x", np.int8, [1], "sequence_type")
    gs.Node("A", inputs=[variable])
    other = variable.copy()
    other.shape[0] = 5
    assert (variable.shape, other.type, len(other.outputs)) == ([1], "sequence_type", 0)
    constant = gs.Constant("c", np.zeros(1), data_location=1)
    copied = constant.copy()
    assert copied._values is constant._values and copied.data_location == 1
    copied.values = np.zeros(1, np.int8)
    assert copied.export_dtype == np.int8


def test_none_is_equal_to_nothing():
    assert gs.Variable("x") != None and gs.Node("A") != None and gs.Graph() != None  # noqa: E711


def test_arrays_in_attributes_are_compared_by_elements():
    nodes = [gs.Node("A", attrs={"v": np.array(v)}) for v in ([1, 2], [1, 2], [1, 3], [1, 2, 3])]
    assert [nodes[0] == node for node in nodes] == [True, True, False, False]


def test_fractions_in_lists_are_kept():
    graph = gs.Graph()
    graph.layer(op="A", inputs=[[[1.5], [2]], np.float32(0.5)])
    assert [t.values.tolist() for t in graph.nodes[0].inputs] == [[[1.5], [2.0]], 0.5]


def test_further_arguments_of_a_call_are_those_of_a_node():
    graph, function = gs.Graph(), gs.Function("f")
    function(graph, [], [], "name", {"a": 1})
    node = graph.nodes[0]
    assert (node.op, node.name, node.attrs, node.domain) == ("f", "name", {"a": 1}, function.domain)


def test_a_new_opset_is_also_that_of_the_imports():
    import onnx

    ids = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("other", 3)]
    graph = gs.Graph(opset=17, import_domains=ids)
    graph.opset = 11
    assert [(i.domain, i.version) for i in graph.import_domains] == [("", 11), ("other", 3)]
    assert ids[0].version == 17


def test_lookups_of_python_itself_are_no_failures(capsys):
    graph = gs.Graph()
    assert not hasattr(graph, "__array__") and not hasattr(graph, "__len__")
    assert capsys.readouterr().out == ""
    with pytest.raises(AttributeError):
        copy.copy(gs.Graph.__new__(gs.Graph)).anything


def test_conversion_on_export_can_be_asked_for_later():
    constant = gs.Constant("c", np.ones(1, np.float32))
    constant.export_dtype = np.float16
    assert constant.export_dtype is np.float16
    constant.export_dtype = None
    assert constant.export_dtype == np.float32


@pytest.fixture(autouse=True)
def quiet():
    with G_LOGGER.suppress():
        yield
