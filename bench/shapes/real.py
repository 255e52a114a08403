"""The real shapes of all tensors of models: runs them on ONNX Runtime, with inputs of several sizes where dimensions are open.

real.py MODELS OUTPUT: a text file with a path per line; per model one line of JSON, a list of runs, each with the shapes by name of tensor.
The inputs are those of the test data beside the model, or random. A run that fails is left out.
"""
import glob
import json
import os
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

onnxruntime.set_default_logger_severity(4)
RUNS = 3
TYPES = {f"tensor({name})": dtype for name, dtype in (
    ("float", np.float32), ("double", np.float64), ("float16", np.float16), ("int64", np.int64), ("int32", np.int32), ("int16", np.int16),
    ("int8", np.int8), ("uint8", np.uint8), ("uint16", np.uint16), ("uint32", np.uint32), ("uint64", np.uint64), ("bool", np.bool_))}
SIDE = 32  # of an image, in which windows have room
# Open dimensions get these in turn; the first assignments are the most telling, the last ones the most likely to run.
SIZES = ((2, 3, 5, 7, 11), (3, 5, 4, 6, 9), (2, 1.5, 5), (3, 1.5, 4), (1, 2, 7), (64,), (96,), (1,), (160,), (512,), (576,))


def exposing_all(model):
    """The model with all tensors of the main graph as outputs."""
    graph = model.graph
    known = {v.name for v in graph.output}
    constants = {i.name for i in graph.initializer}
    for node in graph.node:
        for name in node.output:
            if name and name not in known and name not in constants:
                known.add(name)
                graph.output.append(onnx.ValueInfoProto(name=name))
    return model


def random_feed(session, sizes, seed):
    random = np.random.default_rng(seed)
    named, feed = {}, {}
    for given in session.get_inputs():
        if given.type not in TYPES:
            return None
        shape = []
        for axis, dim in enumerate(given.shape):
            if not isinstance(dim, int) or dim < 0:
                size = sizes[len(named) % len(sizes)]
                is_side = len(given.shape) == 4 and axis > 1
                dim = named.setdefault(dim or (given.name, axis), int(SIDE * size if is_side else size))
            shape.append(dim)
        feed[given.name] = (random.random(shape) * 3).astype(TYPES[given.type])
    return feed


def saved_feed(path, session):
    files = sorted(glob.glob(os.path.join(os.path.dirname(path), "test_data_set_0", "input_*.pb")))
    feed = {}
    for i, given in enumerate(session.get_inputs()):
        with open(files[i], "rb") as f:
            feed[given.name] = numpy_helper.to_array(onnx.TensorProto.FromString(f.read()))
    return feed


def runs_of(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = exposing_all(onnx.load(path))
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    runs = []

    def run(feed):
        shapes = {name: list(value.shape) for name, value in feed.items()}
        for name, value in zip(names, session.run(names, feed)):
            if isinstance(value, np.ndarray):
                shapes[name] = list(value.shape)
        runs.append(shapes)

    try:
        run(saved_feed(path, session))
    except Exception:
        pass
    is_open = any(not isinstance(d, int) for i in session.get_inputs() for d in i.shape)
    for attempt, sizes in enumerate(SIZES):
        if len(runs) >= (RUNS if is_open else 1):
            break
        feed = random_feed(session, sizes, attempt)
        try:
            run(feed)
        except Exception:
            continue
    return runs


def guarded(path):
    """In a child process: some models bring ONNX Runtime down."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            text = json.dumps(runs_of(path))
        except Exception:
            text = "[]"
        with os.fdopen(writer, "w") as out:
            out.write(text)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as result:
        text = result.read()
    os.waitpid(child, 0)
    return text or "[]"


def main(models, output):
    with open(models) as paths, open(output, "w") as out:
        for path in paths.read().splitlines():
            out.write(guarded(path) + "\n")


main(*sys.argv[1:])
