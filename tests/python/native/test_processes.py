"""Processes that fork, that a user ends with Ctrl-C, and files that change under them."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import pytest

import onnx_graphsurgeon as gs
from polygraphy_native import _native

TEXT = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <float[2] c = {1, 2}> {
  b = Add (c, c)
  d = MatMul (c, b)
  y = Mul (x, d)
}"""


def folded():
    """Values that ONNX Runtime computes, of a graph that was a model until then."""
    graph = gs.import_onnx(onnx.parser.parse_model(TEXT)).fold_constants().cleanup()
    return [
        tensor.values.tolist() for tensor in graph.tensors().values() if type(tensor) is gs.Constant
    ]


def test_children_of_a_process_that_has_used_the_extension():
    expected = folded()
    graph = gs.import_onnx(onnx.parser.parse_model(TEXT))
    for _ in range(3):
        child = os.fork()
        if child == 0:
            signal.alarm(60)  # a child that waits for a thread of its parent waits for ever
            os._exit(0 if folded() == expected and len(graph.nodes) == 3 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert folded() == expected and len(graph.nodes) == 3


def interrupted(script, folder, delay):
    """The output and errors of a script that gets SIGINT a while after it has printed a line."""
    command = [sys.executable, "-c", script]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=folder, text=True, **pipes) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=20)


FOLDING = """
import onnx, onnx.helper as oh, numpy as np
import onnx_graphsurgeon as gs
from onnx_graphsurgeon.logger import G_LOGGER

COUNT = 20000
nodes = [oh.make_node("Add", ["one" if i == 0 else f"t{i}", "one"], [f"t{i + 1}"]) for i in range(COUNT)]
ends = [[oh.make_tensor_value_info(name, 1, None)] for name in ("x", f"t{COUNT}")]
one = onnx.numpy_helper.from_array(np.ones(1, np.float32), "one")
model = oh.make_model(oh.make_graph(nodes, "g", *ends, [one]), ir_version=8)
graph = gs.import_onnx(model)
LOOK
print("ready", flush=True)
try:
    while True:
        graph = gs.import_onnx(model)
        LOOK
        graph.fold_constants()
except KeyboardInterrupt:
    print(len(graph.nodes) == COUNT, len(gs.export_onnx(graph).graph.node) == COUNT)
"""


@pytest.mark.parametrize("look", ["", "len(graph.nodes)"])
@pytest.mark.parametrize("delay", [0.1, 0.4])
def test_folding_can_be_interrupted(look, delay, tmp_path):
    printed, errors = interrupted(FOLDING.replace("LOOK", look), tmp_path, delay)
    assert printed == "True True\n", errors


SAVING = """
import sys
import numpy as np, onnx, onnx.helper as oh
from polygraphy.backend.onnx import save_onnx
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.CRITICAL
weight = onnx.numpy_helper.from_array(np.ones(2 << 20, np.float32), "w")
output = oh.make_tensor_value_info("y", 1, None)
graph = oh.make_graph([oh.make_node("Identity", ["w"], ["y"])], "g", [], [output], [weight])
model = oh.make_model(graph, ir_version=8)
print("ready", flush=True)
while True:
    save_onnx(model, "model.onnx", EXTERNAL)
"""


@pytest.mark.parametrize("external", ["external_data_path=None", "'values.bin', size_threshold=0"])
@pytest.mark.parametrize("delay", [0.05, 0.1, 0.15])
def test_files_are_whole_when_saving_is_interrupted(external, delay, tmp_path):
    _, errors = interrupted(SAVING.replace("EXTERNAL", external), tmp_path, delay)
    assert "KeyboardInterrupt" in errors
    names = {path.name for path in tmp_path.iterdir()}
    assert names <= {"model.onnx", "values.bin"}
    if "model.onnx" in names:
        [weight] = onnx.load(tmp_path / "model.onnx").graph.initializer
        assert onnx.numpy_helper.to_array(weight).sum() == 2 << 20


@pytest.fixture
def large(tmp_path):
    """The path of a model of 4 MiB, whose values are also in a separate file."""
    model = onnx.parser.parse_model(TEXT)
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.ones(1 << 20, np.float32), "w"))
    onnx.save(model, tmp_path / "inside.onnx")
    options = {"save_as_external_data": True, "location": "values.bin", "size_threshold": 1000}
    onnx.save(model, tmp_path / "outside.onnx", **options)
    return tmp_path


@pytest.mark.parametrize("size", [0, 100, 1 << 20, (4 << 20) - 1])
def test_files_that_are_cut_short_are_errors(large, size):
    os.truncate(large / "inside.onnx", size)
    with pytest.raises(Exception, match="inside.onnx"):
        _native.load_model(str(large / "inside.onnx"))
    os.truncate(large / "values.bin", size)
    with pytest.raises(Exception, match="values.bin"):
        _native.load_model(str(large / "outside.onnx"))


def test_graphs_do_not_need_the_file_that_they_came_from(large):
    graphs = [gs.import_onnx(onnx.load(large / name)) for name in ("inside.onnx", "outside.onnx")]
    for path in large.iterdir():
        os.truncate(path, 10)
    for graph in graphs:
        graph.nodes[0].inputs[0] = gs.Constant("new", np.zeros(2, np.float32))
        assert len(gs.export_onnx(graph.cleanup()).graph.initializer) == 2


def test_values_of_a_file_that_is_cut_short_are_errors(large, monkeypatch):
    monkeypatch.chdir(large)
    model = onnx.load("outside.onnx", load_external_data=False)
    model.graph.node[0].input[0] = "w"
    graph = gs.import_onnx(model)
    os.truncate("values.bin", 10)
    with pytest.raises(ValueError):
        graph.nodes[0].inputs[0].values


MODEL_OF_MANY = """
import onnx.helper as oh, onnx
import polygraphy_native as pn
names = ["x", *(f"t{i}" for i in range(2000))]
nodes = [oh.make_node("Neg", [a], [b]) for a, b in zip(names, names[1:])]
ends = [oh.make_tensor_value_info(name, 1, [2]) for name in ("x", names[-1])]
constant = oh.make_tensor("c", 1, [2], [1, 2])
nodes[0].input[0] = "c"
graph = oh.make_graph(nodes, "g", ends[:1], ends[1:], [constant])
data = oh.make_model(graph, opset_imports=[oh.make_opsetid("", 17)], ir_version=9).SerializeToString()
"""


def test_a_daemon_thread_within_a_call_does_not_break_the_end(tmp_path):
    program = MODEL_OF_MANY + """
import threading, time
def work():
    while True:
        pn.Model.from_bytes(data).infer_shapes()
threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_second_import_is_the_same_extension():
    program = MODEL_OF_MANY + """
import sys
from polygraphy_native import _native
model = _native.Model.from_bytes(data, "")
del sys.modules["polygraphy_native._native"]
vars(pn).pop("_native", None)
from polygraphy_native import _native as again
again.Model.from_bytes(data, "")
print(model.node_count())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "2000", done.stderr


def test_a_message_of_a_call_cannot_look_into_the_graph_that_it_works_on():
    program = MODEL_OF_MANY + """
import sys
import onnx, onnx_graphsurgeon as gs
graph = gs.import_onnx(onnx.ModelProto.FromString(data))
seen = []
class Sink:
    def write(self, text):
        try:
            len(graph.nodes)
        except Exception as error:
            seen.append(str(error))
    def flush(self):
        pass
gs.logger.G_LOGGER.severity = gs.logger.G_LOGGER.ULTRA_VERBOSE
stdout, sys.stdout = sys.stdout, Sink()
graph.fold_constants(partitioning="basic")
sys.stdout = stdout
print(len(graph.nodes) > 0, all("cannot be used meanwhile" in text for text in seen))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["True", "True"], done.stdout + done.stderr
