"""Models with many bytes of values: these do not pass through the encoded model.

Encoding and parsing a model copies it several times. Above a limit, the native code gets a model
with large initializers that only say where the values would be, by a location that no file has, and
the messages with the values are put in their places afterwards.
"""

from __future__ import annotations

import math
from threading import local
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator

from onnx_graphsurgeon import _classes
from onnx_graphsurgeon.util import misc
from onnx_graphsurgeon.util.lazy_module import LazyModule

if TYPE_CHECKING:
    import onnx

    from onnx_graphsurgeon.ir.graph import Graph
    from onnx_graphsurgeon.ir.tensor import LazyValues
else:
    onnx = LazyModule("onnx")

LIMIT_OF_MODELS = 8 << 20  # bytes of values that may pass through an encoded model
LARGE = 1 << 16  # bytes of one tensor that is left out above that limit

# Values that are left out cost the objects of all nodes at once: each as much as these bytes.
_BYTES_PER_NODE = 2 << 10
_MOST_BYTES = 256 << 20

_LOCATION = "values left in Python: "


class _Work(local):
    """State of the current thread."""

    left_out: list[onnx.TensorProto] | None = None  # while a model is exported
    unread: set[int] = set()  # while constants are folded: id() of values that it does not need


_work = _Work()


def _stand_in(tensor: onnx.TensorProto, number: int) -> onnx.TensorProto:
    """The tensor without its values, which are in the place `number` of a list."""
    return onnx.TensorProto(
        name=tensor.name,
        dims=tensor.dims,
        data_type=tensor.data_type,
        data_location=onnx.TensorProto.EXTERNAL,
        external_data=[onnx.StringStringEntryProto(key="location", value=f"{_LOCATION}{number}")],
    )


def _number_of(tensor: onnx.TensorProto) -> int | None:
    """The place in the list, of a stand-in."""
    for entry in tensor.external_data:
        if entry.key == "location" and entry.value.startswith(_LOCATION):
            return int(entry.value[len(_LOCATION) :])
    return None


def byte_count(tensor: onnx.TensorProto) -> float:
    """An estimate that reads no values; 0 for values that are in a file."""
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        return 0
    return misc.volume(tensor.dims) * 4


def import_around(model: onnx.ModelProto, import_bytes: Callable[[bytes], Graph]) -> Graph:
    """The Graph of a model; its large values stay in the messages that the model has."""
    initializers = model.graph.initializer
    limit = LIMIT_OF_MODELS + _BYTES_PER_NODE * len(model.graph.node)
    bytes_of_values = 4 * sum(math.prod(tensor.dims) for tensor in initializers)
    if bytes_of_values < min(limit, _MOST_BYTES):
        return import_bytes(model.SerializeToString())
    large = [tensor for tensor in initializers if byte_count(tensor) >= LARGE]
    graph = import_bytes(without_values(model, large).SerializeToString())
    for constant in _constants(graph):
        payload = getattr(constant._values, "_payload", None)
        if constant.data_location is None or payload is None or payload.sparse:
            continue
        number = _number_of(onnx.TensorProto.FromString(payload.proto()))
        if number is not None:
            constant._values = _classes.LazyValues(large[number])
            constant.data_location = None
    return graph


def without_values(model: onnx.ModelProto, large: list[onnx.TensorProto]) -> onnx.ModelProto:
    """A copy of a model with stand-ins for some of its initializers."""
    numbers = {id(tensor): number for number, tensor in enumerate(large)}
    return with_initializers(
        model,
        (
            _stand_in(tensor, numbers[id(tensor)]) if id(tensor) in numbers else tensor
            for tensor in model.graph.initializer
        ),
    )


def with_initializers(
    model: onnx.ModelProto, initializers: Iterable[onnx.TensorProto]
) -> onnx.ModelProto:
    """A copy of a model with other initializers; those that it has are not copied."""
    copied = onnx.ModelProto()
    for field, value in model.ListFields():
        if field.name != "graph":
            set_field(copied, field.name, value)
    copied.graph.SetInParent()
    for field, value in model.graph.ListFields():
        if field.name != "initializer":
            set_field(copied.graph, field.name, value)
    for tensor in initializers:
        copied.graph.initializer.append(tensor)
    return copied


def set_field(message: Any, name: str, value: Any) -> None:
    """Gives a field, of any kind, a copy of a value."""
    if hasattr(value, "CopyFrom"):
        getattr(message, name).CopyFrom(value)
    elif hasattr(value, "extend"):
        getattr(message, name).extend(value)
    else:
        setattr(message, name, value)


def _constants(graph: Graph) -> Iterator[Any]:
    for each in [graph, *graph.subgraphs(recursive=True)]:
        for node in each.nodes:
            yield from (tensor for tensor in node.inputs if isinstance(tensor, _classes.Constant))
        yield from (tensor for tensor in each.outputs if isinstance(tensor, _classes.Constant))


def tensor_bytes(values: LazyValues) -> bytes:
    """The encoded message of values that a user made of one. Called by the native code."""
    tensor = values.tensor
    left_out = _work.left_out
    if id(values) in _work.unread:
        return _stand_in(tensor, 0).SerializeToString()
    if left_out is not None and isinstance(tensor, onnx.TensorProto):
        if byte_count(tensor) >= LARGE:
            left_out.append(tensor)
            return _stand_in(tensor, len(left_out) - 1).SerializeToString()
    return tensor.SerializeToString()


def fold_around(graph: Graph, fold: Callable[[Graph], None]) -> None:
    """Folds constants; large values that no node reads that could be folded stay where they are."""
    _work.unread = {id(values) for values in _values_not_to_fold(graph)}
    try:
        fold(graph)
    finally:
        _work.unread = set()


def _values_not_to_fold(graph: Graph) -> list[LazyValues]:
    """Large values of messages that are used together with values that only a run decides."""
    large = {
        id(tensor): tensor._values
        for tensor in _constants(graph)
        if type(tensor._values) is _classes.LazyValues
        and "_payload" not in vars(tensor._values)
        and byte_count(tensor._values.tensor) >= LARGE
    }
    if not large:
        return []
    decided: set[int] = set()  # tensors that are known when the model runs
    readers: list[Any] = []  # nodes that could be folded

    def walk(each: Graph) -> None:
        for node in each.nodes:
            for subgraph in node.subgraphs():
                walk(subgraph)
            known = [t for t in node.inputs if id(t) in decided or not _is_made_or_constant(t)]
            if known and node.op not in ("Shape", "Size"):
                decided.update(id(t) for t in node.outputs)
            elif node.op not in ("Shape", "Size"):
                readers.append(node)

    walk(graph)
    read = {id(tensor) for node in readers for tensor in node.inputs}
    return [values for tensor, values in large.items() if tensor not in read]


def _is_made_or_constant(tensor: Any) -> bool:
    return isinstance(tensor, _classes.Constant) or bool(tensor.inputs) or tensor.is_empty()


def export_around(
    graph: Graph, export_bytes: Callable[[Graph], tuple[bytes, bool]]
) -> tuple[onnx.ModelProto, bool]:
    """The model of a Graph, with the large values of messages copied from these, and the flag of
    `export_bytes`."""
    left_out: list[onnx.TensorProto] = []
    _work.left_out = left_out
    try:
        data, distinct = export_bytes(graph)
        model = onnx.ModelProto.FromString(data)
    finally:
        _work.left_out = None
    if left_out:
        for message in [model.graph, *model.functions]:
            put_values(message, left_out)
    return model, distinct


def put_values(message: Any, left_out: list[onnx.TensorProto]) -> None:
    """Replaces the stand-ins in a graph or function and in its subgraphs by their tensors."""
    tensors = list(getattr(message, "initializer", ()))
    for node in message.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                tensors.append(attribute.t)
            if attribute.HasField("g"):
                put_values(attribute.g, left_out)
            for subgraph in attribute.graphs:
                put_values(subgraph, left_out)
    for tensor in tensors:
        number = _number_of(tensor)
        if number is not None:
            name = tensor.name
            tensor.CopyFrom(left_out[number])
            tensor.name = name
