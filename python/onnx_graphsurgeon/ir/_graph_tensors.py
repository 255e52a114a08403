"""The tensors of a graph, and the nodes that they need."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List

from onnx_graphsurgeon.ir.tensor import Constant, Tensor
from onnx_graphsurgeon.logger.logger import G_LOGGER

if TYPE_CHECKING:
    from onnx_graphsurgeon.ir.graph import Graph
    from onnx_graphsurgeon.ir.node import Node


class NodeIDAdder:
    """The context of Graph.node_ids()."""

    def __init__(self, graph: GraphTensors):
        self.graph = graph

    def __enter__(self) -> None:
        for index, node in enumerate(self.graph.nodes):
            node.id = index  # type: ignore[attr-defined]

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        for node in self.graph.nodes:
            node.__dict__.pop("id", None)


class GraphTensors:
    """The part of Graph that finds tensors and nodes."""

    if TYPE_CHECKING:
        nodes: List[Node]
        inputs: List[Tensor]
        outputs: List[Tensor]

        def subgraphs(self, recursive: bool = False) -> Iterator[Graph]: ...

    def node_ids(self) -> NodeIDAdder:
        """A context in which every node has an attribute `id`: its place in `nodes`."""
        return NodeIDAdder(self)

    def _get_node_id(self, node: Node) -> int:
        try:
            return node.id  # type: ignore[attr-defined]
        except AttributeError:
            G_LOGGER.critical(
                f"Encountered a node not in the graph:\n{node}.\n\n"
                "To fix this, please append the node to this graph's `nodes` attribute."
            )

    def _local_tensors(self) -> dict[str, Tensor]:
        """By name, the tensors that this graph defines: its inputs, outputs of its nodes, and all
        constants."""
        local = {t.name: t for node in self.nodes for t in node.outputs if not t.is_empty()}
        local.update((t.name, t) for t in self.inputs)
        local.update((n, t) for n, t in self._tensors().items() if isinstance(t, Constant))
        return local

    def _foreign_tensors(self) -> dict[str, Tensor]:
        """By name, the tensors of outer graphs that this graph and its subgraphs use."""
        local = self._local_tensors()
        used = {t.name: t for t in self.outputs if not t.is_empty()}
        for node in self.nodes:
            used.update((t.name, t) for t in node.inputs if not t.is_empty())
            for subgraph in node.subgraphs():
                used.update(subgraph._foreign_tensors())
        return {name: tensor for name, tensor in used.items() if name not in local}

    def _get_used_node_ids(self) -> tuple[set[int], list[Tensor]]:
        """The ids of the nodes that the outputs need, and all tensors they need. See node_ids()."""
        local = self._local_tensors()
        used_nodes: set[int] = set()
        used_tensors: list[Tensor] = []
        seen: set[int] = set()
        pending = [t for t in self.outputs if t.name in local]
        while pending:
            tensor = pending.pop(0)
            if id(tensor) in seen:
                continue
            seen.add(id(tensor))
            used_tensors.append(tensor)
            for node in tensor.inputs:
                used_nodes.add(self._get_node_id(node))
                pending.extend(t for t in node.inputs if not t.is_empty())
                for subgraph in node.subgraphs():
                    foreign = subgraph._foreign_tensors().items()
                    pending.extend(t for name, t in foreign if name in local)
        return used_nodes, used_tensors

    def tensors(self, check_duplicates: bool = False) -> "OrderedDict[str, Tensor]":
        """By name, the tensors of the inputs, of the nodes in their order, and of the outputs.

        Tensors that only subgraphs use are not among them. Of two tensors with one name, the last
        counts, with a warning.

        Args:
            check_duplicates: Whether two tensors with one name are an error.
        """

        def found_two(first: Tensor, second: Tensor) -> None:
            message = (
                f"Found distinct tensors that share the same name:\n"
                f"[id: {id(first)}] {first}\n[id: {id(second)}] {second}\n"
                f"Note: Producer node(s) of first tensor:\n{first.inputs}\n"
                f"Producer node(s) of second tensor:\n{second.inputs}"
            )
            if check_duplicates:
                G_LOGGER.critical(message)
            G_LOGGER.log(message, severity=G_LOGGER.WARNING, stack_depth=4)

        return self._tensors(found_two)

    def _tensors(
        self, found_two: Callable[[Tensor, Tensor], None] | None = None
    ) -> "OrderedDict[str, Tensor]":
        by_name: OrderedDict[str, Tensor] = OrderedDict()

        def add(tensors: Iterable[Tensor]) -> None:
            for tensor in tensors:
                name = tensor.name
                if name == "":
                    continue
                known = by_name.get(name)
                if known is not None and known is not tensor and found_two:
                    found_two(known, tensor)
                by_name[name] = tensor

        add(self.inputs)
        for node in self.nodes:
            add(node.inputs)
            add(node.outputs)
        add(self.outputs)
        return by_name
