"""The seam to the native code: everything that walks over a whole graph or reads and writes ONNX.

`polygraphy_native._native` reads and fills the plain objects of `onnx_graphsurgeon.ir`. It is
loaded at the first operation, with the classes and the conversions of single values that the
package has bound.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import lru_cache
from threading import RLock
from typing import TYPE_CHECKING, Any, Callable, Iterator

from onnx_graphsurgeon import _classes, _extension, _large_values
from onnx_graphsurgeon._element_types import dtype_to_onnx, imported_dtype
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util import misc
from onnx_graphsurgeon.util.exception import OnnxGraphSurgeonException
from onnx_graphsurgeon.util.lazy_module import LazyModule

if TYPE_CHECKING:
    import onnx

    from onnx_graphsurgeon.ir.graph import Graph
    from onnx_graphsurgeon.ir.tensor import Tensor
else:
    onnx = LazyModule("onnx")

_conversions: dict[str, Callable] = {}


def bind(**conversions: Callable) -> None:
    """Says how the native code converts single values that need the classes of graphs.

    Args:
        conversions: array_view, attribute_bytes and attribute_value; see `_values`.
    """
    _conversions.update(conversions)


@lru_cache(maxsize=None)
def native() -> Any:
    """The extension, which knows the classes of this package."""
    extension = _extension.load()
    extension.bind_graphsurgeon(
        {
            "Graph": _classes.Graph,
            "Function": _classes.Function,
            "Node": _classes.Node,
            "Variable": _classes.Variable,
            "Constant": _classes.Constant,
            "LazyValues": _classes.LazyValues,
            "SparseValues": _classes.SparseValues,
            "SynchronizedList": misc.SynchronizedList,
            **_conversions,
            "numpy_type": imported_dtype,
            "onnx_type": dtype_to_onnx,
            "tensor_bytes": _large_values.tensor_bytes,
            "opset_imports": _opset_imports,
            "log": _log,
            "error": OnnxGraphSurgeonException,
        }
    )
    return extension


def _opset_imports(pairs: list[tuple[str, int]]) -> list[onnx.OperatorSetIdProto]:
    return [onnx.helper.make_opsetid(domain, version) for domain, version in pairs]


def _log(severity: int, _module: str, text: str) -> None:
    """The native code has more severities of messages than this package."""
    known = [each for each in G_LOGGER.SEVERITY_LETTER_MAPPING if each <= severity]
    G_LOGGER.log(text, max(known, default=G_LOGGER.ULTRA_VERBOSE), stack_depth=2)


@contextmanager
def _errors_are_logged() -> Iterator[None]:
    """Errors of the native code are logged as the package's own are."""
    try:
        yield
    except OnnxGraphSurgeonException as error:
        text = str(error)
    else:
        return
    G_LOGGER.critical(text)


@contextmanager
def _alone(graph: Graph) -> Iterator[None]:
    """For one thread at a time, while the graph is a model: the GIL does not protect that."""
    state = vars(graph)
    if "_model" not in state:
        yield
        return
    with state.setdefault("_lock", RLock()):
        try:
            yield
        finally:
            if "_model" not in state:
                state.pop("_lock", None)


def make_objects(graph: Graph) -> None:
    """Gives a graph that is still a model its nodes, inputs and outputs."""
    with _alone(graph):
        if "_model" in vars(graph):
            native().make_graph_objects(graph)


def domains(graph: Graph) -> list[str] | None:
    """The domains that nodes of a graph that is still a model name; None for other graphs."""
    with _alone(graph):
        return native().domains(graph)


def ends_have_types(graph: Graph) -> bool | None:
    """Whether the ends of a graph that is still a model have types; None for other graphs."""
    with _alone(graph):
        return native().ends_have_types(graph)


def import_model(model: onnx.ModelProto) -> Graph:
    """The Graph of a model. Raises OnnxGraphSurgeonException for an invalid model."""
    with _errors_are_logged():
        return _large_values.import_around(model, native().import_graphsurgeon)


def export_model(
    graph: Graph, on_shared_names: Callable[[], None] | None = None
) -> onnx.ModelProto:
    """The model of a Graph: the graph, its functions, and the versions of operators.

    Args:
        graph: The graph.
        on_shared_names: Called if two nodes, or two tensors, of one graph have the same name.
    """
    with _errors_are_logged(), _alone(graph):
        model, distinct = _large_values.export_around(graph, native().export_graphsurgeon)
    if not distinct and on_shared_names is not None:
        on_shared_names()
    for function in model.functions:
        del function.value_info[:]  # calls may have other types than its tensors here
    for message, source in [(model, graph), *zip(model.functions, graph.functions)]:
        del message.opset_import[:]
        message.opset_import.extend(exported_domains(source))
    return model


def exported_domains(graph: Graph) -> list[onnx.OperatorSetIdProto]:
    """The `import_domains` of a graph, and version 1 of the other domains that its nodes use."""
    versions = graph.import_domains
    versions = [onnx.helper.make_opsetid("", graph.opset)] if versions is None else [*versions]
    known = {item.domain for item in versions}
    if known & {"", "ai.onnx"}:
        known |= {"", "ai.onnx"}
    for domain in _named_domains(graph):
        if domain not in known:
            known.add(domain)
            versions.append(onnx.helper.make_opsetid(domain, 1))
    return versions


def _named_domains(graph: Graph) -> list[str]:
    named = domains(graph)
    if named is None:
        graphs = [graph, *graph.subgraphs(recursive=True)]
        nodes = (node for each in graphs for node in each.nodes)
        named = [node.domain for node in nodes if node.domain is not None]
    return named


def sparse_payload(tensor: onnx.SparseTensorProto) -> Any:
    """The native holder of the values of a message."""
    name = tensor.values.name or "sparse"
    message = onnx.ModelProto(
        ir_version=onnx.IR_VERSION,
        graph=onnx.GraphProto(
            name="sparse",
            sparse_initializer=[tensor],
            node=[onnx.NodeProto(op_type="Identity", input=[name], output=["dense"])],
        ),
    )
    message.graph.sparse_initializer[0].values.name = name
    graph = native().import_graphsurgeon(message.SerializeToString())
    return graph.nodes[0].inputs[0]._values._payload


def cleanup(graph: Graph, *options: bool) -> None:
    """See Graph.cleanup() for the options, which are in its order."""
    with _errors_are_logged(), _alone(graph):
        native().cleanup(graph, *options)


def toposort(graph: Graph, *options: Any) -> None:
    """See Graph.toposort() for the options, which are in its order."""
    with _errors_are_logged(), _alone(graph):
        native().toposort(graph, *options)


def copy(graph: Graph, tensor_map: dict | None) -> Any:
    """See Graph.copy()."""
    with _errors_are_logged(), _alone(graph):
        return native().copy_graph(graph, {} if tensor_map is None else dict(tensor_map))


def fold_constants(graph: Graph, *options: Any) -> None:
    """See Graph.fold_constants() for the options, which are in its order."""
    extension = native()
    from polygraphy_native._places import tree

    # The ONNX Runtime that the user has computes, as it would in Python.
    folders = [path for path in sys.path if os.path.isdir(os.path.join(path, "onnxruntime"))]
    if graph.functions == [] and options[6] is None:
        with _errors_are_logged(), _alone(graph):
            if "_model" in vars(graph):
                extension.fold_constants(graph, *options, tree(), folders)
                return
    computed = _outputs_to_compute(graph)
    with _errors_are_logged():
        _large_values.fold_around(
            graph, lambda graph: extension.fold_constants(graph, *options, tree(), folders)
        )
    for tensor in computed:
        if isinstance(tensor, _classes.Constant):
            tensor.values  # an array, as it was computed and not read


def _outputs_to_compute(graph: Graph) -> list[Tensor]:
    """Variables that nodes make, other than those that only say a constant."""
    graphs = [graph, *graph.subgraphs(recursive=True)]
    for function in graph.functions:
        graphs += [function, *function.subgraphs(recursive=True)]
    return [
        tensor
        for each in graphs
        for node in each.nodes
        if node.op != "Constant"
        for tensor in node.outputs
        if isinstance(tensor, _classes.Variable)
    ]
