"""Calls leave their arguments as they are, or change them as the original does."""

MAKING = """
import numpy as np
import onnx
import onnx.parser
from onnx_graphsurgeon.exporters.onnx_exporter import OnnxExporter
from onnx_graphsurgeon.importers.onnx_importer import OnnxImporter

G_LOGGER.severity = G_LOGGER.CRITICAL

def make():
    x, y = gs.Variable("x", np.float32, ["N", 2]), gs.Variable("y", np.float32, ["N", 2])
    c = gs.Constant("c", np.ones(2, np.float32))
    inner = gs.Variable("inner", np.float32)
    then = gs.Graph([gs.Node("Own", "o", inputs=[x], outputs=[inner], domain="own")], [], [inner])
    other = gs.Variable("other", np.float32)
    orelse = gs.Graph([gs.Node("Neg", "n", inputs=[x], outputs=[other])], [], [other])
    a, b = gs.Variable("a", np.float32), gs.Variable("b", np.float32)
    function = gs.Function("Twice", "mine", nodes=[gs.Node("Add", "f", inputs=[a, a], outputs=[b])],
                           inputs=[a], outputs=[b], attrs={"k": None, "m": np.ones(2)})
    p, s, z = gs.Variable("p", bool, []), gs.Variable("s"), gs.Variable("z", np.float32)
    nodes = [
        gs.Node("Add", "add", {"list": [1, 2], "w": c.copy()}, [x, c], [s]),
        gs.Node("If", "if", {"then_branch": then, "else_branch": orelse}, [p], [y]),
        gs.Node("Twice", "call", inputs=[s], outputs=[z], domain="mine"),
    ]
    return gs.Graph(nodes, [x, p], [y, z], functions=[function])

def domains(graph):
    known = graph.import_domains
    return None if known is None else sorted((each.domain, each.version) for each in known)

def value(item):
    if isinstance(item, gs.Graph):
        return everything(item)
    if isinstance(item, gs.Tensor):
        return tensor(item)
    return item.tolist() if isinstance(item, np.ndarray) else item

def tensor(each):
    values = each.values.tolist() if isinstance(each, gs.Constant) else None
    return type(each).__name__, each.name, str(each.dtype), str(each.shape), values

def everything(graph):
    return repr((
        [[tensor(each) for each in tensors] for tensors in (graph.inputs, graph.outputs)],
        [(node.op, node.name, node.domain, {k: value(v) for k, v in node.attrs.items()},
          [tensor(each) for each in node.inputs], [tensor(each) for each in node.outputs])
         for node in graph.nodes],
        domains(graph), graph.opset, graph.ir_version, graph.name, graph.doc_string,
        [(each.name, everything(each), {k: value(v) for k, v in each.attrs.items()})
         for each in graph.functions if each is not graph],
    ))

def look(label, call):
    graph = make()
    copied, before = graph.copy(), everything(graph)
    arguments = [graph.name_idx, [id(node) for node in graph.nodes]]
    call(graph)
    after = [graph.name_idx, [id(node) for node in graph.nodes]]
    print(label, graph == copied, everything(graph) == before, arguments == after,
          domains(graph), [domains(each) for each in graph.functions])
"""

CALLS = """
node = lambda graph: graph.nodes[0]
constant = lambda graph: graph.nodes[0].inputs[1]
calls = {
    "export_graph": lambda g: OnnxExporter.export_graph(g),
    "export_onnx": gs.export_onnx,
    "export_onnx without checks": lambda g: gs.export_onnx(g, do_type_check=False),
    "export_onnx of versions": lambda g: gs.export_onnx(
        g, opset_imports=[onnx.helper.make_opsetid("", 11)]),
    "export_node": lambda g: OnnxExporter.export_node(g.nodes[1]),
    "export_attributes": lambda g: OnnxExporter.export_attributes(node(g).attrs),
    "export_function": lambda g: OnnxExporter.export_function(g.functions[0]),
    "export_value_info_proto": lambda g: OnnxExporter.export_value_info_proto(g.inputs[0], True),
    "export_tensor_proto": lambda g: OnnxExporter.export_tensor_proto(constant(g)),
    "repr": repr,
    "repr of a node": lambda g: repr(node(g)),
    "repr of a function": lambda g: repr(g.functions[0]),
    "tensors": lambda g: g.tensors(),
    "tensors, with a check": lambda g: g.tensors(check_duplicates=True),
    "subgraphs": lambda g: list(g.subgraphs(recursive=True)),
    "copy": lambda g: g.copy(),
    "copy of a node": lambda g: node(g).copy(),
    "copy of a function": lambda g: g.functions[0].copy(),
    "copy of tensors": lambda g: [tensor.copy() for tensor in g.tensors().values()],
    "copy with a map": lambda g: g.copy(tensor_map=g.tensors()),
    "==": lambda g: g == make(),
    "neighbours": lambda g: (g.nodes[2].i(), node(g).o()),
    "toposort": lambda g: g.toposort(mode="nodes"),
    "cleanup": lambda g: g.cleanup(),
}
for label, call in calls.items():
    look(label, call)
"""

CALLS_WITH_OTHER_ARGUMENTS = """
graph = make()
nodes, inputs, outputs, functions = [*graph.nodes], [*graph.inputs], [*graph.outputs], [*graph.functions]
imports = [onnx.helper.make_opsetid("", 11)]
made = gs.Graph(nodes, inputs, outputs, functions=functions, import_domains=imports)
made.inputs.append(gs.Variable("more", np.float32))
made.functions.append(gs.Function("another", "mine"))
made.opset = 12
print([len(each) for each in (nodes, inputs, outputs, functions)], imports[0].version)

model = gs.export_onnx(make())
data = model.SerializeToString(deterministic=True)
again = gs.import_onnx(model)
again.nodes[0].attrs["list"].append(3)
again.cleanup().toposort(mode="nodes")
print(model.SerializeToString(deterministic=True) == data)
graph_proto = model.graph.SerializeToString(deterministic=True)
OnnxImporter.import_graph(model.graph).cleanup()
print(model.graph.SerializeToString(deterministic=True) == graph_proto)

graph = make()
mapped = dict(graph.tensors())
graph.copy(tensor_map=mapped)
print(list(mapped) == list(graph.tensors()))

inputs, outputs, attrs = [graph.inputs[0], np.ones(2, np.float32)], ["made"], {"k": [1]}
graph.layer(op="Add", inputs=inputs, outputs=outputs, attrs=attrs)
print(len(inputs), type(inputs[1]).__name__, outputs, attrs, graph.nodes[-1].attrs is attrs)
attrs, ins, outs = {"k": 1}, [graph.inputs[0]], [gs.Variable("out")]
node = gs.Node("Op", attrs=attrs, inputs=ins, outputs=outs)
node.attrs["l"] = 2
node.inputs.append(gs.Variable("new"))
print(attrs, len(ins), len(outs))
"""


def test_calls_leave_their_graph_as_it_is(same):
    same(MAKING + CALLS)


def test_calls_leave_their_other_arguments_as_they_are(same):
    same(MAKING + CALLS_WITH_OTHER_ARGUMENTS)


COPIES = """
function = gs.Function("F", attrs={"array": np.ones(2), "list": [1], "none": None})
graph = gs.Graph([gs.Node("F", attrs={"array": np.ones(2), "list": [1]})])
for original, attrs in (
    (function, function.copy().attrs),
    (graph.nodes[0], graph.copy().nodes[0].attrs),
    (graph.nodes[0], graph.nodes[0].copy().attrs),
):
    attrs["array"][0] = 5
    attrs["list"].append(2)
    attrs["more"] = 3
    print(original.attrs)
"""


def test_copies_share_values_of_attributes_where_those_of_the_original_do(same):
    same(MAKING + COPIES)


def test_an_exported_graph_equals_what_is_imported_again(same):
    same(
        MAKING
        + """
graph = make()
print(OnnxImporter.import_graph(OnnxExporter.export_graph(graph)) == graph, domains(graph))
print(gs.import_onnx(gs.export_onnx(graph)).import_domains == graph.import_domains)
"""
    )
