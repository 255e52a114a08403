"""The interface of exporters."""

from __future__ import annotations

from typing import Any

from onnx_graphsurgeon.ir.graph import Graph


class BaseExporter:
    """Makes something of graphs."""

    @staticmethod
    def export_graph(graph: Graph) -> Any:
        """The equivalent of `graph` in the other format.

        Args:
            graph: The graph. It stays as it is.
        """
        raise NotImplementedError("BaseExporter is an abstract class")
