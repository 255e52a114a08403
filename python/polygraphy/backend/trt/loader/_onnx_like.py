"""Networks as models that look like ONNX."""

from __future__ import annotations

import numbers
from typing import Callable

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.loader._network import _unpack_network
from polygraphy.datatype import DataType
from polygraphy.mod._lazy_modules import gs, np


def _onnx_attribute(value):
    """A layer's attribute as a value for an attribute of ONNX; text if no other type fits."""
    if isinstance(value, trt.ILoop):
        return value.name
    if isinstance(value, (bool, int, float, str)):
        return value
    if not util.is_sequence(value) or isinstance(value, type):
        return str(value)
    elements = value.tolist() if isinstance(value, np.ndarray) else value
    if not util.is_sequence(elements):
        return _onnx_attribute(elements)  # an array without axes
    elements = list(elements)
    if not elements:
        return "None"
    for kind in (numbers.Real, str):
        if all(isinstance(element, kind) for element in elements):
            return elements
    return str(value)


@mod.export(funcify=True)
class OnnxLikeFromNetwork(BaseLoader):
    """[EXPERIMENTAL] Makes an ONNX-like model, for viewing a network."""

    def __init__(self, network) -> None:
        """[EXPERIMENTAL] Makes an ONNX-like model, for viewing a network. It is **not**
        valid ONNX: operators are kinds of layers.

        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
        """
        self._network = network

    def call_impl(self):
        """
        Returns:
            onnx.ModelProto: A model with layers as nodes.
        """
        given, _ = util.invoke_if_callable(self._network)
        _, network, parser = _unpack_network(given)

        variables = {}

        def convert(names, metadata) -> list:
            for name, (dtype, shape) in metadata.items():
                if name not in variables:
                    onnx_type = DataType.to_dtype(dtype, "onnx") if dtype is not None else None
                    variables[name] = gs.Variable(name, dtype=onnx_type, shape=list(shape))
            return [variables[name] for name in names]

        inputs = convert(*trt_util.get_network_input_names_meta(network))
        outputs = convert(*trt_util.get_network_output_names_meta(network))
        nodes = [self._node(layer, convert) for layer in network]
        del parser  # Weights of the network are its own: until here they were needed.
        return gs.export_onnx(
            gs.Graph(name=network.name, nodes=nodes, inputs=inputs, outputs=outputs)
        )

    @staticmethod
    def _node(layer, convert: Callable):
        """A layer as a node. `convert` makes variables of names and metadata."""
        op = layer.type.name
        classes = trt_util.get_layer_class_mapping()
        if layer.type in classes:
            # Layers are lent as objects of their base class.
            layer.__class__ = classes[layer.type]
        attrs = {}
        for name in trt_util.get_layer_attribute_names(layer):
            try:
                attrs[name] = _onnx_attribute(getattr(layer, name))
            except Exception as err:
                attrs[name] = (
                    f"<Error: could not retrieve layer attribute: {name}. Note: Error was: {err}>"
                )
        return gs.Node(
            op,
            layer.name,
            attrs,
            convert(*trt_util.get_layer_input_names_meta(layer)),
            convert(*trt_util.get_layer_output_names_meta(layer)),
        )
