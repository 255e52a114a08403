"""Builder configurations as text, optimization profiles, and the inputs that calibration needs."""

from __future__ import annotations

from typing import Any, Callable, Iterable, List, Optional

from polygraphy import util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.util._messages import _warn_once
from polygraphy.backend.trt.util._network import _dtype, network_inputs
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER


def _members(enumeration: str, is_set: Callable) -> List[str]:
    """The names of the members of an enumeration of TensorRT for which something is so."""
    kinds = util.try_getattr(trt, enumeration)
    return [name for name, kind in getattr(kinds, "__members__", {}).items() if is_set(kind)]


def str_from_config(config, network) -> str:
    """A builder configuration as text, a line per setting.

    Args:
        config: The configuration.
        network: The network, whose flags are listed with the configuration's; or None.
    """
    lines = []

    def add(title: str, value: Any) -> None:
        lines.append(f"{title:22} | {value}")

    def add_members(title: str, names: Iterable[str], if_empty: bool = True) -> None:
        if names or if_empty:
            add(title, f"[{', '.join(names)}]")

    def add_if_there(title: str, attribute: str) -> None:
        if hasattr(config, attribute):
            add(title, getattr(config, attribute))

    flags = _members("BuilderFlag", config.get_flag)
    if network is not None and hasattr(network, "get_flag"):
        flags += _members("NetworkDefinitionCreationFlag", network.get_flag)
    add_members("Flags", flags)
    add_if_there("Engine Capability", "engine_capability")

    dla = util.try_getattr(util.try_getattr(trt, "DeviceType"), "DLA")
    device = util.try_getattr(config, "default_device_type")
    dla_core = util.try_getattr(config, "DLA_core", -1)
    uses_dla = dla_core >= 0 or (dla is not None and device == dla)
    if hasattr(config, "get_memory_pool_limit"):
        pools = util.try_getattr(trt, "MemoryPoolType")
        limits = [
            f"{name}: {config.get_memory_pool_limit(pool) / (1 << 20):.2f} MiB"
            for name, pool in getattr(pools, "__members__", {}).items()
            if uses_dla or not name.startswith("DLA")
        ]
        add_members("Memory Pools", limits, if_empty=pools is not None)
    if hasattr(config, "get_tactic_sources") and util.try_getattr(trt, "TacticSource"):
        sources = config.get_tactic_sources()
        add_members(
            "Tactic Sources", _members("TacticSource", lambda source: sources & (1 << int(source)))
        )
    if uses_dla:
        add("DLA", f"Default Device Type: {device}, Core: {dla_core}")
    add_if_there("Profiling Verbosity", "profiling_verbosity")
    if util.try_getattr(config, "num_optimization_profiles", 0) > 1:
        add("Optimization Profiles", f"{config.num_optimization_profiles} profile(s)")
    if hasattr(config, "get_preview_feature"):
        features = _members("PreviewFeature", config.get_preview_feature)
        add_members("Preview Features", features, if_empty=False)
    if util.try_getattr(config, "int8_calibrator"):
        add("Calibrator", config.int8_calibrator)
    if hasattr(config, "get_quantization_flag"):
        quantization = _members("QuantizationFlag", config.get_quantization_flag)
        add_members("Quantization Flags", quantization, if_empty=False)
    return "\n".join(lines)


def check_profile(profile):
    """An optimization profile as it is.

    Raises:
        PolygraphyException: If TensorRT finds something wrong with it.
    """
    if not bool(profile):
        G_LOGGER.critical(
            f"Profile is not valid, please provide profile data.\nNote: profile was: {profile}"
        )
    return profile


def get_input_metadata_from_network(
    network, profile, force_opt_shapes: Optional[bool] = None
) -> TensorMetadata:
    """The metadata of a network's inputs.

    Args:
        network: The network.
        profile: Its `trt.IOptimizationProfile`. None suffices for static shapes.
        force_opt_shapes: Whether dynamic shapes are replaced by the profile's optimum. Otherwise
            they keep their dynamic dimensions, and have the profile's bounds.

    Returns:
        TensorMetadata: Of tensors that hold shapes, optimum and bounds are values.
    """
    meta = TensorMetadata()
    for tensor in network_inputs(network):
        shape = tensor.shape
        low = high = None
        is_dynamic = util.is_shape_dynamic(shape)
        if profile is not None and (tensor.is_shape_tensor or is_dynamic):
            get = profile.get_shape_input if tensor.is_shape_tensor else profile.get_shape
            low, opt, high = get(tensor.name)
            if force_opt_shapes:
                if is_dynamic:
                    _warn_once(
                        "TensorRT does not currently support using dynamic shapes during "
                        "calibration. The `OPT` shapes from the calibration profile will be used "
                        "for tensors with dynamic shapes. Calibration data is expected to conform "
                        "to those shapes. "
                    )
                shape, low, high = opt, None, None
        meta.add(tensor.name, _dtype(tensor.dtype), shape, low, high)
    return meta


def try_setup_polygraphy_calibrator(config, network, calib_profile=None) -> None:
    """Passes the inputs of a network to a calibrator of Polygraphy. Other calibrators stay as they
    are.

    Args:
        config: The builder configuration with the calibrator.
        network: The network.
        calib_profile: The `trt.IOptimizationProfile` to calibrate with, by default the one that
            the configuration has for this.
    """
    calibrator = util.try_getattr(config, "int8_calibrator")
    if not util.try_getattr(calibrator, "is_polygraphy_calibrator", False):
        return
    if calib_profile is None:
        if not hasattr(config, "get_calibration_profile"):
            G_LOGGER.extra_verbose("Cannot get calibration profile on TensorRT 7.0 and older.")
            return
        calib_profile = config.get_calibration_profile()
    calibrator.set_input_metadata(
        get_input_metadata_from_network(network, calib_profile, force_opt_shapes=True)
    )
