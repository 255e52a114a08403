"""Finding parts of graphs."""

from onnx_graphsurgeon.graph_pattern.graph_pattern import GraphPattern, PatternMapping
