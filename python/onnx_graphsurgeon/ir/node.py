"""Nodes: operations that consume and produce tensors."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Sequence

from onnx_graphsurgeon import _classes
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util import misc

if TYPE_CHECKING:
    from onnx_graphsurgeon.ir.graph import Graph
    from onnx_graphsurgeon.ir.tensor import Tensor


class Node:
    """An operation.

    Attributes:
        op: The operator.
        name: The name, maybe "".
        attrs: Attribute values by name. Besides numbers, texts and lists of these: Constant,
            Graph, a scalar type of NumPy, AttributeRef.
        inputs, outputs: The tensors, by position. Assigning to them replaces their contents.
        domain: Where the operator is defined; None and "" mean ONNX itself.

    Nodes are equal if all of these are; tensors are compared by name.
    """

    class AttributeRef:
        """The value of an attribute inside a Function: from an attribute of the call.

        Attributes:
            name: Of the attribute of the call.
            type: Its Python type, e.g. float, Tensor, List[int], np.float32.
        """

        __hash__ = None  # type: ignore[assignment]

        def __init__(self, name: str, type: type) -> None:
            self.name = name
            self.type = type

        def __repr__(self) -> str:
            return f"{type(self).__qualname__}(name={self.name!r}, type={self.type!r})"

        def __eq__(self, other: object) -> bool:
            if other.__class__ is not self.__class__:
                return NotImplemented
            return (self.name, self.type) == (other.name, other.type)  # type: ignore[attr-defined]

    op: str
    name: str
    attrs: Dict[str, Any]
    inputs: List["Tensor"]
    outputs: List["Tensor"]
    domain: str | None
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        op: str,
        name: str | None = None,
        attrs: Dict[str, object] | None = None,
        inputs: Sequence["Tensor"] | None = None,
        outputs: Sequence["Tensor"] | None = None,
        domain: str | None = None,
    ):
        """See the attributes. `attrs` is kept, not copied.

        Args:
            op: The operator, or the name of a function.
            name: The node's name.
            attrs: Attributes by name.
            inputs: Tensors, in the operator's order; an empty one for each that is omitted.
            outputs: The same, for outputs.
            domain: The operator's domain; None for the standard one.
        """
        self.op = op
        self.name = misc.default_value(name, "")
        self.attrs = misc.default_value(attrs, OrderedDict())
        self.inputs = [] if inputs is None else inputs  # type: ignore[assignment]
        self.outputs = [] if outputs is None else outputs  # type: ignore[assignment]
        self.domain = domain

    def __setattr__(self, name: str, value: Any) -> None:
        if name in misc.OPPOSITE:
            misc.set_edges(self, name, value)
        else:
            object.__setattr__(self, name, value)

    __copy__ = misc.shallow_copy

    def __setstate__(self, state: dict) -> None:
        misc.set_state(self, state)

    def i(self, tensor_idx: int = 0, producer_idx: int = 0) -> Node:
        """A producer of an input: `self.inputs[tensor_idx].inputs[producer_idx]`.

        Args:
            tensor_idx: Which input.
            producer_idx: Which producer of it.
        """
        return self.inputs[tensor_idx].inputs[producer_idx]

    def o(self, consumer_idx: int = 0, tensor_idx: int = 0) -> Node:
        """A consumer of an output: `self.outputs[tensor_idx].outputs[consumer_idx]`.

        Args:
            consumer_idx: Which consumer of the output.
            tensor_idx: Which output.
        """
        return self.outputs[tensor_idx].outputs[consumer_idx]

    def subgraphs(self, recursive: bool = False) -> Iterator["Graph"]:
        """The graphs among the attribute values, each once.

        Args:
            recursive: Whether to go on with the nodes of these graphs.
        """
        seen: set[int] = set()
        pending = [self]
        while pending:
            node = pending.pop()
            for value in node.attrs.values():
                if not isinstance(value, _classes.Graph) or id(value) in seen:
                    continue
                seen.add(id(value))
                if recursive:
                    pending.extend(value.nodes)
                yield value

    def copy(
        self,
        inputs: Sequence["Tensor"] | None = None,
        outputs: Sequence["Tensor"] | None = None,
        tensor_map: Any = None,
    ) -> Node:
        """A node with other tensors. Attribute values are shared, except graphs.

        Args:
            inputs, outputs: Tensors of the copy; none by default.
            tensor_map: By name, tensors that graphs among the attributes use instead of outer ones.
        """
        attrs = OrderedDict(
            (name, value.copy(tensor_map) if isinstance(value, _classes.Graph) else value)
            for name, value in self.attrs.items()
        )
        return Node(self.op, self.name, attrs, inputs, outputs, domain=self.domain)

    def __str__(self) -> str:
        def block(title: str, tensors: List["Tensor"]) -> str:
            lines = "".join(f"\n\t\t{tensor}" for tensor in tensors)
            return f"\n\t{title}: [{lines}\n\t]"

        text = f"{self.name} ({self.op})"
        text += block("Inputs", self.inputs) + block("Outputs", self.outputs)
        if self.attrs:
            text += f"\nAttributes: {self.attrs}"
        if self.domain:
            text += f"\nDomain: {self.domain}"
        return text

    def __repr__(self) -> str:
        return self.__str__()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        G_LOGGER.verbose(f"Comparing node: {self.name} with {other.name}")
        return (
            self.name == other.name
            and self.op == other.op
            and self.domain == other.domain
            and self.inputs == other.inputs
            and self.outputs == other.outputs
            and _equal_attrs(self.attrs, other.attrs)
        )


def _equal_attrs(left: Dict[str, Any], right: Dict[str, Any]) -> bool:
    return left.keys() == right.keys() and all(
        _equal_values(value, right[name]) for name, value in left.items()
    )


def _equal_values(left: Any, right: Any) -> bool:
    """`==`, but arrays are equal if their elements are."""
    if hasattr(left, "__array__") and hasattr(right, "__array__"):
        return left.shape == right.shape and bool((left == right).all())
    return bool(left == right)
