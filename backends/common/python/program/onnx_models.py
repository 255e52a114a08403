"""Reads ONNX models with the package onnx, for back ends that take them."""
from polygraphy_back_end import Failure, MAP, NAMES, not_importable, OPTIONAL, SEQUENCE, TENSOR, Tensor

STRING = 8


def import_onnx():
    try:
        import onnx.numpy_helper
        import onnx.reference
    except Exception as error:
        raise not_importable("onnx", error) from None
    return onnx


def read_model(model):
    """The ModelProto of a model, with its external data."""
    onnx = import_onnx()
    if model.data is None:
        read = onnx.load(model.path)
    else:
        read = onnx.load_model_from_string(model.data)
        if model.external_data:
            onnx.load_external_data_for_model(read, model.external_data)
    if not read.HasField("graph"):
        raise Failure("the model has no graph")
    check_order(read.graph)
    return read


def check_order(graph):
    """Nodes are computed in the order of their list."""
    made = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer} | {""}
    made.update(tensor.values.name for tensor in graph.sparse_initializer)
    for node in graph.node:
        for name in node.input:
            if name not in made:
                raise Failure("node '%s' (%s) reads '%s', which no earlier node produces" %
                              (node.name, node.op_type, name),
                              "`polygraphy surgeon sanitize --toposort` sorts nodes, unless there is a cycle.")
        made.update(node.output)


def inputs_of(graph):
    """Without those that are initializers."""
    initialized = {tensor.name for tensor in graph.initializer}
    initialized.update(tensor.values.name for tensor in graph.sparse_initializer)
    return [described(value) for value in graph.input if value.name not in initialized]


def outputs_of(graph):
    return [described(value) for value in graph.output]


def described(value):
    """The Tensor of a ValueInfoProto."""
    kind, type_ = TENSOR, value.type
    while type_.WhichOneof("value") in ("sequence_type", "optional_type"):
        form = type_.WhichOneof("value")
        if form == "sequence_type":
            kind = SEQUENCE
        elif kind == TENSOR:
            kind = OPTIONAL
        type_ = getattr(type_, form).elem_type
    if type_.WhichOneof("value") == "map_type":
        return Tensor(value.name, "", None, MAP if kind == TENSOR else kind)
    if type_.WhichOneof("value") != "tensor_type":
        return Tensor(value.name, "", None, kind)
    tensor, shape = type_.tensor_type, None
    if tensor.HasField("shape"):
        shape = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param for dim in tensor.shape.dim]
    return Tensor(value.name, "string" if tensor.elem_type == STRING else NAMES.get(tensor.elem_type, ""), shape, kind)


def check_feeds(inputs, feeds):
    """NumPy computes with whatever it gets."""
    for tensor in inputs:
        check_feed(tensor, feeds[tensor.name])


def check_feed(tensor, value):
    if tensor.kind != TENSOR or not hasattr(value, "dtype"):
        return
    if tensor.dtype not in ("", "string") and value.dtype.name != tensor.dtype:
        raise Failure("input '%s' has type %s, but received %s" % (tensor.name, tensor.dtype, value.dtype.name))
    fits = tensor.shape is None or len(tensor.shape) == value.ndim and all(
        theirs == ours for theirs, ours in zip(tensor.shape, value.shape) if isinstance(theirs, int))
    if not fits:
        raise Failure("input '%s' has shape %s, but received %s" % (tensor.name, tensor.shape, list(value.shape)))


def unwrapped(tensor, value):
    """The evaluator has optionals as lists of one value, or of none."""
    if tensor.kind == OPTIONAL and isinstance(value, list):
        return value[0] if value else None
    return value
