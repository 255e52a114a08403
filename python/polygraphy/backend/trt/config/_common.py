"""The common part of configurations of TensorRT and of TensorRT-RTX."""

from __future__ import annotations

import copy
from typing import Callable

from polygraphy import util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.profile import Profile
from polygraphy.logger import G_LOGGER


class _CreateConfigCommon(BaseLoader):
    """Creates a configuration. Without an option, TensorRT's default holds, and switches are
    off, unless an argument documents another default.

    Args:
        profiles: A list of `Profile`. Inputs that a profile lacks get default shapes. One
            empty profile if left out.
        precision_constraints: `"obey"`: layers must run in their precisions; `"prefer"`: where
            possible; None: TensorRT ignores precisions of layers.
        load_timing_cache: A file of measured tactics, path or file-like object. Without it, or
            without such a file, the cache is empty.
        algorithm_selector: A `tensorrt.IAlgorithmSelector`. The timing cache is then only used
            if one is loaded.
        sparse_weights: Whether kernels for sparse weights may be chosen.
        tactic_sources: A list of `tensorrt.TacticSource`, which may be empty.
        restricted: Whether the builder checks that the engine suits the safety runtime.
        profiling_verbosity: A `tensorrt.ProfilingVerbosity`: layer details kept in the engine.
            DETAILED if left out.
        memory_pool_limits: `tensorrt.MemoryPoolType` -> bytes.
        refittable: Whether weights can be replaced after the build.
        strip_plan: Whether the engine lacks the weights that can be replaced.
        preview_features: A list of `tensorrt.PreviewFeature` to enable; all others are
            disabled.
        engine_capability: A `tensorrt.EngineCapability`: the runtime that the engine is for.
        direct_io: Whether TensorRT must insert no reformatting layers at inputs and outputs.
        builder_optimization_level: Effort of the search for a fast engine, as a number.
        hardware_compatibility_level: A `tensorrt.HardwareCompatibilityLevel`: the GPUs that the
            engine is for.
        max_aux_streams: Maximum number of auxiliary streams.
        version_compatible: Whether later versions of TensorRT can load the engine.
        exclude_lean_runtime: Whether a version-compatible engine lacks the lean runtime.
        quantization_flags: A list of `tensorrt.QuantizationFlag` to set; all others are
            cleared.
        error_on_timing_cache_miss: Whether a layer that the timing cache lacks is an error.
        disable_compilation_cache: Whether the timing cache lacks code compiled at build time.
        progress_monitor: A `tensorrt.IProgressMonitor`.
        weight_streaming: Whether weights may be streamed from host memory.
        runtime_platform: A `tensorrt.RuntimePlatform` that the engine runs on.
        tiling_optimization_level: A `tensorrt.TilingOptimizationLevel`.
    """

    def __init__(
        self,
        profiles=None,
        precision_constraints=None,
        load_timing_cache=None,
        algorithm_selector=None,
        sparse_weights=None,
        tactic_sources=None,
        restricted=None,
        profiling_verbosity=None,
        memory_pool_limits=None,
        refittable=None,
        strip_plan=None,
        preview_features=None,
        engine_capability=None,
        direct_io=None,
        builder_optimization_level=None,
        hardware_compatibility_level=None,
        max_aux_streams=None,
        version_compatible=None,
        exclude_lean_runtime=None,
        quantization_flags=None,
        error_on_timing_cache_miss=None,
        disable_compilation_cache=None,
        progress_monitor=None,
        weight_streaming=None,
        runtime_platform=None,
        tiling_optimization_level=None,
    ):
        self.profiles = util.default(profiles, [Profile()])
        self.precision_constraints = precision_constraints
        self.restricted = util.default(restricted, False)
        self.refittable = util.default(refittable, False)
        self.strip_plan = util.default(strip_plan, False)
        self.timing_cache_path = load_timing_cache
        self.algorithm_selector = algorithm_selector
        self.sparse_weights = util.default(sparse_weights, False)
        self.tactic_sources = tactic_sources
        self.profiling_verbosity = profiling_verbosity
        self.memory_pool_limits = memory_pool_limits
        self.preview_features = preview_features
        self.engine_capability = engine_capability
        self.direct_io = util.default(direct_io, False)
        self.builder_optimization_level = builder_optimization_level
        self.hardware_compatibility_level = hardware_compatibility_level
        self.max_aux_streams = max_aux_streams
        self.version_compatible = version_compatible
        self.exclude_lean_runtime = exclude_lean_runtime
        self.quantization_flags = quantization_flags
        self.error_on_timing_cache_miss = util.default(error_on_timing_cache_miss, False)
        self.disable_compilation_cache = util.default(disable_compilation_cache, False)
        self.progress_monitor = progress_monitor
        self.weight_streaming = weight_streaming
        self.runtime_platform = runtime_platform
        self.tiling_optimization_level = tiling_optimization_level

    def call_impl(self, builder, network):
        """
        Args:
            builder: The `tensorrt.Builder` to make the configuration with.
            network: The `tensorrt.INetworkDefinition` to make it for. None for a configuration that
                is not for building: it has no profiles and no calibrator.

        Returns:
            tensorrt.IBuilderConfig: The configuration.
        """
        config = builder.create_builder_config()
        self._set_preview_features(config)
        if network is not None:
            self._add_profiles(builder, network, config)
            self._check_precisions(network)
        self._set_first_flags(config)
        self._set_profiling_verbosity(config)
        self._set_memory_and_tactics(config)
        self._set_timing_cache(config)
        self._set_algorithm_selector(config)
        for name in (
            "engine_capability",
            "builder_optimization_level",
            "hardware_compatibility_level",
        ):
            self._set_attribute(config, name)
        self._set_compatibility(config)
        self._set_attribute(config, "max_aux_streams")
        self._set_quantization_flags(config)
        self._try_set_flag(config, "ERROR_ON_TIMING_CACHE_MISS", self.error_on_timing_cache_miss)
        self._try_set_flag(config, "DISABLE_COMPILATION_CACHE", self.disable_compilation_cache)
        self._set_attribute(config, "progress_monitor")
        self._try_set_flag(config, "WEIGHT_STREAMING", self.weight_streaming)
        self._set_attribute(config, "runtime_platform")
        self._set_attribute(config, "tiling_optimization_level")
        return config

    def _try_run(self, func: Callable, name: str) -> None:
        """Calls a function that only some versions of TensorRT can run.

        Args:
            func: The function.
            name: The option that needs it.

        Raises:
            PolygraphyException: If this version of TensorRT lacks a name that the function uses.
        """
        try:
            func()
        except AttributeError:
            trt_util.fail_unavailable(f"{name} in {type(self).__name__}")

    def _try_set_flag(self, config, name: str, wanted: bool = True) -> None:
        """Sets the builder flag of that name if it is wanted."""
        if wanted:
            self._try_run(lambda: config.set_flag(getattr(trt.BuilderFlag, name)), name.lower())

    def _set_attribute(self, config, name: str) -> None:
        """Sets the attribute of the configuration that has the option's name."""
        value = getattr(self, name)
        if value is not None:
            self._try_run(lambda: setattr(config, name, value), name)

    def _set_preview_features(self, config) -> None:
        if self.preview_features is None:
            return

        def set_all():
            for feature in trt.PreviewFeature.__members__.values():
                config.set_preview_feature(feature, feature in self.preview_features)

        self._try_run(set_all, "preview_features")

    def _add_profiles(self, builder, network, config) -> None:
        G_LOGGER.verbose("Setting TensorRT Optimization Profiles")
        # The user may reuse the profiles for other networks.
        profiles = copy.deepcopy(self.profiles)
        for profile in profiles:
            profile.fill_defaults(network)
            config.add_optimization_profile(profile.to_trt(builder, network))
        text = ",\n".join(
            f"Profile {index}:\n{util.indent_block(str(profile))}"
            for index, profile in enumerate(profiles)
        )
        G_LOGGER.info(f"Configuring with profiles:[\n{util.indent_block(text)}\n]")

    def _check_precisions(self, network) -> None:
        """Warns about precisions of layers that have no effect."""
        try:
            precisions = {
                layer.name: layer.precision.name
                for layer in network
                if layer.precision_is_set and layer.type != trt.LayerType.SHAPE
            }
        except AttributeError:
            return  # This version has no precisions of layers.
        if precisions and self.precision_constraints not in ("obey", "prefer"):
            G_LOGGER.warning(
                "It looks like some layers in the network have compute precision set, but "
                "precision constraints were not enabled. \n"
                "Precision constraints must be set to 'prefer' or 'obey' for layer compute "
                "precision to take effect. \n"
                f"Note: Layers and their requested precisions were: {precisions}"
            )

    def _set_first_flags(self, config) -> None:
        flags = {
            "OBEY_PRECISION_CONSTRAINTS": self.precision_constraints == "obey",
            "PREFER_PRECISION_CONSTRAINTS": self.precision_constraints == "prefer",
            "SAFETY_SCOPE": self.restricted,
            "REFIT": self.refittable,
            "STRIP_PLAN": self.strip_plan,
            "DIRECT_IO": self.direct_io,
            "SPARSE_WEIGHTS": self.sparse_weights,
        }
        for name, wanted in flags.items():
            self._try_set_flag(config, name, wanted)

    def _set_profiling_verbosity(self, config) -> None:
        if self.profiling_verbosity is not None:
            self._set_attribute(config, "profiling_verbosity")
            return
        try:
            config.profiling_verbosity = trt.ProfilingVerbosity.DETAILED
        except AttributeError:
            pass  # Only a default: an old TensorRT keeps its own.

    def _set_memory_and_tactics(self, config) -> None:
        for pool, limit in (self.memory_pool_limits or {}).items():
            self._try_run(lambda: config.set_memory_pool_limit(pool, limit), "memory_pool_limits")
        if self.tactic_sources is not None:
            sources = 0
            for source in self.tactic_sources:
                sources |= 1 << int(source)
            self._try_run(lambda: config.set_tactic_sources(sources), "tactic_sources")

    def _set_timing_cache(self, config) -> None:
        """Installs a timing cache, which builders fill; without a file to load, an empty one."""
        data = self._load_timing_cache() if self.timing_cache_path else b""
        try:
            cache = config.create_timing_cache(data)
            if cache is None:
                cache = config.create_timing_cache(b"")
        except AttributeError:
            if data:
                trt_util.fail_unavailable(f"load_timing_cache in {type(self).__name__}")
            return
        if cache is not None:
            config.set_timing_cache(cache, ignore_mismatch=False)

    def _load_timing_cache(self) -> bytes:
        """The content of the file; empty without a file."""
        try:
            with util.LockFile(self.timing_cache_path):
                return util.load_file(self.timing_cache_path, description="tactic timing cache")
        except FileNotFoundError:
            G_LOGGER.warning(
                f"Timing cache file {self.timing_cache_path} not found, falling back to empty "
                "timing cache."
            )
            return b""

    def _set_algorithm_selector(self, config) -> None:
        if self.algorithm_selector is None:
            return
        self._set_attribute(config, "algorithm_selector")
        if not self.timing_cache_path:
            G_LOGGER.warning("Disabling tactic timing cache because algorithm selector is enabled.")
            self._try_set_flag(config, "DISABLE_TIMING_CACHE")

    def _set_compatibility(self, config) -> None:
        self._try_set_flag(config, "VERSION_COMPATIBLE", self.version_compatible)
        if self.exclude_lean_runtime:
            if not self.version_compatible:
                G_LOGGER.critical(
                    "Cannot set EXCLUDE_LEAN_RUNTIME if version compatibility is not enabled."
                )
            self._try_set_flag(config, "EXCLUDE_LEAN_RUNTIME")
        if self.version_compatible or self.hardware_compatibility_level is not None:
            G_LOGGER.info(
                "Version or hardware compatibility was enabled. If you are using an ONNX model, "
                "please set the NATIVE_INSTANCENORM ONNX parser flag, e.g. "
                "`--onnx-flags NATIVE_INSTANCENORM`"
            )

    def _set_quantization_flags(self, config) -> None:
        if self.quantization_flags is None:
            return

        def set_all():
            for flag in trt.QuantizationFlag.__members__.values():
                if flag in self.quantization_flags:
                    config.set_quantization_flag(flag)
                else:
                    config.clear_quantization_flag(flag)

        self._try_run(set_all, "quantization_flag")
