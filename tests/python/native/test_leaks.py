"""Programs that run for a long time: dropped objects are freed."""

import subprocess
import sys

import pytest

# Prints by how many KiB the memory of a process grows while 10 000 graphs come and go. The first graphs fill the pools
# that the allocators of Python and of C keep.
SCRIPT = """
import gc, sys
import numpy as np, onnx, onnx.parser
import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER

G_LOGGER.severity = G_LOGGER.CRITICAL + 1
MODEL = onnx.parser.parse_model('''
<ir_version: 8, opset_import: ["" : 17]>
g (float[64] x, bool q) => (float[64] y, float[64] w) <float c = {3}> {
  k = Sum (large, x)
  a = Add (x, c)
  y = Neg (a)
  d = Mul (c, c)
  w = If (q) <then_branch = t () => (float[64] o) { o = Add (x, d) },
    else_branch = e () => (float[64] p) { p = Neg (a) }>
}''')
values = np.arange(64, dtype=np.float32)
MODEL.graph.initializer.append(onnx.numpy_helper.from_array(values, "large"))
kept = []


def import_and_drop():
    return gs.import_onnx(MODEL)


def change_as_a_model():
    return gs.export_onnx(gs.import_onnx(MODEL).toposort().copy().fold_constants().cleanup())


def edit():
    graph = gs.import_onnx(MODEL)
    graph.nodes[1].op = "Sub"
    graph.tensors()["large"].values[0] = 5
    end = gs.Variable("end", np.float32, [64])
    graph.nodes.append(gs.Node("Exp", inputs=[graph.outputs[0]], outputs=[end]))
    graph.outputs[0] = end
    return gs.export_onnx(graph.cleanup().toposort())


def fail():
    graph = gs.import_onnx(MODEL)
    graph.nodes[1].inputs[0] = graph.nodes[2].outputs[0]
    try:
        graph.toposort()
    except gs.OnnxGraphSurgeonException:
        return graph
    raise AssertionError("a cycle is sorted")


def keep():
    kept.append(edit())


def resident():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * 4


work = globals()[sys.argv[1]]
for _ in range(1500):
    work()
gc.collect()
before = resident()
for _ in range(int(sys.argv[2])):
    work()
gc.collect()
print(resident() - before)
"""


def growth(work, count):
    command = [sys.executable, "-c", SCRIPT, work, str(count)]
    return int(subprocess.run(command, capture_output=True, check=True, timeout=300).stdout)


@pytest.mark.parametrize("work", ["import_and_drop", "change_as_a_model", "edit", "fail"])
def test_graphs_that_are_dropped_are_freed(work):
    assert growth(work, 10000) < 2000  # 200 bytes of each would be as much


def test_a_leak_would_be_seen():
    assert growth("keep", 1500) > 2000
