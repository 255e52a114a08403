"""Networks of ONNX models, and networks as models that look like ONNX."""

from __future__ import annotations

import numbers
from typing import Callable

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.loader._network import (
    _bit_mask,
    _init_plugins,
    _unpack_network,
    create_network,
)
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs, np


class BaseNetworkFromOnnx(BaseLoader):
    """Base class of loaders of ONNX models."""

    def __init__(
        self,
        flags=None,
        plugin_instancenorm=None,
        strongly_typed=None,
        mark_unfused_tensors_as_debug_tensors=None,
        enable_uint8_asymmetric_quantization_dla=None,
        config=None,
    ):
        """Makes a network of an ONNX model.

        Args:
            flags: A list of `tensorrt.OnnxParserFlag` to set; all others are cleared. The parser's
                own choice if left out.
            plugin_instancenorm: Whether instance normalization becomes a plugin. False if left out.
            strongly_typed: Whether the model sets the types, not the builder. False if left out.
            mark_unfused_tensors_as_debug_tensors: Whether all unfused tensors become debug
                tensors. False if left out.
            enable_uint8_asymmetric_quantization_dla: Deprecated. Whether to set this flag.
            config: A `tensorrt.IBuilderConfig` for the parser, or a callable that takes a builder,
                and None for the network, and returns one. The build may use another one.
        """
        self.flags = flags
        self.plugin_instancenorm = util.default(plugin_instancenorm, False)
        self.strongly_typed = util.default(strongly_typed, False)
        self.mark_unfused_tensors_as_debug_tensors = util.default(
            mark_unfused_tensors_as_debug_tensors, False
        )
        self._config = config
        if enable_uint8_asymmetric_quantization_dla is not None:
            mod.warn_deprecated(
                "enable_uint8_asymmetric_quantization_dla",
                use_instead=(
                    "`flags=[trt.OnnxParserFlag.ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA]`"
                ),
                remove_in="0.55.0",
                module_name=__package__,
                always_show_warning=True,
            )
        if enable_uint8_asymmetric_quantization_dla:
            self._enable_uint8_asymmetric_quantization()

    def _enable_uint8_asymmetric_quantization(self) -> None:
        name = "ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA"
        wanted = util.try_getattr(trt.OnnxParserFlag, name)
        if wanted is None:
            trt_util.fail_unavailable(f"trt.OnnxParserFlag.{name}")
        # The parser refuses both at once.
        excluded = util.try_getattr(trt.OnnxParserFlag, "NATIVE_INSTANCENORM")
        self.flags = [flag for flag in self.flags or [] if flag != excluded]
        if wanted not in self.flags:
            self.flags.append(wanted)

    def call_impl(self):
        """
        Returns:
            The builder, an empty network, and a parser that fills it.
        """
        builder, network = create_network(
            strongly_typed=self.strongly_typed,
            mark_unfused_tensors_as_debug_tensors=self.mark_unfused_tensors_as_debug_tensors,
        )
        _init_plugins()
        parser = trt.OnnxParser(network, trt_util.get_trt_logger())
        if self.flags:
            parser.flags = _bit_mask(self.flags)
        if self.plugin_instancenorm:
            parser.clear_flag(trt.OnnxParserFlag.NATIVE_INSTANCENORM)
        if self._config is not None:
            self._set_config(builder, parser)
        return builder, network, parser

    def _set_config(self, builder, parser) -> None:
        """Passes a configuration to the parser, which reads the device to build for."""
        config, _ = util.invoke_if_callable(self._config, builder, None)
        set_builder_config = util.try_getattr(parser, "set_builder_config")
        if set_builder_config is None:
            G_LOGGER.warning(
                "This version of TensorRT does not support parser.set_builder_config(). Some "
                "parser flags like REPORT_CAPABILITY_DLA may not work correctly."
            )
        elif not set_builder_config(config):
            G_LOGGER.critical("Failed to set builder config on ONNX parser. ")


@mod.export(funcify=True)
class NetworkFromOnnxBytes(BaseNetworkFromOnnx):
    """Makes a network of the bytes of an ONNX model."""

    @trt_util.inherit_and_extend_docstring(BaseNetworkFromOnnx.__init__)
    def __init__(
        self,
        model_bytes,
        flags=None,
        plugin_instancenorm=None,
        strongly_typed=None,
        mark_unfused_tensors_as_debug_tensors=None,
        enable_uint8_asymmetric_quantization_dla=None,
        config=None,
    ):
        """
        Args:
            model_bytes: The bytes, or a callable that returns them.
        """
        super().__init__(
            flags,
            plugin_instancenorm,
            strongly_typed,
            mark_unfused_tensors_as_debug_tensors,
            enable_uint8_asymmetric_quantization_dla,
            config,
        )
        self._model_bytes = model_bytes

    def call_impl(self):
        """
        Returns:
            Tuple[tensorrt.Builder, tensorrt.INetworkDefinition, tensorrt.OnnxParser]: The builder,
            the network and the parser. The parser owns the weights: all three must live as long as
            the network is used.
        """
        builder, network, parser = super().call_impl()
        model_bytes, _ = util.invoke_if_callable(self._model_bytes)
        success = parser.parse(model_bytes)
        trt_util.check_onnx_parser_errors(parser, success)
        return builder, network, parser


@mod.export(funcify=True)
class NetworkFromOnnxPath(BaseNetworkFromOnnx):
    """Makes a network of an ONNX file."""

    @trt_util.inherit_and_extend_docstring(BaseNetworkFromOnnx.__init__)
    def __init__(
        self,
        path,
        flags=None,
        plugin_instancenorm=None,
        strongly_typed=None,
        mark_unfused_tensors_as_debug_tensors=None,
        enable_uint8_asymmetric_quantization_dla=None,
        config=None,
    ):
        """
        Args:
            path: The file, or a callable that returns its path. Files of external data are found
                beside it.
        """
        super().__init__(
            flags,
            plugin_instancenorm,
            strongly_typed,
            mark_unfused_tensors_as_debug_tensors,
            enable_uint8_asymmetric_quantization_dla,
            config,
        )
        self.path = path

    def call_impl(self):
        """
        Returns:
            Tuple[tensorrt.Builder, tensorrt.INetworkDefinition, tensorrt.OnnxParser]: The builder,
            the network and the parser. The parser owns the weights: all three must live as long as
            the network is used.
        """
        path, _ = util.invoke_if_callable(self.path)
        builder, network, parser = super().call_impl()
        success = parser.parse_from_file(path)
        trt_util.check_onnx_parser_errors(parser, success)
        return builder, network, parser


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
