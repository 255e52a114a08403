"""Graphs of TensorFlow, where that is installed."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tensorflow = pytest.importorskip("tensorflow", reason="TensorFlow is not installed here")
tf = tensorflow.compat.v1

from polygraphy.backend.tf import (
    GraphFromCkpt,
    GraphFromFrozen,
    GraphFromKeras,
    OptimizeGraph,
    SaveGraph,
    SessionFromGraph,
    TfRunner,
    UseTfTrt,
)
from polygraphy.backend.tf import util as tf_util
from polygraphy.comparator import Comparator
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException

from differential import needs_originals, same


@needs_originals
def test_prints_what_the_original_prints(tmp_path):
    script = Path(__file__).parent / "cases" / "tf" / "graphs.py"
    where_tensorflow_is = [str(Path(tensorflow.__file__).parents[1])]
    # When a module is first used, and what TensorFlow says.
    others = re.compile(r"\[V\] Loaded Module|\[W\] 'colored'|Instructions for|WARNING:|\d{4}-")

    def lines(text: str) -> list:
        return [line for line in text.splitlines() if not others.match(line)]

    out, err = same(script, tmp_path, lines, more=where_tensorflow_is)
    assert len(out) + len(err) > 200


def scaled(factor: float, **kwargs):
    """y = x * v, where v is a variable and starts as `factor` times 1, 2, 3."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [3], name="x")
        three = tf.add(1.0, 2.0, name="three")
        v = tf.get_variable("v", initializer=np.float32([1, 2, 3]) * factor, **kwargs)
        tf.identity(x * v + three, name="y")
    return graph


def infer(graph_and_outputs) -> list:
    with TfRunner(SessionFromGraph(graph_and_outputs)) as runner:
        outputs = runner.infer({"x:0": np.ones(3, np.float32)})
        assert runner.last_inference_time() > 0
    [values] = outputs.values()
    return values.tolist()


def operators(graph) -> set:
    return {operation.type for operation in graph.get_operations()}


@pytest.mark.parametrize("resource", [False, True])
def test_checkpoints_keep_their_values(tmp_path, resource):
    """There: the variables have their initial values again, and the saver is part of the model."""
    with scaled(1, use_resource=resource).as_default(), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(tf.global_variables()[0].assign([7, 8, 9]))
        tf.train.Saver().save(session, str(tmp_path / "model"))
    graph, output_names = GraphFromCkpt(str(tmp_path))()
    assert output_names == ["y:0"]
    assert list(tf_util.get_input_metadata(graph)) == ["x:0"]
    assert infer((graph, output_names)) == [10, 11, 12]
    assert infer(GraphFromCkpt(str(tmp_path), "model")) == [10, 11, 12]


@pytest.mark.parametrize("resource", [False, True])
def test_graphs_are_frozen_and_folded(resource):
    """There: AttributeError, for any graph."""
    graph = scaled(1, use_resource=resource)
    before = len(graph.get_operations())
    optimized, output_names = OptimizeGraph((graph, ["y:0"]))()
    assert len(graph.get_operations()) == before, "the user's graph stays as it is"
    assert operators(optimized) <= {"Placeholder", "Const", "Mul", "AddV2", "Identity"}
    assert len(optimized.get_operations()) < before
    assert "Const" == optimized.get_operation_by_name("three").type
    assert infer((optimized, output_names)) == [4, 5, 6]


def test_frozen_graphs_without_variables():
    with tf.Graph().as_default() as graph:
        tf.identity(tf.placeholder(tf.float32, [3], name="x") * tf.add(1.0, 2.0), name="y")
    assert infer(OptimizeGraph((graph, ["y:0"]))) == [3, 3, 3]


def test_keras(tmp_path):
    """There: every model that is loaded has the parts of those before it, and no weights."""
    model = tensorflow.keras.Sequential(
        [
            tensorflow.keras.layers.Input((3,), name="x"),
            tensorflow.keras.layers.Dense(1, name="dense", kernel_initializer="ones"),
        ]
    )
    path = str(tmp_path / "model.h5")
    model.save(path)
    for _ in range(2):
        graph, output_names = GraphFromKeras(path)()
        assert output_names == ["dense/BiasAdd:0"]
        with TfRunner(SessionFromGraph((graph, output_names))) as runner:
            outputs = runner.infer({"x:0": np.float32([[1, 2, 3]])})
        assert outputs["dense/BiasAdd:0"].tolist() == [[6]]
    with open(path, "rb") as file:
        assert GraphFromKeras(file)()[1] == ["dense/BiasAdd:0"]


def test_sessions_of_the_user_stay_open():
    """There: closed by the runner."""
    with tf.Session(graph=scaled(1)) as session:
        with TfRunner((session, ["three:0"])) as runner:
            runner.infer({"x:0": np.ones(3, np.float32)})
        assert session.run("three:0") == 3
    made = []

    def make_session():
        made.append(tf.Session(graph=scaled(1)))
        return made[0], ["three:0"]

    with TfRunner(make_session):
        pass
    with pytest.raises(RuntimeError, match="closed"):
        made[0].run("three:0")


def test_types_that_numpy_lacks():
    """There: KeyError for resources and the like, and no type for texts."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.bfloat16, [2], name="x")
        tf.strings.as_string(tf.cast(x, tf.float32), name="text")
        tf.FIFOQueue(3, [tf.float32], name="queue")
    metadata = tf_util.get_output_metadata(graph, layerwise=True)
    assert metadata["x:0"].dtype == DataType.BFLOAT16
    assert metadata["text:0"].dtype == DataType.STRING
    assert metadata["queue:0"].dtype is None


def test_a_file_that_is_no_graph(tmp_path):
    path = tmp_path / "bad.pb"
    path.write_bytes(b"garbage\xff\xff")
    with pytest.raises(PolygraphyException, match="Is this a valid TensorFlow model?"):
        GraphFromFrozen(str(path))()


def test_raw_nodes_are_shown_without_a_warning_that_they_are_not(capsys):
    text = tf_util.str_from_graph(scaled(1), True, True, True)
    assert 'name: "three"' in text
    assert "unsupported" not in capsys.readouterr().out


def test_saved_graphs_run_like_the_ones_in_memory(tmp_path):
    path = str(tmp_path / "graph.pb")
    frozen = OptimizeGraph((scaled(2), ["y:0"]))
    runners = [
        TfRunner(SessionFromGraph(frozen), name="memory"),
        TfRunner(SessionFromGraph(SaveGraph(frozen, path, tensorboard_dir=str(tmp_path / "b")))),
        TfRunner(SessionFromGraph(GraphFromFrozen(path)), name="file"),
    ]
    assert Comparator.compare_accuracy(Comparator.run(runners))
    assert os.listdir(tmp_path / "b")


def test_tf_trt_needs_tensorrt():
    """There: NameError before anything else. This TensorFlow was built without TensorRT."""
    loader = UseTfTrt(OptimizeGraph((scaled(1), ["y:0"])), fp16=True)
    assert (loader.max_workspace_size, loader.fp16, loader.fp8, loader.int8) == (
        1 << 24,
        True,
        False,
        False,
    )
    with pytest.raises(PolygraphyException, match="TF-TRT"):
        loader()
