"""Graphs of ONNX models."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Dict, List, Union

from onnx_graphsurgeon import _core
from onnx_graphsurgeon._element_types import (
    get_dtype_name,
    get_itemsize,
    get_numpy_type,
    get_onnx_tensor_dtype,
    get_onnx_tensor_shape,
    get_onnx_tensor_type,
)
from onnx_graphsurgeon.importers.base_importer import BaseImporter
from onnx_graphsurgeon.ir.function import Function
from onnx_graphsurgeon.ir.graph import Graph
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Constant, LazyValues, SparseValues, Tensor, Variable
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util import misc
from onnx_graphsurgeon.util.lazy_module import LazyModule

if TYPE_CHECKING:
    import onnx
else:
    onnx = LazyModule("onnx")

# The kinds of attributes that have a value here, and the fields of AttributeProto with it.
ONNX_PYTHON_ATTR_MAPPING = {
    "FLOAT": "f",
    "INT": "i",
    "STRING": "s",
    "TENSOR": "t",
    "GRAPH": "g",
    "FLOATS": "floats",
    "INTS": "ints",
    "STRINGS": "strings",
}


def __getattr__(name: str) -> Any:
    if name == "ATTR_TYPE_MAPPING":
        return {v: k for k, v in onnx.AttributeProto.AttributeType.items()}
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


class OnnxImporter(BaseImporter):
    """Makes graphs, and parts of them, of messages of ONNX."""

    @staticmethod
    def get_opset(model_or_func: Union["onnx.ModelProto", "onnx.FunctionProto"]) -> int:
        """The version of ONNX's operators; None, with a warning, if the model does not say it."""
        kind = "Function" if type(model_or_func).__name__ == "FunctionProto" else "Model"
        try:
            for item in OnnxImporter.get_import_domains(model_or_func):
                if item.domain in ("", "ai.onnx"):
                    return item.version
            G_LOGGER.warning(
                f"{kind} does not contain ONNX domain opset information! Using default opset."
            )
        except AttributeError:
            G_LOGGER.warning(f"{kind} does not contain opset information! Using default opset.")
        return None  # type: ignore[return-value]

    @staticmethod
    def get_import_domains(model_or_func: Union["onnx.ModelProto", "onnx.FunctionProto"]) -> Any:
        """The versions of all operator sets: the field of the message itself."""
        return model_or_func.opset_import

    @staticmethod
    def import_tensor(
        onnx_tensor: Union["onnx.ValueInfoProto", "onnx.TensorProto", "onnx.SparseTensorProto"],
    ) -> Tensor:
        """A Constant with lazy values, or a Variable for a ValueInfoProto."""
        if isinstance(onnx_tensor, onnx.SparseTensorProto):
            values = onnx_tensor.values
            return Constant(values.name, SparseValues(onnx_tensor), values.data_location)
        if isinstance(onnx_tensor, onnx.TensorProto):
            location = onnx_tensor.data_location if onnx_tensor.HasField("data_location") else None
            return Constant(onnx_tensor.name, LazyValues(onnx_tensor), location)
        return Variable(
            onnx_tensor.name,
            get_onnx_tensor_dtype(onnx_tensor),  # type: ignore[arg-type]
            get_onnx_tensor_shape(onnx_tensor),
            get_onnx_tensor_type(onnx_tensor) or "tensor_type",
        )

    @staticmethod
    def import_attributes(
        onnx_attributes: List["onnx.AttributeProto"],
        tensor_map: "OrderedDict[str, Tensor]",
        subgraph_tensor_map: "OrderedDict[str, Tensor]",
        opset: int,
        import_domains: "onnx.OperatorSetIdProto",
    ) -> "OrderedDict[str, Any]":
        """Values by name. See import_node() for the arguments."""
        carrier = onnx.NodeProto(op_type="Attributes", attribute=onnx_attributes)
        return OnnxImporter.import_node(  # type: ignore[return-value]
            carrier, tensor_map, subgraph_tensor_map, opset, import_domains
        ).attrs

    @staticmethod
    def import_node(
        onnx_node: "onnx.NodeProto",
        tensor_map: "OrderedDict[str, Tensor]",
        subgraph_tensor_map: "OrderedDict[str, Tensor]",
        opset: int,
        import_domains: "onnx.OperatorSetIdProto",
    ) -> Node:
        """A Node.

        Args:
            onnx_node: The message.
            tensor_map: Tensors of outer graphs by name, for inputs and subgraphs.
            subgraph_tensor_map: Tensors of the node's own graph, which come first. Tensors that are
                in neither are made and added to it.
            opset, import_domains: Of the graphs in attributes.
        """
        graph = _core.import_model(onnx.ModelProto(graph=onnx.GraphProto(node=[onnx_node])))
        _set_versions(graph, opset, import_domains)
        node = graph.nodes[0]
        made = {t.name: t for t in node.outputs if not t.is_empty()}
        for name, tensor in _free_tensors(graph).items():
            if name in made:
                continue
            if name in subgraph_tensor_map:
                _replace_tensor(graph, tensor, subgraph_tensor_map[name])
            elif name in tensor_map:
                _replace_tensor(graph, tensor, tensor_map[name])
            else:
                _say_made(name)
                subgraph_tensor_map[name] = tensor
        for name, tensor in made.items():
            if name in subgraph_tensor_map:
                _replace_tensor(graph, tensor, subgraph_tensor_map[name])
            else:
                _say_made(name)
                subgraph_tensor_map[name] = tensor
        return node

    @staticmethod
    def import_function(
        onnx_function: "onnx.FunctionProto",
        model_opset: int | None = None,
        model_import_domains: "onnx.OperatorSetIdProto | None" = None,
    ) -> Function:
        """A Function.

        Args:
            onnx_function: The message.
            model_opset, model_import_domains: Values for fields that the function lacks.
        """
        model = onnx.ModelProto(graph=onnx.GraphProto(name=""), functions=[onnx_function])
        function = _core.import_model(model).functions[0]
        function._functions = []
        _set_function_versions(function, onnx_function, model_opset, model_import_domains)
        return function

    @staticmethod
    def import_graph(
        onnx_graph: "onnx.GraphProto",
        tensor_map: "OrderedDict[str, Tensor] | None" = None,
        opset: int | None = None,
        import_domains: "onnx.OperatorSetIdProto | None" = None,
        producer_name: str | None = None,
        producer_version: str | None = None,
        functions: List[Function] | None = None,
        ir_version: int | None = None,
    ) -> Graph:
        """A Graph.

        Args:
            onnx_graph: The message.
            tensor_map: Tensors of outer graphs by name; not changed.
            opset, import_domains, producer_name, producer_version, functions, ir_version: Fields
                of the Graph that the message lacks.
        """
        _log_stages()
        graph = _core.import_model(onnx.ModelProto(graph=onnx_graph))
        if tensor_map:
            for name, tensor in _free_tensors(graph).items():
                if name in tensor_map:
                    _replace_tensor(graph, tensor, tensor_map[name])
        _set_versions(graph, misc.default_value(opset, Graph.DEFAULT_OPSET), import_domains)
        graph.producer_name = misc.default_value(producer_name, "")
        graph.producer_version = misc.default_value(producer_version, "")
        graph.ir_version = ir_version
        if functions is not None:
            graph._functions = functions
            graph._merge_subgraph_functions()
        return graph


def import_onnx(onnx_model: "onnx.ModelProto") -> Graph:
    """The Graph of a model, with its functions and subgraphs.

    Values of initializers are read on first access. Later changes of the model do not
    change the graph.

    Args:
        onnx_model: The model.
    """
    opset = OnnxImporter.get_opset(onnx_model)
    OnnxImporter.get_import_domains(onnx_model)  # raises unless it is a model
    _log_stages()
    graph = _core.import_model(onnx_model)
    # One list for the graph and its subgraphs, with the fields that the model itself has.
    graph.import_domains[:] = _copies(onnx_model.opset_import)
    if opset is None:
        for each in [graph, *graph.subgraphs(recursive=True)]:
            each.opset = Graph.DEFAULT_OPSET
    for function, message in zip(graph.functions, onnx_model.functions):
        function.import_domains[:] = _copies(message.opset_import)
        _set_function_versions(function, message, opset, graph.import_domains)
    return graph


def _copies(messages: Any) -> List[Any]:
    copies = [type(message)() for message in messages]
    for copy, message in zip(copies, messages):
        copy.CopyFrom(message)
    return copies


def _log_stages() -> None:
    for stage in ("initializers", "tensors with known shapes", "graph inputs", "graph outputs"):
        G_LOGGER.verbose(f"Importing {stage}")
    G_LOGGER.verbose("Importing nodes")


def _say_made(name: str) -> None:
    G_LOGGER.verbose(
        f"Tensor: {name} was not generated during shape inference, or shape inference was not run "
        "on this model. Creating a new Tensor."
    )


def _set_versions(graph: Graph, opset: int, import_domains: Any) -> None:
    for each in [graph, *graph.subgraphs(recursive=True)]:
        each.import_domains = None
        each.opset = misc.default_value(opset, Graph.DEFAULT_OPSET)
        each.import_domains = import_domains


def _set_function_versions(
    function: Function, message: "onnx.FunctionProto", opset: int | None, import_domains: Any
) -> None:
    """Sets the versions of a function: from its message, or else from the model."""
    own = OnnxImporter.get_opset(message)
    domains = function.import_domains if message.opset_import else import_domains
    _set_versions(function, misc.default_value(own, opset), domains)  # type: ignore[arg-type]


def _free_tensors(graph: Graph) -> Dict[str, Tensor]:
    """By name, the tensors that `graph` and its subgraphs use and do not define."""
    defined = {id(t) for t in graph.inputs}
    for node in graph.nodes:
        defined.update(id(t) for t in node.outputs)
    return {
        name: tensor
        for name, tensor in graph._foreign_tensors().items()
        if id(tensor) not in defined and not isinstance(tensor, Constant)
    }


def _replace_tensor(graph: Graph, old: Tensor, new: Tensor) -> None:
    """Puts `new` in the place of `old`, in subgraphs, too."""
    for node in [*old.outputs, *old.inputs]:
        for tensors in (node.inputs, node.outputs):
            for index, tensor in enumerate(tensors):
                if tensor is old:
                    tensors[index] = new
    for each in [graph, *graph.subgraphs(recursive=True)]:
        for name in ("inputs", "outputs"):
            ends = getattr(each, name)
            ends[:] = [new if tensor is old else tensor for tensor in ends]
