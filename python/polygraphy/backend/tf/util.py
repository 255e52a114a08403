"""Reads graphs of TensorFlow."""

from __future__ import annotations

from collections import defaultdict
from typing import Dict, List, Optional, Sequence, Tuple

from polygraphy import mod, util
from polygraphy.backend.tf._tensorflow import tf
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER

protobuf = mod.lazy_import("google.protobuf.message", log=False, pkg_name="protobuf")

_INPUT_OPS = ["Placeholder", "FIFOQueue"]
# Parts of the names of operators, and of nodes, that make no results.
_NO_OUTPUT_OPS = """NoOp Assert Assign Const Enter Exit FusedBatchNorm LoopCond NextIteration Print
ReadVariableOp Switch VarIsInitializedOp""".split()
_NO_OUTPUT_NAMESPACES = ["while", "Assert"]


def load_graph(path):
    """A graph.

    Args:
        path: The file of a frozen graph, or a GraphDef, or a graph, which is returned as it is.

    Raises:
        PolygraphyException: If the file holds no GraphDef.
    """
    if isinstance(path, tf.Graph):
        return path
    if isinstance(path, str):
        graphdef = tf.GraphDef()
        try:
            graphdef.ParseFromString(util.load_file(path, description="GraphDef"))
        except protobuf.DecodeError:
            G_LOGGER.critical(
                f"Could not import TensorFlow GraphDef from: {path}. Is this a valid TensorFlow "
                "model?"
            )
    else:
        graphdef = path
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graphdef, name="")
    return graph


def find_nodes_by_ops(graphdef, ops: Sequence[str]) -> list:
    """The nodes whose operators have any of some texts in their names."""
    return [node for node in graphdef.node if any(op in node.op for op in ops)]


def map_node_outputs(graphdef) -> Dict[str, list]:
    """Name of a node -> the nodes that use its outputs, or wait for it."""
    consumers = defaultdict(list)
    for node in graphdef.node:
        for name in node.input:
            consumers[name.lstrip("^").split(":")[0]].append(node)
    return consumers


def get_tensor_metadata(tensors: Sequence) -> TensorMetadata:
    """Names, data types and shapes of tensors; those of no array, like resources, have no type."""
    metadata = TensorMetadata()
    for tensor in tensors:
        dtype_name = tensor.dtype.base_dtype.name.replace("_", "").upper()
        shape = tensor.shape.as_list() if tensor.shape.rank is not None else None
        metadata.add(tensor.name, dtype=getattr(DataType, dtype_name, None), shape=shape)
    return metadata


def get_input_metadata(graph) -> TensorMetadata:
    """Names, data types and shapes of a graph's inputs."""
    nodes = find_nodes_by_ops(graph.as_graph_def(), _INPUT_OPS)
    G_LOGGER.verbose(f"Found input tensors: {[f'{node.name}: {node.op}' for node in nodes]}")
    tensors = [graph.get_tensor_by_name(f"{node.name}:0") for node in nodes]
    G_LOGGER.verbose(f"Retrieved TensorFlow input_tensors: {tensors}")
    return get_tensor_metadata(tensors)


def _is_likely_output(node, consumers: Dict[str, list]) -> bool:
    if node.name in consumers or not node.input:
        return False
    if any(op in node.op for op in _NO_OUTPUT_OPS) or any(
        namespace in node.name for namespace in _NO_OUTPUT_NAMESPACES
    ):
        G_LOGGER.extra_verbose(
            f"Excluding {node.name}, op {node.op} is not a valid output op or is part of an "
            f"excluded namespace (Note: excluded namespaces: {_NO_OUTPUT_NAMESPACES})"
        )
        return False
    return True


def get_output_metadata(graph, layerwise: bool = False) -> TensorMetadata:
    """Names, data types and shapes of a graph's outputs, which no node uses.

    Args:
        graph: The graph.
        layerwise: Whether the first output of every node counts.
    """
    graphdef = graph.as_graph_def()
    if layerwise:
        nodes = list(graphdef.node)
        G_LOGGER.verbose(
            f"Running in layerwise mode. Marking {len(nodes)} layers as potential outputs"
        )
    else:
        consumers = map_node_outputs(graphdef)
        nodes = [node for node in graphdef.node if _is_likely_output(node, consumers)]
    G_LOGGER.extra_verbose(lambda: f"Found likely output nodes: {nodes}")

    tensors = []
    for node in nodes:
        name = f"{node.name}:0"
        try:
            tensors.append(graph.get_tensor_by_name(name))
        except KeyError:
            G_LOGGER.warning(f"Could not import: {name}. Skipping.")
    if len(tensors) != len(nodes):
        G_LOGGER.warning(
            f"Excluded {len(nodes) - len(tensors)} ops that don't seem like outputs. Use "
            "-vv/--super-verbose, or set logging verbosity to EXTRA_VERBOSE to view them."
        )
    G_LOGGER.extra_verbose(
        lambda: f"Found output op types in graph: { {tensor.op.type for tensor in tensors} }"
    )
    G_LOGGER.verbose(f"Retrieved TensorFlow output_tensors: {tensors}")
    return get_tensor_metadata(tensors)


def get_graph_output_names(graph) -> List[str]:
    """The names of a graph's outputs."""
    return list(get_output_metadata(graph).keys())


def with_output_names(graph) -> Tuple:
    """A graph and the names of its outputs, which is how loaders hand graphs on."""
    return graph, get_graph_output_names(graph)


def str_from_graph(
    graph,
    show_layers: Optional[bool] = None,
    show_attrs: Optional[bool] = None,
    show_weights: Optional[bool] = None,
) -> str:
    """A graph as text.

    Args:
        graph: The graph.
        show_layers: Whether to show nodes. Together with `show_attrs`, as protobuf prints them.
        show_attrs: Whether to show attributes, which hold weights as well.
        show_weights: Has no effect alone.
    """
    inputs, outputs = get_input_metadata(graph), get_output_metadata(graph)
    nodes = graph.as_graph_def().node
    text = (
        f"---- {len(inputs)} Graph Inputs ----\n{inputs}\n\n"
        f"---- {len(outputs)} Graph Outputs ----\n{outputs}\n\n"
        f"---- {len(nodes)} Nodes ----"
    )
    if not show_layers:
        return text
    if not (show_attrs and show_weights):
        G_LOGGER.warning(
            "Displaying layer information is unsupported for TensorFlow graphs. Please use --show "
            "layers attrs weights if you would like to see the raw nodes"
        )
    return text + "\n" + "".join(f"{node}\n" for node in nodes if show_attrs)
