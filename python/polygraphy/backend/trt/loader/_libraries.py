"""Libraries of plugins and of runtimes."""

from __future__ import annotations

import ctypes

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.logger import G_LOGGER


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
