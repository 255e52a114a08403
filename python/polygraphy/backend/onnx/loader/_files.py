"""Models read from files, made of bytes and of other graphs, and written into files."""

from __future__ import annotations

import os
import shutil
from typing import Any, Optional, Set

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.onnx import _core, _large_models
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs, onnx
from polygraphy.util._replaced_file import replaced_file

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


PROTOBUF_THRESHOLD = 2e9
"""float: Bytes from which on a model needs files of external data"""


@mod.export(funcify=True)
class SaveOnnx(BaseLoader):
    """Writes a model into a file."""

    def __init__(
        self,
        model,
        path: str,
        external_data_path: Optional[str] = None,
        size_threshold: Optional[int] = None,
        all_tensors_to_one_file: Optional[bool] = None,
    ):
        """Writes a model into a file. A file that is there is replaced when the new one is whole.

        Args:
            model: The model, or a callable that returns one.
            path: The file.
            external_data_path: The name of a file for values, relative to the folder of the model;
                "" for a default name. If left out, values are in the model unless it is too
                large.
            size_threshold: Bytes of a tensor from which on its values go into that file. 1024 if
                left out.
            all_tensors_to_one_file: Whether there is one such file. True if left out.
        """
        self._model = model
        self.path = path
        self.external_data_path = external_data_path
        self.size_threshold = size_threshold
        self.all_tensors_to_one_file = all_tensors_to_one_file

    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model.
        """
        model, _ = util.invoke_if_callable(self._model)
        G_LOGGER.info(f"Saving ONNX model to: {self.path}")
        location = self.external_data_path
        byte_size = _large_models.byte_size(model)
        if location is None and byte_size >= PROTOBUF_THRESHOLD:
            location = ""
            G_LOGGER.warning(
                f"Model size ({byte_size // 1024.0**2} MiB) exceeds protobuf size "
                f"threshold ({PROTOBUF_THRESHOLD // 1024**2} MiB). Will save weight data to an "
                "external file.\nTo control the location of this file, use the "
                "`external_data_path` parameter or the `--external-data-path` command-line "
                "option. "
            )

        if location is None:
            self._warn_of_unused("size_threshold", self.size_threshold)
            self._warn_of_unused("all_tensors_to_one_file", self.all_tensors_to_one_file)
            util.makedirs(self.path)
            _save_whole(model, self.path)
            return model

        G_LOGGER.verbose(f"Saving external data for ONNX model to: {location}")
        util.makedirs(self.path)
        size_threshold = util.default(self.size_threshold, 1024)
        one_file = util.default(self.all_tensors_to_one_file, True)
        if not _core.save_with_external_data(
            model, os.fspath(self.path), location, size_threshold, one_file
        ):
            onnx.external_data_helper.convert_model_to_external_data(
                model,
                location=location,
                all_tensors_to_one_file=one_file,
                size_threshold=size_threshold,
            )
            _save_whole(model, self.path)
        return model

    @staticmethod
    def _warn_of_unused(option: str, value: Any) -> None:
        if value is not None:
            G_LOGGER.warning(
                f"{option} is set, but external data path has not been set. "
                "No external data will be written."
            )


def _save_whole(model: onnx.ModelProto, path: str) -> None:
    """Writes a model in the format that the name asks for, atomically where that is possible."""
    import tempfile

    path = os.fspath(path)
    if _core.save_large(model, path):
        return
    if _core.is_binary(path) and not _files_of_values(model):
        with replaced_file(path, "wb") as file:
            file.write(model.SerializeToString())
        return
    if os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path)):
        onnx.save(model, path)  # into what the link means, a device or a pipe
        return
    target, name = os.path.split(path)
    with tempfile.TemporaryDirectory(prefix=".", dir=target or ".") as folder:
        for written in (files := _files_of_values(model)):
            os.makedirs(os.path.dirname(os.path.join(folder, written)), exist_ok=True)
        for kept in files & _files_of_values(model, elsewhere=True):
            shutil.copyfile(os.path.join(target, kept), os.path.join(folder, kept))
        onnx.save(model, os.path.join(folder, name))
        for done in [*sorted(files), name]:
            os.replace(os.path.join(folder, done), os.path.join(target, done))


def _files_of_values(model: onnx.ModelProto, elsewhere: bool = False) -> Set[str]:
    """Files that are written with a model, or that it refers to and that stay `elsewhere`."""
    tensors = onnx.external_data_helper._get_all_tensors(model)
    return {
        entry.value
        for tensor in tensors
        if tensor.data_location == onnx.TensorProto.EXTERNAL
        and tensor.HasField("raw_data") != elsewhere
        for entry in tensor.external_data
        if entry.key == "location"
    }
