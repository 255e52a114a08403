"""Memory and time grow with a model's graph, and no faster: 64 MB and four times its bytes."""
import os

import pytest
from conftest import INSPECT, LINT, of_file
from models import attribute, floats, function, graph, ints, model, network, node, value

MEGABYTE = 1 << 20
LENGTH = "model/decoder/block_%06d/attention/output_projection/part_%s"


def name(i, part):
    return LENGTH % (i, part)


def chain(count):
    """Names as exporters write them."""
    nodes = [node("Relu", [name(i, "out") if i else "x"], [name(i + 1, "out")], name(i, "relu")) for i in range(count)]
    return network([*nodes, node("Relu", [name(count, "out")], ["y"])])


def weights(count):
    sums = [node("Add", [name(i, "out") if i else "x", name(i, "weight")], [name(i + 1, "out")], name(i, "add"))
            for i in range(count)]
    return network([*sums, node("Relu", [name(count, "out")], ["y"])],
                   initializers=[floats(name(i, "weight"), [1.0] * 8) for i in range(count)])


def long_names(count):
    return network([node("Relu", ["x" if i == 0 else "%d" % i + "n" * 400], ["%d" % (i + 1) + "n" * 400])
                    for i in range(count // 4)] + [node("Relu", ["%d" % (count // 4) + "n" * 400], ["y"])])


def large_attributes(count):
    """Each with 100 numbers."""
    nodes = [node("Pad", [name(i, "out") if i else "x"], [name(i + 1, "out")], name(i, "pad"),
                  [attribute("pads", ints=[0] * 100)]) for i in range(count // 4)]
    return network([*nodes, node("Relu", [name(count // 4, "out")], ["y"])])


def functions(count):
    """A tenth as many functions as nodes, of ten nodes each; each is called once."""
    number = count // 20
    relus = [node("Relu", [name(k, "t") if k else "x"], ["y" if k == 9 else name(k + 1, "t")]) for k in range(10)]
    bodies = [function("F%d" % i, relus) for i in range(number)]
    calls = [node("F%d" % i, [name(i, "out") if i else "x"], [name(i + 1, "out")], domain="local")
             for i in range(number)]
    return network([*calls, node("Relu", [name(number, "out")], ["y"])], functions=bodies)


def branches(count):
    number = count // 20
    relus = [node("Relu", [name(k, "t") if k else "x"], [name(k + 1, "t")], name(k, "relu")) for k in range(10)]
    body = graph(relus, (), [value(name(10, "t"))])
    both = [attribute("then_branch", g=body), attribute("else_branch", g=body)]
    nodes = [node("If", ["b"], [name(i, "out")], name(i, "if"), both) for i in range(number)]
    return network([node("Cast", ["x"], ["b"], attributes=[attribute("to", i=9)]), *nodes,
                    node("Sum", [name(i, "out") for i in range(number)], ["y"])])


def shapes(count):
    """Arithmetic on shapes, which folding follows."""
    nodes = [node("Shape", ["x"], ["n0"])]
    nodes += [node("Mul", ["n%d" % i, "one"], ["n%d" % (i + 1)], name(i, "mul")) for i in range(count)]
    return network([*nodes, node("Expand", ["x", "n%d" % count], ["y"])], x=["N"], y=["N"],
                   initializers=[ints("one", [1])])


KINDS = [chain, weights, long_names, large_attributes, functions, branches, shapes]
# The checker of the onnx library copies the graph, and folding one of the model with
# bodies as it was: six times.
TWICE = [LINT, ["surgeon", "sanitize", "FILE", "--fold-constants", "-o", "out.onnx"]]
COMMANDS = [INSPECT, *TWICE, ["surgeon", "sanitize", "FILE", "--cleanup", "--toposort", "-o", "out.onnx"],
            ["surgeon", "extract", "FILE", "--outputs", "y:auto", "-o", "out.onnx"],
            ["surgeon", "insert", "FILE", "--inputs", "x", "--outputs", "y", "--op", "Last", "-o", "out.onnx"]]
SMALLEST = {chain: 20_000}
# Of a doubling of the graph. Two of them make the noise of the machine small.
MOST_GROWTH = 2.6
# Less than this counts for nothing: start-up, and the ticks of the clock.
NOISE = 0.04


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_growth(polygraphy, kind):
    sizes = {}
    for times in (1, 4):
        file = "%d.onnx" % times
        polygraphy.file(file, kind(times * SMALLEST.get(kind, 5_000)))
        sizes[file] = os.path.getsize(os.path.join(polygraphy.folder, file))

    def seconds(command, file):
        times_graph = 6 if command in TWICE else 4
        most_bytes = 64 * MEGABYTE + times_graph * sizes[file]
        return polygraphy(*of_file([command], file)[0], most_bytes=most_bytes, most_seconds=20).seconds

    for command in COMMANDS:
        small, large = (seconds(command, file) for file in sizes)
        for _ in range(3):  # other programs of the machine take its caches
            if large <= MOST_GROWTH ** 2 * max(small, NOISE):
                break
            large = min(large, seconds(command, "4.onnx"))
        else:
            pytest.fail("%s: %.3f s, and %.3f s for four times the graph" % (" ".join(command), small, large))
