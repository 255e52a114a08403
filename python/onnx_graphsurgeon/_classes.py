"""The classes of graphs, for the modules that these classes themselves are built on.

The package sets them when all are defined, before anything can use one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx_graphsurgeon.ir.function import Function
    from onnx_graphsurgeon.ir.graph import Graph
    from onnx_graphsurgeon.ir.node import Node
    from onnx_graphsurgeon.ir.tensor import Constant, LazyValues, SparseValues, Tensor, Variable


def bind(*classes: Any) -> None:
    """Sets attributes of this module: the classes, by their names."""
    globals().update((each.__name__, each) for each in classes)
