"""Networks as text."""

from __future__ import annotations

from typing import Optional

from polygraphy import util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.util._layers import (
    get_layer_attribute_names,
    get_layer_class_mapping,
    get_layer_input_names_meta,
    get_layer_output_names_meta,
    get_network_input_names_meta,
    get_network_output_names_meta,
)
from polygraphy.mod._lazy_modules import np


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
