"""Two models become one: prefixes for all names, and an output that goes into an input."""

import onnx
import onnx.parser
import onnx_graphsurgeon as gs


def part(op):
    return gs.import_onnx(onnx.parser.parse_model(f"""
    <ir_version: 8, opset_import: ["" : 17]>
    net (float[2] x) => (float[2] y) <float[2] w = {{1, 2}}> {{ h = Mul (x, w) y = {op} (h) }}"""))


def with_prefix(graph, prefix):
    for tensor in graph.tensors().values():
        tensor.name = prefix + tensor.name
    for number, node in enumerate(graph.nodes):
        node.name = f"{prefix}{node.op}_{number}"
    return graph


head, tail = with_prefix(part("Relu"), "head_"), with_prefix(part("Tanh"), "tail_")
[joint] = head.outputs
for node in tail.inputs[0].outputs[:]:
    node.inputs[0] = joint
print(joint.outputs, tail.inputs[0].outputs)
head.nodes.extend(tail.nodes)
head.outputs = tail.outputs + [joint]
head.name = "both"
head.cleanup().toposort()
print(list(head.tensors(check_duplicates=True)))
model = gs.export_onnx(head)
onnx.checker.check_model(model, full_check=True)
onnx.save(model, "both.onnx")
