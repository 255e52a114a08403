"""Networks: their layers and tensors, their outputs, and their text."""

from __future__ import annotations

import difflib
import fnmatch
import sys
from typing import Iterable, List, Optional, Tuple

from polygraphy import util
from polygraphy.backend.trt._module import trt
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.mod._lazy_modules import np


def get_layer_class_mapping() -> dict:
    """Kinds of layers (`trt.LayerType`) -> their classes, as far as this TensorRT has both."""
    classes = {name.lower(): cls for name, cls in vars(sys.modules[trt.__name__]).items()}
    found = {}
    for name, kind in trt.LayerType.__members__.items():
        words = name.replace("_", "").lower()
        # MATRIX_MULTIPLY is IMatrixMultiplyLayer, but CONDITIONAL_INPUT IIfConditionalInputLayer.
        cls = classes.get(f"i{words}layer") or classes.get(f"iif{words}layer")
        if cls is not None:
            found[kind] = cls
    return found


def _dtype(trt_type):
    return DataType.from_dtype(trt_type, "tensorrt")


def _names_and_meta(tensors: Iterable) -> Tuple[List[str], TensorMetadata]:
    """The names of tensors, in order, and their metadata. None stands for an omitted tensor."""
    names, meta = [], TensorMetadata()
    for tensor in tensors:
        if tensor is not None:
            names.append(tensor.name)
            meta.add(tensor.name, _dtype(tensor.dtype), tensor.shape)
    return names, meta


def network_inputs(network) -> list:
    return [network.get_input(index) for index in range(network.num_inputs)]


def network_outputs(network) -> list:
    return [network.get_output(index) for index in range(network.num_outputs)]


def _layer_inputs(layer) -> list:
    return [layer.get_input(index) for index in range(layer.num_inputs)]


def _layer_outputs(layer) -> list:
    return [layer.get_output(index) for index in range(layer.num_outputs)]


def get_network_input_names_meta(network) -> Tuple[List[str], TensorMetadata]:
    """The names of a network's inputs, and their metadata."""
    return _names_and_meta(network_inputs(network))


def get_network_output_names_meta(network) -> Tuple[List[str], TensorMetadata]:
    """The names of a network's outputs, and their metadata."""
    return _names_and_meta(network_outputs(network))


def get_layer_input_names_meta(layer) -> Tuple[List[str], TensorMetadata]:
    """The names of a layer's inputs, and their metadata, without omitted optional inputs."""
    return _names_and_meta(_layer_inputs(layer))


def get_layer_output_names_meta(layer) -> Tuple[List[str], TensorMetadata]:
    """The names of a layer's outputs, and their metadata."""
    return _names_and_meta(_layer_outputs(layer))


def get_all_tensors(network) -> dict:
    """Name -> tensor for the inputs and outputs of the layers of a network, in order."""
    tensors = [
        tensor for layer in network for tensor in _layer_inputs(layer) + _layer_outputs(layer)
    ]
    return {tensor.name: tensor for tensor in tensors if tensor is not None}


def get_all_io_tensors(network) -> dict:
    """Name -> tensor for the inputs and outputs of a network."""
    return {tensor.name: tensor for tensor in network_inputs(network) + network_outputs(network)}


def get_layer_attribute_names(layer) -> List[str]:
    """The attributes of a layer's class that `trt.ILayer` lacks."""
    common = set(dir(trt.ILayer))
    return [name for name in dir(layer) if name not in common]


def str_from_layer(layer, index: int) -> str:
    """A layer in some lines: its name and kind, its inputs, its outputs."""
    inputs = get_layer_input_names_meta(layer)
    outputs = get_layer_output_names_meta(layer)
    return util.str_from_layer("Layer", index, layer.name, layer.type, *inputs, *outputs)


def _str_from_attributes(layer, show_weights: bool) -> str:
    """A layer's own attributes, a line each, or nothing."""
    lines = []
    for name in get_layer_attribute_names(layer):
        try:
            value = getattr(layer, name)
        except Exception as err:
            value = f"<Error: could not retrieve attribute '{name}': {err}>"
        if value is not None and (show_weights or not isinstance(value, np.ndarray)):
            lines.append(f"{layer.name}.{name} = {value}")
    if not lines:
        return ""
    return util.indent_block("\n".join(["---- Attributes ----", *lines])) + "\n"


def str_from_network(
    network,
    show_layers: Optional[bool] = None,
    show_attrs: Optional[bool] = None,
    show_weights: Optional[bool] = None,
) -> str:
    """A network as text.

    Args:
        network: The network.
        show_layers: Whether to list its layers.
        show_attrs: Whether to list their attributes, too.
        show_weights: Whether these include weights.

    Returns:
        The text. Layers that are listed have been made objects of the class of their kind.
    """

    def is_strongly_typed() -> bool:
        flags = util.try_getattr(trt, "NetworkDefinitionCreationFlag")
        flag = util.try_getattr(flags, "STRONGLY_TYPED")
        return flag is not None and hasattr(network, "get_flag") and network.get_flag(flag)

    implicit = util.try_getattr(network, "has_implicit_batch_dimension", False)
    ret = (
        f"Name: {network.name} | {'Implicit' if implicit else 'Explicit'} Batch"
        f"{' Strongly Typed' if is_strongly_typed() else ''} Network\n\n"
    )
    _, inputs = get_network_input_names_meta(network)
    ret += f"---- {len(inputs)} Network Input(s) ----\n{inputs}\n\n"
    _, outputs = get_network_output_names_meta(network)
    ret += f"---- {len(outputs)} Network Output(s) ----\n{outputs}\n\n"
    ret += f"---- {network.num_layers} Layer(s) ----\n"

    if show_layers:
        classes = get_layer_class_mapping()
        for index, layer in enumerate(network):
            # Networks lend all layers as objects of the common base class.
            if layer.type in classes:
                layer.__class__ = classes[layer.type]
            ret += str_from_layer(layer, index)
            if show_attrs:
                ret += _str_from_attributes(layer, bool(show_weights))
            ret += "\n"
    return util.indent_block(ret, level=0)


def str_from_tensor(tensor, is_shape_tensor: bool) -> str:
    """An input of a network in one line."""
    kind = "shape-tensor" if is_shape_tensor else "tensor"
    return f"Input {kind}: {tensor.name} (dtype={tensor.dtype}, shape={tensor.shape})"


def _expand_wildcard_patterns(names: Iterable[str], candidates: Iterable[str]) -> List[str]:
    """Names, with patterns replaced by the candidates that match.

    A candidate's name is never a pattern, whatever characters it has.
    """
    candidates = list(candidates)
    expanded = []
    for name in names:
        if name in candidates or not any(char in name for char in "*?["):
            expanded.append(name)
            continue
        matches = [candidate for candidate in candidates if fnmatch.fnmatchcase(candidate, name)]
        if not matches:
            G_LOGGER.warning(f"No tensors matched wildcard pattern: '{name}'")
        expanded += matches
    return expanded


def _tensors_named(network, names: Iterable[str]) -> list:
    """The tensors of a network that match names and patterns, each once.

    Raises:
        PolygraphyException: If a name that is not a pattern matches no tensor.
    """
    tensors = get_all_tensors(network)
    names = util.unique_list(_expand_wildcard_patterns(names, tensors))
    util.check_sequence_contains(
        tensors, names, name="the network", items_name="outputs", check_extra=False
    )
    return [tensors[name] for name in names]


def mark_outputs(network, outputs: Iterable[str]) -> None:
    """Replaces the outputs of a network.

    Args:
        network: The network.
        outputs: Names of tensors, or patterns as of `fnmatch`.

    Raises:
        PolygraphyException: If a tensor is missing. or there would be no outputs.
    """
    tensors = _tensors_named(network, outputs)
    if not tensors:
        G_LOGGER.critical("No outputs were selected. Please check your wildcard patterns.")
    for tensor in network_outputs(network):
        network.unmark_output(tensor)
    for tensor in tensors:
        G_LOGGER.ultra_verbose(f"Marking {tensor.name} as an output")
        network.mark_output(tensor)


def mark_layerwise(network) -> None:
    """Marks the outputs of all layers as outputs of the network, without constants, shapes, and
    tensors inside of loops, which TensorRT refuses."""
    kinds = trt.LayerType
    loop_starts = [kinds.TRIP_LIMIT, kinds.ITERATOR, kinds.RECURRENCE]

    names, in_loop = [], False
    for layer in network:
        if layer.type in loop_starts:
            G_LOGGER.warning(
                "Loop detected. Please ensure the network is topologically sorted so that layers "
                "within the loop body are not marked as network outputs in layerwise mode",
                mode=LogMode.ONCE,
            )
            in_loop = True
        elif layer.type == kinds.LOOP_OUTPUT:
            in_loop = False
        if not in_loop and layer.type not in [kinds.SHAPE, kinds.CONSTANT]:
            names += get_layer_output_names_meta(layer)[0]
    G_LOGGER.verbose(f"Marking {len(names)} tensors as outputs")
    mark_outputs(network, names)


def mark_by_layer_type(network, layer_types: Iterable[str]) -> None:
    """Marks the outputs of layers of some types as the outputs of a network.

    Args:
        network: The network. Without such layers, it stays as it is.
        layer_types: Names of members of `trt.LayerType`, in any case.

    Raises:
        PolygraphyException: If TensorRT has no such type of layers.
    """
    kinds = {name.lower(): kind for name, kind in trt.LayerType.__members__.items()}
    known = sorted(trt.LayerType.__members__)
    wanted = []
    for layer_type in layer_types:
        if layer_type.lower() not in kinds:
            similar = difflib.get_close_matches(layer_type.upper(), known)
            hint = (
                f"Did you mean one of: {similar}?" if similar else f"Available layer types: {known}"
            )
            G_LOGGER.critical(f"No TensorRT layer type '{layer_type}' was found. {hint}")
        wanted.append(kinds[layer_type.lower()])

    names = [
        name
        for kind in wanted
        for layer in network
        if layer.type == kind
        for name in get_layer_output_names_meta(layer)[0]
    ]
    if names:
        mark_outputs(network, names)


def unmark_outputs(network, outputs: Iterable[str]) -> None:
    """Removes tensors from the outputs of a network.

    Args:
        network: The network.
        outputs: Names of tensors, or patterns as of `fnmatch`. They need not be outputs.

    Raises:
        PolygraphyException: If a tensor is missing.
    """
    for tensor in _tensors_named(network, outputs):
        if tensor.is_network_output:
            network.unmark_output(tensor)
