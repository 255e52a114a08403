"""Functions that call themselves, functions that multiply, and graphs in circles."""
import pytest
from conftest import WITHOUT_ENGINE, of_file
from models import attribute, function, graph, model, network, node, value
from protobuf import field, message, nested


EXTRACT = ["surgeon", "extract", "FILE", "--outputs", "y:auto", "-o", "part.onnx"]


def call(name, x="x", y="y"):
    return node(name, [x], [y], domain="local")


def calls(*functions):
    return network([call("F0")], functions=functions)


def twice(i):
    """F<i> calls the next one twice."""
    return function("F%d" % i, [call("F%d" % (i + 1), "x", "z"), call("F%d" % (i + 1), "z", "y")])


def chain(count):
    """F0 calls F1, which calls F2 ..."""
    return [function("F%d" % i, [call("F%d" % (i + 1))]) for i in range(count - 1)] + [
        function("F%d" % (count - 1), [node("Relu", ["x"], ["y"])])]


def through_a_branch():
    body = graph([call("F0", "x", "z")], (), [value("z")])
    branches = [attribute("then_branch", g=body), attribute("else_branch", g=body)]
    return function("F0", [node("Cast", ["x"], ["b"], attributes=[attribute("to", i=9)]),
                           node("If", ["b"], ["y"], attributes=branches)])


def ifs(depth):
    """A constant If in a constant If: two branches a level would be 2^depth."""
    inner = graph([node("Relu", ["x"], ["y"])], (), [value("y")])
    level = [(b"", 1), (field(1, "t") + field(2, "y") + field(4, "If"), 5), (field(1, "then_branch") + field(20, 5), 6)]
    # Only the outermost If has both branches: the text of a file of 2^depth graphs has that size.
    return model(field(12, value("y")) + field(11, value("x")) + field(5, message({1: [], 2: 9, 8: "t", 9: b"\x01"}))
                 + nested(level * depth, inner))


FUNCTIONS = {
    "calls_itself": calls(function("F0", [call("F0")])),
    "calls_itself_twice": calls(function("F0", [call("F0", "x", "z"), call("F0", "z", "y")])),
    "circle_of_two": calls(function("F0", [call("F1")]), function("F1", [call("F0")])),
    "circle_of_1000": calls(*[function("F%d" % i, [call("F%d" % ((i + 1) % 1000))]) for i in range(1000)]),
    "calls_itself_in_a_branch": calls(through_a_branch()),
    "billion_laughs": calls(*[twice(i) for i in range(60)], function("F60", [node("Relu", ["x"], ["y"])])),
    "chain_of_10_000": calls(*chain(10_000)),
    "two_of_one_name": calls(function("F0", [call("F1")]), function("F0", [node("Relu", ["x"], ["y"])]),
                             function("F1", [call("F0")])),
    "takes_the_name_of_an_operator": network([node("Relu", ["x"], ["y"])],
                                             functions=[function("Relu", [node("Relu", ["x"], ["y"])], domain="")]),
    "has_no_body": calls(function("F0", [])),
    "returns_what_it_does_not_have": calls(function("F0", [node("Relu", ["x"], ["z"])], outputs=["nothing"])),
    "ten_thousand_inputs": calls(function("F0", [node("Relu", ["x"], ["y"])], ["x%d" % i for i in range(10_000)])),
    "does_not_exist": network([node("F9", ["x"], ["y"], domain="local")],
                              functions=[function("F0", [node("Relu", ["x"], ["y"])])]),
}

CIRCLES = {
    "node_reads_itself": network([node("Add", ["x", "y"], ["y"])]),
    "two_nodes_in_a_circle": network([node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"]),
                                      node("Relu", ["b"], ["y"])]),
    "circle_of_10_000": network([node("Relu", ["t%d" % ((i + 1) % 10_000)], ["t%d" % i]) for i in range(10_000)]
                                + [node("Add", ["x", "t0"], ["y"])]),
    "chain_of_30_000": network([node("Relu", ["t%d" % i if i else "x"], ["t%d" % (i + 1)]) for i in range(29_999)]
                               + [node("Relu", ["t29999"], ["y"])]),
    "produced_twice": network([node("Relu", ["x"], ["y"]), node("Exp", ["x"], ["y"])]),
    "input_is_produced": network([node("Relu", ["y"], ["x"]), node("Relu", ["x"], ["y"])]),
    "reads_nothing": network([node("Relu", ["nowhere"], ["y"])]),
    "empty_names": network([node("Relu", [""], [""]), node("Relu", ["x"], ["y"])]),
    "branch_reads_its_own_result": network([node("If", ["x"], ["y"], attributes=[
        attribute("then_branch", g=graph([node("Relu", ["y"], ["z"])], (), [value("z")]))])]),
    "ifs_150_deep": ifs(150),
}

ALL = {**FUNCTIONS, **CIRCLES}


@pytest.mark.parametrize("name", ALL)
def test_functions_and_circles(polygraphy, name):
    file = name + ".onnx"
    polygraphy.file(file, ALL[name])
    for command in of_file([*WITHOUT_ENGINE, EXTRACT], file):
        polygraphy(*command)
