"""Configurations of TensorRT, and the user's functions on them."""

from __future__ import annotations

import copy

from polygraphy import config as polygraphy_config
from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.config._common import _CreateConfigCommon
from polygraphy.backend.trt.profile import Profile
from polygraphy.logger import G_LOGGER


@mod.export(funcify=True)
class CreateConfig(_CreateConfigCommon):
    """Makes a builder configuration for TensorRT."""

    @trt_util.inherit_and_extend_docstring(_CreateConfigCommon)
    def __init__(
        self,
        tf32=None,
        fp16=None,
        int8=None,
        fp8=None,
        bf16=None,
        calibrator=None,
        use_dla=None,
        allow_gpu_fallback=None,
        **kwargs,
    ):
        """
        Args:
            tf32: Whether float32 may be computed in TF32.
            fp16: Whether layers may run in float16.
            int8: Whether layers may run in int8. Networks without quantization layers need a
                calibrator, or dynamic ranges of all tensors.
            fp8: Whether layers may run in float8.
            bf16: Whether layers may run in bfloat16.
            calibrator: A `tensorrt.IInt8Calibrator`, for example one that `Calibrator` made.
            use_dla: Whether layers run on the DLA, if they can.
            allow_gpu_fallback: Whether layers that the DLA does not support run on the GPU.
        """
        super().__init__(**kwargs)
        # Switches are off by default.
        self.tf32 = util.default(tf32, False)
        self.fp16, self.bf16 = util.default(fp16, False), util.default(bf16, False)
        self.int8, self.fp8 = util.default(int8, False), util.default(fp8, False)
        self.calibrator = calibrator
        self.use_dla = util.default(use_dla, False)
        self.allow_gpu_fallback = util.default(allow_gpu_fallback, False)
        self._check_options()

    def _check_options(self) -> None:
        """Reports options whose effect differs from the user's expectation."""
        if self.calibrator is not None and not self.int8:
            G_LOGGER.warning(
                "A calibrator was provided to `CreateConfig`, but int8 mode was not enabled. "
                "Did you mean to set `int8=True` to enable building with int8 precision?"
            )
        if not self.tf32:
            G_LOGGER.info(
                "TF32 is disabled by default. Turn on TF32 for better performance with minor "
                "accuracy differences."
            )
        if polygraphy_config.USE_TENSORRT_RTX:
            self._check_for_rtx()

    def _check_for_rtx(self) -> None:
        if self.fp16 or self.int8 or self.bf16 or self.fp8:
            G_LOGGER.critical(
                "Precision flags (fp16, int8, bf16, fp8) are not supported with USE_TENSORRT_RTX=1."
            )
        if self.use_dla:
            G_LOGGER.critical("DLA is not supported with USE_TENSORRT_RTX=1.")
        if self.calibrator is not None:
            G_LOGGER.critical("Custom calibrator is not supported with USE_TENSORRT_RTX=1.")

    @trt_util.inherit_and_extend_docstring(_CreateConfigCommon.call_impl)
    def call_impl(self, builder, network):
        config = super().call_impl(builder, network)
        if self.tf32:
            self._try_set_flag(config, "TF32")
        else:  # TensorRT's own default is on.
            try:
                config.clear_flag(trt.BuilderFlag.TF32)
            except AttributeError:
                pass
        for name in ("fp16", "bf16", "fp8", "int8"):
            self._try_set_flag(config, name.upper(), getattr(self, name))
        if self.int8 and network is not None:
            self._calibrate(builder, network, config)
        if self.use_dla:
            self._set_dla(builder, config)
        return config

    def _calibrate(self, builder, network, config) -> None:
        """Installs the calibrator where the network needs one."""
        quantization = (trt.LayerType.QUANTIZE, trt.LayerType.DEQUANTIZE)
        if any(layer.type in quantization for layer in network):
            return
        if self.calibrator is None:
            G_LOGGER.warning(
                "Network does not have explicit precision and no calibrator was provided. "
                "Please ensure that tensors in the network have dynamic ranges set, or provide a "
                "calibrator in order to use int8 mode."
            )
            return

        self._try_run(
            lambda: setattr(config, "int8_calibrator", self.calibrator), "int8_calibrator"
        )
        profile = copy.deepcopy(self.profiles[-1]) if self.profiles else Profile()
        profile.fill_defaults(network)
        try:
            config.set_calibration_profile(profile.to_trt(builder, network))
            G_LOGGER.info(f"Using calibration profile: {profile}")
        except AttributeError:
            G_LOGGER.extra_verbose("Cannot set calibration profile on TensorRT 7.0 and older.")
        trt_util.try_setup_polygraphy_calibrator(
            config, network, calib_profile=profile.to_trt(builder, network)
        )

    def _set_dla(self, builder, config) -> None:
        try:
            num_cores = builder.num_DLA_cores
        except AttributeError:
            G_LOGGER.warning(
                "Cannot determine if DLA is available on this system. Please ensure DLA hardware "
                "is present when using --use-dla."
            )
        else:
            if num_cores == 0:
                self._complain_about_missing_dla()
        config.default_device_type = trt.DeviceType.DLA
        config.DLA_core = 0

        # Without these, layers may fall back to precisions and formats that the DLA does not have.
        has_constraints = mod.version(trt.__version__) < mod.version("11.0")
        if has_constraints:
            self._try_set_flag(config, "PREFER_PRECISION_CONSTRAINTS")
        if self.allow_gpu_fallback:
            self._try_set_flag(config, "GPU_FALLBACK")
        elif has_constraints:
            self._try_set_flag(config, "DIRECT_IO")

    def _complain_about_missing_dla(self) -> None:
        text = "DLA was requested via --use-dla, but no DLA hardware is available on this system. "
        if self.allow_gpu_fallback:
            G_LOGGER.warning(f"{text}Layers will fall back to GPU due to --allow-gpu-fallback.")
        else:
            G_LOGGER.critical(
                f"{text}Please use --allow-gpu-fallback to allow layers to fall back to GPU, or "
                "remove --use-dla."
            )


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
