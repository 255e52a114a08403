"""Build, read, edit and write ONNX graphs: the interface of onnx_graphsurgeon 0.6.1.

Graphs, nodes and tensors are plain Python objects. Native code does the work on whole graphs
(import, export, cleanup, sorting, copying, folding), see `onnx_graphsurgeon._core`.
"""

from onnx_graphsurgeon import _classes, _core, _values, util
from onnx_graphsurgeon.exporters.onnx_exporter import export_onnx
from onnx_graphsurgeon.graph_pattern import GraphPattern, PatternMapping
from onnx_graphsurgeon.importers.onnx_importer import import_onnx
from onnx_graphsurgeon.ir.function import Function
from onnx_graphsurgeon.ir.graph import Graph
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Constant, Tensor, Variable
from onnx_graphsurgeon.ir.tensor import LazyValues as _LazyValues
from onnx_graphsurgeon.ir.tensor import SparseValues as _SparseValues
from onnx_graphsurgeon.util.exception import OnnxGraphSurgeonException

__version__ = "0.6.1"

_classes.bind(Graph, Function, Node, Tensor, Variable, Constant, _LazyValues, _SparseValues)
_core.bind(
    array_view=_values.array_view,
    attribute_bytes=_values.attribute_bytes,
    attribute_value=_values.attribute_value,
)
