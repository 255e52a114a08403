"""Parts of models, and reports about rewrites of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Mapping, NamedTuple, Sequence, overload

from polygraphy_native import _native


class TensorInfo(NamedTuple):
    """An input or output of a model.

    Attributes:
        name: Its name.
        dtype: "float32", "int64", "bfloat16", "string" ...; None: not known.
        shape: A number, a name or None (not known) for each dimension; None: the rank is not known.
        kind: "tensor", "sequence", "map", "optional" ...
    """

    name: str
    dtype: str | None
    shape: tuple[int | str | None, ...] | None
    kind: str


class NodeInfo(NamedTuple):
    """A node of the main graph; names of inputs and outputs that are left out are empty."""

    name: str
    op_type: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class InitializerInfo(NamedTuple):
    """The values of a constant: element type, shape, and bytes as they are stored (small types
    packed; of texts the sum of their lengths)."""

    dtype: str | None
    shape: tuple[int, ...]
    nbytes: int


class RolledBack(NamedTuple):
    """A rewrite that changed the results of the model, and was reverted: the rule, the operator
    and the name of the node, the output that changed, and how."""

    rule: str
    op_type: str
    node: str
    output: str
    difference: str


@dataclass(frozen=True)
class Verification:
    """The result of sanitize(verify=True).

    Attributes:
        verdict: "same": the result computes the same on everything that was run. "not run": the
            input model does not run here. "input kept": no rewrite that can be left out is to
            blame, and the model is as it was.
        rolled_back: The rewrites that were reverted.
    """

    verdict: str
    rolled_back: tuple[RolledBack, ...]


class Nodes(Sequence[NodeInfo]):
    """The nodes of a model's main graph, read on access, in their state at that time."""

    __slots__ = ("_model",)

    def __init__(self, model: _native.Model) -> None:
        self._model = model

    def __len__(self) -> int:
        return self._model.node_count()

    @overload
    def __getitem__(self, index: int) -> NodeInfo: ...
    @overload
    def __getitem__(self, index: slice) -> list[NodeInfo]: ...
    def __getitem__(self, index: int | slice) -> NodeInfo | list[NodeInfo]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not hasattr(index, "__index__"):
            raise TypeError(f"nodes are counted: an index is a whole number or a slice, not {index!r}")
        return NodeInfo(*self._model.node(index + len(self) if index < 0 else index))

    def __repr__(self) -> str:
        return f"<{len(self)} nodes>"


class Initializers(Mapping[str, InitializerInfo]):
    """The initializers of a model's main graph by name. Descriptions are made on access, values are
    not read. Shows changes of the model."""

    __slots__ = ("_model",)

    def __init__(self, model: _native.Model) -> None:
        self._model = model

    def __len__(self) -> int:
        return len(self._model.initializer_names())

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.initializer_names())

    def __getitem__(self, name: str) -> InitializerInfo:
        found = self._model.initializer(name) if isinstance(name, str) else None
        if found is None:
            raise KeyError(name)
        return InitializerInfo(*found)

    def __repr__(self) -> str:
        return f"<{len(self)} initializers>"
