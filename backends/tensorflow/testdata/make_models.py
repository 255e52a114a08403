#!/usr/bin/env python3
"""Makes the models of TensorFlow's tests, beside this file. Needs TensorFlow 2."""
import os
import pathlib
import shutil
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
here = pathlib.Path(__file__).parent


def save(graph, name):
    (here / name).write_bytes(graph.as_graph_def().SerializeToString(deterministic=True))


def frozen():
    """y = relu(x @ w + 1), of TensorFlow 1."""
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 3], name="x")
        weights = tf.constant(np.arange(6).reshape(3, 2), dtype=tf.float32, name="w")
        tf.nn.relu(tf.matmul(x, weights, name="product") + 1.0, name="y")
    save(graph, "frozen.pb")


def types():
    """Identities of types that ONNX knows as well."""
    with tf.Graph().as_default() as graph:
        for name in ("float32 float64 float16 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
                     "complex64 complex128 string").split():
            tf.identity(v1.placeholder(getattr(tf, name), [None], name=name), name="out_" + name)
    save(graph, "types.pb")


def endless():
    """y = x + 1 + 1 + ..., as long as that is not NaN."""
    v1.disable_control_flow_v2()
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [], name="x")
        last = v1.while_loop(lambda value: tf.equal(value, value), lambda value: value + 1.0, [x], name="loop")
        tf.add(last, 0.0, name="y")
    save(graph, "endless.pb")


def checkpoint():
    """y = x * v, where v was [1, 2, 3] at first and is [7, 8, 9]."""
    folder = here / "checkpoint"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with tf.Graph().as_default() as graph, v1.Session(graph=graph) as session:
        x = v1.placeholder(tf.float32, [3], name="x")
        v = v1.get_variable("v", initializer=np.float32([1, 2, 3]))
        tf.identity(x * v, name="y")
        session.run(v1.global_variables_initializer())
        session.run(v.assign([7, 8, 9]))
        saver = v1.train.Saver(save_relative_paths=True)
        saver.save(session, str(folder / "model"))


class Scaled(tf.Module):
    def __init__(self):
        self.factors = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="x")])
    def scale(self, x):
        return {"scaled": x * self.factors, "total": tf.reduce_sum(x * self.factors, axis=1)}

    @tf.function(input_signature=[tf.TensorSpec([], tf.string, name="text")])
    def shout(self, text):
        return {"loud": tf.strings.upper(text)}


def save_module(name, module, **options):
    shutil.rmtree(here / name, ignore_errors=True)
    options = tf.saved_model.SaveOptions(save_debug_info=False)
    signatures = {"serving_default": module.scale, "shout": module.shout} if isinstance(module, Scaled) else None
    with tempfile.TemporaryDirectory() as temporary:
        tf.saved_model.save(module, temporary, signatures, options)
        # Without a hash of the moment, and without an empty folder, which git does not keep.
        os.remove(os.path.join(temporary, "fingerprint.pb"))
        os.rmdir(os.path.join(temporary, "assets"))
        shutil.copytree(temporary, here / name)


if __name__ == "__main__":
    frozen()
    types()
    endless()
    checkpoint()
    save_module("saved_model", Scaled())
    save_module("without_signature", tf.Module())
