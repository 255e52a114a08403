"""Loaders that make networks and engines, change networks, and save engines."""

from __future__ import annotations

import contextlib
import ctypes
import numbers
import time
from typing import Any, Callable, Tuple

from polygraphy import config as polygraphy_config
from polygraphy import constants, mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt.config import CreateConfig
from polygraphy.backend.trt.file_reader import FileReader
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER
from polygraphy.mod.trt_importer import lazy_import_trt

trt = lazy_import_trt()
gs = mod.lazy_import("onnx_graphsurgeon>=0.3.27")
np = mod.lazy_import("numpy")


def _init_plugins() -> None:
    """Registers the plugins that come with TensorRT, where they do."""
    init = util.try_getattr(trt, "init_libnvinfer_plugins")
    if init is not None:
        init(trt_util.get_trt_logger(), "")


def _bit_mask(members) -> int:
    """Members of one of TensorRT's enumerations as a set of bits."""
    mask = 0
    for member in members:
        mask |= 1 << int(member)
    return mask


def _unpack_network(given, needs_builder: bool = False) -> Tuple[Any, Any, Any]:
    """Builder, network and parser, if there is one, out of what a loader of networks returned."""
    builder, network, parser = util.unpack_args(given, num=3)
    if network is None or (needs_builder and builder is None):
        G_LOGGER.critical(
            "Expected to recevie a (builder, network) tuple for the `network` parameter, but "
            f"received: ({builder}, {network})"
        )
    return builder, network, parser


@mod.export(funcify=True)
class LoadPlugins(BaseLoader):
    """Loads libraries of plugins, and then runs another loader."""

    def __init__(self, plugins=None, obj=None):
        """Loads libraries of plugins, and then runs another loader.

        Args:
            plugins: A list of paths of shared libraries.
            obj: An object, or a callable that returns one.
        """
        self.plugins = util.default(plugins, [])
        self.obj = obj

    @util.check_called_by("__call__")
    def call_impl(self, *args, **kwargs):
        """
        Args:
            args: Positional arguments of `obj`, if that is a callable.
            kwargs: Named ones.

        Returns:
            `obj`, or what it returns.
        """
        for plugin in self.plugins:
            G_LOGGER.info(f"Loading plugin library: {plugin}")
            try:
                # Plugins register themselves when their library is loaded.
                ctypes.CDLL(plugin)
            except OSError as err:
                G_LOGGER.critical(
                    f"Could not load plugin library: {plugin}\nNote: Error was: {err}"
                )
        ret, _ = util.invoke_if_callable(self.obj, *args, **kwargs)
        return ret


@mod.export(funcify=True)
class CreateNetwork(BaseLoader):
    """Makes an empty network."""

    def __init__(
        self,
        explicit_batch=None,
        strongly_typed=None,
        mark_unfused_tensors_as_debug_tensors=None,
    ):
        """Makes an empty network.

        Args:
            explicit_batch: Whether the batch is a dimension like others. If left out, it is where
                TensorRT has anything else.
            strongly_typed: Whether types are those of the inputs and operators, and nothing that
                the builder may choose. False if left out.
            mark_unfused_tensors_as_debug_tensors: Whether debug listeners get all tensors that are
                in the engine. False if left out.
        """
        self.explicit_batch = explicit_batch
        self.strongly_typed = util.default(strongly_typed, False)
        self.mark_unfused_tensors_as_debug_tensors = util.default(
            mark_unfused_tensors_as_debug_tensors, False
        )

    @staticmethod
    def _needs_explicit_batch() -> bool:
        without_implicit_batch = "1.5" if polygraphy_config.USE_TENSORRT_RTX else "10.0"
        return mod.version(trt.__version__) < mod.version(without_implicit_batch)

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            Tuple[tensorrt.Builder, tensorrt.INetworkDefinition]: The builder and the network. The
            builder must live as long as the network.
        """
        builder = trt.Builder(trt_util.get_trt_logger())
        flags = 0
        explicit_batch = self.explicit_batch
        if explicit_batch is None:
            explicit_batch = self._needs_explicit_batch()
        for name, wanted in (
            ("explicit_batch", explicit_batch),
            ("strongly_typed", self.strongly_typed),
        ):
            if wanted:
                try:
                    flags |= 1 << int(getattr(trt.NetworkDefinitionCreationFlag, name.upper()))
                except AttributeError:
                    trt_util.fail_unavailable(name)

        network = builder.create_network(flags=flags)
        if network is None:
            G_LOGGER.critical("Invalid network. See logging output above for details.")
        if self.mark_unfused_tensors_as_debug_tensors:
            try:
                network.mark_unfused_tensors_as_debug_tensors()
            except AttributeError:
                trt_util.fail_unavailable("mark_unfused_tensors_as_debug_tensors")
        return builder, network


class BaseNetworkFromOnnx(BaseLoader):
    """What loaders of ONNX models have in common."""

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
            strongly_typed: Whether types are those of the model, and nothing that the builder may
                choose. False if left out.
            mark_unfused_tensors_as_debug_tensors: Whether debug listeners get all tensors that are
                in the engine. False if left out.
            enable_uint8_asymmetric_quantization_dla: Deprecated. Whether to set the flag of that
                name.
            config: A `tensorrt.IBuilderConfig` that the parser looks at, or a callable that takes
                a builder, and None for the network, and returns one. It need not be that of the
                build.
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
                module_name=__name__,
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

    @util.check_called_by("__call__")
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
        """Shows the parser a configuration, for what depends on the device to build for."""
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

    @util.check_called_by("__call__")
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

    @util.check_called_by("__call__")
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


@mod.export(funcify=True)
class PostprocessNetwork(BaseLoader):
    """[EXPERIMENTAL] Runs a function of the user's on a network."""

    def __init__(self, network, func, name=None):
        """Runs a function of the user's on a network.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
            func: Takes the network as an argument named `network`, and changes it in place. What
                it returns is not used.
            name: What to call the function in messages. Its own name if left out.
        """
        self._network = network
        if not callable(func):
            G_LOGGER.critical(f"Object {func} (of type {type(func)}) is not a callable.")
        self._func = func
        self.name = util.default(name, getattr(func, "__name__", str(func)))

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            Tuple[tensorrt.Builder, tensorrt.INetworkDefinition, Optional[tensorrt.OnnxParser]]:
            What was given, with the changed network; without a parser, the first two.
        """
        given, _ = util.invoke_if_callable(self._network)
        builder, network, parser = _unpack_network(given)
        G_LOGGER.verbose(f"Executing postprocessing step [{self.name}]")
        self._func(network=network)
        return (builder, network) if parser is None else (builder, network, parser)


def _warn_about_missing(available, requested, items_name: str) -> set:
    """Warns about names that a network does not have, and returns them."""
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
    """The tensors of those names.

    Raises:
        PolygraphyException: If there is no tensor of one of the names.
    """
    missing = _warn_about_missing(available.keys(), requested, "tensors")
    if missing:
        G_LOGGER.critical(f"Tensors that are not in the network cannot be changed: {missing}")
    return {name: available[name] for name in requested}


@mod.export(funcify=True)
class ModifyNetworkOutputs(PostprocessNetwork):
    """Changes which tensors of a network are its outputs."""

    @staticmethod
    def _apply(network, outputs, exclude_outputs, mark_layer_types=None):
        if outputs == constants.MARK_ALL:
            trt_util.mark_layerwise(network)
        elif outputs is not None:
            trt_util.mark_outputs(network, outputs)
        if mark_layer_types is not None:
            trt_util.mark_by_layer_type(network, mark_layer_types)
        if exclude_outputs is not None:
            trt_util.unmark_outputs(network, exclude_outputs)
        return network

    def __init__(self, network, outputs=None, exclude_outputs=None, mark_layer_types=None):
        """Changes which tensors of a network are its outputs.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
            outputs: A list of names, which may be patterns with wildcards, or `constants.MARK_ALL`
                for all tensors. As they were if left out.
            exclude_outputs: A list of names of tensors that are no outputs.
            mark_layer_types: A list of types of layers, `tensorrt.LayerType` or names without
                regard to case, whose outputs become the outputs.
        """
        super().__init__(
            network,
            lambda network: self._apply(network, outputs, exclude_outputs, mark_layer_types),
            "ModifyNetworkOutputs",
        )


@mod.export(funcify=True)
class SetLayerPrecisions(PostprocessNetwork):
    """Sets the precisions that layers of a network compute in."""

    @staticmethod
    def _apply(network, layer_precisions):
        _warn_about_missing([layer.name for layer in network], layer_precisions.keys(), "layers")
        for layer in network:
            if layer.name in layer_precisions:
                try:
                    layer.precision = layer_precisions[layer.name]
                except AttributeError:
                    trt_util.fail_unavailable("layer precision in SetLayerPrecisions")
        return network

    def __init__(self, network, layer_precisions):
        """Sets the precisions that layers of a network compute in.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
            layer_precisions: Name of a layer -> `tensorrt.DataType`.
        """
        super().__init__(
            network, lambda network: self._apply(network, layer_precisions), "SetLayerPrecisions"
        )


@mod.export(funcify=True)
class SetDecomposableAttentions(PostprocessNetwork):
    """Allows that attentions of a network are computed by several kernels."""

    @staticmethod
    def _apply(network):
        for index in range(network.num_layers):
            layer = network.get_layer(index)
            try:
                if layer.type == trt.LayerType.ATTENTION_INPUT:
                    # Layers are lent as objects of their base class.
                    layer.__class__ = trt.IAttentionInputLayer
                    layer.attention.decomposable = True
            except AttributeError:
                trt_util.fail_unavailable("SetDecomposableAttentions")
        return network

    def __init__(self, network):
        """Allows that attentions of a network are computed by several kernels.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
        """
        super().__init__(network, self._apply, "SetDecomposableAttentions")


@mod.export(funcify=True)
class SetTensorDatatypes(PostprocessNetwork):
    """Sets the data types of a network's inputs and outputs."""

    @staticmethod
    def _apply(network, tensor_datatypes):
        tensors = trt_util.get_all_io_tensors(network)
        if isinstance(tensor_datatypes, dict):
            dtypes = tensor_datatypes
            tensors = _find_tensors(tensors, dtypes.keys())
        else:
            dtypes = dict.fromkeys(tensors, tensor_datatypes)
        for name, tensor in tensors.items():
            try:
                tensor.dtype = dtypes[name]
            except AttributeError:
                trt_util.fail_unavailable("tensor datatype in SetTensorDatatypes")
        return network

    def __init__(self, network, tensor_datatypes):
        """Sets the data types of a network's inputs and outputs.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
            tensor_datatypes: Name of an input or output -> `tensorrt.DataType`, or one data type
                for all of them.
        """
        super().__init__(
            network, lambda network: self._apply(network, tensor_datatypes), "SetTensorDatatypes"
        )


@mod.export(funcify=True)
class SetTensorFormats(PostprocessNetwork):
    """Sets the formats that a network's inputs and outputs may have."""

    @staticmethod
    def _apply(network, tensor_formats):
        tensors = trt_util.get_all_io_tensors(network)
        if isinstance(tensor_formats, dict):
            formats = tensor_formats
            tensors = _find_tensors(tensors, formats.keys())
        else:
            formats = dict.fromkeys(tensors, tensor_formats)
        for name, tensor in tensors.items():
            tensor.allowed_formats = _bit_mask(formats[name])
        return network

    def __init__(self, network, tensor_formats):
        """Sets the formats that a network's inputs and outputs may have.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
            tensor_formats: Name of an input or output -> list of `tensorrt.TensorFormat`, or one
                list for all of them.
        """
        super().__init__(
            network, lambda network: self._apply(network, tensor_formats), "SetTensorFormats"
        )


@mod.export(funcify=True)
class LoadRuntime(BaseLoader):
    """Loads TensorRT's runtime from a library."""

    def __init__(self, path):
        """Loads TensorRT's runtime from a library, for engines that come without one.

        Args:
            path: The library.
        """
        self.path = path

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            tensorrt.Runtime: The runtime.
        """
        G_LOGGER.info(f"Loading TensorRT runtime from: {self.path}")
        runtime = trt.Runtime(trt_util.get_trt_logger()).load_runtime(self.path)
        if runtime is None:
            G_LOGGER.critical(f"Could not load TensorRT runtime from: {self.path}")
        return runtime


@mod.export(funcify=True)
class EngineBytesFromNetwork(BaseLoader):
    """Builds an engine."""

    def __init__(self, network, config=None, save_timing_cache=None):
        """Builds an engine.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
            config: A `tensorrt.IBuilderConfig`, or a callable that takes builder and network and
                returns one. `CreateConfig()` if left out.
            save_timing_cache: A file, path or file-like object, for what was measured. What it
                holds already is kept.
        """
        self._network = network
        self._config = CreateConfig() if config is None else config
        self.timing_cache_path = save_timing_cache

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            tensorrt.IHostMemory: The serialized engine. `bytes()` copies it.
        """
        given, _ = util.invoke_if_callable(self._network)
        builder, network, parser = _unpack_network(given, needs_builder=True)
        config, _ = util.invoke_if_callable(self._config, builder, network)
        if config is None:
            G_LOGGER.critical("No builder configuration was returned by the `config` parameter.")
        # Configurations may come from anywhere, with a calibrator that nobody set up.
        trt_util.try_setup_polygraphy_calibrator(config, network)
        G_LOGGER.super_verbose(
            lambda: "Displaying TensorRT Network:\n"
            + trt_util.str_from_network(
                network,
                show_layers=True,
                show_attrs=True,
                show_weights=G_LOGGER.module_severity.get(G_LOGGER.module_path(__file__))
                <= G_LOGGER.ULTRA_VERBOSE,
            )
        )
        G_LOGGER.start(
            "Building engine with configuration:\n" f"{trt_util.str_from_config(config, network)}"
        )

        start_time = time.time()
        engine_bytes = builder.build_serialized_network(network, config)
        end_time = time.time()
        if not engine_bytes:
            G_LOGGER.critical("Invalid Engine. Please ensure the engine was built correctly")
        G_LOGGER.finish(f"Finished engine building in {end_time - start_time:.3f} seconds")

        if self.timing_cache_path:
            self._save_timing_cache(config)
        del parser  # The weights are its own: until here they were needed.
        return engine_bytes

    def _save_timing_cache(self, config) -> None:
        """Adds what was measured to the file."""
        timing_cache = config.get_timing_cache()
        if timing_cache is None:
            return
        # Others may do the same: what they wrote must not get lost.
        with util.LockFile(self.timing_cache_path):
            previous = None
            # A new file, or one of something else.
            with contextlib.suppress(Exception):
                previous = config.create_timing_cache(util.load_file(self.timing_cache_path))
            if previous is not None and not timing_cache.combine(previous, ignore_mismatch=True):
                G_LOGGER.warning("Could not combine old timing cache into current timing cache")
            util.save_file(
                timing_cache.serialize(),
                self.timing_cache_path,
                description="tactic timing cache",
            )


def _set_dla_workspace_allocation_strategy(runtime, strategy) -> None:
    """Says how engines of a runtime share memory of the DLA; nothing happens for None."""
    if strategy is None:
        return
    try:
        runtime.dla_workspace_allocation_strategy = strategy
    except AttributeError:
        trt_util.fail_unavailable("dla_workspace_allocation_strategy")


def _make_runtime():
    return trt.Runtime(trt_util.get_trt_logger())


def _deserialize(runtime, strategy, deserialize: Callable):
    """An engine, made by a function that is given a runtime which can load all kinds of them."""
    runtime, _ = util.invoke_if_callable(runtime)
    if runtime is None:
        G_LOGGER.critical("No TensorRT runtime was returned by the `runtime` parameter.")
    _init_plugins()
    _set_dla_workspace_allocation_strategy(runtime, strategy)
    try:
        # Version-compatible engines bring code of their own.
        runtime.engine_host_code_allowed = True
    except AttributeError:
        pass
    engine = deserialize(runtime)
    if engine is None:
        G_LOGGER.critical("Could not deserialize engine. See log for details.")
    return engine


@mod.export(funcify=True)
class EngineFromNetwork(EngineBytesFromNetwork):
    """Builds an engine and loads it."""

    def __init__(
        self,
        network,
        config=None,
        save_timing_cache=None,
        runtime=None,
        dla_workspace_allocation_strategy=None,
    ):
        """Builds an engine and loads it.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
            config: A `tensorrt.IBuilderConfig`, or a callable that takes builder and network and
                returns one. `CreateConfig()` if left out.
            save_timing_cache: A file, path or file-like object, for what was measured. What it
                holds already is kept.
            runtime: The `tensorrt.Runtime` to load the engine with, or a callable that returns one.
                A new one if left out.
            dla_workspace_allocation_strategy: How engines share memory of the DLA, a
                `tensorrt.DLAWorkspaceAllocationStrategy`. As TensorRT has it if left out.
        """
        super().__init__(network, config, save_timing_cache)
        self._runtime = runtime
        self._dla_workspace_allocation_strategy = dla_workspace_allocation_strategy

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            tensorrt.ICudaEngine: The engine.
        """
        return engine_from_bytes(
            super().call_impl, self._runtime, self._dla_workspace_allocation_strategy
        )


@mod.export(funcify=True)
class EngineFromBytes(BaseLoader):
    """Loads an engine."""

    def __init__(self, serialized_engine, runtime=None, dla_workspace_allocation_strategy=None):
        """Loads an engine.

        Args:
            serialized_engine: The serialized engine, anything that lends its bytes, or a callable
                that returns it.
            runtime: The `tensorrt.Runtime` to load the engine with, or a callable that returns one.
                A new one if left out.
            dla_workspace_allocation_strategy: How engines share memory of the DLA, a
                `tensorrt.DLAWorkspaceAllocationStrategy`. As TensorRT has it if left out.
        """
        self._serialized_engine = serialized_engine
        self._runtime = _make_runtime if runtime is None else runtime
        self._dla_workspace_allocation_strategy = dla_workspace_allocation_strategy

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            tensorrt.ICudaEngine: The engine.
        """
        buffer, _ = util.invoke_if_callable(self._serialized_engine)
        return _deserialize(
            self._runtime,
            self._dla_workspace_allocation_strategy,
            lambda runtime: runtime.deserialize_cuda_engine(buffer),
        )


@mod.export(funcify=True)
class EngineFromPath(BaseLoader):
    """Loads an engine from a file."""

    def __init__(self, path: str, runtime=None, dla_workspace_allocation_strategy=None):
        """Loads an engine from a file, piece by piece where TensorRT can.

        Args:
            path: The file, or a callable that returns its path.
            runtime: The `tensorrt.Runtime` to load the engine with, or a callable that returns one.
                A new one if left out.
            dla_workspace_allocation_strategy: How engines share memory of the DLA, a
                `tensorrt.DLAWorkspaceAllocationStrategy`. As TensorRT has it if left out.
        """
        self._path = path
        self._runtime = _make_runtime if runtime is None else runtime
        self._dla_workspace_allocation_strategy = dla_workspace_allocation_strategy

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            tensorrt.ICudaEngine: The engine.
        """
        path, _ = util.invoke_if_callable(self._path)

        def deserialize(runtime):
            if not self._can_stream():
                return runtime.deserialize_cuda_engine(util.load_file(path))
            with FileReader(path) as reader:
                return runtime.deserialize_cuda_engine(reader)

        return _deserialize(self._runtime, self._dla_workspace_allocation_strategy, deserialize)

    @staticmethod
    def _can_stream() -> bool:
        if polygraphy_config.USE_TENSORRT_RTX:
            return False
        readers = ("IStreamReader", "IStreamReaderV2")
        return any(util.try_getattr(trt, name) is not None for name in readers)


def _load_engine(engine):
    """The engine that a loader was given or makes."""
    engine, _ = util.invoke_if_callable(engine)
    if engine is None:
        G_LOGGER.critical("Invalid Engine. Please ensure the engine was built correctly")
    return engine


@mod.export(funcify=True)
class BytesFromEngine(BaseLoader):
    """Serializes an engine, as bytes."""

    def __init__(self, engine):
        """Serializes an engine, as bytes.

        Args:
            engine: The engine, or a callable that returns one.
        """
        self._engine = engine

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            bytes: A copy of the serialized engine.
        """
        return bytes(_load_engine(self._engine).serialize())


@mod.export(funcify=True)
class BufferFromEngine(BaseLoader):
    """Serializes an engine, without a copy."""

    def __init__(self, engine) -> None:
        """Serializes an engine, without a copy.

        Args:
            engine: The engine, or a callable that returns one.
        """
        self._engine = engine

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            tensorrt.IHostMemory: The serialized engine.
        """
        return _load_engine(self._engine).serialize()


@mod.export(funcify=True)
class SaveEngine(BaseLoader):
    """Writes an engine into a file."""

    def __init__(self, engine, path):
        """Writes an engine into a file.

        Args:
            engine: The engine, or a callable that returns one.
            path: The file, path or file-like object.
        """
        self._engine = engine
        self.path = path

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            tensorrt.ICudaEngine: The engine.
        """
        engine = _load_engine(self._engine)
        util.save_file(engine.serialize(), self.path, description="engine")
        return engine


def _onnx_attribute(value):
    """A layer's attribute as something that attributes of ONNX can hold; text if all else fails."""
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
    """[EXPERIMENTAL] Makes something like an ONNX model, for looking at a network."""

    def __init__(self, network) -> None:
        """[EXPERIMENTAL] Makes something like an ONNX model, for looking at a network. It is **not**
        valid ONNX: operators are kinds of layers.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
        """
        self._network = network

    @util.check_called_by("__call__")
    def call_impl(self):
        """
        Returns:
            onnx.ModelProto: What looks like a model.
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


@mod.export(funcify=True)
class MarkDebug(PostprocessNetwork):
    """Marks tensors of a network as debug tensors."""

    @staticmethod
    def _apply(network, mark_debug):
        mark = util.try_getattr(network, "mark_debug")
        if mark is None:
            trt_util.fail_unavailable("MarkDebug")
        for tensor in _find_tensors(trt_util.get_all_tensors(network), mark_debug).values():
            mark(tensor)
        return network

    def __init__(self, network, mark_debug):
        """Marks tensors of a network as debug tensors, which debug listeners get.

        Args:
            network: Builder, network and, if there is one, parser; or a callable that returns them.
            mark_debug: A list of names of tensors.
        """
        super().__init__(network, lambda network: self._apply(network, mark_debug), "MarkDebug")
