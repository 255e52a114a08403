"""Constants computed in advance."""

from __future__ import annotations

import sys
from typing import Any, Optional

from polygraphy import constants, mod, util
from polygraphy.backend.onnx import _core
from polygraphy.backend.onnx import util as onnx_util
from polygraphy.backend.onnx.loader._base import BaseLoadOnnxCopy, _log_native
from polygraphy.backend.onnx.loader._files import gs_from_onnx
from polygraphy.backend.onnx.loader._inference import infer_shapes
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs, onnx

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
