"""Optimization profiles, and the inputs that calibration needs."""

from __future__ import annotations

from typing import Optional

from polygraphy import util
from polygraphy.backend.trt.util._layers import _dtype, network_inputs
from polygraphy.backend.trt.util._messages import _warn_once
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER


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
