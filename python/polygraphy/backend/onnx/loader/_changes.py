"""Changes of models."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Dict, Optional, Sequence, Set, Union

from polygraphy import constants, mod, util
from polygraphy.backend.onnx import _core
from polygraphy.backend.onnx import util as onnx_util
from polygraphy.backend.onnx.loader._base import BaseLoadOnnxCopy, _log_native
from polygraphy.backend.onnx.loader._files import gs_from_onnx
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs, np, onnx


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
        unbounded = gs.Variable(unused(tensor.name + "_copy"), dtype=tensor.dtype, shape=tensor.shape)
        # Bounds of sizes are integers, but the limit of a Range may be of another type.
        known = tensor.dtype is not None and not isinstance(tensor.dtype, int)
        dtype = tensor.dtype if known else np.int64
        values = np.array([bound] * len(tensor.shape) if tensor.shape else bound, dtype=dtype)
        limit = gs.Constant(unused(tensor.name + "_upper_bound"), values=values)
        producer.outputs[index] = unbounded
        graph.nodes.append(gs.Node(op="Min", inputs=[unbounded, limit], outputs=[tensor]))
