"""ONNX models of graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Sequence

from onnx_graphsurgeon import _core
from onnx_graphsurgeon._element_types import dtype_to_onnx
from onnx_graphsurgeon.exporters._replaced_methods import ReplacedMethods
from onnx_graphsurgeon.exporters.base_exporter import BaseExporter
from onnx_graphsurgeon.ir.function import Function
from onnx_graphsurgeon.ir.graph import Graph
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Constant, LazyValues, SparseValues, Tensor, Variable
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util.lazy_module import LazyModule

if TYPE_CHECKING:
    import numpy as np
    import onnx
else:
    np = LazyModule("numpy")
    onnx = LazyModule("onnx")


class NumpyArrayConverter:
    """A conversion of arrays by one of their elements.

    Attributes:
        func: The conversion of an element.
    """

    def __init__(self, container: "np.dtype", scalar_converter: Callable):
        """
        Args:
            container: The type of the elements of the result.
            scalar_converter: A function of one element.
        """
        self.func = np.vectorize(scalar_converter, otypes=[container])

    def __call__(self, arr: "np.ndarray") -> "np.ndarray":
        """The converted array."""
        return self.func(arr)


def update_import_domains(graph: Graph) -> "List[onnx.OperatorSetIdProto]":
    """Adds version 1 of the domains that nodes use to `graph.import_domains`, and returns it."""
    return _keep_domains(graph, _core.exported_domains(graph))


def _keep_domains(
    graph: Graph, exported: "Sequence[onnx.OperatorSetIdProto]"
) -> "List[onnx.OperatorSetIdProto]":
    if graph.import_domains is None:
        graph.import_domains = []
    more = exported[len(graph.import_domains) :]
    graph.import_domains += [onnx.helper.make_opsetid(each.domain, each.version) for each in more]
    return graph.import_domains


def check_duplicate_node_names(nodes: Sequence[Node], level: int = G_LOGGER.WARNING) -> None:
    """Logs which nodes share a name that is not empty, with the severity `level`."""
    seen: dict[str, Node] = {}
    for node in nodes:
        if not node.name:
            continue
        first = seen.setdefault(node.name, node)
        if first is not node:
            G_LOGGER.log(
                f"Found distinct Nodes that share the same name:\n"
                f"[id: {id(first)}]:\n {first}---\n[id: {id(node)}]:\n {node}",
                level,
            )


def constant_to_onnx_tensor(tensor: Constant) -> "onnx.TensorProto":
    """The values of a Constant, in its export type, under its name."""
    return OnnxExporter.export_tensor_proto(tensor)


class OnnxExporter(BaseExporter):
    """Makes messages of ONNX of graphs and of parts of them."""

    @staticmethod
    def export_tensor_proto(tensor: Constant) -> "onnx.TensorProto":
        """An initializer with the values of a Constant, which are not sparse.

        Unlike in a whole model, its location is the `data_location` of a tensor with an array.
        """
        if isinstance(tensor._values, SparseValues):
            G_LOGGER.critical(f"Sparse values are not a TensorProto: {tensor}")
        proto = _carry(inputs=[tensor]).initializer[0]
        if tensor.data_location is not None and not isinstance(tensor._values, LazyValues):
            proto.data_location = tensor.data_location
        return proto

    @staticmethod
    def export_sparse_tensor_proto(tensor: Constant) -> "onnx.SparseTensorProto":
        """An initializer with the SparseValues of a Constant."""
        return _carry(inputs=[tensor]).sparse_initializer[0]

    @staticmethod
    def export_value_info_proto(tensor: Tensor, do_type_check: bool) -> "onnx.ValueInfoProto":
        """The name, type and shape of a tensor.

        Args:
            tensor: The tensor.
            do_type_check: Whether no element type is an error.
        """
        if do_type_check:
            _check_type(tensor)
        kind = getattr(tensor, "type", "tensor_type")
        end = Variable(tensor.name, tensor.dtype, tensor.shape, kind)
        return _core.export_model(Graph(inputs=[end])).graph.input[0]

    @staticmethod
    def export_attributes(attrs: dict) -> List["onnx.AttributeProto"]:
        """The attributes of a node, in their order."""
        return list(_carry(attrs=attrs).node[0].attribute)

    @staticmethod
    def export_node(node: Node) -> "onnx.NodeProto":
        """A node."""
        graph = Graph()
        graph.nodes = [node]
        return _core.export_model(graph).graph.node[0]

    @staticmethod
    def export_function(func: Function) -> "onnx.FunctionProto":
        """A function. Its constants are nodes there, as a function has no initializers.

        Args:
            func: The function. It stays as it is.
        """
        graph = Graph(name="")
        graph._functions = [func]
        message = _core.export_model(graph).functions[0]
        _keep_domains(func, message.opset_import)
        return message

    @staticmethod
    def export_graph(graph: Graph, do_type_check: bool = True) -> "onnx.GraphProto":
        """A graph, with its subgraphs.

        Args:
            graph: The graph.
            do_type_check: Whether an end of the graph without an element type is an error.
        """
        return _export_model(graph, do_type_check).graph


_OWN_METHODS = {
    name: getattr(OnnxExporter, name) for name in vars(OnnxExporter) if name.startswith("export_")
}


def _export_model(graph: Graph, do_type_check: bool) -> "onnx.ModelProto":
    replaced = {
        name: getattr(OnnxExporter, name)
        for name, method in _OWN_METHODS.items()
        if getattr(OnnxExporter, name) is not method
    }
    if do_type_check and "export_value_info_proto" not in replaced:
        _check_types(graph)
    model = _core.export_model(graph, lambda: _name_shared_names(graph))
    if replaced:
        ReplacedMethods(replaced, do_type_check).put_into(model.graph, graph)
    return model


def export_onnx(graph: Graph, do_type_check: bool = True, **kwargs: Any) -> "onnx.ModelProto":
    """The model of a graph, with its functions.

    Versions of operators that the model gets are added to `import_domains` of the graph (unless
    they are given) and of the functions. Nothing else changes.

    Args:
        graph: The graph.
        do_type_check: Whether an end of the graph without an element type is an error.
        kwargs: Fields of the model, as for onnx.helper.make_model: opset_imports, doc_string,
            model_version ... The graph gives the producer, and the IR version if it has one.
    """
    model = _export_model(graph, do_type_check)
    fields = {"ir_version": onnx.IR_VERSION, **kwargs}
    fields["producer_name"] = getattr(graph, "producer_name", "")
    fields["producer_version"] = getattr(graph, "producer_version", "")
    fields.pop("functions", None)
    if graph.ir_version is not None:
        fields["ir_version"] = graph.ir_version
    opset_imports = fields.pop("opset_imports", None)
    for function, message in zip(graph.functions, model.functions):
        _keep_domains(function, message.opset_import)
    if opset_imports is None:
        _keep_domains(graph, model.opset_import)
    else:
        del model.opset_import[:]
        model.opset_import.extend(opset_imports)
    for name, value in fields.items():
        setattr(model, name, value)
    return model


def _carry(inputs: Sequence[Tensor] = (), attrs: dict | None = None) -> "onnx.GraphProto":
    """A graph of one node with copies of these constants, or with these attributes."""
    constants = [Constant(t.name, t._values, None, t._export_dtype) for t in inputs]
    graph = Graph()
    graph.nodes = [Node("Carrier", attrs=attrs, inputs=constants)]
    return _core.export_model(graph).graph


def _check_type(tensor: Tensor) -> None:
    if tensor.dtype is None:
        G_LOGGER.critical(
            "Graph input and output tensors must include dtype information. Please set the dtype "
            f"attribute for: {tensor}"
        )


def _check_types(graph: Graph) -> None:
    if _core.ends_have_types(graph):
        return
    ends = [*graph.inputs, *graph.outputs]
    if any(tensor.dtype is None for tensor in ends):
        _name_shared_names(graph)  # before the error: there will be no model
    for tensor in ends:
        _check_type(tensor)


def _name_shared_names(graph: Graph) -> None:
    """Says which nodes and which tensors of a graph, or of a graph in it, have one name."""
    for outer in [graph, *graph.functions]:
        for each in [outer, *outer.subgraphs(recursive=True)]:
            check_duplicate_node_names(each.nodes)
            each.tensors()
