"""Changes of models: outputs, types and shapes, bounds, and constants computed in advance."""

from __future__ import annotations

import itertools
import sys
from typing import Any, Callable, Dict, Optional, Sequence, Set, Union

from polygraphy import constants, mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.onnx import _core
from polygraphy.backend.onnx import util as onnx_util
from polygraphy.backend.onnx.loader._files import PROTOBUF_THRESHOLD, gs_from_onnx, onnx_from_path
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs, np, onnx


def _log_native(severity: int, module: str, text: str) -> None:
    """Logs messages of native code as messages of this file.

    This file logs the begin and end of an operation, in the order in which scripts expect them.
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
        return onnx_util._copied(model) if self.copy else model


LARGE_MODEL_THRESHOLD = 512 << 20
"""int: Bytes above which the original warns before it infers shapes"""


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


onnxrt = mod.lazy_import("onnxruntime>=1.10.0")


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
        *,
        keep_input_defaults: Optional[bool] = None,
    ):
        """
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
            keep_input_defaults: Whether initializers that are inputs too, which callers may
                replace from IR version 4 on, are not folded. False if left out.
        """
        super().__init__(model, copy)
        self.num_passes = num_passes
        self.do_shape_inference = util.default(do_shape_inference, True)
        self.partitioning = partitioning
        self.fold_shapes = util.default(fold_shapes, True)
        self.error_ok = util.default(error_ok, True)
        self.size_threshold = size_threshold
        self.keep_input_defaults = util.default(keep_input_defaults, False)
        self.allow_onnxruntime_shape_inference = allow_onnxruntime_shape_inference

    def _fold_once(self, model: onnx.ModelProto) -> onnx.ModelProto:
        graph = gs_from_onnx(model)
        graph.fold_constants(
            fold_shapes=self.fold_shapes,
            partitioning=self.partitioning,
            error_ok=self.error_ok,
            size_threshold=self.size_threshold,
            keep_input_defaults=self.keep_input_defaults,
        )
        model = gs.export_onnx(graph.cleanup(), do_type_check=False)
        if self.fold_shapes and self.do_shape_inference:
            allowed = self.allow_onnxruntime_shape_inference
            model = infer_shapes(model, allow_onnxruntime=allowed)
        return model

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
            bool(self.keep_input_defaults),
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
            f"Constant folding pass failed. Skipping subsequent passes.\nNote: Error was:\n{err}"
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
        """
        Args:
            model: The model, or a callable that returns one.
            outputs: Names of tensors, or patterns as of `fnmatch`, or `constants.MARK_ALL`. They
                replace the outputs that the model has.
            exclude_outputs: Names or patterns of tensors to exclude from the outputs.
            copy: Whether to change a copy. False if left out.
            mark_types: Operators, without regard to case, whose results become the outputs.
        """
        super().__init__(model, copy)
        self.outputs = outputs
        self.exclude_outputs = exclude_outputs
        self.mark_types = mark_types

    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model.
        """
        model, wanted = self.load(), self.outputs
        if wanted == constants.MARK_ALL:
            G_LOGGER.verbose("Marking all ONNX tensors as outputs")
            model, wanted = onnx_util.mark_layerwise(model), None
        for change, names in (
            (onnx_util.mark_outputs, wanted),
            (onnx_util.mark_by_op_type, self.mark_types),
            (onnx_util.unmark_outputs, self.exclude_outputs),
        ):
            model = model if names is None else change(model, names)
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

    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The converted model.
        """
        model, _ = util.invoke_if_callable(self._model)
        return _core.convert_to_fp16(model, _log_native)


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

        taken = set(graph.tensors())
        for inner in graph.subgraphs(recursive=True):
            taken.update(inner.tensors())
        applied = {}
        for name, tensor in targets.items():
            bound = util.value_or_from_dict(self.upper_bounds, name)
            if bound is not None:
                self._bound(graph, tensor, bound, taken)
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
    def _bound(graph: gs.Graph, tensor: gs.Tensor, bound: int, taken: Set[str]) -> None:
        """Puts a Min node between a tensor and the node that makes it."""

        def unused(name: str) -> str:
            numbered = (f"{name}_{number}" for number in itertools.count(1))
            free = next(each for each in itertools.chain([name], numbered) if each not in taken)
            taken.add(free)
            return free

        if len(tensor.inputs) != 1:
            G_LOGGER.critical(
                f"Tensor: {tensor.name} cannot have an upper bound, because no node produces it."
            )
        producer = tensor.inputs[0]
        index = next(i for i, output in enumerate(producer.outputs) if output is tensor)
        unbounded = gs.Variable(
            unused(tensor.name + "_copy"), dtype=tensor.dtype, shape=tensor.shape
        )
        # Bounds of sizes are integers, but the limit of a Range may be of another type.
        known = tensor.dtype is not None and not isinstance(tensor.dtype, int)
        dtype = tensor.dtype if known else np.int64
        values = np.array([bound] * len(tensor.shape) if tensor.shape else bound, dtype=dtype)
        limit = gs.Constant(unused(tensor.name + "_upper_bound"), values=values)
        producer.outputs[index] = unbounded
        graph.nodes.append(gs.Node(op="Min", inputs=[unbounded, limit], outputs=[tensor]))
