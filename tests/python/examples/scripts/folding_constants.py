"""Folds sums of constants, and known shapes."""

import onnx
import onnx.parser
import onnx_graphsurgeon as gs

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 8] x, float[N] any) => (float[2, 8] y, int64[1] first, float[8] soft, int64[1] n)
<float[8] a = {1, 2, 3, 4, 5, 6, 7, 8},
 float[8] b = {8, 7, 6, 5, 4, 3, 2, 1}, int64[1] zero = {0}> {
  c = Add (a, b)
  d = Mul (c, b)
  y = Add (x, d)
  s = Shape (x)
  first = Gather (s, zero)
  m = Neg (a)
  soft = Softsign (m)
  n = Shape (any)
}""")

CASES = {
    "all": {},
    "no shapes": {"fold_shapes": False},
    "part by part": {"partitioning": "basic"},
    "small ones": {"size_threshold": 24},
    "but products": {"should_exclude_node": lambda node: node.op == "Mul"},
}
for name, options in CASES.items():
    graph = gs.import_onnx(MODEL)
    print(graph.fold_constants(**options) is graph, len(graph.nodes))
    graph.cleanup()
    kinds = {name: type(tensor).__name__ for name, tensor in graph.tensors().items()}
    print(name, [node.op for node in graph.nodes], kinds)
    onnx.save(gs.export_onnx(graph), f"{name}.onnx")

graph = gs.import_onnx(MODEL)
for _ in range(2):  # the second pass uses the constants of the first
    graph.fold_constants().cleanup().toposort()
print(
    {
        name: tensor.values.tolist()
        for name, tensor in graph.tensors().items()
        if isinstance(tensor, gs.Constant)
    }
)
