"""Sizes of 2^63 elements, and products of sizes that overflow."""
import struct

import pytest
from conftest import WITHOUT_ENGINE, of_file
from models import INT64, attribute, floats, ints, network, node, tensor, with_weight
from protobuf import message

HUGE, WRAPS = 2**63 - 1, 2**32


def computed(op, inputs, *attributes, constants=()):
    """y = x + op(constants)."""
    return network([node(op, inputs, ["c"], op, attributes), node("Add", ["x", "c"], ["y"])], initializers=constants)


def sparse(dims, indices, values=(1.0,)):
    held = message({1: floats("w", values), 2: ints("i", indices), 3: list(dims)})
    return network([node("Add", ["x", "w"], ["y"])], sparse=[held])


one, zero = floats("one", [1.0]), floats("zero", [0.0], [])
MODELS = {
    # Weights.
    "weight_of_2_63": with_weight(tensor("w", [HUGE], bytes(4))),
    "weight_of_2_64": with_weight(tensor("w", [WRAPS, WRAPS], bytes(4))),
    "weight_product_wraps_to_4_bytes": with_weight(tensor("w", [2**31, 2**31, 4, 2], bytes(4))),
    "weight_of_minus_1": with_weight(tensor("w", [-1], bytes(4))),
    "weight_of_minus_2_63": with_weight(tensor("w", [-2**63], bytes(4))),
    "weight_of_minus_1_times_minus_1": with_weight(tensor("w", [-1, -1], bytes(4))),
    "weight_of_0_times_2_63": with_weight(tensor("w", [0, HUGE, HUGE], b"")),
    "weight_of_terabytes_in_4_bytes": with_weight(tensor("w", [2**40], bytes(4))),
    "weight_of_int4_2_63": with_weight(tensor("w", [HUGE], bytes(4), 22)),
    "weight_of_unknown_type": with_weight(tensor("w", [1], bytes(4), 2**31 - 1)),
    "weight_of_negative_type": with_weight(tensor("w", [1], bytes(4), -1)),
    "weight_of_texts": with_weight(tensor("w", [HUGE], None, 8)),
    "sparse_of_2_63": sparse([HUGE], [0]),
    "sparse_of_terabytes": sparse([2**40], [5]),
    "sparse_product_overflows": sparse([WRAPS, WRAPS], [0]),
    "sparse_index_outside": sparse([4], [HUGE]),
    "sparse_index_negative": sparse([4], [-1]),
    # Declared shapes.
    "input_of_2_63": network([node("Relu", ["x"], ["y"])], x=[HUGE], y=[HUGE]),
    "input_product_overflows": network([node("Flatten", ["x"], ["y"])], x=[WRAPS, WRAPS, WRAPS], y=["a", "b"]),
    "input_of_minus_2_63": network([node("Relu", ["x"], ["y"])], x=[-2**63], y=[-2**63]),
    "sum_of_sizes_overflows": network([node("Concat", ["x", "x", "x"], ["y"], attributes=[attribute("axis", i=0)])],
                                      x=[HUGE], y=["n"]),
    # Computed in folding.
    "constant_of_terabytes": computed("ConstantOfShape", ["n"], constants=[ints("n", [2**40])]),
    "constant_of_2_63": computed("ConstantOfShape", ["n"], constants=[ints("n", [HUGE, HUGE])]),
    "constant_of_minus_1": computed("ConstantOfShape", ["n"], constants=[ints("n", [-1])]),
    "expand_to_terabytes": computed("Expand", ["one", "n"], constants=[one, ints("n", [2**40])]),
    "expand_to_2_63": computed("Expand", ["one", "n"], constants=[one, ints("n", [HUGE, 2])]),
    "tile_by_terabytes": computed("Tile", ["one", "n"], constants=[one, ints("n", [2**40])]),
    "tile_by_2_63": computed("Tile", ["one", "n"], constants=[one, ints("n", [HUGE])]),
    "pad_by_terabytes": computed("Pad", ["one", "n"], constants=[one, ints("n", [0, 2**40])]),
    "pad_by_2_63": computed("Pad", ["one", "n"], constants=[one, ints("n", [HUGE, HUGE])]),
    "range_of_terabytes": computed("Range", ["a", "b", "c"],
                                   constants=[tensor(name, [], struct.pack("<q", number), INT64)
                                              for name, number in (("a", 0), ("b", 2**40), ("c", 1))]),
    "range_by_0": computed("Range", ["a", "b", "c"],
                           constants=[tensor(name, [], struct.pack("<q", number), INT64)
                                      for name, number in (("a", 0), ("b", 2**40), ("c", 0))]),
    "range_of_2_64": computed("Range", ["a", "b", "c"],
                              constants=[tensor(name, [], struct.pack("<q", number), INT64)
                                         for name, number in (("a", -2**63), ("b", HUGE), ("c", 1))]),
    "one_hot_of_terabytes": computed("OneHot", ["i", "n", "v"],
                                     constants=[ints("i", [1]), ints("n", [2**40]), floats("v", [0.0, 1.0])]),
    "resize_by_terabytes": computed("Resize", ["one", "", "", "n"], constants=[one, ints("n", [2**40])]),
    "reshape_to_2_63": computed("Reshape", ["one", "n"], constants=[one, ints("n", [HUGE, HUGE])]),
    "shape_sum_overflows": computed("ConstantOfShape", ["n"], constants=[ints("n", [HUGE])]),
    "size_product_overflows": network(
        [node("Mul", ["n", "n"], ["m"]), node("Mul", ["m", "m"], ["k"]), node("ConstantOfShape", ["k"], ["c"]),
         node("Add", ["x", "c"], ["y"])], initializers=[ints("n", [2**40])]),
    "division_by_0": network(
        [node("Div", ["n", "z"], ["m"]), node("Mod", ["n", "z"], ["k"]), node("Add", ["m", "k"], ["l"]),
         node("ConstantOfShape", ["l"], ["c"]), node("Add", ["x", "c"], ["y"])],
        initializers=[ints("n", [5]), ints("z", [0])]),
    "division_of_the_smallest_by_minus_1": network(
        [node("Div", ["n", "z"], ["m"]), node("Mod", ["n", "z"], ["k"]), node("Add", ["m", "k"], ["l"]),
         node("ConstantOfShape", ["l"], ["c"]), node("Add", ["x", "c"], ["y"])],
        initializers=[ints("n", [-2**63]), ints("z", [-1])]),
    "kernel_of_2_63": network([node("MaxPool", ["x"], ["y"], attributes=[attribute("kernel_shape", ints=[HUGE, HUGE]),
                                                                         attribute("pads", ints=[HUGE] * 4)])],
                              x=[1, 1, 4, 4], y=["a", "b", "c", "d"]),
    "axis_of_2_63": network([node("Softmax", ["x"], ["y"], attributes=[attribute("axis", i=HUGE)])]),
    "split_into_2_63": network([node("Split", ["x"], ["y"], attributes=[attribute("num_outputs", i=HUGE)])]),
    "transpose_by_2_63": network([node("Transpose", ["x"], ["y"], attributes=[attribute("perm", ints=[HUGE])])]),
}


@pytest.mark.parametrize("name", MODELS)
def test_sizes(polygraphy, name):
    file = name + ".onnx"
    polygraphy.file(file, MODELS[name])
    for command in of_file(WITHOUT_ENGINE, file):
        polygraphy(*command)


def test_folding_keeps_to_its_memory(polygraphy):
    """12 MB on the way to 4 bytes, which the limit of the file's growth allows."""
    nodes = [node("Exp", ["one"], ["e"]), node("Expand", ["e", "n"], ["wide"]),
             node("ReduceMean", ["wide"], ["mean"], "bomb", [attribute("keepdims", i=0)]),
             node("Add", ["x", "mean"], ["y"])]
    polygraphy.file("bomb.onnx", network(nodes, initializers=[one, ints("n", [3_000_000])]))
    fold = ["surgeon", "sanitize", "bomb.onnx", "--fold-constants", "-o", "out.onnx"]
    polygraphy.shown("After Folding: +1 ", *fold)
    polygraphy.shown("1 node was not folded for want of memory, of which folding may take 8 MiB: 'bomb' .ReduceMean.",
                     *fold, "--mem-limit", "8M")
    polygraphy.shown("After Folding: +1 ", *fold, "--mem-limit", "16M")
