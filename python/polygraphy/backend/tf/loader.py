"""Graphs and sessions of TensorFlow.

A graph is handed on together with the names of its outputs, for example `["y:0"]`.
"""

from __future__ import annotations

import os
from typing import List, Optional

from polygraphy import constants, mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.tf import util as tf_util
from polygraphy.backend.tf._tensorflow import tf
from polygraphy.logger import G_LOGGER

tf_optimizer = mod.lazy_import("tensorflow.python.grappler.tf_optimizer", log=False)
trt_convert = mod.lazy_import("tensorflow.python.compiler.tensorrt.trt_convert", log=False)
h5py = mod.lazy_import("h5py")


def _node_names(output_names: List[str]) -> List[str]:
    return util.unique_list(name.split(":")[0] for name in output_names)


def _freeze(sess, output_names: List[str]):
    """The GraphDef of what some outputs need, with the values that variables have in a session."""
    return tf.graph_util.convert_variables_to_constants(
        sess, sess.graph.as_graph_def(), _node_names(output_names)
    )


@mod.export(funcify=True)
class OptimizeGraph(BaseLoader):
    """Freezes a graph and folds constants."""

    def __init__(self, graph):
        """
        Args:
            graph: A graph and the names of its outputs, or a callable that returns both.
        """
        self._graph = graph

    def constfold(self, graphdef, output_names: List[str]):
        """A GraphDef without what can be computed beforehand."""
        with tf.Graph().as_default():
            tf.import_graph_def(graphdef, name="")
            metagraph = tf.train.export_meta_graph()
        # This is where the optimizer looks for what must stay.
        metagraph.collection_def["train_op"].node_list.value.extend(_node_names(output_names))
        config = tf.ConfigProto()
        rewriting = config.graph_options.rewrite_options
        rewriting.optimizers.append("constfold")
        # Otherwise, small graphs are left alone.
        rewriting.min_graph_nodes = -1
        return tf_optimizer.OptimizeGraph(config, metagraph)

    def call_impl(self):
        """
        Returns:
            Tuple[tf.Graph, List[str]]: A graph without variables, which get their initial values,
            and the names of its outputs.
        """
        (graph, output_names), _ = util.invoke_if_callable(self._graph)
        # Operations that initialize variables have no place in the user's graph.
        with graph.as_default():
            metagraph = tf.train.export_meta_graph()
        with tf.Graph().as_default() as copied, tf.Session(graph=copied) as sess:
            tf.train.import_meta_graph(metagraph)
            if tf.global_variables():
                sess.run(tf.global_variables_initializer())
            graphdef = _freeze(sess, output_names)
        graphdef = self.constfold(graphdef, output_names)
        return tf_util.load_graph(graphdef), output_names


@mod.export(funcify=True)
class GraphFromKeras(BaseLoader):
    """Loads a model of Keras."""

    def __init__(self, path):
        """
        Args:
            path: The model: a path, or an open file of the format HDF5.
        """
        self.path = path

    def call_impl(self):
        """
        Returns:
            Tuple[tf.Graph, List[str]]: A graph without variables, and the names of its outputs.
        """
        source = h5py.File(self.path, "r") if hasattr(self.path, "read") else self.path
        with tf.Graph().as_default() as graph, tf.Session(graph=graph) as sess:
            tf.keras.backend.set_session(sess)
            model = tf.keras.models.load_model(source, compile=False)
            graphdef = _freeze(sess, [tensor.name for tensor in model.outputs])
        return tf_util.with_output_names(tf_util.load_graph(graphdef))


@mod.export(funcify=True)
class GraphFromFrozen(BaseLoader):
    """Loads a frozen graph."""

    def __init__(self, path):
        """
        Args:
            path: A path, or a GraphDef, or a graph.
        """
        self.path = path

    def call_impl(self):
        """
        Returns:
            Tuple[tf.Graph, List[str]]: The graph and the names of its outputs.
        """
        return tf_util.with_output_names(tf_util.load_graph(self.path))


@mod.export(funcify=True)
class GraphFromCkpt(BaseLoader):
    """Loads a checkpoint."""

    def __init__(self, dir: str, name: Optional[str] = None):
        """
        Args:
            dir: The folder with the checkpoint.
            name: Its name without the extension. If left out, the name in the file `checkpoint`.
        """
        self.dir = dir
        self.name = name

    def _path(self) -> str:
        """The path of the checkpoint without its extension."""
        if not os.path.isdir(self.dir):
            G_LOGGER.warning(
                f"Specified checkpoint directory: {self.dir} does not look like a directory."
            )
        if self.name is not None:
            return os.path.join(self.dir, self.name)
        G_LOGGER.verbose(
            "Checkpoint name was not explicitly provided, searching for `checkpoint` file"
        )
        path = tf.train.latest_checkpoint(self.dir)
        if path is None:
            G_LOGGER.critical(
                f"Checkpoint directory: {self.dir} does not contain a `checkpoint` file, and the "
                "checkpoint name was not provided. Please either create a checkpoint file with "
                'the contents:\n\nmodel_checkpoint_path: "model"\n'
                'all_model_checkpoint_paths: "model"\n \nWhere `model` is the name of the '
                "checkpoint, or explicitly provide the name with --ckpt, not including file "
                "extensions"
            )
        return path

    def call_impl(self):
        """
        Returns:
            Tuple[tf.Graph, List[str]]: A graph with the values of the checkpoint as constants, and
            the names of its outputs.
        """
        path = self._path()
        with tf.Graph().as_default() as graph, tf.Session(graph=graph) as sess:
            saver = tf.train.import_meta_graph(f"{path}.meta", clear_devices=True)
            saver.restore(sess, path)
            names = tf_util.get_graph_output_names(graph)
            # A model is not meant for saving only.
            output_names = [n for n in names if n != saver.saver_def.save_tensor_name]
            graphdef = _freeze(sess, output_names)
        return tf_util.load_graph(graphdef), output_names


@mod.export(funcify=True)
class UseTfTrt(BaseLoader):
    """[UNTESTED] Lets TensorRT run parts of a graph (TF-TRT)."""

    def __init__(
        self,
        graph,
        max_workspace_size: Optional[int] = None,
        fp16: Optional[bool] = None,
        int8: Optional[bool] = None,
        max_batch_size: Optional[int] = None,
        is_dynamic_op: bool = False,
        minimum_segment_size: Optional[int] = None,
    ):
        """[UNTESTED] Lets TensorRT run parts of a graph (TF-TRT).

        Needs a TensorFlow that was built with TensorRT.

        Args:
            graph: A frozen graph and the names of its outputs, or a callable that returns both.
            max_workspace_size: Bytes of memory for TensorRT, 16 MiB if left out.
            fp16: Whether to compute in half precision. False if left out.
            int8: Whether to compute in 8 bits. False if left out.
            max_batch_size: The greatest batch, 1 if left out.
            is_dynamic_op: Whether engines are built when shapes are known, at the first inference.
            minimum_segment_size: How many nodes a part has at least, 3 if left out.
        """
        self._graph = graph
        self.max_workspace_size = util.default(max_workspace_size, 1 << 24)
        self.fp16 = util.default(fp16, False)
        self.fp8 = False
        self.int8 = util.default(int8, False)
        self.max_batch_size = util.default(max_batch_size, 1)
        self.is_dynamic_op = is_dynamic_op
        self.minimum_segment_size = util.default(minimum_segment_size, 3)

    def call_impl(self):
        """
        Returns:
            Tuple[tf.Graph, List[str]]: The graph and the names of its outputs.
        """
        (graph, output_names), _ = util.invoke_if_callable(self._graph)
        options = dict(
            input_graph_def=graph.as_graph_def(),
            max_batch_size=self.max_batch_size,
            max_workspace_size_bytes=self.max_workspace_size,
            precision_mode="INT8" if self.int8 else "FP16" if self.fp16 else "FP32",
            minimum_segment_size=self.minimum_segment_size,
            is_dynamic_op=self.is_dynamic_op,
        )
        converter = trt_convert.TrtGraphConverter
        try:
            try:
                converter = converter(nodes_denylist=output_names, **options)
            except TypeError:
                # Its name before TensorFlow 2.5.
                converter = converter(nodes_blacklist=output_names, **options)
            graphdef = converter.convert()
        except RuntimeError as err:
            G_LOGGER.critical(f"TF-TRT could not optimize the graph. Note: Error was: {err}")
        return tf_util.load_graph(graphdef), output_names


@mod.export(funcify=True)
class ModifyGraphOutputs(BaseLoader):
    """Gives a graph other outputs."""

    def __init__(self, graph, outputs=None):
        """
        Args:
            graph: A graph and the names of its outputs, or a callable that returns both.
            outputs: The names of the outputs, or `constants.MARK_ALL`. If left out, they stay.
        """
        self._graph = graph
        self.outputs = outputs

    def call_impl(self):
        """
        Returns:
            Tuple[tf.Graph, List[str]]: The graph and the names of its outputs.
        """
        (graph, outputs), _ = util.invoke_if_callable(self._graph)
        if self.outputs is None:
            return graph, outputs
        if self.outputs != constants.MARK_ALL:
            return graph, self.outputs
        return graph, list(tf_util.get_output_metadata(graph, layerwise=True))


@mod.export(funcify=True)
class SaveGraph(BaseLoader):
    """Writes a graph, and what belongs to it, into files."""

    def __init__(
        self,
        graph,
        path: Optional[str] = None,
        tensorboard_dir: Optional[str] = None,
        engine_dir: Optional[str] = None,
    ):
        """
        Args:
            graph: A graph and the names of its outputs, or a callable that returns both.
            path: A file for the GraphDef.
            tensorboard_dir: A folder for TensorBoard.
            engine_dir: A folder for the engines of TF-TRT, `segment-0` and so on.
        """
        self._graph = graph
        self.path = path
        self.tensorboard_dir = tensorboard_dir
        self.engine_dir = engine_dir

    def call_impl(self):
        """
        Returns:
            Tuple[tf.Graph, List[str]]: The graph and the names of its outputs.
        """
        (graph, outputs), _ = util.invoke_if_callable(self._graph)
        graphdef = graph.as_graph_def()
        if self.path:
            util.save_file(graphdef.SerializeToString(), self.path)
        if self.tensorboard_dir:
            G_LOGGER.info(f"Writing tensorboard events to {self.tensorboard_dir}")
            with graph.as_default(), tf.summary.FileWriter(self.tensorboard_dir) as writer:
                writer.add_graph(graph)
        if self.engine_dir is not None:
            engines = [node for node in graphdef.node if node.op == "TRTEngineOp"]
            for index, node in enumerate(engines):
                path = os.path.join(self.engine_dir, f"segment-{index}")
                util.save_file(node.attr["serialized_segment"].s, path)
        return graph, outputs


@mod.export(funcify=True)
class CreateConfig(BaseLoader):
    """Makes a configuration of sessions."""

    def __init__(
        self,
        gpu_memory_fraction: Optional[float] = None,
        allow_growth: Optional[bool] = None,
        use_xla: Optional[bool] = None,
    ):
        """
        Args:
            gpu_memory_fraction: How much of a GPU's memory TensorFlow may take, 0.9 if left out.
            allow_growth: Whether it takes memory as it needs it. False if left out.
            use_xla: Whether to compile with XLA. False if left out.
        """
        self.gpu_memory_fraction = util.default(gpu_memory_fraction, 0.9)
        self.allow_growth = util.default(allow_growth, False)
        self.use_xla = util.default(use_xla, False)

    def call_impl(self):
        """
        Returns:
            tf.ConfigProto: The configuration.
        """
        G_LOGGER.verbose(
            f"Using gpu memory fraction: {self.gpu_memory_fraction}, XLA: {self.use_xla}"
        )
        config = tf.ConfigProto()
        config.gpu_options.per_process_gpu_memory_fraction = self.gpu_memory_fraction
        config.gpu_options.allow_growth = self.allow_growth
        if self.use_xla:
            level = tf.OptimizerOptions.ON_1
            config.graph_options.optimizer_options.global_jit_level = level
        return config


@mod.export(funcify=True)
class SessionFromGraph(BaseLoader):
    """Makes a session."""

    def __init__(self, graph, config=None):
        """
        Args:
            graph: A graph and the names of its outputs, or a callable that returns both.
            config: A ConfigProto, or a callable that returns one; CreateConfig() if left out.
        """
        self.graph = graph
        self.config = util.default(config, CreateConfig())

    def call_impl(self):
        """
        Returns:
            Tuple[tf.Session, List[str]]: A session whose variables have their initial values, and
            the names of the outputs. The caller has to close it.
        """
        config, _ = util.invoke_if_callable(self.config)
        (graph, output_names), _ = util.invoke_if_callable(self.graph)
        with graph.as_default():
            sess = tf.Session(graph=graph, config=config)
            G_LOGGER.verbose(f"Using TensorFlow outputs: {output_names}")
            if tf.global_variables():
                sess.run(tf.global_variables_initializer())
        return sess, output_names
