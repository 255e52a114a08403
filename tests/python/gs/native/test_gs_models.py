"""Import, export and operations, beside the original, on the models of ONNX's own tests."""

from pathlib import Path

import onnx
import pytest

import onnx_graphsurgeon as gs

REPOSITORY = Path(__file__).resolve().parents[4]
MODELS = REPOSITORY / ".deps" / "onnx-testdata"

# Prints a digest of what an operation makes of each model. The producer is apart, because the
# original's copy loses it.
SCRIPT = """
import hashlib, sys, onnx
from pathlib import Path
G_LOGGER.severity = G_LOGGER.CRITICAL + 1

def digest(model):
    for field in ("producer_name", "producer_version"):
        model.ClearField(field)
    return hashlib.md5(model.SerializeToString(deterministic=True)).hexdigest()

operations = {
    "round trip": lambda graph: graph,
    "cleanup": lambda graph: graph.cleanup(),
    "toposort": lambda graph: graph.toposort(),
    "copy": lambda graph: graph.copy(),
}
for path in sorted(Path(%r).rglob("*.onnx"))[%d::12]:
    if any(word in str(path) for word in ("seq", "opt")):
        continue  # values that are no tensors: see below
    model = onnx.load(path, load_external_data=False)
    for name, operation in operations.items():
        print(path.name, name, digest(gs.export_onnx(operation(gs.import_onnx(model)))))
"""


@pytest.mark.parametrize("part", range(4))
def test_operations_give_what_the_original_gives(same, part):
    printed = same(SCRIPT % (str(MODELS), part * 3))
    assert printed.count("copy") > 100


# As exporters write results of operators that they do not know.
UNDEFINED = '''
import onnx
from onnx import helper
print_type = lambda info: print(info.name, info.type)
for shape in ([1, "n"], None):
    undefined = [helper.make_tensor_value_info(name, 0, shape) for name in ("inner", "y")]
    for info in undefined:
        info.type.tensor_type.elem_type = 0
    model = helper.make_model(helper.make_graph(
        [helper.make_node("Own", ["x"], ["inner"]), helper.make_node("Own", ["inner"], ["y"])], "g",
        [helper.make_tensor_value_info("x", 1, [1])], undefined[1:], value_info=undefined[:1]))
    for use in (lambda graph: graph, lambda graph: graph.cleanup().toposort(),
                lambda graph: graph.fold_constants(), lambda graph: graph.copy(), list_types):
        exported = gs.export_onnx(use(gs.import_onnx(model)))
        for info in [*exported.graph.output, *exported.graph.value_info]:
            print_type(info)
graph = gs.Graph(outputs=[gs.Variable("y", dtype=0, shape=[2])])
print_type(gs.export_onnx(graph).graph.output[0])
'''


def test_element_types_that_are_stated_as_undefined(same):
    same("""
def list_types(graph):
    print([(tensor.name, tensor.dtype, tensor.shape) for tensor in graph.tensors().values()])
    return graph
""" + UNDEFINED)


SEQUENCES = [
    path
    for path in sorted(MODELS.rglob("*.onnx"))
    if "sequence" in path.parent.name and "optional" not in path.parent.name
]


@pytest.mark.parametrize("path", SEQUENCES, ids=lambda path: path.parent.name)
def test_types_of_sequences_are_kept(path):
    model = onnx.load(path)
    exported = gs.export_onnx(gs.import_onnx(model).copy())
    initialized = {tensor.name for tensor in model.graph.initializer}
    inputs = [info for info in model.graph.input if info.name not in initialized]
    assert list(exported.graph.input) == inputs
    assert list(exported.graph.output) == list(model.graph.output)


def test_there_are_sequences():
    assert len(SEQUENCES) > 15


def test_a_model_is_not_changed_by_its_graph(ours):
    ours("""
import numpy as np, onnx
weight = onnx.numpy_helper.from_array(np.ones(2, np.float32), "w")
model = onnx.helper.make_model(onnx.helper.make_graph(
    [onnx.helper.make_node("Add", ["x", "w"], ["y"])], "g",
    [onnx.helper.make_tensor_value_info("x", 1, [2])],
    [onnx.helper.make_tensor_value_info("y", 1, [2])], [weight]))
before = model.SerializeToString()
graph = gs.import_onnx(model)
graph.nodes[0].domain = "other"
graph.tensors()["w"].name = "renamed"
exported = gs.export_onnx(graph)
assert [item.domain for item in exported.opset_import] == ["", "other"]
assert exported.graph.initializer[0].name == "renamed"
assert model.SerializeToString() == before
""")


def test_parts_are_exported_as_in_the_original(same):
    same("""
import numpy as np, onnx, onnx.helper as oh, ml_dtypes
from onnx_graphsurgeon.exporters.onnx_exporter import OnnxExporter
from onnx_graphsurgeon.ir.tensor import LazyValues
for values in (np.ones(2, np.float32), np.ones(2, ml_dtypes.bfloat16), np.array(5), np.ones(2, bool),
               np.ones((2, 3), np.int32).T, np.ones(3, ml_dtypes.float8_e8m0fnu)):
    print(OnnxExporter.export_tensor_proto(gs.Constant("n", values)))
lazy = LazyValues(onnx.numpy_helper.from_array(np.ones(2), "other"))
print(OnnxExporter.export_tensor_proto(gs.Constant("n", lazy)))
for variable in (gs.Variable("v"), gs.Variable("v", np.float32), gs.Variable("v", 16, []),
                 gs.Variable("v", np.float32, [1, "N", None, -1, 0]),
                 gs.Variable("v", np.float32, [1], "sequence_type"),
                 gs.Variable("v", np.float32, [1], "sparse_tensor_type"),
                 gs.Constant("c", np.ones(2))):
    show("typed", lambda: OnnxExporter.export_value_info_proto(variable, True))
    show("untyped", lambda: OnnxExporter.export_value_info_proto(variable, False))
for value in (1, 1.5, "s", b"s", True, [1, 2], [1.5, 2], [1, 2.5], ["a"], [b"a"], [], None, np.float32,
              np.float32(3), np.int32(3), np.array([1, 2]), gs.Constant("c", np.ones(1)), (1, 2), {1: 2},
              gs.Node.AttributeRef("r", float), gs.Node.AttributeRef("r", gs.Tensor), range(3),
              gs.Node.AttributeRef("r", gs.Graph), gs.Node.AttributeRef("r", np.float16), np.bool_(True),
              [np.float32(1)], oh.make_tensor_type_proto(1, [1]), ml_dtypes.bfloat16, float("nan"), 5j):
    show(str(value), lambda: OnnxExporter.export_attributes({"a": value}))
print(OnnxExporter.export_node(gs.Node("Op", "nm", {"z": 1, "a": 2.0},
                                       [gs.Variable("i"), gs.Variable.empty()], [gs.Variable("o")], "d")))
print(OnnxExporter.export_node(gs.Node("Op")), OnnxExporter.export_node(gs.Node("Op", domain="")))
""")


def test_models_are_exported_as_in_the_original(same):
    same("""
import numpy as np, onnx
a, b, q = (gs.Variable(name, np.float32, [1]) for name in "abq")
graph = gs.Graph([gs.Node("Add", "n", inputs=[a, gs.Constant("c", np.ones(1, np.float32))], outputs=[b]),
                  gs.Node("Add", "n", domain="xx", outputs=[q])], [a], [b], name="G", doc_string="text",
                 producer_name="p", producer_version="v", ir_version=9, opset=17)
for options in ({}, {"model_version": 4, "producer_name": "X", "ir_version": 3},
                {"opset_imports": [onnx.helper.make_opsetid("", 3)]}):
    print(gs.export_onnx(graph, **options))
print(graph.import_domains)
graph.outputs = [gs.Variable("untyped")]
show("untyped", lambda: gs.export_onnx(graph))
print(gs.export_onnx(graph, do_type_check=False).graph.output)
""")


def test_parts_are_imported_as_in_the_original(same):
    same("""
import numpy as np, onnx, onnx.helper as oh
from onnx_graphsurgeon.importers.onnx_importer import OnnxImporter
node = oh.make_node("Relu", ["x"], ["y"], name="r")
x, y = gs.Variable("x"), gs.Variable("y")
outer, own = {"x": x}, {"y": y}
imported = OnnxImporter.import_node(node, outer, own, 11, None)
print(imported, imported.inputs[0] is x, imported.outputs[0] is y, outer, own)
own = {}
imported = OnnxImporter.import_node(node, {}, own, 11, None)
print(own, imported.inputs[0] is own["x"], imported.outputs[0] is own["y"])
body = oh.make_graph([node], "g", [], [oh.make_tensor_value_info("y", 1, [1])])
graph = OnnxImporter.import_graph(body, tensor_map=outer, opset=5, import_domains=["q"],
                                  producer_name="p", producer_version="v", ir_version=3)
print(vars(graph), graph.nodes[0].inputs[0] is x)
tensor = onnx.numpy_helper.from_array(np.ones(1), "")
attributes = [oh.make_attribute("a", 1), oh.make_attribute("b", [1.0]), oh.make_attribute("c", "s"),
              oh.make_attribute("d", tensor), oh.make_attribute("g", body), oh.make_attribute("t", [tensor]),
              oh.make_attribute("ss", ["a", "b"]), onnx.AttributeProto(name="r", type=1, ref_attr_name="x"),
              onnx.AttributeProto(name="u", type=9, ref_attr_name="x")]
print(OnnxImporter.import_attributes(attributes, {}, {}, 11, None))
proto = oh.make_function("dom", "F", ["x"], ["y"], [oh.make_node("Relu", ["x"], ["y"])],
                         [oh.make_opsetid("", 7)], ["at"], [oh.make_attribute("de", 3)])
print(vars(OnnxImporter.import_function(proto)), OnnxImporter.import_function(proto, 5, ["q"]).opset)
del proto.opset_import[:]
print(OnnxImporter.import_function(proto, 5, ["q"]).import_domains)
print(OnnxImporter.import_function(proto).opset)
model = oh.make_model(body, functions=[proto], opset_imports=[oh.make_opsetid("", 9)])
print(gs.import_onnx(model).functions[0].opset, gs.import_onnx(model).functions)
""")


def test_types_inside_of_functions_are_not_exported(same):
    """They would be those of the tensors that it was built with, and calls may have others."""
    same("""
import numpy as np, onnx
a, b, c = (gs.Variable(name, np.float32, [2]) for name in "abc")
nodes = [gs.Node("Relu", inputs=[a], outputs=[b]), gs.Node("Neg", inputs=[b], outputs=[c])]
function = gs.Function("F", "d", nodes, [a], [c], opset=17)
graph = gs.Graph(inputs=[gs.Variable("x", np.float32, [3])], functions=[function], opset=17, ir_version=10)
graph.outputs = graph.F(inputs=graph.inputs)
print(gs.export_onnx(graph))
print(gs.exporters.onnx_exporter.OnnxExporter.export_function(function))
model = gs.export_onnx(graph)
model.functions[0].value_info.append(onnx.helper.make_tensor_value_info("b", 1, [2]))
print(gs.export_onnx(gs.import_onnx(model)))
""")


def test_models_without_versions_have_the_default(same):
    same("""
import onnx, onnx.helper as oh
o, x, y = (oh.make_tensor_value_info(name, 1, [1]) for name in "oxy")
branch = oh.make_graph([oh.make_node("Identity", ["x"], ["o"])], "s", [], [o])
nodes = [oh.make_node("If", ["c"], ["i"], then_branch=branch, else_branch=branch),
         oh.make_node("Z", ["i"], ["y"], domain="q")]
body = oh.make_graph(nodes, "g", [x, oh.make_tensor_value_info("c", 9, [])], [y])
plain = oh.make_graph([oh.make_node("Identity", ["x"], ["y"])], "g", [x], [y])
for graph in (body, plain):
    for versions in ([], [oh.make_opsetid("q", 2)], [oh.make_opsetid("ai.onnx", 12)]):
        model = oh.make_model(graph, opset_imports=versions)
        if not versions:
            del model.opset_import[:]
        imported = gs.import_onnx(model)
        print(imported.copy().opset, imported.opset, [each.opset for each in imported.subgraphs()])
        print(gs.export_onnx(imported.cleanup().toposort()).opset_import)
""")
