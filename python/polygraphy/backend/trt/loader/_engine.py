"""Engines: building, loading and saving."""

from __future__ import annotations

import contextlib
import time
from typing import Callable

from polygraphy import config as polygraphy_config
from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.config import CreateConfig
from polygraphy.backend.trt.file_reader import FileReader
from polygraphy.backend.trt.loader._network import _init_plugins, _unpack_network
from polygraphy.logger import G_LOGGER


def _network_text(network) -> str:
    """All about a network; its weights only where messages of this file are ultra-verbose."""
    severity = G_LOGGER.module_severity.get(G_LOGGER.module_path(__file__))
    weights = severity <= G_LOGGER.ULTRA_VERBOSE
    return trt_util.str_from_network(network, True, True, weights)


@mod.export(funcify=True)
class EngineBytesFromNetwork(BaseLoader):
    """Builds an engine."""

    def __init__(self, network, config=None, save_timing_cache=None):
        """
        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
            config: A `tensorrt.IBuilderConfig`, or a callable that takes builder and network and
                returns one. `CreateConfig()` if left out.
            save_timing_cache: A file, path or file-like object, to which the timing cache is
                added.
        """
        self._network = network
        self._config = CreateConfig() if config is None else config
        self.timing_cache_path = save_timing_cache

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
        # Configurations may come from anywhere, with a calibrator that was not set up.
        trt_util.try_setup_polygraphy_calibrator(config, network)
        G_LOGGER.super_verbose(lambda: f"Displaying TensorRT Network:\n{_network_text(network)}")
        description = trt_util.str_from_config(config, network)
        G_LOGGER.start(f"Building engine with configuration:\n{description}")

        start = time.time()
        engine_bytes = builder.build_serialized_network(network, config)
        seconds = time.time() - start
        if not engine_bytes:
            G_LOGGER.critical("Invalid Engine. Please ensure the engine was built correctly")
        G_LOGGER.finish(f"Finished engine building in {seconds:.3f} seconds")

        if self.timing_cache_path:
            self._save_timing_cache(config)
        del parser  # It owns the weights, which the build needed.
        return engine_bytes

    def _save_timing_cache(self, config) -> None:
        """Adds the timing cache to the file."""
        timing_cache = config.get_timing_cache()
        if timing_cache is None:
            return
        # Other processes may do the same: their entries must not get lost.
        with util.LockFile(self.timing_cache_path):
            previous = None
            # A new file, or not a timing cache.
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
    option = "dla_workspace_allocation_strategy"
    if strategy is not None:
        try:
            setattr(runtime, option, strategy)
        except AttributeError:
            trt_util.fail_unavailable(option)


def _make_runtime():
    return trt.Runtime(trt_util.get_trt_logger())


def _deserialize(runtime, strategy, deserialize: Callable):
    """The engine that a function makes with a runtime, which can load all kinds of engines."""
    runtime, _ = util.invoke_if_callable(runtime)
    if runtime is None:
        G_LOGGER.critical("No TensorRT runtime was returned by the `runtime` parameter.")
    _init_plugins()
    _set_dla_workspace_allocation_strategy(runtime, strategy)
    try:
        # Version-compatible engines contain host code.
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
        """
        Args:
            network: Builder, network and, optionally, parser; or a callable that returns them.
            config: A `tensorrt.IBuilderConfig`, or a callable that takes builder and network and
                returns one. `CreateConfig()` if left out.
            save_timing_cache: A file, path or file-like object, to which the timing cache is
                added.
            runtime: The `tensorrt.Runtime` to load the engine with, or a callable that returns one.
                A new one if left out.
            dla_workspace_allocation_strategy: Allocation strategy for DLA's workspace, a
                `tensorrt.DLAWorkspaceAllocationStrategy`. TensorRT's default if left out.
        """
        super().__init__(network, config, save_timing_cache)
        self._runtime = runtime
        self._dla_workspace_allocation_strategy = dla_workspace_allocation_strategy

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
        """
        Args:
            serialized_engine: The serialized engine, anything that lends its bytes, or a callable
                that returns it.
            runtime: The `tensorrt.Runtime` to load the engine with, or a callable that returns one.
                A new one if left out.
            dla_workspace_allocation_strategy: Allocation strategy for DLA's workspace, a
                `tensorrt.DLAWorkspaceAllocationStrategy`. TensorRT's default if left out.
        """
        self._serialized_engine = serialized_engine
        self._runtime = _make_runtime if runtime is None else runtime
        self._dla_workspace_allocation_strategy = dla_workspace_allocation_strategy

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
            dla_workspace_allocation_strategy: Allocation strategy for DLA's workspace, a
                `tensorrt.DLAWorkspaceAllocationStrategy`. TensorRT's default if left out.
        """
        self._path = path
        self._runtime = _make_runtime if runtime is None else runtime
        self._dla_workspace_allocation_strategy = dla_workspace_allocation_strategy

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
    """An engine, or the result of a callable."""
    engine, _ = util.invoke_if_callable(engine)
    if engine is None:
        G_LOGGER.critical("Invalid Engine. Please ensure the engine was built correctly")
    return engine


@mod.export(funcify=True)
class BytesFromEngine(BaseLoader):
    """Serializes an engine, as bytes."""

    def __init__(self, engine):
        """
        Args:
            engine: The engine, or a callable that returns one.
        """
        self._engine = engine

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
        """
        Args:
            engine: The engine, or a callable that returns one.
        """
        self._engine = engine

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
        """
        Args:
            engine: The engine, or a callable that returns one.
            path: The file, path or file-like object.
        """
        self._engine = engine
        self.path = path

    def call_impl(self):
        """
        Returns:
            tensorrt.ICudaEngine: The engine.
        """
        engine = _load_engine(self._engine)
        util.save_file(engine.serialize(), self.path, description="engine")
        return engine
