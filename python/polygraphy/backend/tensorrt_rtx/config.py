"""Builder configurations of TensorRT-RTX."""

from __future__ import annotations

from polygraphy import config as polygraphy_config
from polygraphy import mod, util
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.config import _CreateConfigCommon
from polygraphy.logger import G_LOGGER


def _name(capability) -> str:
    """The name in `tensorrt_rtx.ComputeCapability` of a pair of numbers."""
    try:
        major, minor = capability
    except (TypeError, ValueError):
        G_LOGGER.critical(
            f"Compute capabilities are pairs of a major and a minor number, not: {capability}"
        )
    return f"SM{major}{minor}"


@mod.export(funcify=True, func_name="create_config_rtx")
class CreateConfigRTX(_CreateConfigCommon):
    """Makes a builder configuration for TensorRT-RTX."""

    @trt_util.inherit_and_extend_docstring(_CreateConfigCommon)
    def __init__(self, use_gpu=None, compute_capabilities=None, **kwargs):
        """
        Args:
            use_gpu: Whether the engine is compiled for the GPU that is there.
            compute_capabilities: A list of pairs, major and minor number of the GPUs to compile
                for. Not together with `use_gpu`.
        """
        super().__init__(**kwargs)
        self.use_gpu = util.default(use_gpu, False)
        self.compute_capabilities = compute_capabilities
        self._check()

    def _check(self) -> None:
        if not self.use_gpu and self.compute_capabilities is None:
            return
        if not polygraphy_config.USE_TENSORRT_RTX:
            G_LOGGER.critical(
                "--compute-capabilities and --use-gpu settings are only supported with "
                "USE_TENSORRT_RTX=1."
            )
        if self.use_gpu and self.compute_capabilities is not None:
            G_LOGGER.critical("use_gpu and compute_capabilities are mutually exclusive.")
        for capability in self.compute_capabilities or []:
            if util.try_getattr(trt.ComputeCapability, _name(capability)) is None:
                major, minor = capability
                G_LOGGER.critical(
                    f"Compute capability {major}.{minor} ({_name(capability)}) not supported by "
                    "this TensorRT-RTX version."
                )

    def call_impl(self, builder, network):
        """
        Args:
            builder: The `tensorrt_rtx.Builder` to make the configuration with.
            network: The `tensorrt_rtx.INetworkDefinition` to make it for. None for a configuration
                that is not for building.

        Returns:
            tensorrt_rtx.IBuilderConfig: The configuration.
        """
        config = super().call_impl(builder, network)
        try:
            self._set_compute_capabilities(config)
        except Exception as err:
            G_LOGGER.critical(
                f"Failed to set compute capabilities: {err}. You are likely not using a "
                "TensorRT-RTX build."
            )
        return config

    def _set_compute_capabilities(self, config) -> None:
        if self.use_gpu:
            config.num_compute_capabilities = 1
            self._set_compute_capability(config, "CURRENT", 0)
            G_LOGGER.info(
                "Using current GPU device for engine compilation (ComputeCapability.CURRENT)"
            )
        elif self.compute_capabilities:
            config.num_compute_capabilities = len(self.compute_capabilities)
            G_LOGGER.info(
                f"Setting {len(self.compute_capabilities)} target compute capabilities: "
                f"{self.compute_capabilities}"
            )
            for index, capability in enumerate(self.compute_capabilities):
                self._set_compute_capability(config, _name(capability), index)

    @staticmethod
    def _set_compute_capability(config, name: str, index: int) -> None:
        value = getattr(trt.ComputeCapability, name)
        if config.set_compute_capability(value, index) is False:
            raise ValueError(f"{name} was refused")
