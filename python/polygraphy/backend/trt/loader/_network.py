"""Empty networks, the results of loaders of networks, and libraries."""

from __future__ import annotations

import ctypes
from typing import Any, Tuple

from polygraphy import config as polygraphy_config
from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.logger import G_LOGGER


def _bit_mask(members) -> int:
    """Members of one of TensorRT's enumerations as a set of bits."""
    mask = 0
    for member in members:
        mask |= 1 << int(member)
    return mask


def _unpack_network(given, needs_builder: bool = False) -> Tuple[Any, Any, Any]:
    """Builder, network and parser or None, of the result of a loader of networks."""
    builder, network, parser = util.unpack_args(given, num=3)
    if network is None or (needs_builder and builder is None):
        G_LOGGER.critical(
            "Expected to recevie a (builder, network) tuple for the `network` parameter, but "
            f"received: ({builder}, {network})"
        )
    return builder, network, parser


@mod.export(funcify=True)
class CreateNetwork(BaseLoader):
    """Makes an empty network."""

    def __init__(
        self,
        explicit_batch=None,
        strongly_typed=None,
        mark_unfused_tensors_as_debug_tensors=None,
    ):
        """
        Args:
            explicit_batch: Whether the batch is an ordinary dimension. If left out: True for
                versions of TensorRT that also support implicit batches.
            strongly_typed: Whether the inputs and operators set the types, not the builder. False
                if left out.
            mark_unfused_tensors_as_debug_tensors: Whether all unfused tensors become debug
                tensors. False if left out.
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


def _init_plugins() -> None:
    """Registers the plugins that come with TensorRT, where they do."""
    init = util.try_getattr(trt, "init_libnvinfer_plugins")
    if init is not None:
        init(trt_util.get_trt_logger(), "")


@mod.export(funcify=True)
class LoadPlugins(BaseLoader):
    """Loads libraries of plugins, and then runs another loader."""

    def __init__(self, plugins=None, obj=None):
        """
        Args:
            plugins: A list of paths of shared libraries.
            obj: An object, or a callable that returns one.
        """
        self.plugins = util.default(plugins, [])
        self.obj = obj

    def call_impl(self, *args, **kwargs):
        """
        Args:
            args: Positional arguments of `obj`, if that is a callable.
            kwargs: Named ones.

        Returns:
            `obj`, or its result.
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
class LoadRuntime(BaseLoader):
    """Loads TensorRT's runtime from a library."""

    def __init__(self, path):
        """Loads TensorRT's runtime from a library, for engines that come without one.

        Args:
            path: The library.
        """
        self.path = path

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
