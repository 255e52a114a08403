"""Changes of networks."""

from __future__ import annotations

from polygraphy import constants, mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.loader._network import _bit_mask, _unpack_network
from polygraphy.logger import G_LOGGER


@mod.export(funcify=True)
class PostprocessNetwork(BaseLoader):
    """[EXPERIMENTAL] Runs a user's function on a network."""

    def __init__(self, network, func, name=None):
        """Runs a user's function on a network.

        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
            func: A function with an argument `network` that changes the network in place. Its
                result is not used.
            name: The name of the function in messages. Its `__name__` if left out.
        """
        self._network = network
        if not callable(func):
            G_LOGGER.critical(f"Object {func} (of type {type(func)}) is not a callable.")
        self._func = func
        self.name = util.default(name, getattr(func, "__name__", str(func)))

    def call_impl(self):
        """
        Returns:
            Tuple[tensorrt.Builder, tensorrt.INetworkDefinition, Optional[tensorrt.OnnxParser]]:
            The builder, the changed network and, if `network` has one, the parser.
        """
        given, _ = util.invoke_if_callable(self._network)
        builder, network, parser = _unpack_network(given)
        G_LOGGER.verbose(f"Executing postprocessing step [{self.name}]")
        self._func(network=network)
        return (builder, network) if parser is None else (builder, network, parser)


def _warn_about_missing(available, requested, items_name: str) -> set:
    """Warns about names that a network lacks, and returns them."""
    missing, _ = util.check_sequence_contains(
        available,
        requested,
        name="the network",
        items_name=items_name,
        check_extra=False,
        log_func=G_LOGGER.warning,
    )
    return missing


def _find_tensors(available: dict, requested) -> dict:
    """The tensors with these names.

    Raises:
        PolygraphyException: If a tensor is missing.
    """
    missing = _warn_about_missing(available.keys(), requested, "tensors")
    if missing:
        G_LOGGER.critical(f"Tensors that are not in the network cannot be changed: {missing}")
    return {name: available[name] for name in requested}


def _io_tensors(network, values) -> list:
    """Pairs of a network's inputs and outputs and their values: by name, or one value for all."""
    tensors = trt_util.get_all_io_tensors(network)
    if not isinstance(values, dict):
        return [(tensor, values) for tensor in tensors.values()]
    return [(tensor, values[name]) for name, tensor in _find_tensors(tensors, values).items()]


@mod.export(funcify=True)
class ModifyNetworkOutputs(PostprocessNetwork):
    """Selects the outputs of a network among its tensors."""

    def __init__(self, network, outputs=None, exclude_outputs=None, mark_layer_types=None):
        """
        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
            outputs: A list of names, which may be patterns with wildcards, or `constants.MARK_ALL`
                for all tensors. As they were if left out.
            exclude_outputs: A list of names to exclude from the outputs.
            mark_layer_types: A list of types of layers, `tensorrt.LayerType` or names without
                regard to case, whose outputs become the outputs.
        """

        def apply(network) -> None:
            wanted = outputs
            if wanted == constants.MARK_ALL:
                trt_util.mark_layerwise(network)
                wanted = None
            for change, names in (
                (trt_util.mark_outputs, wanted),
                (trt_util.mark_by_layer_type, mark_layer_types),
                (trt_util.unmark_outputs, exclude_outputs),
            ):
                if names is not None:
                    change(network, names)

        super().__init__(network, apply, "ModifyNetworkOutputs")


@mod.export(funcify=True)
class SetLayerPrecisions(PostprocessNetwork):
    """Sets the precisions that layers of a network compute in."""

    def __init__(self, network, layer_precisions):
        """
        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
            layer_precisions: Name of a layer -> `tensorrt.DataType`.
        """

        def apply(network) -> None:
            names = [layer.name for layer in network]
            _warn_about_missing(names, layer_precisions.keys(), "layers")
            named = [layer for layer in network if layer.name in layer_precisions]
            try:
                for layer in named:
                    layer.precision = layer_precisions[layer.name]
            except AttributeError:
                trt_util.fail_unavailable("layer precision in SetLayerPrecisions")

        super().__init__(network, apply, "SetLayerPrecisions")


@mod.export(funcify=True)
class SetDecomposableAttentions(PostprocessNetwork):
    """Allows that attentions of a network are computed by several kernels."""

    def __init__(self, network):
        """
        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
        """

        def apply(network) -> None:
            for index in range(network.num_layers):
                layer = network.get_layer(index)
                try:
                    if layer.type == trt.LayerType.ATTENTION_INPUT:
                        # Layers are lent as objects of their base class.
                        layer.__class__ = trt.IAttentionInputLayer
                        layer.attention.decomposable = True
                except AttributeError:
                    trt_util.fail_unavailable("SetDecomposableAttentions")

        super().__init__(network, apply, "SetDecomposableAttentions")


@mod.export(funcify=True)
class SetTensorDatatypes(PostprocessNetwork):
    """Sets the data types of a network's inputs and outputs."""

    def __init__(self, network, tensor_datatypes):
        """
        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
            tensor_datatypes: Name of an input or output -> `tensorrt.DataType`, or one data type
                for all of them.
        """

        def apply(network) -> None:
            for tensor, dtype in _io_tensors(network, tensor_datatypes):
                try:
                    tensor.dtype = dtype
                except AttributeError:
                    trt_util.fail_unavailable("tensor datatype in SetTensorDatatypes")

        super().__init__(network, apply, "SetTensorDatatypes")


@mod.export(funcify=True)
class SetTensorFormats(PostprocessNetwork):
    """Sets the formats that a network's inputs and outputs may have."""

    def __init__(self, network, tensor_formats):
        """
        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
            tensor_formats: Name of an input or output -> list of `tensorrt.TensorFormat`, or one
                list for all of them.
        """

        def apply(network) -> None:
            for tensor, formats in _io_tensors(network, tensor_formats):
                tensor.allowed_formats = _bit_mask(formats)

        super().__init__(network, apply, "SetTensorFormats")


@mod.export(funcify=True)
class MarkDebug(PostprocessNetwork):
    """Marks tensors of a network as debug tensors."""

    def __init__(self, network, mark_debug):
        """Marks tensors of a network as debug tensors, for debug listeners.

        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
            mark_debug: A list of names of tensors.
        """

        def apply(network) -> None:
            mark = util.try_getattr(network, "mark_debug")
            if mark is None:
                trt_util.fail_unavailable("MarkDebug")
            for tensor in _find_tensors(trt_util.get_all_tensors(network), mark_debug).values():
                mark(tensor)

        super().__init__(network, apply, "MarkDebug")
