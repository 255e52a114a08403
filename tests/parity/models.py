"""Small models made for a case, saved into a folder of the test."""
import onnx
from onnx import TensorProto, helper


def identity(path, dtype=TensorProto.FLOAT, shape=(1, 3, 4), ir=10, opset=18, names=("x", "y")):
    x, y = names
    graph = helper.make_graph(
        [helper.make_node("Identity", [x], [y], name="copy")], "identity",
        [helper.make_tensor_value_info(x, dtype, shape)], [helper.make_tensor_value_info(y, dtype, shape)])
    return save(graph, path, ir, opset)


def many_inputs(path, inputs, ir=10, opset=18):
    """inputs: [(name, dtype, shape)]; one Identity each."""
    nodes, ins, outs = [], [], []
    for name, dtype, shape in inputs:
        nodes.append(helper.make_node("Identity", [name], [name + "_out"]))
        ins.append(helper.make_tensor_value_info(name, dtype, shape))
        outs.append(helper.make_tensor_value_info(name + "_out", dtype, shape))
    return save(helper.make_graph(nodes, "many", ins, outs), path, ir, opset)


def save(graph, path, ir=10, opset=18):
    model = helper.make_model(graph, ir_version=ir, opset_imports=[helper.make_opsetid("", opset)])
    onnx.save(model, str(path))
    return str(path)
