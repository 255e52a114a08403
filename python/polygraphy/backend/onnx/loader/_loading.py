"""Models of files, bytes and graphs of TensorFlow."""

from __future__ import annotations

import os
from typing import Optional

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.onnx import _core
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs, onnx

tf = mod.lazy_import("tensorflow")
tf2onnx = mod.lazy_import("tf2onnx")


@mod.export(funcify=True)
class GsFromOnnx(BaseLoader):
    """Makes a graph of ONNX-GraphSurgeon of a model."""

    def __init__(self, model):
        """
        Args:
            model: The model, or a callable that returns one.
        """
        self._model = model

    def call_impl(self) -> gs.Graph:
        """
        Returns:
            The graph.
        """
        model, _ = util.invoke_if_callable(self._model)
        return gs.import_onnx(model)


@mod.export(funcify=True)
class OnnxFromPath(BaseLoader):
    """Reads a model from a file."""

    def __init__(
        self,
        path: str,
        external_data_dir: Optional[str] = None,
        ignore_external_data: Optional[bool] = None,
    ):
        """
        Args:
            path: The file.
            external_data_dir: The folder with the files of values that the model names. The
                model's own if left out.
            ignore_external_data: Whether to leave such values where they are. The model is then
                good for looking at it, and not for running it. False if left out.
        """
        self.path = path
        self.external_data_dir = external_data_dir
        self.ignore_external_data = util.default(ignore_external_data, False)

    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model.
        """
        G_LOGGER.info(f"Loading model: {self.path}")
        if self.external_data_dir is not None:
            return self._load_with_folder()
        if self.ignore_external_data:
            return onnx.load(self.path, load_external_data=False)
        try:
            model = self._load_native()
            return onnx.load(self.path) if model is None else model
        except FileNotFoundError:
            G_LOGGER.warning(
                "Failed to load model. This could be because external data could not be loaded.\n"
                "Hint: If you don't need the model weights, try ignoring external data by setting "
                "`ignore_external_data=True` or using the `--ignore-external-data` command-line "
                "option."
            )
            raise

    def _load_native(self) -> Optional[onnx.ModelProto]:
        if not isinstance(self.path, (str, os.PathLike)):
            return None  # a file in memory
        return _core.load_model(os.fspath(self.path), self.external_data_dir)

    def _load_with_folder(self) -> onnx.ModelProto:
        model = None if self.ignore_external_data else self._load_native()
        loaded = model is not None
        if model is None:
            model = onnx.load(self.path, load_external_data=False)
        G_LOGGER.verbose(f"Loading external data from: {self.external_data_dir}")
        if not loaded:
            onnx.external_data_helper.load_external_data_for_model(model, self.external_data_dir)
        return model


@mod.export(funcify=True)
class OnnxFromTfGraph(BaseLoader):
    """Converts a graph of TensorFlow, with tf2onnx."""

    def __init__(self, graph, opset: Optional[int] = None, optimize: Optional[bool] = None):
        """
        Args:
            graph: The graph and the names of its outputs, or a callable that returns both.
            opset: The version of ONNX's operators. 11 if left out.
            optimize: Whether tf2onnx simplifies the graph. True if left out.
        """
        self._graph = graph
        self.opset = util.default(opset, 11)
        self.optimize = util.default(optimize, True)

    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model.
        """
        (graph, output_names), _ = util.invoke_if_callable(self._graph)
        tf.Graph  # complains here if TensorFlow is missing
        graphdef = graph.as_graph_def()
        input_names = [
            f"{node.name}:0" for node in graphdef.node if node.op in ("Placeholder", "FIFOQueue")
        ]
        if self.optimize:
            graphdef = tf2onnx.tfonnx.tf_optimize(input_names, output_names, graphdef)

        with tf.Graph().as_default() as graph, tf.compat.v1.Session(graph=graph):
            tf.import_graph_def(graphdef, name="")
            converted = tf2onnx.tfonnx.process_tf_graph(
                graph, input_names=input_names, output_names=output_names, opset=self.opset
            )
            if self.optimize:
                converted = tf2onnx.optimizer.optimize_graph(converted)
            return converted.make_model("model")


@mod.export(funcify=True)
class BytesFromOnnx(BaseLoader):
    """Encodes a model."""

    def __init__(self, model):
        """
        Args:
            model: The model, or a callable that returns one.
        """
        self._model = model

    def call_impl(self) -> bytes:
        """
        Returns:
            The contents of a file with the model.
        """
        model, _ = util.invoke_if_callable(self._model)
        return model.SerializeToString()


@mod.export(funcify=True)
class OnnxFromBytes(BaseLoader):
    """Decodes a model."""

    def __init__(self, serialized_onnx):
        """
        Args:
            serialized_onnx: The contents of a file with the model, or a callable that returns them.
        """
        self._serialized_onnx = serialized_onnx

    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model.
        """
        serialized_onnx, _ = util.invoke_if_callable(self._serialized_onnx)
        model = onnx.ModelProto()
        model.ParseFromString(serialized_onnx)
        return model
