"""Graphs after folding, beside the original."""

FOLDING = """
import numpy as np
import onnx
import onnx.parser
from onnx import shape_inference

G_LOGGER.severity = G_LOGGER.ERROR

def parsed(text):
    return onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 16]>' + text)

def contents(graph):
    for node in graph.nodes:
        print(node.op, [each.name for each in node.inputs], [each.name for each in node.outputs])
    for name, tensor in sorted(graph.tensors().items()):
        if isinstance(tensor, gs.Constant):
            print(name, tensor.values.dtype, tensor.values.tolist())

def fold(model, **how):
    contents(gs.import_onnx(model).fold_constants(**how).cleanup())
"""

SHAPES = """
for before in (lambda model: model, shape_inference.infer_shapes):
    for picked in ("Gather (s, zero)", "Gather (s, both)", "Slice (s, zero, two, zero)"):
        print(picked)
        fold(before(parsed(f'''
            g (float[2, N, 3] x) => (float[N] y)
              <int64[1] zero = {{0}}, int64[1] two = {{2}}, int64[2] both = {{0, -1}}> {{
              s = Shape (x)
              p = {picked}
              y = Expand (x, p)
            }}''')))
"""


def test_shapes_that_are_declared_are_folded_as_others(same):
    printed = same(FOLDING + SHAPES)
    assert printed.count("p int64 [2, 3]") == 2


DEFAULTS = """
import onnxruntime
from polygraphy.backend.onnx import FoldConstants
from polygraphy.logger import G_LOGGER as LOGGER
LOGGER.module_severity = LOGGER.ERROR
onnxruntime.set_default_logger_severity(3)  # it warns of such inputs

MODEL = parsed('''
    g (float[2] x, float[2] a = {1, 2}, bool p = {1}) => (float[2] y) {
      c = Identity (a)
      d = Mul (c, x)
      y = If (p) <then_branch = t () => (float[2] u) { u = Exp (d) },
                  else_branch = e () => (float[2] v) { v = Neg (d) }>
    }''')
"""
FOLDED = """
fold(MODEL)
graph = gs.import_onnx(MODEL)
graph.inputs += [tensor for name, tensor in graph.tensors().items() if name in ("a", "p")]
print([(node.op, node.inputs) for node in graph.fold_constants().cleanup().nodes])
print([node.op_type for node in FoldConstants(MODEL)().graph.node])
"""
KEPT = """
graph = gs.import_onnx(MODEL)
graph.inputs += [tensor for name, tensor in graph.tensors().items() if name in ("a", "p")]
G_LOGGER.severity = LOGGER.module_severity = G_LOGGER.INFO
print([node.op for node in graph.copy().fold_constants(keep_input_defaults=True).cleanup().nodes])
print([n.op_type for n in FoldConstants(MODEL, keep_input_defaults=True)().graph.node])
graph.fold_constants()
FoldConstants(MODEL)()
"""


def test_default_values_of_inputs_are_constants(same):
    printed = same(FOLDING + DEFAULTS + FOLDED)
    assert "If" not in printed and "Identity" not in printed


def test_default_values_of_inputs_are_kept_on_request(ours):
    printed = ours(FOLDING + DEFAULTS + KEPT)
    assert printed.count("['Identity', 'Mul', 'If']") == 2
    assert printed.count("Took the initializers of 2 inputs for constants") == 2


BRANCHES = """
MODEL = parsed('''
    g (float[2] x) => (float[2] y) <bool p = {1}> {
      y = If (p) <then_branch = t () => (float[2] u) { a = Constant <value_floats = [1.0, 2.0]> ()
                                                      b = Add (a, a)
                                                      u = Mul (b, x) },
                  else_branch = e () => (float[2] v) { v = Neg (x) }>
    }''')
for flatten in (True, False):
    graph = gs.import_onnx(MODEL)
    graph.fold_constants(recurse_subgraphs=False, flatten_subgraphs=flatten).cleanup()
    print([node.op for node in graph.nodes])
"""


def test_nodes_that_come_out_of_a_branch_are_left_alone(same):
    same(FOLDING + BRANCHES)


STEPS = """
for steps in (", steps = [2]", ""):
    fold(onnx.parser.parse_model(f'''
        <ir_version: 8, opset_import: ["" : 9]>
        g (float[2,3,4,5] x) => (int64[N] y) {{
          s = Shape (x)
          t = Slice <starts = [1], ends = [4], axes = [0]{steps}> (s)
          y = Identity (t)
        }}'''))
"""


def test_attributes_of_slices_are_obeyed(same):
    same(FOLDING + STEPS)


CALLED = """
def make(read):
    a, b = gs.Variable("a", np.float32, [2]), gs.Variable("b", np.float32, [2])
    values = [gs.Constant(name, np.ones(2, np.float32)) for name in "cd"]
    body = gs.Node("Add", "add", inputs=values, outputs=[b])
    function = gs.Function("Inner", "m", nodes=[body], inputs=[a], outputs=[b], opset=16)
    x, y, z = (gs.Variable(name, np.float32, [2]) for name in "xyz")
    given = gs.Constant("k", np.ones(2, np.float32)) if read == "constant" else x
    call = gs.Node("Inner", "call", inputs=[given], outputs=[y], domain="m")
    add = gs.Node("Add", "sum", inputs=[x, y], outputs=[z])
    return gs.Graph([call, add], [x], [z], functions=[function], opset=16)

for error_ok in (True, False):
    graph = make("constant").fold_constants(error_ok=error_ok).cleanup()
    print([node.op for node in graph.nodes], graph.tensors()["y"].values.tolist())
    onnx.checker.check_model(gs.export_onnx(graph))
    graph = make("input").fold_constants(error_ok=error_ok).cleanup()
    print([node.op for node in graph.nodes], [node.op for node in graph.functions[0].nodes])
"""


def test_a_function_whose_body_is_a_constant_is_called(ours):
    assert ours(FOLDING + CALLED) == "['Add'] [2.0, 2.0]\n['Inner', 'Add'] ['Constant']\n" * 2


OUTPUTS = """
for op in ("Add", "MaxPool", "Sum", "Own"):
    x, y, z = (gs.Variable(name, np.float32, [2]) for name in "xyz")
    graph = gs.Graph([gs.Node(op, inputs=[x, x], outputs=[y, z])], [x], [y])
    graph.cleanup(remove_unused_node_outputs=True)
    print(op, [each.name for each in graph.nodes[0].outputs])
"""


def test_outputs_that_the_operator_does_not_have_are_removed(same):
    assert same(FOLDING + OUTPUTS).count("['y']\n") == 4


UNUSED = """
x, y = (gs.Variable(name, np.float32, (1,)) for name in "xy")
unused = gs.Constant("unused", np.ones(1, np.float32))
graph = gs.Graph([gs.Node("Relu", inputs=[x], outputs=[y])], [x, unused], [y])
inputs = list(graph.inputs)
graph.cleanup()
if KEEP:
    graph.inputs[:] = inputs
model = gs.export_onnx(graph)
print([each.name for each in model.graph.input], [each.name for each in model.graph.initializer])
"""


def test_unused_constants_among_the_inputs_can_be_kept(ours, same):
    assert ours(FOLDING + "KEEP = False" + UNUSED) == "['x'] []\n"
    assert same(FOLDING + "KEEP = True" + UNUSED) == "['x', 'unused'] ['unused']\n"
