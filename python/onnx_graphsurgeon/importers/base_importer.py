"""The interface of importers."""

from __future__ import annotations

from typing import Any

from onnx_graphsurgeon.ir.graph import Graph


class BaseImporter:
    """Makes graphs of something."""

    @staticmethod
    def import_graph(graph: Any) -> Graph:
        """The Graph that says the same as `graph`.

        Args:
            graph: A graph of the other format.
        """
        raise NotImplementedError("BaseImporter is an abstract class")
