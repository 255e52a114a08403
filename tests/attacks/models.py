"""ONNX models as bytes, without the onnx package, which refuses to write hostile ones."""
import struct

from protobuf import field, message

FLOAT, INT64, STRING, BOOL = 1, 7, 8, 9
EXTERNAL = 1


def entry(key, value):
    return message({1: key, 2: value})


def tensor(name, dims, raw=None, dtype=FLOAT, location=None, keys=()):
    """With `location`: external; `keys` are further entries of external_data."""
    external = None
    if location is not None:
        external = [entry("location", location), *(entry(*pair) for pair in keys)]
    return message({1: list(dims), 2: dtype, 8: name, 9: raw, 13: external,
                    14: EXTERNAL if location is not None else None})


def floats(name, values, dims=None):
    return tensor(name, [len(values)] if dims is None else dims, struct.pack("<%df" % len(values), *values))


def ints(name, values):
    return tensor(name, [len(values)], struct.pack("<%dq" % len(values), *values), INT64)


def tensor_type(dims=(1,), dtype=FLOAT):
    """A dimension is a size or a name."""
    shape = b"".join(field(1, field(1 if isinstance(dim, int) else 2, dim)) for dim in dims)
    return field(1, message({1: dtype, 2: shape}))


def value(name, dims=(1,), dtype=FLOAT):
    return message({1: name, 2: tensor_type(dims, dtype)})


def attribute(name, *, i=None, s=None, t=None, g=None, ints=None, tp=None):
    kinds = {2: (3, i), 3: (4, s), 4: (5, t), 5: (6, g), 7: (8, ints), 13: (14, tp)}
    kind, (number, held) = next((kind, pair) for kind, pair in kinds.items() if pair[1] is not None)
    return message({1: name, number: held, 20: kind})


def node(op, inputs, outputs, name=None, attributes=(), domain=None, metadata=None, doc=None):
    return message({1: list(inputs), 2: list(outputs), 3: name, 4: op, 5: list(attributes), 6: doc,
                    7: domain, 9: metadata})


def graph(nodes, inputs=(), outputs=(), initializers=(), name="g", values=(), sparse=()):
    return message({1: list(nodes), 2: name, 5: list(initializers), 11: list(inputs), 12: list(outputs),
                    13: list(values), 15: list(sparse)})


def function(name, nodes, inputs=("x",), outputs=("y",), domain="local"):
    return message({1: name, 4: list(inputs), 5: list(outputs), 7: list(nodes),
                    9: [opset(17), opset(1, domain)], 10: domain})


def opset(version, domain=None):
    return message({1: domain, 2: version})


def model(graph_bytes, functions=(), producer=None, metadata=None):
    imports = [opset(17)] + ([opset(1, "local")] if functions else [])
    return message({1: 8, 2: producer, 8: imports, 7: graph_bytes, 14: metadata, 25: list(functions)})


def network(nodes, *, x=(1,), y=(1,), **others):
    """A model with an input x and an output y."""
    functions = others.pop("functions", ())
    return model(graph(nodes, [value("x", x)], [value("y", y)], **others), functions)


def with_weight(weight, name="w"):
    """y = x + weight."""
    return network([node("Add", ["x", name], ["y"], "add")], initializers=[weight])


def harmless():
    return with_weight(floats("w", [1.0]))
