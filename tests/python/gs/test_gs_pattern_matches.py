"""Random graphs and patterns, and their matches, as in the tests of the native library.

The format of the lines is described in src/graphsurgeon/pattern/testdata/make_matches.py.
"""

from pathlib import Path

import numpy as np
import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER

REPOSITORY = Path(__file__).resolve().parents[3]
MATCHES = REPOSITORY / "src" / "graphsurgeon" / "pattern" / "testdata" / "matches.txt"
LINES = MATCHES.read_text().splitlines()


def split(text, separator):
    return text.split(separator) if text else []


def call(text):
    """`name:t,u=A(x,k)`: name, operator, inputs, outputs."""
    name, colon, rest = text.rpartition(":")
    outputs, _, rest = rest.partition("=")
    op, _, inputs = rest.rstrip(")").partition("(")
    return name, op, split(inputs, ","), split(outputs, ",")


def parse_graph(text):
    nodes, outputs = text.split("|")
    tensors = {}

    def tensor(name):
        if name not in tensors:
            constant = gs.Constant(name, np.ones(1, np.float32))
            tensors[name] = constant if name[0] == "#" else gs.Variable(name)
        return tensors[name]

    graph = gs.Graph()
    for index, (_, op, ins, outs) in enumerate(map(call, split(nodes, " "))):
        node = gs.Node(op, f"n{index}", inputs=map(tensor, ins), outputs=map(tensor, outs))
        graph.nodes.append(node)
    graph.outputs = [tensor(name) for name in split(outputs, ",")]
    return graph


def parse_pattern(text):
    patterns = []
    for each in text.split(" / "):
        variables, constants, members, outputs = each.split("|")
        pattern = gs.GraphPattern()
        ids = {name: pattern.variable() for name in split(variables, ",")}
        ids.update({name: pattern.constant(name) for name in split(constants, ",")})
        for name, op, ins, outs in map(call, split(members, " ")):
            what = patterns[int(op[1])] if op[0] == "@" else op
            made = pattern.add(
                name, what, inputs=[ids[i] for i in ins], num_output_tensors=len(outs)
            )
            ids.update(zip(outs, made if isinstance(made, tuple) else (made,)))
        pattern.set_output_tensors([ids[name] for name in split(outputs, ",")])
        patterns.append(pattern)
    return patterns[-1]


def first_node(match):
    member = match.get(next(iter(match)))
    return first_node(member) if isinstance(member, gs.PatternMapping) else member.name


@pytest.mark.parametrize("line", LINES)
def test_matches(line):
    graph, pattern, expected = line.split(" ; ")
    with G_LOGGER.suppress():
        matches = parse_pattern(pattern).match_all(parse_graph(graph))
    if expected.startswith("!"):
        found = ["!", *map(first_node, matches)]
    else:
        found = [
            ",".join(t.name for t in match.inputs)
            + "->"
            + ",".join(t.name for t in match.outputs)
            + str(match).replace(" ", "")
            for match in matches
        ]
    assert " ".join(found) == expected


def test_there_are_many():
    assert len(LINES) > 300
