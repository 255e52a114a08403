"""Layers and tensors of networks."""

from __future__ import annotations

import sys
from typing import Iterable, List, Tuple

from polygraphy.backend.trt._module import trt
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType


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
