"""The user's functions on configurations."""

from __future__ import annotations

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.logger import G_LOGGER


@mod.export(funcify=True)
class PostprocessConfig(BaseLoader):
    """[EXPERIMENTAL] Runs a user's function on a builder configuration."""

    def __init__(self, config, func):
        """Runs a user's function on a builder configuration.

        Args:
            config: The configuration, or a callable that takes builder and network and returns
                one.
            func: A function of builder, network and configuration that changes the latter in
                place. Its result is not used.
        """
        self._config = config
        if not callable(func):
            G_LOGGER.critical(f"Object {func} (of type {type(func)}) is not a callable.")
        self._func = func

    def call_impl(self, builder, network):
        """
        Args:
            builder: The `tensorrt.Builder` that makes the configuration.
            network: The `tensorrt.INetworkDefinition` that it is for.

        Returns:
            tensorrt.IBuilderConfig: The changed configuration.
        """
        config, _ = util.invoke_if_callable(self._config, builder, network)
        self._func(builder, network, config)
        return config
