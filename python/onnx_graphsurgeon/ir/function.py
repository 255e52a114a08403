"""Local functions: operators that a model defines by a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Sequence

from onnx_graphsurgeon import _core
from onnx_graphsurgeon.ir.graph import Graph, _same_nodes
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Tensor
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util import misc

if TYPE_CHECKING:
    import onnx


class Function(Graph):
    """A graph that nodes of a model call by its domain and name.

    Attributes, besides a Graph's except the producer:
        domain: Where the operator is defined.
        attrs: Default values of attributes by name; None if a call must give the attribute.
            Node.AttributeRef stands for their values in the nodes.
    """

    DEFAULT_DOMAIN = "onnx_graphsurgeon"

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        name: str,
        domain: str | None = None,
        nodes: Sequence[Node] | None = None,
        inputs: Sequence[Tensor] | None = None,
        outputs: Sequence[Tensor] | None = None,
        doc_string: str | None = None,
        opset: int | None = None,
        import_domains: "Sequence[onnx.OperatorSetIdProto] | None" = None,
        functions: "Sequence[Function] | None" = None,
        attrs: dict | None = None,
        ir_version: int | None = None,
    ):
        """See the attributes.

        Args:
            name: The name, which the `op` of nodes that call it equals.
            domain: The domain of these nodes.
            nodes: Its body.
            inputs: Tensors that a call feeds, in order.
            outputs: Tensors that it returns, in order.
            doc_string: A description.
            opset: The version of the standard operators in the body.
            import_domains: Versions of other domains' operators.
            functions: The functions that its body may call.
            attrs: Names of attributes, with defaults; None for those that a call has to give.
            ir_version: The version of the file format.
        """
        self.domain = misc.default_value(domain, Function.DEFAULT_DOMAIN)
        self.attrs = misc.default_value(attrs, {})
        super().__init__(
            nodes,
            inputs,
            outputs,
            name=name,
            doc_string=doc_string,
            opset=opset,
            import_domains=import_domains,
            functions=functions,
            ir_version=ir_version,
        )
        del self.producer_name
        del self.producer_version

    @property
    def unique_id(self) -> tuple[str, str]:
        """The identifier by which nodes call the function: its domain and name."""
        return (self.domain, self.name)

    def cleanup(
        self,
        remove_unused_node_outputs: bool = False,
        recurse_subgraphs: bool = True,
        remove_unused_graph_inputs: bool = False,
        recurse_functions: bool = False,
    ) -> Function:
        """As of a Graph, but other functions stay unless the caller includes them."""
        if recurse_functions:
            G_LOGGER.warning(
                "Function.cleanup() called with recurse_functions=True, meaning that other "
                "functions will also be cleaned up."
            )
        super().cleanup(
            remove_unused_node_outputs,
            recurse_subgraphs,
            remove_unused_graph_inputs,
            recurse_functions,
        )
        return self

    def fold_constants(self, recurse_functions: bool = False, **kwargs: Any) -> Function:  # type: ignore[override]
        """As of a Graph, but other functions stay unless the caller includes them."""
        if recurse_functions:
            G_LOGGER.warning(
                "Function.fold_constants() called with recurse_functions=True, meaning that other "
                "functions will also be const-folded."
            )
        super().fold_constants(recurse_functions=recurse_functions, **kwargs)
        return self

    def toposort(
        self, recurse_subgraphs: bool = True, recurse_functions: bool = False, mode: str = "nodes"
    ) -> Function:
        """As of a Graph, but other functions stay unless the caller includes them."""
        if recurse_functions:
            G_LOGGER.warning(
                "Function.toposort() called with recurse_functions=True, meaning that other "
                "functions will be sorted."
            )
        super().toposort(recurse_subgraphs, recurse_functions, mode)
        return self

    def __call__(
        self, graph: Graph, inputs: Any = None, outputs: Any = None, *args: Any, **kwargs: Any
    ) -> List[Tensor]:
        """Appends a node to `graph` that calls this function.

        Args:
            graph: The graph that gets the node.
            inputs, outputs: As of Graph.layer(). Without outputs, they are made, with the names,
                types and shapes of this function's.
            args, kwargs: For Node, after its operator: name, attrs.

        Returns: The outputs of the node. Another number of tensors than this function has, and
        attributes without those that it needs, only make warnings.
        """
        inputs = None if inputs is None else list(inputs)
        outputs = [out.name for out in self.outputs] if outputs is None else list(outputs)
        for wanted, given, word in (
            (self.inputs, inputs, "inputs"),
            (self.outputs, outputs, "outputs"),
        ):
            if given is not None and len(wanted) != len(given):
                G_LOGGER.warning(
                    f"Function {self.name} expects {len(wanted)} {word}, but was called with "
                    f"{len(given)} {word}."
                )
        attrs = kwargs.get("attrs", args[1] if len(args) > 1 else None)
        if attrs is not None:
            for name, default in self.attrs.items():
                if default is None and name not in attrs:
                    G_LOGGER.warning(
                        f"Function {self.name} called without required attribute: {name}"
                    )
        kwargs.setdefault("domain", self.domain)
        tensors = graph.layer(inputs, outputs, self.name, *args, **kwargs)
        if len(outputs) == len(self.outputs):
            for given, tensor, own in zip(outputs, tensors, self.outputs):
                if not isinstance(given, Tensor):
                    tensor.dtype, tensor.shape = own.dtype, _own_shape(own.shape)
        return tensors

    def copy(self) -> Function:  # type: ignore[override]
        """A function with copies of the nodes and tensors, as of a Graph."""
        return _core.copy(self, None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            isinstance(other, Function)
            and self.unique_id == other.unique_id
            and self.opset == other.opset
            and self.import_domains == other.import_domains
            and self.inputs == other.inputs
            and self.outputs == other.outputs
            and _same_nodes(self.nodes, other.nodes)
        )

    def __str__(self) -> str:
        return (
            f"Function {self.name}, Domain {self.domain}, Opset {self.opset}\n" + self._contents()
        )


def _own_shape(shape: Any) -> Any:
    return list(shape) if isinstance(shape, list) else shape
