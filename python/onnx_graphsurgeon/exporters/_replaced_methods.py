"""The parts of a model for which a program has replaced a method of OnnxExporter.

Whole graphs are exported natively, without these methods. If a program puts another function in the
place of one, its result takes the place of the part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

from onnx_graphsurgeon.ir.graph import Graph
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Tensor

if TYPE_CHECKING:
    import onnx


class ReplacedMethods:
    """The functions of a program in the place of methods of OnnxExporter."""

    def __init__(self, functions: Mapping[str, Callable], do_type_check: bool):
        """
        Args:
            functions: By the names of the methods.
            do_type_check: The argument of export_value_info_proto() for the outermost graph.
        """
        self._functions = functions
        self._do_type_check = do_type_check

    def put_into(
        self, message: "onnx.GraphProto", graph: Graph, outer: Mapping[str, Tensor] | None = None
    ) -> None:
        """Puts their results into the message of a graph, and of graphs in it.

        Args:
            message: The message.
            graph: The graph.
            outer: Tensors of graphs around it, by name; None: it is the outermost.
        """
        check = self._do_type_check and outer is None
        tensors = {**(outer or {}), **{tensor.name: tensor for tensor in _tensors(graph)}}
        for each in message.initializer:
            self._put("export_tensor_proto", each, tensors.get(each.name))
        for sparse in message.sparse_initializer:
            self._put("export_sparse_tensor_proto", sparse, tensors.get(sparse.values.name))
        for info in [*message.input, *message.output, *message.value_info]:
            self._put("export_value_info_proto", info, tensors.get(info.name), check)
        for node, each in zip(graph.nodes, message.node):
            self._put_into_node(each, node, tensors)

    def _put_into_node(
        self, message: "onnx.NodeProto", node: Node, tensors: Mapping[str, Tensor]
    ) -> None:
        if not self._put("export_node", message, node) and "export_attributes" in self._functions:
            del message.attribute[:]
            message.attribute.extend(self._functions["export_attributes"](node.attrs))
        for attribute in message.attribute:
            value = node.attrs.get(attribute.name)
            if isinstance(value, Tensor):
                self._put("export_tensor_proto", attribute.t, value)
            elif isinstance(value, Graph):
                self.put_into(attribute.g, value, tensors)
            elif isinstance(value, (list, tuple)) and attribute.graphs:
                for each, graph in zip(attribute.graphs, value):
                    self.put_into(each, graph, tensors)

    def _put(self, method: str, message: Any, part: Any, *arguments: Any) -> bool:
        if part is None or method not in self._functions:
            return False
        message.CopyFrom(self._functions[method](part, *arguments))
        return True


def _tensors(graph: Graph) -> Iterator[Tensor]:
    yield from graph.inputs
    yield from graph.outputs
    for node in graph.nodes:
        yield from node.inputs
        yield from node.outputs
