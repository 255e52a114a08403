"""Whole scripts, as users write them, beside the original."""

BUILD = """
import numpy as np
import onnx

@gs.Graph.register()
def replace_with_clip(self, inputs, outputs):
    for tensor in inputs:
        tensor.outputs.clear()
    for tensor in outputs:
        tensor.inputs.clear()
    return self.layer(op="Clip", inputs=inputs, outputs=outputs)

@gs.Graph.register()
def smaller(self, a, b):
    return self.layer(op="Min", inputs=[a, b], outputs=["min_out"])[0]

@gs.Graph.register()
def larger(self, a, b):
    return self.layer(op="Max", inputs=[a, b], outputs=["max_out"])[0]

graph = gs.Graph(opset=13, ir_version=8)
graph.inputs = [gs.Variable("input", np.float32, (4, 4))]
low = gs.Constant("low", np.array(-1, np.float32))
out = graph.larger(graph.smaller(graph.inputs[0], np.array(1, np.float32)), low)
out.name, out.dtype = "out", np.float32
end = graph.layer(op="Identity", inputs=[out], outputs=["end"])[0]
end.dtype, end.shape = np.float32, (4, 4)
graph.outputs = [end]
model = gs.export_onnx(graph)
onnx.checker.check_model(model)
"""


def test_nodes_are_replaced(same):
    same(BUILD + """
graph = gs.import_onnx(model)
tensors = graph.tensors()
print(list(tensors))
inputs = [tensors[name] for name in ("input", "low", "onnx_graphsurgeon_constant_0")]
graph.replace_with_clip(inputs, [tensors["out"]])
graph.cleanup(remove_unused_graph_inputs=True).toposort()
print(graph)
onnx.checker.check_model(gs.export_onnx(graph))
print(gs.export_onnx(graph))
""")


def test_a_part_is_cut_out(same):
    same(BUILD + """
graph = gs.import_onnx(model)
tensors = graph.tensors()
graph.inputs = [tensors["out"].to_variable(np.float32, (4, 4))]
graph.outputs = [graph.outputs[0].to_variable(np.float32, (4, 4))]
print(gs.export_onnx(graph.cleanup()))
""")


def test_a_node_is_removed_and_the_batch_becomes_dynamic(same):
    same(BUILD + """
graph = gs.import_onnx(model)
identity = [node for node in graph.nodes if node.op == "Identity"][0]
before = identity.i()
before.outputs = identity.outputs
identity.outputs.clear()
graph.inputs[0].shape[0] = "N"
graph.tensors()["low"].values[...] = -2
print(gs.export_onnx(graph.cleanup()))
""")


def test_local_functions_are_called(same):
    same("""
import numpy as np
import onnx
function = gs.Function("scaled", domain="my", opset=17, attrs={"alpha": None, "beta": 2.0})
function.inputs = [gs.Variable("a")]
function.outputs = function.layer(op="LeakyRelu", inputs=function.inputs, outputs=["b"],
                                  attrs={"alpha": gs.Node.AttributeRef("alpha", float)})
graph = gs.Graph(opset=17, functions=[function], ir_version=9)
graph.inputs = [gs.Variable("x", np.float32, [2])]
graph.outputs = graph.scaled(inputs=graph.inputs, attrs={"alpha": 0.5})
graph.outputs[0].dtype, graph.outputs[0].shape = np.float32, [2]
model = gs.export_onnx(graph)
onnx.checker.check_model(model)
again = gs.import_onnx(model)
print(model, again == graph, again.functions, again.functions[0].attrs)
""")


def test_branches_have_graphs(same):
    same("""
import numpy as np
import onnx
x, condition = gs.Variable("x", np.float32, [2]), gs.Variable("c", bool, [])
bodies = []
for name, op in (("then", "Neg"), ("else", "Abs")):
    body = gs.Graph(name=name, opset=13)
    body.outputs = body.layer(op=op, inputs=[x], outputs=[name])
    body.outputs[0].dtype, body.outputs[0].shape = np.float32, [2]
    bodies.append(body)
graph = gs.Graph(inputs=[x, condition], opset=13, ir_version=8)
graph.outputs = graph.layer(op="If", inputs=[condition], outputs=["y"],
                            attrs={"then_branch": bodies[0], "else_branch": bodies[1]})
graph.outputs[0].dtype, graph.outputs[0].shape = np.float32, [2]
model = gs.export_onnx(graph)
onnx.checker.check_model(model)
again = gs.import_onnx(model)
body = again.nodes[0].attrs["then_branch"]
print(body.nodes[0].inputs[0] is again.inputs[0], len(again.inputs[0].outputs), again == graph)
copied = again.copy()
print(copied.nodes[0].attrs["then_branch"].nodes[0].inputs[0] is copied.inputs[0])
again.cleanup(remove_unused_graph_inputs=True)
print(model, gs.export_onnx(again) == model)
""")
