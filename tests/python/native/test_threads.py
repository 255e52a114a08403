"""Several threads: on separate graphs, and on one graph before the first access to its objects."""

import subprocess
import sys
import threading

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon import _large_values

# Makes a model of a chain in the wrong order, with as many nodes again that nothing needs.
CHAIN = """
import sys, threading
import onnx, onnx.helper as oh
import onnx_graphsurgeon as gs

COUNT = int(sys.argv[1])
chain = [oh.make_node("Neg", [f"t{i}"], [f"t{i + 1}"]) for i in range(COUNT)]
dead = [oh.make_node("Abs", [f"t{i}"], [f"d{i}"]) for i in range(COUNT)]
ends = [[oh.make_tensor_value_info(name, 1, [2])] for name in ("t0", f"t{COUNT}")]
MODEL = oh.make_model(oh.make_graph(chain[::-1] + dead, "chain", *ends), ir_version=8)


def at_once(*functions):
    barrier, results = threading.Barrier(len(functions)), {}

    def run(number, function):
        barrier.wait()
        try:
            results[number] = function()
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=item) for item in enumerate(functions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[number] for number in range(len(functions))]


def exported(graph):
    return gs.export_onnx(graph).SerializeToString()


sys.setswitchinterval(1e-6)
"""


def run(script, count=300):
    """In a separate process, which a failure may end."""
    command = [sys.executable, "-c", CHAIN + script, str(count)]
    done = subprocess.run(command, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()


def test_threads_with_graphs_of_their_own():
    run("""
def work():
    graph = gs.import_onnx(MODEL).cleanup().toposort()
    untouched = exported(graph)
    graph.nodes[5].op = "Exp"
    return untouched, exported(graph.copy().cleanup())

expected = work()
for _ in range(10):
    assert at_once(work, work, work) == [expected] * 3
""")


def test_threads_that_look_into_a_graph_for_the_first_time():
    run("""
for part in ("nodes", "inputs", "outputs"):
    for _ in range(20):
        graph = gs.import_onnx(MODEL)
        found = at_once(*[lambda: getattr(graph, part)] * 4)
        assert all(each is found[0] for each in found) and graph.nodes[0].op == "Neg"
        assert "_model" not in vars(graph) and "_lock" not in vars(graph)
""")


def test_a_thread_looks_into_a_graph_while_others_use_it():
    run("""
expected = exported(gs.import_onnx(MODEL))
for _ in range(40):
    graph = gs.import_onnx(MODEL)
    first, nodes, second, copied = at_once(
        lambda: exported(graph), lambda: graph.nodes,
        lambda: exported(graph), lambda: exported(graph.copy()))
    assert first == second == copied == expected and len(nodes) == 2 * COUNT
""")


def test_a_thread_changes_a_graph_while_another_writes_it():
    run(
        """
def clean(graph):
    return graph.cleanup().toposort()

before = exported(gs.import_onnx(MODEL))
clean_one = exported(gs.import_onnx(MODEL).cleanup())
after = exported(clean(gs.import_onnx(MODEL)))
for _ in range(40):
    graph = gs.import_onnx(MODEL)
    written, _ = at_once(lambda: exported(graph), lambda: clean(graph))
    assert written in (before, clean_one, after) and exported(graph) == after
""",
        3000,
    )


def model_of(*values):
    names = [f"w{number}" for number in range(len(values))]
    node = onnx.helper.make_node("Sum", ["x", *names], ["y"])
    ends = [[onnx.helper.make_tensor_value_info(name, 1, None)] for name in "xy"]
    tensors = [onnx.numpy_helper.from_array(*pair) for pair in zip(values, names)]
    return onnx.helper.make_model(onnx.helper.make_graph([node], "g", *ends, tensors), ir_version=8)


def test_threads_that_write_large_values(monkeypatch):
    """These do not pass through the encoded model, and each model has its own."""
    monkeypatch.setattr(_large_values, "LIMIT_OF_MODELS", 1000)
    monkeypatch.setattr(_large_values, "_BYTES_PER_NODE", 0)
    monkeypatch.setattr(_large_values, "LARGE", 800)
    failures = []

    def work(number):
        values = [np.full(400, number * 100 + index, np.float32) for index in range(20)]
        graph = gs.import_onnx(model_of(*values))
        for _ in range(30):
            try:
                for tensor, value in zip(gs.export_onnx(graph).graph.initializer, values):
                    assert (onnx.numpy_helper.to_array(tensor) == value).all()
            except Exception as error:
                failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures


@pytest.mark.parametrize("action", ["cleanup", "toposort", "copy", "fold_constants"])
def test_a_graph_is_not_left_locked(action):
    model = model_of(np.zeros(400, np.float32))
    model.graph.node[0].input[0] = "y"  # a cycle
    graph = gs.import_onnx(model)
    try:
        getattr(graph, action)()
    except gs.OnnxGraphSurgeonException:
        pass
    looked = []
    thread = threading.Thread(target=lambda: looked.append(len(graph.nodes)), daemon=True)
    thread.start()
    thread.join(10)
    assert looked == [1] and set(vars(graph)).isdisjoint({"_lock", "_model"})
