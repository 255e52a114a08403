"""Layers that scripts add to networks of the double, and the ONNX model that a network computes."""

import numpy as np
import tensorrt as trt
from tensorrt import record

_ACTIVATIONS = {"RELU": "Relu", "SIGMOID": "Sigmoid", "TANH": "Tanh", "LEAKY_RELU": "LeakyRelu"}
_ELEMENTWISE = {
    "SUM": "Add",
    "PROD": "Mul",
    "MAX": "Max",
    "MIN": "Min",
    "SUB": "Sub",
    "DIV": "Div",
    "POW": "Pow",
}
_UNARY = {
    "EXP": "Exp",
    "LOG": "Log",
    "SQRT": "Sqrt",
    "RECIP": "Reciprocal",
    "ABS": "Abs",
    "NEG": "Neg",
}
_SHUFFLE = ("first_transpose", "reshape_dims", "second_transpose")
_ONNX = {"HALF": "FLOAT16", "BF16": "BFLOAT16", "FP8": "FLOAT8E4M3FN", "FP4": "FLOAT4E2M1"}
_OPSET = 17


class Result(trt.ITensor):
    """The output of a layer that was added: its type and shape follow from the network."""

    def __init__(self, network, name):
        vars(self).update(network=network, set_dtype=None)
        super().__init__(name)
        vars(self)["set_dtype"] = None

    @property
    def shape(self):
        return self._inferred()[1]

    @shape.setter
    def shape(self, value):
        pass

    @property
    def dtype(self):
        return self.set_dtype or self._inferred()[0]

    @dtype.setter
    def dtype(self, value):
        vars(self)["set_dtype"] = value

    def _inferred(self):
        [info] = onnx_model(self.network, [self]).graph.output
        return type_of(info)


class Adding:
    """Functions of a network that add a layer, and return it as an object of its type's class."""

    def _add(self, kind, arguments, inputs, nodes, **more):
        interface = getattr(trt, f"I{kind}Layer")
        type_name = {"ElementWise": "ELEMENTWISE", "SoftMax": "SOFTMAX"}.get(kind)
        type_name = type_name or "".join("_" * c.isupper() + c for c in kind)[1:].upper()
        record(f"network.add_{type_name.lower()}({', '.join(map(str, arguments))})")
        name = f"(Unnamed Layer* {len(self.layers)}) [{kind}]"
        output = Result(self, f"{name}_output")
        layer = trt.ILayer(name, trt.LayerType[type_name], inputs, [output], **more)
        layer._state.nodes = nodes
        self.layers.append(layer)
        return layer.seen_as(interface)

    def add_identity(self, input):
        return self._add("Identity", [input.name], [input], lambda layer: _node(layer, "Identity"))

    def add_activation(self, input, type):
        more = {"type": type, "alpha": 0.0, "beta": 0.0}
        return self._add("Activation", [input.name, type], [input], _activated, **more)

    def add_elementwise(self, input1, input2, op):
        def nodes(layer):
            return _node(layer, _ELEMENTWISE[layer.more["op"].name])

        arguments = [input1.name, input2.name, op]
        return self._add("ElementWise", arguments, [input1, input2], nodes, op=op)

    def add_unary(self, input, op):
        def nodes(layer):
            return _node(layer, _UNARY[layer.more["op"].name])

        return self._add("Unary", [input.name, op], [input], nodes, op=op)

    def add_constant(self, shape, weights):
        array = weights.numpy() if isinstance(weights, trt.Weights) else np.asarray(weights)
        more = {"shape": trt.Dims(shape), "weights": array.ravel()}
        return self._add("Constant", [tuple(shape)], [], _constant, **more)

    def add_shuffle(self, input):
        more = {**dict.fromkeys(_SHUFFLE, ()), "zero_is_placeholder": True}
        return self._add("Shuffle", [input.name], [input], _shuffled, **more)

    def add_matrix_multiply(self, input0, op0, input1, op1):
        arguments = [input0.name, op0, input1.name, op1]
        more = {"op0": op0, "op1": op1}
        return self._add("MatrixMultiply", arguments, [input0, input1], _multiplied, **more)

    def add_softmax(self, input):
        def nodes(layer):
            return _node(layer, "Softmax", axis=layer.more["axes"].bit_length() - 1)

        return self._add("SoftMax", [input.name], [input], nodes, axes=1)

    def add_concatenation(self, inputs):
        def nodes(layer):
            return _node(layer, "Concat", axis=layer.more["axis"])

        axis = max(0, len(inputs[0].shape) - 3)
        names = [tensor.name for tensor in inputs]
        return self._add("Concatenation", [names], inputs, nodes, axis=axis)


# Nodes that compute as a layer does. `layer` is the state of one.


def _node(layer, op, **attributes):
    import onnx

    inputs = [tensor.name for tensor in layer.inputs]
    outputs = [tensor.name for tensor in layer.outputs]
    return [onnx.helper.make_node(op, inputs, outputs, layer.name, **attributes)]


def _activated(layer):
    op = _ACTIVATIONS[layer.more["type"].name]
    return _node(layer, op, **({"alpha": layer.more["alpha"]} if op == "LeakyRelu" else {}))


def _constant(layer):
    import onnx

    value = layer.more["weights"].reshape(layer.more["shape"])
    return _node(layer, "Constant", value=onnx.numpy_helper.from_array(value))


def _multiplied(layer):
    import onnx

    names, made, [result] = [], [], layer.outputs
    for tensor, op in zip(layer.inputs, (layer.more["op0"], layer.more["op1"])):
        names.append(tensor.name)
        if op == trt.MatrixOperation.TRANSPOSE:
            order = list(range(len(tensor.shape)))
            order[-2:] = reversed(order[-2:])
            names[-1] = f"{result.name} of {tensor.name}"
            turned = onnx.helper.make_node("Transpose", [tensor.name], names[-1:], perm=order)
            made.append(turned)
    return [*made, onnx.helper.make_node("MatMul", names, [result.name])]


def _shuffled(layer):
    """Of the three steps, those that are set."""
    import onnx

    source, result, made = layer.inputs[0].name, layer.outputs[0].name, []
    for step in (each for each in _SHUFFLE if layer.more[each]):
        target, values = f"{result} after {step}", list(layer.more[step])
        if step == "reshape_dims":
            shape = onnx.numpy_helper.from_array(np.array(values, np.int64))
            made.append(onnx.helper.make_node("Constant", [], [f"{target}: shape"], value=shape))
            made.append(onnx.helper.make_node("Reshape", [source, f"{target}: shape"], [target]))
        else:
            made.append(onnx.helper.make_node("Transpose", [source], [target], perm=values))
        source = target
    return [*made, onnx.helper.make_node("Identity", [source], [result])]


def layer_of(op):
    """The LayerType's name for an operator of ONNX, and the values of its layer's attributes."""
    kinds = [
        ("ACTIVATION", "type", trt.ActivationType, _ACTIVATIONS),
        ("ELEMENTWISE", "op", trt.ElementWiseOperation, _ELEMENTWISE),
        ("UNARY", "op", trt.UnaryOperation, _UNARY),
    ]
    for kind, attribute, enumeration, operators in kinds:
        for name in (name for name, theirs in operators.items() if theirs == op):
            more = {"alpha": 0.0, "beta": 0.0} if kind == "ACTIVATION" else {}
            return kind, {attribute: enumeration[name], **more}
    # TensorRT knows others than these, but tests do not.
    return (op.upper() if op.upper() in trt.LayerType.__members__ else "IDENTITY"), {}


def of_parsed(node):
    """The node that was parsed, with its layer's present tensors."""

    def nodes(layer):
        copy = type(node)()
        copy.CopyFrom(node)
        for field, tensors in (("input", layer.inputs), ("output", layer.outputs)):
            copy.ClearField(field)
            getattr(copy, field).extend(tensor.name for tensor in tensors)
        return [copy]

    return nodes


def type_of(info):
    """(type, shape) of a tensor of an ONNX model."""
    import onnx

    names = {theirs: ours for ours, theirs in _ONNX.items()}
    kind = onnx.TensorProto.DataType.Name(info.type.tensor_type.elem_type)
    if kind == "INT64" and not hasattr(trt, "int64"):
        kind = "INT32"
    dims = info.type.tensor_type.shape.dim
    shape = tuple(dim.dim_value if dim.HasField("dim_value") else -1 for dim in dims)
    return trt.DataType[names.get(kind, kind)], shape


def onnx_model(network, outputs=None):
    """A model that computes as the network does. None: a test made its layers by hand."""
    import onnx

    layers = [layer._state for layer in network.layers]
    if not layers or any(layer.nodes is None for layer in layers):
        return None
    model = onnx.ModelProto()
    parsed = getattr(network, "model", None)
    if parsed:
        model.CopyFrom(parsed)
    else:
        model.ir_version = 8
        model.opset_import.append(onnx.helper.make_opsetid("", _OPSET))
        model.graph.name = "network"
    # Copies: clearing the fields ends what they refer to.
    known = {}
    for info in [*model.graph.input, *model.graph.output]:
        known[info.name] = onnx.ValueInfoProto()
        known[info.name].CopyFrom(info)
    for field in ("node", "input", "output", "value_info"):
        model.graph.ClearField(field)
    for tensor in network.inputs:
        kind = onnx.TensorProto.DataType.Value(_ONNX.get(tensor.dtype.name, tensor.dtype.name))
        shape = [None if size < 0 else size for size in tensor.shape]
        made = onnx.helper.make_tensor_value_info(tensor.name, kind, shape)
        model.graph.input.append(known.get(tensor.name, made))
    for layer in layers:
        model.graph.node.extend(layer.nodes(layer))
    for tensor in outputs or network.outputs:
        bare = onnx.ValueInfoProto(name=tensor.name)
        model.graph.output.append(known.get(tensor.name, bare))
    return onnx.shape_inference.infer_shapes(model)
