"""The selection of a network's outputs."""

from __future__ import annotations

import difflib
import fnmatch
from typing import Iterable, List

from polygraphy import util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.util._layers import (
    get_all_tensors,
    get_layer_output_names_meta,
    network_outputs,
)
from polygraphy.logger import G_LOGGER, LogMode


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
