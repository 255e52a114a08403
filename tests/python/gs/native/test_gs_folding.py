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
