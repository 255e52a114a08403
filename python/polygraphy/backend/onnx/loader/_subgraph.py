"""Parts of models."""

from __future__ import annotations

from typing import Any, Optional, Union

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.onnx.loader._files import gs_from_onnx
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs, onnx


class _GSGraphManager:
    """The graph of a model, or a copy of a graph, to be changed in a `with`: `graph`. Behind it,
    `retval` is the result in the form that was given."""

    def __init__(self, model):
        self._model = model

    def __enter__(self) -> _GSGraphManager:
        model, _ = util.invoke_if_callable(self._model)
        self.USE_GS_GRAPH = isinstance(model, gs.Graph)
        self.graph = model.copy() if self.USE_GS_GRAPH else gs_from_onnx(model)
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        if exc_type is not None:
            return
        self.retval = self.graph
        if not self.USE_GS_GRAPH:
            self.retval = gs.export_onnx(self.graph, do_type_check=False)


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
        """
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

    def call_impl(self) -> Union[onnx.ModelProto, gs.Graph]:
        """
        Returns:
            The part: a model, or a new graph if a graph was given.
        """
        with _GSGraphManager(self._model) as manager:
            self._extract(manager.graph)
        return manager.retval

    def _extract(self, graph: gs.Graph) -> None:
        tensors = graph.tensors()

        for kind, ends, metadata in (
            ("Input", graph.inputs, self.input_metadata),
            ("Output", graph.outputs, self.output_metadata),
        ):
            if metadata is None:
                continue
            ends.clear()
            for name, (dtype, shape) in metadata.items():
                tensor = self._tensor(tensors, name, dtype, shape)
                self._warn_of_missing(kind, tensor, needs_shape=kind == "Input")
                if kind == "Input":
                    tensor.inputs.clear()
                ends.append(tensor)

        graph.cleanup()
        self._report_missing_inputs(graph)

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
        for what, is_missing in (
            ("shape", needs_shape and tensor.shape is None),
            ("data type", tensor.dtype is None),
        ):
            if self.check_meta and is_missing:
                G_LOGGER.warning(
                    f"{kind} metadata should include {what}, but no {what} was provided for "
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
