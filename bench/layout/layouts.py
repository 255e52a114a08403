#!/usr/bin/env python3
"""The viewer's layout beside those of dagre and elkjs (npm): crossings, area, length of edges, CPU time.

layouts.py [MODEL.onnx ...]: besides the benchmark's transformers and densenet. Of a model, the graph with the most nodes is drawn. Edges
of one tensor do not cross each other. Needs Node.js with npm, a C++ compiler, numpy and onnx.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
import models  # noqa: E402

MADE = [("bert", "transformer.py", "--style bert --dim 64 --layers 6 --heads 4"), ("swin of 4 layers", "transformer.py", "--layers 4 --dim 32"),
        ("densenet", "densenet.py", "--growth 4"), ("swin", "transformer.py", "--dim 32")]
LAYOUTS = "src/polygraphy/model_tools/visual/layout"
HEIGHT = 52


def graphs_in(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from graphs_in(attribute.g)


def drawn(path):
    """Widths of nodes, edges and inputs, nearly as the viewer has them."""
    graph = max(graphs_in(onnx.load(path).graph), key=lambda one: len(one.node))
    constants = {tensor.name for tensor in graph.initializer}
    names, widths, edges, writers, tensors = [], [], [], {}, {}

    def add(title, name, reads, writes):
        widths.append(min(max(8.2 * len(title), 6.2 * len(name)) + 20, 240))
        names.append((len(widths) - 1, reads))
        for tensor in writes:
            writers[tensor] = len(widths) - 1

    inputs = [value.name for value in graph.input if value.name not in constants]
    for name in inputs:
        add("Graph Input", name, [], [name])
    for node in graph.node:
        add(node.op_type, node.name, node.input, node.output)
    for value in graph.output:
        add("Graph Output", value.name, [value.name], [])
    for reader, reads in names:
        for tensor in sorted(set(reads)):
            if tensor in writers:
                edges.append((writers[tensor], reader, tensors.setdefault(tensor, len(tensors))))
    return {"widths": widths, "edges": edges, "inputs": list(range(len(inputs)))}


def as_text(graph):
    lines = [graph["widths"], [number for edge in graph["edges"] for number in edge], graph["inputs"]]
    counts = [len(graph[key]) for key in ("widths", "edges", "inputs")]
    return "\n".join(" ".join(map(str, [count, *line])) for count, line in zip(counts, lines))


def segments_of(graph, layout):
    """x0, y0, x1, y1 and tensor, each line once, those that begin higher first."""
    found = set()
    for (_, _, tensor), points in zip(graph["edges"], layout["edges"]):
        for one, other in zip(points, points[1:]):
            (x0, y0), (x1, y1) = sorted([one, other], key=lambda point: (point[1], point[0]))
            found.add((y0, x0, y1, x1, tensor))
    y0, x0, y1, x1, tensor = np.array(sorted(found)).T
    return x0, y0, x1, y1, tensor


def crossings(segments):
    x0, y0, x1, y1, tensor = segments
    total = 0
    ends = np.searchsorted(y0, y1, side="left")
    for i in range(len(x0)):
        at = slice(i + 1, max(ends[i], i + 1))
        side = lambda x, y: (x1[i] - x0[i]) * (y - y0[i]) - (y1[i] - y0[i]) * (x - x0[i])  # noqa: E731
        back = lambda x, y: (x1[at] - x0[at]) * (y - y0[at]) - (y1[at] - y0[at]) * (x - x0[at])  # noqa: E731
        met = (side(x0[at], y0[at]) * side(x1[at], y1[at]) < 0) & (back(x0[i], y0[i]) * back(x1[i], y1[i]) < 0)
        total += np.count_nonzero(met & (tensor[at] != tensor[i]))
    return total


def figures(graph, layout):
    nodes, widths = np.array(layout["nodes"]), np.array(graph["widths"])
    points = np.array([point for edge in layout["edges"] for point in edge])
    width = max((nodes[:, 0] + widths / 2).max(), points[:, 0].max()) - min((nodes[:, 0] - widths / 2).min(), points[:, 0].min())
    height = max(nodes[:, 1].max() + HEIGHT / 2, points[:, 1].max()) - min(nodes[:, 1].min() - HEIGHT / 2, points[:, 1].min())
    segments = segments_of(graph, layout)
    length = np.hypot(segments[2] - segments[0], segments[3] - segments[1]).sum()
    return crossings(segments), width, height, length


def layouts(work, file, graph, timeout):
    node = ["bash", "-c", 'ulimit -s unlimited; exec node --stack-size=60000 "$@"', "node", os.path.join(work, "layout_of_library.cjs")]
    for name, command in (("ours", [os.path.join(work, "layout_alone")]), ("dagre", [*node, "dagre", file]), ("elkjs", [*node, "elkjs", file])):
        try:
            done = subprocess.run(command, input=as_text(graph), capture_output=True, text=True, timeout=timeout)
            yield name, json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[-1:] or done.returncode
        except subprocess.TimeoutExpired:
            yield name, f"more than {timeout} s"


def prepare(work):
    sources = [os.path.join(ROOT, LAYOUTS, name) for name in ("layered_layout.cpp", "layout_ranks.cpp")]
    subprocess.run(["c++", "-std=c++20", "-O2", "-I", os.path.join(ROOT, "src"), os.path.join(HERE, "layout_alone.cpp"), *sources,
                    "-o", os.path.join(work, "layout_alone")], check=True)
    for name in ("package.json", "layout_of_library.cjs"):
        with open(os.path.join(HERE, name)) as read, open(os.path.join(work, name), "w") as written:
            written.write(read.read())
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=work, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one layout")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        prepare(work)
        cases = [(name, models.make(generator, os.path.join(work, f"{name}.onnx"), *arguments.split(), env=os.environ))
                 for name, generator, arguments in MADE]
        print(f"{'graph':<20}{'nodes':>7}{'edges':>7}  {'layout':<7}{'crossings':>10}{'width':>8}{'height':>8}{'length':>12}{'seconds':>9}")
        for name, path in [*((os.path.basename(path), path) for path in options.models), *cases]:
            graph = drawn(path)
            file = os.path.join(work, "graph.json")
            with open(file, "w") as written:
                json.dump(graph, written)
            for layout, made in layouts(work, file, graph, options.timeout):
                head = f"{name:<20}{len(graph['widths']):>7}{len(graph['edges']):>7}  {layout:<7}"
                if not isinstance(made, dict):
                    print(f"{head}{made}", flush=True)
                    continue
                crossed, width, height, length = figures(graph, made)
                print(f"{head}{crossed:>10}{width:>8.0f}{height:>8.0f}{length:>12.0f}{made['seconds']:>9.4f}", flush=True)


if __name__ == "__main__":
    main()
