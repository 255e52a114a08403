"""Reads the parts of a model, and finds the tensors that are outputs."""

from __future__ import annotations

import fnmatch
from typing import Any, Iterable, List, Optional, Sequence

from polygraphy import mod, util
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.mod._lazy_modules import gs, onnx

numpy_helper = mod.lazy_import("onnx.numpy_helper")

# Operators that decide how large their output is by the value of an input: the index of that input.
_SIZE_INPUTS = {"Range": 1, "Pad": 1, "Resize": 3, "Tile": 1, "Expand": 1}


def get_num_nodes(model: onnx.ModelProto) -> int:
    """How many nodes a model has, those of subgraphs included."""

    def count(graph) -> int:
        inner = 0
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    inner += count(attribute.g)
                elif attribute.type == onnx.AttributeProto.GRAPHS:
                    inner += sum(map(count, attribute.graphs))
        return len(graph.node) + inner

    return count(model.graph)


def all_tensor_names(model: onnx.ModelProto, include_inputs: Optional[bool] = None) -> List[str]:
    """The names of what nodes other than Constant make, in order.

    Args:
        model: The model. Its subgraphs are not looked at.
        include_inputs: Whether the names of its inputs follow. False if left out.
    """
    names: List[str] = []
    for node in model.graph.node:
        if node.op_type != "Constant":
            names += filter(None, node.output)  # "" stands for an absent one
    if util.default(include_inputs, False):
        names += [tensor.name for tensor in model.graph.input]
    return util.unique_list(names)


def _expand_wildcard_patterns(
    names: Iterable[str], candidates: List[str], others: Iterable[str] = ()
) -> List[str]:
    """Each name once, with patterns replaced by the candidates that match.

    A name of a tensor is not a pattern, whatever characters are in it.
    """
    known = {*candidates, *others}
    result = []
    for name in names:
        if name in known or not any(char in name for char in "*?[]"):
            result.append(name)
            continue
        matches = fnmatch.filter(candidates, name)
        if not matches:
            G_LOGGER.warning(f"No tensors matched wildcard pattern: '{name}'")
        result += matches
    return util.unique_list(result)


def _check_has_tensors(model: onnx.ModelProto, names: Iterable[str]) -> None:
    util.check_sequence_contains(
        all_tensor_names(model, include_inputs=True),
        names,
        name="the model",
        items_name="outputs",
        check_extra=False,
    )


def _replace_outputs(graph: onnx.GraphProto, outputs: list) -> None:
    """Gives a graph other outputs. The types of those that go stay known."""
    old = [_copied(tensor) for tensor in graph.output]
    outputs = [_copied(tensor) for tensor in outputs]
    del graph.output[:]
    graph.output.extend(outputs)
    known = {tensor.name for group in (outputs, graph.input, graph.value_info) for tensor in group}
    known.update(tensor.name for tensor in graph.initializer)
    graph.value_info.extend(
        tensor for tensor in old if tensor.HasField("type") and tensor.name not in known
    )


def _copied(message):
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def mark_outputs(model: onnx.ModelProto, outputs: Sequence[str]) -> onnx.ModelProto:
    """Replaces the outputs of a model, in place.

    Args:
        model: The model.
        outputs: The names of tensors of the main graph, or patterns as of `fnmatch`, which match
            what nodes make.

    Returns:
        The model.

    Raises:
        PolygraphyException: If a tensor is missing, or there would be no outputs.
    """
    graph = model.graph
    inputs = [tensor.name for tensor in graph.input]
    outputs = _expand_wildcard_patterns(outputs, all_tensor_names(model), inputs)
    if not outputs:
        G_LOGGER.critical("No outputs were selected. Please check your wildcard patterns.")
    _check_has_tensors(model, outputs)

    types = {}
    for group in (graph.input, graph.output, graph.value_info):
        types.update((tensor.name, tensor) for tensor in group)
    tensors = [
        types[name] if name in types else onnx.helper.make_empty_tensor_value_info(name)
        for name in outputs
    ]
    G_LOGGER.ultra_verbose(f"Marked output tensors in ONNX model: {tensors}")
    _replace_outputs(graph, tensors)
    return model


def mark_layerwise(model: onnx.ModelProto) -> onnx.ModelProto:
    """Makes everything that nodes other than Constant make an output, in place."""
    return mark_outputs(model, all_tensor_names(model))


def mark_by_op_type(model: onnx.ModelProto, op_types: Sequence[str]) -> onnx.ModelProto:
    """Makes what nodes of some operators make the outputs, in place.

    Args:
        model: The model.
        op_types: The operators, without regard to case. One that no node has is logged as an
            error, with similar ones; if none is there, the outputs stay as they are.

    Returns:
        The model.
    """
    known = sorted({node.op_type for node in model.graph.node})
    outputs = []
    for wanted in op_types:
        found = [node for node in model.graph.node if node.op_type.lower() == wanted.lower()]
        if not found:
            import difflib

            similar = difflib.get_close_matches(wanted, known, n=5, cutoff=0.6)
            hint = f"Did you mean one of: {similar}?" if similar else f"Available op types: {known}"
            G_LOGGER.error(f"No ONNX nodes of op type '{wanted}' were found in the model. {hint}")
        outputs += [output for node in found for output in node.output if output]
    return mark_outputs(model, outputs) if outputs else model


def unmark_outputs(model: onnx.ModelProto, outputs: Sequence[str]) -> onnx.ModelProto:
    """Removes outputs of a model, in place; the others keep their order.

    Args:
        model: The model.
        outputs: The names of tensors, or patterns as of `fnmatch`.

    Returns:
        The model.
    """
    current = [tensor.name for tensor in model.graph.output]
    inputs = [tensor.name for tensor in model.graph.input]
    outputs = _expand_wildcard_patterns(outputs, all_tensor_names(model), [*inputs, *current])
    # An output may also come from a Constant node or be an initializer.
    _check_has_tensors(model, [name for name in outputs if name not in current])
    _replace_outputs(
        model.graph, [tensor for tensor in model.graph.output if tensor.name not in outputs]
    )
    return model


def get_shape(tensor) -> list:
    """The shape of a TensorProto or ValueInfoProto: numbers, names, and -1 for neither."""
    if isinstance(tensor, onnx.TensorProto):
        return list(tensor.dims)

    def size(dim):
        if dim.HasField("dim_param"):
            return dim.dim_param
        return dim.dim_value if dim.HasField("dim_value") else -1

    return [size(dim) for dim in tensor.type.tensor_type.shape.dim]


def get_dtype(tensor) -> DataType:
    """The element type of a TensorProto or ValueInfoProto."""
    if isinstance(tensor, onnx.TensorProto):
        number = tensor.data_type
    else:
        number = tensor.type.tensor_type.elem_type
    return DataType.from_dtype(number, source_module="onnx")


def get_values(tensor: onnx.TensorProto) -> Any:
    """The values of a TensorProto as an array, or a text that says that they cannot be had."""
    try:
        return numpy_helper.to_array(tensor)
    except Exception as err:
        G_LOGGER.error(
            f"Failed to load weights.\nNote: Error was: {err}",
            mode=LogMode.ONCE,
        )
        return "<error: failed to load weights>"


def get_tensor_metadata(tensors: Iterable) -> TensorMetadata:
    """Names, types and shapes of TensorProtos or ValueInfoProtos."""
    metadata = TensorMetadata()
    for tensor in tensors:
        metadata.add(name=tensor.name, dtype=get_dtype(tensor), shape=get_shape(tensor))
    return metadata


def get_input_metadata(graph: onnx.GraphProto) -> TensorMetadata:
    """The inputs of a graph that have no initializers."""
    with_values = {tensor.name for tensor in graph.initializer}
    return get_tensor_metadata(tensor for tensor in graph.input if tensor.name not in with_values)


def get_output_metadata(graph: onnx.GraphProto) -> TensorMetadata:
    """The outputs of a graph."""
    return get_tensor_metadata(graph.output)


def str_from_onnx(
    model: onnx.ModelProto,
    show_layers: Optional[bool] = None,
    show_attrs: Optional[bool] = None,
    show_weights: Optional[bool] = None,
) -> str:
    """The contents of a model, as the text that `inspect model` prints.

    Args:
        model: The model.
        show_layers: Whether to list the nodes.
        show_attrs: Whether to show attributes, too.
        show_weights: Whether to show values.
    """
    from polygraphy.backend.onnx import _core

    asked = (("layers", show_layers), ("attrs", show_attrs), ("weights", show_weights))
    text = _core.describe(model, [name for name, wanted in asked if wanted])
    return text + ("\n" if show_layers and model.graph.node else "")  # behind the last node


def meta_from_gs_tensors(tensors: Iterable[gs.Tensor]) -> TensorMetadata:
    """Names, types and shapes of tensors of ONNX-GraphSurgeon."""
    metadata = TensorMetadata()
    for tensor in tensors:
        metadata.add(tensor.name, tensor.dtype, tensor.shape)
    return metadata


def set_shapes_from_layerwise_meta(graph: gs.Graph, layerwise_meta: TensorMetadata) -> None:
    """Gives the variables of a graph types and shapes that were found otherwise.

    Args:
        graph: The graph.
        layerwise_meta: Types and shapes. Tensors that are not in it stay as they are.
    """
    for name, tensor in graph.tensors().items():
        if isinstance(tensor, gs.Variable) and name in layerwise_meta:
            meta = layerwise_meta[name]
            tensor.shape = meta.shape
            tensor.dtype = DataType.to_dtype(DataType.from_dtype(meta.dtype), "onnx")


def lower_constant_nodes(graph: gs.Graph) -> gs.Graph:
    """Makes the outputs of Constant nodes constants, in place; the nodes go.

    Returns:
        The graph.
    """
    kept = []
    for node in graph.nodes:
        if node.op == "Constant" and "value" in node.attrs:
            node.outputs[0].to_constant(node.attrs["value"].values)
        else:
            kept.append(node)
    graph.nodes[:] = kept
    return graph


def get_unbounded_dds_tensors(graph: gs.Graph) -> List[gs.Tensor]:
    """The tensors whose values decide, without bound, how large others are.

    These are computed sizes, lengths and the like that are inputs of nodes whose output has a size
    that nothing before it has. The output of a Min node is bounded.

    Args:
        graph: The graph, with shapes. It is sorted.

    Returns:
        The tensors, each once, in the order of the nodes that read them.
    """
    graph.toposort()
    named = {size for tensor in graph.inputs for size in tensor.shape or () if type(size) is str}
    found = {}
    for node in graph.nodes:
        is_new = False
        for tensor in node.outputs:
            sizes = None if tensor.shape is None else {s for s in tensor.shape if type(s) is str}
            is_new |= sizes is None or not sizes <= named
            named |= sizes or set()
        index = _SIZE_INPUTS.get(node.op)
        if not is_new or index is None or index >= len(node.inputs):
            continue
        tensor = node.inputs[index]
        computed = not isinstance(tensor, gs.Constant) and tensor.inputs
        if computed and tensor.inputs[0].op != "Min":
            found.setdefault(tensor.name, tensor)
    return list(found.values())
