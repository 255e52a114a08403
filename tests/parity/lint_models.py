"""Models with something wrong, for `check lint`. Each function returns a ModelProto, or the bytes of a file."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

F = TensorProto.FLOAT


def value(name, shape=(2, 3), dtype=F):
    return helper.make_tensor_value_info(name, dtype, shape)


def node(op, inputs, outputs, name=None, **attributes):
    return helper.make_node(op, inputs, outputs, name=name or op.lower(), **attributes)


def model(nodes, inputs=None, outputs=None, initializers=(), ir=10, opsets=(("", 18),)):
    graph = helper.make_graph(nodes, "g", inputs or [value("x")], outputs or [value("y")], list(initializers))
    return helper.make_model(graph, ir_version=ir, opset_imports=[helper.make_opsetid(*o) for o in opsets])


def weights(name, shape):
    return numpy_helper.from_array(np.ones(shape, np.float32), name)


def good():
    return model([node("Relu", ["x"], ["t"]), node("Neg", ["t"], ["y"])])


def two_rows(rows=2):
    """Runs for x of shape (2, 3) only, whatever it declares."""
    return model([node("Relu", ["x"], ["t"]), node("MatMul", ["w", "t"], ["y"])], [value("x", (rows, 3))],
                 [value("y", (5, 3))], [weights("w", (5, 2))])


def two_rows_or_more():
    return two_rows("rows")


def unnamed():
    return model([helper.make_node("Relu", ["x"], ["t"]), helper.make_node("Neg", ["t"], ["y"])])


def unparseable():
    return b"this is no model at all, whatever its name says"


def empty_file():
    return b""


def no_nodes():
    return model([], [value("x")], [value("x")])


def duplicate_names():
    return model([node("Relu", ["x"], ["t"], "n"), node("Neg", ["t"], ["y"], "n")])


def unused_node():
    return model([node("Relu", ["x"], ["y"]), node("Neg", ["x"], ["dead"], "b"), node("Abs", ["dead"], ["deader"], "a")])


def unused_input():
    return model([node("Relu", ["x"], ["y"])], [value("x"), value("z"), value("a")])


def unused_initializer():
    return model([node("Relu", ["x"], ["y"])], initializers=[weights("w", (3, 3))])


def custom_op():
    return model([node("Foo", ["x"], ["t"], domain="mine"), node("Relu", ["t"], ["y"])], opsets=(("", 18), ("mine", 1)))


def custom_op_without_import():
    return model([node("Foo", ["x"], ["t"], domain="mine"), node("Relu", ["t"], ["y"]), node("Neg", ["x"], ["z"])],
                 outputs=[value("y"), value("z")])


def unknown_op():
    return model([node("Neg", ["x"], ["t"]), node("Flarp", ["t"], ["y"])])


def bad_matmul():
    return model([node("MatMul", ["x", "w"], ["t"]), node("Relu", ["t"], ["y"]), node("Neg", ["x"], ["z"])],
                 outputs=[value("y", None), value("z")], initializers=[weights("w", (4, 5))])


def two_bad_nodes():
    return model([node("MatMul", ["x", "w"], ["t"]), node("Add", ["x", "v"], ["u"])],
                 outputs=[value("t", None), value("u", None)], initializers=[weights("w", (4, 5)), weights("v", (7,))])


def no_opset():
    return model([node("Relu", ["x"], ["y"])], opsets=())


def cyclic():
    return model([node("Add", ["x", "z"], ["t"]), node("Relu", ["t"], ["z"]), node("Neg", ["z"], ["y"])])


def duplicate_inputs():
    return model([node("Relu", ["x"], ["y"])], [value("x"), value("x")])


def bad_attribute():
    return model([node("Relu", ["x"], ["y"], alpha=1.0)])


def out_of_bounds():
    index = numpy_helper.from_array(np.array([7], np.int64), "i")
    return model([node("Gather", ["x", "i"], ["y"]), node("Neg", ["x"], ["z"])], outputs=[value("y", None), value("z")],
                 initializers=[index])


def bad_reshape():
    shape = numpy_helper.from_array(np.array([4, 5], np.int64), "s")
    return model([node("Reshape", ["x", "s"], ["t"]), node("Relu", ["t"], ["y"])], outputs=[value("y", None)],
                 initializers=[shape])


def wrong_declared_type():
    return model([node("Relu", ["x"], ["y"])], outputs=[value("y", (2, 3), TensorProto.INT64)])


def wrong_declared_shape():
    return model([node("Relu", ["x"], ["y"])], outputs=[value("y", (9, 9))])


def bad_besides(nodes, inputs=None, initializers=(), **more):
    """These nodes, and one that keeps the model from running as a whole."""
    bad = node("MatMul", ["x", "bad_w"], ["bad_y"], "bad")
    return model([*nodes, bad], inputs, [value("y", None), value("bad_y", None)], [*initializers, weights("bad_w", (4, 5))], **more)


def capture():
    """An If whose bodies use a value and a weight of the outer graph."""
    def branch(name, op):
        return helper.make_graph([node(op, ["t", "w"], [name + "_y"])], name, [], [value(name + "_y", None)])

    choice = numpy_helper.from_array(np.array(True), "c")
    return bad_besides([node("Relu", ["x"], ["t"]), node("If", ["c"], ["y"], then_branch=branch("yes", "Add"), else_branch=branch("no", "Mul"))],
                       initializers=[choice, weights("w", (3,))])


def omitted_input():
    return bad_besides([node("Clip", ["x", "", "m"], ["y"])], initializers=[weights("m", ())])


def sequence():
    return bad_besides([node("SplitToSequence", ["x"], ["s"], axis=1), node("ConcatFromSequence", ["s"], ["y"], axis=1)])


def old_ir():
    """IR version 3: initializers are inputs as well."""
    return model([node("Add", ["x", "w"], ["y"])], [value("x"), value("w")], initializers=[weights("w", (2, 3))], ir=3, opsets=(("", 8),))


def no_outputs():
    whole = model([node("Relu", ["x"], ["y"])])
    del whole.graph.output[:]
    return whole


ALL = [good, unnamed, no_nodes, duplicate_names, unused_node, unused_input, unused_initializer, custom_op,
       custom_op_without_import, unknown_op, bad_matmul, two_bad_nodes, no_opset, cyclic, duplicate_inputs, bad_attribute,
       out_of_bounds, bad_reshape, wrong_declared_type, wrong_declared_shape, empty_file]


def write(make, folder):
    path = str(folder / (make.__name__ + ".onnx"))
    made = make()
    with open(path, "wb") as file:
        file.write(made if isinstance(made, bytes) else made.SerializeToString())
    return path
