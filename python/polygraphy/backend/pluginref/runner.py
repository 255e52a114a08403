"""Running graphs with reference implementations of their operators."""

from __future__ import annotations

import copy
import time
from collections import OrderedDict
from typing import Dict, Optional

from polygraphy import mod, util
from polygraphy.backend.base import BaseRunner
from polygraphy.backend.pluginref.references import OP_REGISTRY
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER


@mod.export()
class PluginRefRunner(BaseRunner):
    """Computes a graph node by node, in the order of its list.

    Args:
        graph: An ONNX-GraphSurgeon Graph, or a callable that returns one.
        name: The runner's name; it is made, beginning with `pluginref-runner`, if left out.
    """

    def __init__(self, graph, name: Optional[str] = None):
        super().__init__(name=name, prefix="pluginref-runner")
        self._graph = graph

    def activate_impl(self) -> None:
        self.graph, _ = util.invoke_if_callable(self._graph)

    def deactivate_impl(self) -> None:
        del self.graph

    def get_input_metadata_impl(self) -> TensorMetadata:
        meta = TensorMetadata()
        for tensor in self.graph.inputs:
            dtype = DataType.from_dtype(tensor.dtype) if tensor.dtype is not None else None
            meta.add(tensor.name, dtype=dtype, shape=tensor.shape)
        return meta

    def infer_impl(self, feed_dict: Dict) -> Dict:
        """
        Args:
            feed_dict: Name -> NumPy array.

        Returns:
            OrderedDict[str, numpy.ndarray]: Name -> array.

        Raises PolygraphyException for an operator without a reference.
        """
        start = time.time()
        tensors = copy.copy(feed_dict)
        for node in self.graph.nodes:
            reference = OP_REGISTRY.get(node.op)
            if reference is None:
                G_LOGGER.critical(
                    f"Op: {node.op} does not have a reference implementation registered!"
                )
            tensors.update(reference(node, tensors))
        outputs = OrderedDict((tensor.name, tensors[tensor.name]) for tensor in self.graph.outputs)
        self.inference_time = time.time() - start
        return outputs
