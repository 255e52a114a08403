"""Graphs, sessions and runners of TensorFlow."""

import os
import sys

import numpy as np
import tensorflow

# The original knows TensorFlow 1 only, whose interface this is.
tf = tensorflow.compat.v1
tf.disable_eager_execution()
tf.__version__ = "1.15.5"
sys.modules["tensorflow"] = tf

from polygraphy import constants
from polygraphy.backend.tf import *
from polygraphy.backend.tf import util
from polygraphy.logger import G_LOGGER

for severity in (-20, 9, 10, 11, 20, 21, 30, 31, 50, {"": 50, "backend/tf": 10}):
    G_LOGGER.module_severity = severity
    print(severity, tf.logging.get_verbosity(), os.environ["TF_CPP_MIN_LOG_LEVEL"])
G_LOGGER.module_severity = 10
tf.logging.set_verbosity("ERROR")


def T(what, f):
    print("##", what)
    try:
        result = f()
        print(type(result).__name__, result)
    except BaseException as e:
        print(type(e).__name__, str(e)[:600])
        return None
    return result


with tf.Graph().as_default() as graph:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    s = tf.placeholder(tf.int32, [], name="s")
    w = tf.constant(np.arange(6).reshape(3, 2), dtype=tf.float32, name="w")
    hidden = tf.nn.relu(tf.matmul(x, w, name="matmul") + 1.0, name="relu")
    tf.add(s, 3, name="sum")
    tf.identity(tf.split(hidden, 2, axis=1, name="parts")[0], name="out")
    tf.no_op(name="nothing")
    with tf.control_dependencies([hidden]):
        tf.identity(x, name="waits")
graphdef = graph.as_graph_def()
with tf.Graph().as_default() as shapeless:
    tf.identity(tf.placeholder(tf.float32, None, name="any_shape"), name="out")
given = (graph, ["out:0"])

T("names", lambda: util.get_graph_output_names(graph))
T("inputs", lambda: util.get_input_metadata(graph))
T("outputs", lambda: util.get_output_metadata(graph))
T("layers", lambda: util.get_output_metadata(graph, layerwise=True))
tensors = [graph.get_tensor_by_name(f"{name}:0") for name in ("x", "out", "parts")]
T("tensors", lambda: util.get_tensor_metadata(tensors))
T("no shape", lambda: util.get_input_metadata(shapeless))
T("users", lambda: {k: [n.name for n in v] for k, v in util.map_node_outputs(graphdef).items()})
T("by operators", lambda: [n.name for n in util.find_nodes_by_ops(graphdef, ["Add", "MatMul"])])
for options in ({}, {"show_layers": True}, {"show_weights": True}):
    T("text", lambda: util.str_from_graph(graph, **options))
text = util.str_from_graph(graph, show_layers=True, show_attrs=True)
print(text[:500], text[-200:], len(text))

with open("graph.pb", "wb") as file:
    file.write(graphdef.SerializeToString())
with open("bad.pb", "wb") as file:
    file.write(b"garbage\xff\xff")
T("graph", lambda: util.load_graph(graph) is graph)
T("GraphDef", lambda: [op.name for op in util.load_graph(graphdef).get_operations()][:3])
T("path", lambda: [op.name for op in util.load_graph("graph.pb").get_operations()][:3])
T("no path", lambda: util.load_graph("none.pb"))
T("frozen", lambda: GraphFromFrozen("graph.pb")()[1])
T("frozen", lambda: graph_from_frozen(graphdef)[1])

T("other outputs", lambda: ModifyGraphOutputs(given, outputs=["matmul:0"])()[1])
T("all outputs", lambda: ModifyGraphOutputs(given, outputs=constants.MARK_ALL)()[1])
T("same outputs", lambda: ModifyGraphOutputs(lambda: given)()[1])
T("same outputs", lambda: modify_graph_outputs(given)[1])

T("save", lambda: SaveGraph(given, path="saved/graph.pb", tensorboard_dir="board")()[1])
T("save", lambda: SaveGraph(lambda: given)()[0] is graph)
engine_graphdef = graph.as_graph_def()
for segment in (b"one", b"", b"three"):
    node = engine_graphdef.node.add(name=f"TRTEngineOp_{segment}", op="TRTEngineOp")
    node.attr["serialized_segment"].s = segment


class WithEngines:
    def as_graph_def(self):
        return engine_graphdef


T("save", lambda: SaveGraph((WithEngines(), ["out:0"]), engine_dir="engines")()[1])
for folder in (".", "saved", "engines"):
    print(
        folder, [(f, os.path.getsize(os.path.join(folder, f))) for f in sorted(os.listdir(folder))]
    )

T("config", lambda: CreateConfig()())
T("config", lambda: create_config(0.5, True, True))
T("session", lambda: SessionFromGraph(given)()[1])
T("session", lambda: session_from_graph(lambda: given, config=tf.ConfigProto())[1])
T("session", lambda: session_from_graph(given, config=CreateConfig(allow_growth=True))[1])

runner = TfRunner(SessionFromGraph(lambda: (graph, ["out:0", "sum:0"])), name="r")
inputs = {"x:0": np.ones((2, 3), np.float32), "s:0": np.array(4, np.int32)}
with runner:
    T("metadata", lambda: runner.get_input_metadata(use_numpy_dtypes=False))
    T("infer", lambda: runner.infer(inputs))
    T("infer", lambda: runner.infer({**inputs, "x:0": np.ones((2, 4), np.float32)}))
    T("infer", lambda: runner.infer({**inputs, "s:0": np.array(4, np.int64)}))
    T("time", lambda: runner.last_inference_time() > 0)
print(sorted(set(vars(runner)) - {"_pre_activate_runner_state"}), TfRunner(None).name[:10])
runner = TfRunner(SessionFromGraph(given), timeline_dir="profiles", name="r")
with runner:
    for _ in range(2):
        T("infer", lambda: runner.infer(inputs))
print(runner.num_inferences, sorted(os.listdir("profiles")))
with open("profiles/run-1") as file:
    print(file.read()[:40])


def with_variable():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [3], name="x")
        v = tf.get_variable("v", initializer=np.array([1, 2, 3], np.float32))
        tf.identity(x * v, name="y")
    return graph


with TfRunner(SessionFromGraph((with_variable(), ["y:0"])), name="r") as runner:
    T("variables", lambda: runner.infer({"x:0": np.ones(3, np.float32)}))
with with_variable().as_default(), tf.Session() as session:
    session.run(tf.global_variables_initializer())
    tf.train.Saver().save(session, "checkpoints/model")
T("no checkpoint", lambda: GraphFromCkpt("checkpoints", "none")()[1])
T("no checkpoint", lambda: GraphFromCkpt("none")()[1])
os.remove("checkpoints/checkpoint")
T("no checkpoint", lambda: GraphFromCkpt("checkpoints")()[1])
