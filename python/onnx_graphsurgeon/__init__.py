"""Build, read, edit and write ONNX graphs: the interface of onnx_graphsurgeon 0.6.1.

Graphs, nodes and tensors are plain Python objects. What walks over a whole graph (import, export,
cleanup, sorting, copying, folding) is native code, see `onnx_graphsurgeon._core`.
"""

from onnx_graphsurgeon import util
from onnx_graphsurgeon.exporters.onnx_exporter import export_onnx
from onnx_graphsurgeon.graph_pattern import GraphPattern, PatternMapping
from onnx_graphsurgeon.importers.onnx_importer import import_onnx
from onnx_graphsurgeon.ir.function import Function
from onnx_graphsurgeon.ir.graph import Graph
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Constant, Tensor, Variable
from onnx_graphsurgeon.util.exception import OnnxGraphSurgeonException

__version__ = "0.6.1"
