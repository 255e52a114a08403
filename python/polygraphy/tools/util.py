"""Helpers of tools."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs

onnx_backend = mod.lazy_import("polygraphy.backend.onnx")
onnx_util = mod.lazy_import("polygraphy.backend.onnx.util")


@mod.export()
def override_input_shapes(graph: gs.Graph, user_input_metadata: TensorMetadata) -> gs.Graph:
    """A graph whose inputs have other shapes.

    Args:
        graph: The graph. It stays as it is.
        user_input_metadata: Shapes, and types where they change, of some inputs. Other tensors
            become inputs.

    Returns:
        A new graph. Shapes of tensors that are not inputs are unknown there: they may depend on
        those of the inputs.
    """
    wanted = onnx_util.meta_from_gs_tensors(graph.inputs)
    wanted.update(user_input_metadata)
    graph = onnx_backend.extract_subgraph(graph, wanted)
    overridden = onnx_util.meta_from_gs_tensors(graph.inputs)
    G_LOGGER.info(f"Overriding input shapes to:\n{overridden}")
    names_of_inputs = {tensor.name for tensor in graph.inputs}
    for name, tensor in graph.tensors().items():
        if isinstance(tensor, gs.Variable) and name not in names_of_inputs:
            tensor.shape = None
    return graph
