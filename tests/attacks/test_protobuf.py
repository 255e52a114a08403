"""Lying headers, endless nesting and floods of small messages in files of models."""
import struct

import pytest
from conftest import INSPECT, LINT, SANITIZE, WITHOUT_ENGINE, both, of_file
from models import attribute, graph, harmless, model, network, node, opset, tensor_type, value, with_weight
from protobuf import claimed, field, message, nested, packed, varint

DEEP = 100_000
GRAPH, NODE = 7, 1
UNKNOWN = 1000


def group(number, kind):
    return varint(number << 3 | kind)


BEGIN, END = 3, 4


# name: (file, sentence)
LIES = {
    "length_beyond_the_end": (harmless() + claimed(GRAPH, 1 << 30, b"abc"), r"claims 1073741824 bytes, but only 3"),
    "length_of_64_bits": (claimed(GRAPH, (1 << 64) - 1, b"abc"), r"claims 18446744073709551615 bytes"),
    "length_wraps_around": (claimed(GRAPH, (1 << 64) - 3, b"abc"), r"claims \d{20} bytes"),
    "inner_length_beyond_its_message": (field(GRAPH, claimed(NODE, 100, b"abc")), r"claims 100 bytes, but only 3"),
    "number_of_11_bytes": (varint(8) + b"\xff" * 10 + b"\x01", "a number of more than 10 bytes"),
    "length_of_11_bytes": (varint(GRAPH << 3 | 2) + b"\x80" * 10 + b"\x01", "a number of more than 10 bytes"),
    "number_without_end": (harmless() + varint(8) + b"\xff", "truncated inside a number"),
    "key_without_end": (harmless() + b"\xff\xff", "truncated inside a number"),
    "field_of_number_0": (harmless() + varint(2) + b"\x00", "0 is not a field number"),
    "field_number_of_64_bits": (harmless() + varint((1 << 60) | 2) + b"\x00", "is not a field number"),
    "wire_type_6": (harmless() + varint(UNKNOWN << 3 | 6), "6 is not a wire type"),
    "wire_type_7": (harmless() + varint(UNKNOWN << 3 | 7), "7 is not a wire type"),
    "group_without_end": (harmless() + group(UNKNOWN, BEGIN), "a group without an end"),
    "groups_without_end": (harmless() + group(UNKNOWN, BEGIN) * DEEP, "a group without an end"),
    "end_of_no_group": (harmless() + group(UNKNOWN, END), "end of a group without a beginning"),
    "fixed_number_is_cut": (harmless() + varint(UNKNOWN << 3 | 1) + b"abc", "claims 8 bytes, but only 3"),
    "one_byte": (b"\x0a", "not an ONNX model"),
    "no_graph": (message({1: 8, 8: opset(17)}), "it has no graph"),
    "zeros": (bytes(1 << 20), "0 is not a field number"),
    "packed_number_is_cut": (with_weight(message({2: 1, 8: "w", 9: bytes(4)}) + claimed(1, 1, b"\xff")),
                             "truncated inside a number"),
    "packed_number_of_11_bytes": (with_weight(message({2: 1, 8: "w"}) + field(1, b"\xff" * 10 + b"\x01")),
                                  "a number of more than 10 bytes"),
}


@pytest.mark.parametrize("name", LIES)
def test_lying_lengths_are_refused(polygraphy, name):
    content, sentence = LIES[name]
    file = name + ".onnx"
    polygraphy.file(file, content)
    for command in of_file(WITHOUT_ENGINE, file):
        polygraphy.refused(both(file, sentence), *command)


def test_an_empty_file(polygraphy):
    polygraphy.file("empty.onnx", b"")
    for command in of_file(WITHOUT_ENGINE, "empty.onnx"):
        polygraphy.refused("empty.onnx is not an ONNX model: it is empty|Empty ONNX model given", *command)


def deep_graphs(depth):
    """If in If in If."""
    level = (field(1, "b") + field(2, "y") + field(4, "If"), 5)
    attribute_head = (field(1, "then_branch") + field(20, 5), 6)
    inner = graph([node("Relu", ["x"], ["y"])], (), [value("y")])
    body = nested([(b"", NODE), level, attribute_head] * depth, inner)
    return message({1: 8, 8: opset(17)}) + field(GRAPH, body)


def deep_type(number, depth):
    """sequence(sequence(... tensor)), optional(...), or values of maps."""
    levels = [(b"", number), (b"" if number != 5 else field(1, 7), 1 if number != 5 else 2)] * depth
    held = nested(levels, tensor_type())
    return model(graph([node("Identity", ["x"], ["y"])], [value("x")], [field(1, "y") + field(2, held)]))


def test_endless_graphs_are_refused(polygraphy):
    polygraphy.file("deep.onnx", deep_graphs(DEEP))
    for command in of_file(WITHOUT_ENGINE, "deep.onnx"):
        polygraphy.refused(r"deep.onnx.*graphs in attributes are nested more than 200 deep", *command)


# name: file. Strange, but readable.
SHOWN = {
    "sequences_100_000_deep": deep_type(4, DEEP),
    "optionals_100_000_deep": deep_type(9, DEEP),
    "maps_100_000_deep": deep_type(5, DEEP),
    "groups_100_000_deep": harmless() + group(UNKNOWN, BEGIN) * DEEP + group(UNKNOWN, END) * DEEP,
    "unknown_messages_100_000_deep": harmless() + nested([(b"", UNKNOWN)] * DEEP, b""),
    "graph_in_100_000_pieces": harmless() + field(GRAPH, b"") * DEEP,
    "names_in_100_000_pieces": model(graph([node("Relu", ["x"], ["y"])], [value("x")], [value("y")])
                                     + field(2, "g") * DEEP),
    "imports_of_one_domain": harmless() + field(8, opset(17)) * 10_000,
    "metadata_of_one_key": harmless() + field(14, message({1: "k", 2: "v"})) * 10_000,
    "declared_10_000_times": network([node("Relu", ["x"], ["y"])], values=[value("y")] * 10_000),
    "attributes_of_one_name": network([node("Relu", ["x"], ["y"], attributes=[attribute("a", i=1)] * 10_000)]),
    "inputs_100_000": network([node("Sum", ["x"] * 100_000, ["y"])]),
    "outputs_100_000": network([node("Split", ["x"], ["y"] + ["o%d" % i for i in range(100_000)])]),
    "dims_100_000": with_weight(message({1: None, 2: 1, 8: "w", 9: struct.pack("<f", 1)}) + packed(1, [1] * 100_000)),
    "name_of_a_megabyte": network([node("Relu", ["x"], ["y"], "n" * (1 << 20))]),
    "dimension_of_100_000_brackets": network([node("Relu", ["x"], ["y"])], x=["(" * DEEP + "N" + ")" * DEEP]),
    "dimension_of_100_000_signs": network([node("Relu", ["x"], ["y"])], x=["-" * DEEP + "N"]),
    "dimension_of_100_000_sums": network([node("Relu", ["x"], ["y"])], x=["+".join(["N"] * DEEP)]),
    "dimension_of_100_powers": network([node("Relu", ["x"], ["y"])], x=["*".join("(N+M%d)" % i for i in range(100))]),
}


@pytest.mark.parametrize("name", SHOWN)
def test_floods_are_shown(polygraphy, name):
    file = name + ".onnx"
    polygraphy.file(file, SHOWN[name])
    for command in of_file(WITHOUT_ENGINE, file):
        polygraphy(*command)


# Objects that take two bytes of the file, and many more of memory.
FLOODS = {"empty_nodes": NODE, "empty_initializers": 5, "empty_inputs": 11, "empty_values": 13}


@pytest.mark.parametrize("name", FLOODS)
def test_empty_messages(polygraphy, name):
    file = name + ".onnx"
    polygraphy.file(file, model(graph([node("Relu", ["x"], ["y"])], [value("x")], [value("y")])
                                + field(FLOODS[name], b"") * 50_000))
    for command in of_file([INSPECT, LINT, SANITIZE], file):
        polygraphy(*command)
