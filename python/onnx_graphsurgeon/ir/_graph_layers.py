"""Appending nodes to a graph, with the tensors that they need."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List

from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Constant, Tensor, Variable
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util import misc
from onnx_graphsurgeon.util.lazy_module import LazyModule, loaded_module

if TYPE_CHECKING:
    import numpy as np

    from onnx_graphsurgeon.ir.graph import Graph
else:
    np = LazyModule("numpy")


def _has_float(elem: Any) -> bool:
    """Whether a number, or one in nested lists, is not an integer."""
    if isinstance(elem, (list, tuple)):
        return any(_has_float(item) for item in elem)
    numpy = loaded_module("numpy")
    return isinstance(elem, float) or (numpy is not None and isinstance(elem, numpy.floating))


class GraphLayers:
    """The part of Graph that appends nodes."""

    if TYPE_CHECKING:
        nodes: List[Node]
        name_idx: int

        def _tensors(self) -> "dict[str, Tensor]": ...

        def subgraphs(self, recursive: bool = False) -> "Iterator[Graph]": ...

    def _generate_name(self, prefix: str, existing_names: Iterable[str]) -> str:
        """`prefix`, and the first number, counted by the graph, with which no name is taken."""
        while True:
            name = f"{prefix}_{self.name_idx}"
            self.name_idx += 1
            if name not in existing_names:
                return name

    def layer(
        self, inputs: Any = None, outputs: Any = None, *args: Any, **kwargs: Any
    ) -> List[Tensor]:
        """Appends a node, and makes the tensors that it needs.

        No tensor of the graph, of its subgraphs or of the node has a new name already.

        Args:
            inputs, outputs: Tensors of the node, which are taken as they are; a text is
                the start of the name of a new Variable; arrays, numbers, and lists of numbers
                become constants.
            args, kwargs: For Node, without its inputs and outputs.

        Returns: The outputs of the node.
        """
        given = list(misc.default_value(inputs, [])), list(misc.default_value(outputs, []))
        attrs = Node("", attrs=kwargs.get("attrs", args[2] if len(args) > 2 else None))
        taken = set(self._tensors())
        for graph in (*self.subgraphs(recursive=True), *attrs.subgraphs(recursive=True)):
            taken.update(graph._tensors())
        taken.update(each.name for side in given for each in side if isinstance(each, Tensor))

        def tensor(elem: Any) -> Tensor:
            if isinstance(elem, Tensor):
                return elem
            if isinstance(elem, str):
                return Variable(self._generate_name(elem, taken))
            numpy = loaded_module("numpy")
            if numpy is not None and isinstance(elem, numpy.ndarray):
                return Constant(self._generate_name("onnx_graphsurgeon_constant", taken), elem)
            if isinstance(elem, (list, tuple, numbers.Number)):
                array = np.array(elem, dtype=np.float32 if _has_float(elem) else np.int64)
                name = self._generate_name("onnx_graphsurgeon_lst_constant", taken)
                return Constant(name, array)
            G_LOGGER.critical(
                f"Unrecognized type passed to Graph.layer: {elem}.\n"
                "\tHint: Did you forget to unpack a list with `*`?\n"
                "\tPlease use Tensors, strings, or NumPy arrays."
            )

        kwargs["inputs"], kwargs["outputs"] = ([tensor(each) for each in side] for side in given)
        if len(args) < 2 and "name" not in kwargs:
            names = {other.name for other in self.nodes}
            kwargs["name"] = self._generate_name("onnx_graphsurgeon_node", names)
        node = Node(*args, **kwargs)
        self.nodes.append(node)
        return node.outputs
