"""What folding leaves of a graph, beside the original."""

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
