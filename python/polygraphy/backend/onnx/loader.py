"""Loaders that make, change and write ONNX models."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Union

from polygraphy import constants, mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.onnx import _core, _large_models
from polygraphy.backend.onnx import util as onnx_util
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER

if TYPE_CHECKING:
    import numpy as np
    import onnx
    import onnx_graphsurgeon as gs
else:
    np = mod.lazy_import("numpy")
    onnx = mod.lazy_import("onnx>=1.8.1")
    gs = mod.lazy_import("onnx_graphsurgeon>=0.3.27")

onnxrt = mod.lazy_import("onnxruntime>=1.10.0")
tf = mod.lazy_import("tensorflow")
tf2onnx = mod.lazy_import("tf2onnx")

LARGE_MODEL_THRESHOLD = 512 << 20
"""int: Bytes above which the original warns before it infers shapes"""
PROTOBUF_THRESHOLD = 2e9
"""float: Bytes from which on a model needs files of external data"""


def _log_native(severity: int, module: str, text: str) -> None:
    """Logs what native code says, as a message of this file.

    Where an operation begins and ends is said here, in the order in which scripts expect it.
    """
    if severity != G_LOGGER.VERBOSE:
        G_LOGGER.log(text, severity=severity)


class BaseLoadOnnxCopy(BaseLoader):
    """The base class of loaders that change a model in place, or a copy of it.

    Args:
        model: The model, or a callable that returns one.
        copy: Whether to change a copy. False if left out.
    """

    def __init__(self, model, copy: Optional[bool] = None):
        self._model = model
        self.copy = util.default(copy, False)

    def load(self) -> onnx.ModelProto:
        """The model to change."""
        model, _ = util.invoke_if_callable(self._model)
        if not self.copy:
            return model
        copy = type(model)()
        copy.CopyFrom(model)
        return copy


@mod.export(funcify=True)
class GsFromOnnx(BaseLoader):
    """Makes a graph of ONNX-GraphSurgeon of a model."""

    def __init__(self, model):
        """Makes a graph of ONNX-GraphSurgeon of a model.

        Args:
            model: The model, or a callable that returns one.
        """
        self._model = model

    @util.check_called_by("__call__")
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
        """Reads a model from a file.

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

    @util.check_called_by("__call__")
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
        """Converts a graph of TensorFlow, with tf2onnx.

        Args:
            graph: The graph and the names of its outputs, or a callable that returns both.
            opset: The version of ONNX's operators. 11 if left out.
            optimize: Whether tf2onnx simplifies the graph. True if left out.
        """
        self._graph = graph
        self.opset = util.default(opset, 11)
        self.optimize = util.default(optimize, True)

    @util.check_called_by("__call__")
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
class ModifyOutputs(BaseLoadOnnxCopy):
    """Gives a model other outputs."""

    def __init__(
        self,
        model,
        outputs: Union[Sequence[str], str, None] = None,
        exclude_outputs: Optional[Sequence[str]] = None,
        copy: Optional[bool] = None,
        mark_types: Optional[Sequence[str]] = None,
    ):
        """Gives a model other outputs.

        Args:
            model: The model, or a callable that returns one.
            outputs: Names of tensors, or patterns as of `fnmatch`, or `constants.MARK_ALL`. They
                replace the outputs that the model has.
            exclude_outputs: Names or patterns of what shall be no output.
            copy: Whether to change a copy. False if left out.
            mark_types: Operators, without regard to case, whose results become the outputs.
        """
        super().__init__(model, copy)
        self.outputs = outputs
        self.exclude_outputs = exclude_outputs
        self.mark_types = mark_types

    @util.check_called_by("__call__")
    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model.
        """
        model = self.load()
        if self.outputs == constants.MARK_ALL:
            G_LOGGER.verbose("Marking all ONNX tensors as outputs")
            model = onnx_util.mark_layerwise(model)
        elif self.outputs is not None:
            model = onnx_util.mark_outputs(model, self.outputs)
        if self.mark_types is not None:
            model = onnx_util.mark_by_op_type(model, self.mark_types)
        if self.exclude_outputs is not None:
            model = onnx_util.unmark_outputs(model, self.exclude_outputs)
        return model


@mod.export(funcify=True)
class ConvertToFp16(BaseLoadOnnxCopy):
    """Makes a model compute in float16.

    TensorRT does not need this for its own float16 mode.
    """

    def __init__(self, model, copy: Optional[bool] = None):
        """Makes a model compute in float16. Its inputs and outputs keep their types.

        Args:
            model: The model, or a callable that returns one.
            copy: Without effect: the model that is given is never changed.
        """
        super().__init__(model, copy)

    @util.check_called_by("__call__")
    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The converted model.
        """
        model, _ = util.invoke_if_callable(self._model)
        return _core.convert_to_fp16(model, _log_native)


@mod.export(funcify=True)
class FoldConstants(BaseLoadOnnxCopy):
    """Computes what does not depend on the inputs of a model."""

    def __init__(
        self,
        model,
        num_passes: Optional[int] = None,
        do_shape_inference: Optional[bool] = None,
        partitioning: Optional[str] = None,
        fold_shapes: Optional[bool] = None,
        copy: Optional[bool] = None,
        error_ok: Optional[bool] = None,
        size_threshold: Optional[int] = None,
        allow_onnxruntime_shape_inference: Optional[bool] = None,
    ):
        """Computes what does not depend on the inputs of a model.

        Args:
            model: The model, or a callable that returns one.
            num_passes: How often to do so. As often as it helps if left out: shapes that are
                known after one pass may let the next one compute more.
            do_shape_inference: Whether to infer shapes after each pass. True if left out. Only
                with `fold_shapes`.
            partitioning: None, "basic" or "recursive": whether nodes that cannot be computed leave
                the others uncomputed, too.
            fold_shapes: Whether Shape nodes of known shapes are computed. True if left out.
            copy: Whether to change a copy. False if left out.
            error_ok: Whether errors end the folding only. True if left out.
            size_threshold: The most bytes that a computed tensor may have. Any if left out.
            allow_onnxruntime_shape_inference: Kept for scripts that set it.
        """
        super().__init__(model, copy)
        self.num_passes = num_passes
        self.do_shape_inference = util.default(do_shape_inference, True)
        self.partitioning = partitioning
        self.fold_shapes = util.default(fold_shapes, True)
        self.error_ok = util.default(error_ok, True)
        self.size_threshold = size_threshold
        self.allow_onnxruntime_shape_inference = allow_onnxruntime_shape_inference

    def _fold_once(self, model: onnx.ModelProto) -> onnx.ModelProto:
        graph = gs_from_onnx(model)
        graph.fold_constants(
            fold_shapes=self.fold_shapes,
            partitioning=self.partitioning,
            error_ok=self.error_ok,
            size_threshold=self.size_threshold,
        )
        model = gs.export_onnx(graph.cleanup(), do_type_check=False)
        if self.fold_shapes and self.do_shape_inference:
            allowed = self.allow_onnxruntime_shape_inference
            model = infer_shapes(model, allow_onnxruntime=allowed)
        return model

    @util.check_called_by("__call__")
    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The folded model.
        """
        mod.autoinstall(onnxrt)
        if not onnxrt.is_installed():
            G_LOGGER.error(
                "ONNX-Runtime is not installed, so constant folding may be suboptimal or not work "
                "at all.\nConsider installing ONNX-Runtime: "
                f"{sys.executable} -m pip install onnxruntime"
            )

        model = self.load()
        if self.num_passes is not None and self.num_passes <= 0:
            return model
        options = (
            self.num_passes,
            bool(self.fold_shapes and self.do_shape_inference),
            self.partitioning,
            bool(self.fold_shapes),
            bool(self.error_ok),
            self.size_threshold,
        )
        folded = _core.fold_constants(model, options, self._log_pass, _log_native)
        if folded is None:
            return self._fold_in_passes(model)
        model, failure = folded
        if failure is not None:
            self._warn_of_failure(failure)
        return model

    @staticmethod
    def _log_pass(number: int, before: Optional[int], after: Optional[int]) -> None:
        if before is None or after is None:
            G_LOGGER.start(f"Folding Constants | Pass {number}")
            return
        G_LOGGER.finish(
            f"{constants.TAB}Total Nodes | Original: {before:5}, After Folding: {after:5} | "
            f"{before - after:5} Nodes Folded"
        )

    @staticmethod
    def _warn_of_failure(err: Any) -> None:
        G_LOGGER.warning(
            "Constant folding pass failed. Skipping subsequent passes.\n"
            f"Note: Error was:\n{err}"
        )

    def _fold_in_passes(self, model: onnx.ModelProto) -> onnx.ModelProto:
        """The same graph by graph, for models that are too large to cross as bytes."""
        before, after, number = len(model.graph.node), -1, 0
        while before != after and (self.num_passes is None or number < self.num_passes):
            number += 1
            before = onnx_util.get_num_nodes(model)
            self._log_pass(number, None, None)
            try:
                model = self._fold_once(model)
            except Exception as err:
                if not self.error_ok:
                    raise
                self._warn_of_failure(err)
                break
            after = onnx_util.get_num_nodes(model)
            self._log_pass(number, before, after)
        return model


@mod.export(funcify=True)
class SetUpperBound(BaseLoadOnnxCopy):
    """Bounds what decides how large tensors are.

    The model should have been folded, and have shapes.
    """

    def __init__(
        self, model, upper_bounds: Union[int, Dict[str, int]], copy: Optional[bool] = None
    ):
        """Bounds what decides how large tensors are, with Min nodes.

        Args:
            model: The model, or a callable that returns one.
            upper_bounds: The bound, or bounds by the name of the tensor, with that for all other
                unbounded ones as "".
            copy: Whether to change a copy. False if left out.
        """
        super().__init__(model, copy)
        self.upper_bounds = upper_bounds

    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model with bounds.
        """
        graph = gs_from_onnx(self.load())
        unbounded = onnx_util.get_unbounded_dds_tensors(graph)
        targets = {tensor.name: tensor for tensor in unbounded}
        if isinstance(self.upper_bounds, dict):
            tensors = graph.tensors()
            named = util.unique_list(name for name in self.upper_bounds if name)
            self._check_names(tensors, set(named), log_func=None)
            self._check_names(targets, set(named), log_func=G_LOGGER.warning)
            targets.update((name, tensors[name]) for name in named)

        applied = {}
        for name, tensor in targets.items():
            bound = util.value_or_from_dict(self.upper_bounds, name)
            if bound is not None:
                self._bound(graph, tensor, bound)
                applied[name] = bound
        G_LOGGER.info(f"Set tensor upper bounds: {applied}")
        return gs.export_onnx(graph.cleanup().toposort(), do_type_check=False)

    @staticmethod
    def _check_names(known: Any, named: set, log_func: Optional[Callable]) -> None:
        util.check_sequence_contains(
            set(known),
            named,
            name="the upper bounds dictionary",
            items_name="tensors",
            log_func=log_func,
            check_extra=False,
        )

    @staticmethod
    def _bound(graph: gs.Graph, tensor: gs.Tensor, bound: int) -> None:
        """Puts a Min node between a tensor and the node that makes it."""
        if len(tensor.inputs) != 1:
            G_LOGGER.critical(
                f"Tensor: {tensor.name} cannot have an upper bound, because no node produces it."
            )
        producer = tensor.inputs[0]
        index = next(i for i, output in enumerate(producer.outputs) if output is tensor)
        unbounded = gs.Variable(tensor.name + "_copy", dtype=tensor.dtype, shape=tensor.shape)
        # Bounds of sizes are integers, but the limit of a Range may be of another type.
        known = tensor.dtype is not None and not isinstance(tensor.dtype, int)
        dtype = tensor.dtype if known else np.int64
        values = np.array([bound] * len(tensor.shape) if tensor.shape else bound, dtype=dtype)
        limit = gs.Constant(tensor.name + "_upper_bound", values=values)
        producer.outputs[index] = unbounded
        graph.nodes.append(gs.Node(op="Min", inputs=[unbounded, limit], outputs=[tensor]))


@mod.export(funcify=True)
class InferShapes(BaseLoader):
    """Finds out types and shapes of the tensors in a model."""

    def __init__(
        self,
        model,
        error_ok: Optional[bool] = None,
        external_data_dir: Optional[str] = None,
        save_to_disk_threshold_bytes: Optional[int] = None,
        allow_onnxruntime: Optional[bool] = None,
    ):
        """Finds out types and shapes of the tensors in a model.

        Values do not take part, so models of any size are inferred in memory.

        Args:
            model: The model, a path, or a callable that returns either.
            error_ok: Whether a model that cannot be inferred is returned as it is. True if left
                out.
            external_data_dir: The folder with files of values, for a path.
            save_to_disk_threshold_bytes: Kept for scripts that set it. No files are written.
            allow_onnxruntime: Kept for scripts that set it. The original chooses with it between
                two implementations; here there is one.
        """
        self._model = model
        self.error_ok = util.default(error_ok, True)
        self.external_data_dir = external_data_dir
        self.save_to_disk_threshold_bytes = util.default(
            save_to_disk_threshold_bytes, PROTOBUF_THRESHOLD
        )
        self.allow_onnxruntime = util.default(allow_onnxruntime, True)

    @util.check_called_by("__call__")
    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            A new model with types and shapes.
        """
        model, _ = util.invoke_if_callable(self._model)
        G_LOGGER.verbose("Starting shape inference")
        if not isinstance(model, onnx.ModelProto):
            model = onnx_from_path(model, external_data_dir=self.external_data_dir)
        try:
            inferred = _core.infer_shapes(model, _log_native)
        except ImportError:
            raise
        except Exception as err:
            if not self.error_ok:
                raise
            message = f"ONNX shape inference exited with an error:\n{err}"
            G_LOGGER.warning(message)
            G_LOGGER.internal_error(message)
            return model
        G_LOGGER.verbose("Shape inference completed successfully")
        return inferred


@mod.export(funcify=True)
class ExtractSubgraph(BaseLoader):
    """Cuts a part out of a model."""

    def __init__(
        self,
        model,
        input_metadata: Optional[TensorMetadata] = None,
        output_metadata: Optional[TensorMetadata] = None,
        check_meta: Optional[bool] = None,
    ):
        """Cuts a part out of a model.

        Args:
            model: A model or a graph of ONNX-GraphSurgeon, or a callable that returns either.
            input_metadata: Where the part begins: tensors, with types and shapes where the model
                does not say them. Where the model begins if left out.
            output_metadata: Where it ends, with types. Where the model ends if left out.
            check_meta: Whether to warn where a type or shape is missing. True if left out.
        """
        self._model = model
        self.input_metadata = input_metadata
        self.output_metadata = output_metadata
        self.check_meta = util.default(check_meta, True)

    @util.check_called_by("__call__")
    def call_impl(self) -> Union[onnx.ModelProto, gs.Graph]:
        """
        Returns:
            The part: a model, or a new graph if a graph was given.
        """
        model, _ = util.invoke_if_callable(self._model)
        is_graph = isinstance(model, gs.Graph)
        graph = model.copy() if is_graph else gs_from_onnx(model)
        tensors = graph.tensors()

        if self.input_metadata is not None:
            graph.inputs.clear()
            for name, (dtype, shape) in self.input_metadata.items():
                tensor = self._tensor(tensors, name, dtype, shape)
                self._warn_of_missing("Input", tensor, needs_shape=True)
                tensor.inputs.clear()
                graph.inputs.append(tensor)

        if self.output_metadata is not None:
            graph.outputs.clear()
            for name, (dtype, shape) in self.output_metadata.items():
                tensor = self._tensor(tensors, name, dtype, shape)
                self._warn_of_missing("Output", tensor, needs_shape=False)
                graph.outputs.append(tensor)

        graph.cleanup()
        self._report_missing_inputs(graph)
        return graph if is_graph else gs.export_onnx(graph, do_type_check=False)

    @staticmethod
    def _tensor(tensors: dict, name: str, dtype: Any, shape: Any) -> gs.Tensor:
        """A tensor of the model, with the type and shape that are given."""
        if name not in tensors:
            G_LOGGER.critical(f"Tensor: {name} does not exist in the model.")
        tensor = tensors[name]
        if isinstance(tensor, gs.Variable):
            if dtype is not None:
                tensor.dtype = DataType.to_dtype(DataType.from_dtype(dtype), "onnx") or tensor.dtype
            tensor.shape = shape or tensor.shape
        return tensor

    def _warn_of_missing(self, kind: str, tensor: gs.Tensor, needs_shape: bool) -> None:
        if not self.check_meta:
            return
        if needs_shape and tensor.shape is None:
            G_LOGGER.warning(
                f"{kind} metadata should include shape, but no shape was provided for tensor: "
                f"{tensor.name}"
            )
        if tensor.dtype is None:
            G_LOGGER.warning(
                f"{kind} metadata should include data type, but no data type was provided for "
                f"tensor: {tensor.name}"
            )

    @staticmethod
    def _report_missing_inputs(graph: gs.Graph) -> None:
        inputs = {id(tensor) for tensor in graph.inputs}
        for tensor in graph.tensors().values():
            if not isinstance(tensor, gs.Variable) or tensor.inputs or id(tensor) in inputs:
                continue
            readers = [f"Node: '{node.name}' (Op: {node.op})" for node in tensor.outputs]
            G_LOGGER.error(
                f"Tensor: '{tensor.name}' is a variable tensor consumed by: {readers}, "
                "but is not produced by a node or marked as a graph input."
                "\nDid you forget to mark a tensor as a graph input? "
                "Hint: Try inspecting the resulting model. "
                "\nNote: The resulting model will not be valid!"
            )


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

    @util.check_called_by("__call__")
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
                f"Model size ({byte_size // 1024.0 ** 2} MiB) exceeds protobuf size "
                f"threshold ({PROTOBUF_THRESHOLD // 1024 ** 2} MiB). Will save weight data to an "
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
            stale = os.path.join(os.path.dirname(self.path), location)
            if location and os.path.isfile(stale):
                os.remove(stale)  # the new values would be put behind the old ones
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
    if _core.save_large(model, os.fspath(path)):
        return
    if os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path)):
        onnx.save(model, path)  # into what the link means, a device or a pipe
        return
    root, suffix = os.path.splitext(path)
    unfinished = f"{root}.{os.getpid()}{suffix}"
    try:
        onnx.save(model, unfinished)
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)


@mod.export(funcify=True)
class BytesFromOnnx(BaseLoader):
    """Encodes a model."""

    def __init__(self, model):
        """Encodes a model.

        Args:
            model: The model, or a callable that returns one.
        """
        self._model = model

    @util.check_called_by("__call__")
    def call_impl(self) -> bytes:
        """
        Returns:
            What a file with the model would hold.
        """
        model, _ = util.invoke_if_callable(self._model)
        return model.SerializeToString()


@mod.export(funcify=True)
class OnnxFromBytes(BaseLoader):
    """Decodes a model."""

    def __init__(self, serialized_onnx):
        """Decodes a model.

        Args:
            serialized_onnx: What a file with the model would hold, or a callable that returns it.
        """
        self._serialized_onnx = serialized_onnx

    @util.check_called_by("__call__")
    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model.
        """
        serialized_onnx, _ = util.invoke_if_callable(self._serialized_onnx)
        model = onnx.ModelProto()
        model.ParseFromString(serialized_onnx)
        return model
