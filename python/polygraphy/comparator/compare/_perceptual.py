"""Perceptual distances of images, by the network of the package `lpips`."""

from __future__ import annotations

import math

from polygraphy import mod, util
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import np, torch

lpips = mod.lazy_import("lpips")

_LEAST_SIDE = 64
"""Pixels of a side that the networks need"""


def _as_images(array):
    """An array as images in color: axes batch, 3 channels, height, width.

    The last axis is the one of channels if it has at most three elements, and else the third from
    behind. Of any other number of channels, each becomes a gray image. Small images are
    enlarged, pixel by pixel.
    """
    array = array.reshape((-1,) + array.shape[-3:])
    if array.shape[-1] <= 3 < array.shape[1]:
        array = array.transpose(0, 3, 1, 2)
    if array.shape[1] != 3:
        array = array.reshape((-1, 1) + array.shape[2:]).repeat(3, axis=1)
    for axis in (2, 3):
        array = array.repeat(-(-_LEAST_SIDE // array.shape[axis]), axis=axis)
    return array


def _load_network():
    """The network on AlexNet, or on VGG where that one's weights cannot be had; None without."""
    for net in ("alex", "vgg"):
        try:
            return lpips.LPIPS(net=net, verbose=False).eval()
        except (OSError, RuntimeError) as err:
            G_LOGGER.warning(f"Could not load the LPIPS network: {net}. Note: Error was: {err}")
    return None


class Distance:
    """A function of two arrays. It loads its network, or tries to, once, when it needs it."""

    def __init__(self):
        self._network = None
        self._is_loaded = False

    def __call__(self, out0, out1):
        """The mean distance of the images in two arrays of one shape.

        Returns:
            None, with a warning, where it cannot be computed; NaN, which is not a distance, where
            there are numbers that are not finite.
        """
        floats = [util.array.cast(out, DataType.FLOAT32) for out in (out0, out1)]
        arrays = [util.array.to_numpy(array) for array in floats]
        if arrays[0].ndim < 3 or not arrays[0].size:
            G_LOGGER.warning(
                f"LPIPS compares images, of at least 3 axes: the shape is {arrays[0].shape}."
            )
            return None
        if not all(np.isfinite(array).all() for array in arrays):
            G_LOGGER.warning("LPIPS compares images of finite numbers: there are others.")
            return math.nan
        # Both on one scale, from -1 to 1.
        low = min(array.min() for array in arrays)
        width = max(array.max() for array in arrays) - low or 1.0
        tensors = [torch.from_numpy(_as_images((array - low) / width * 2 - 1)) for array in arrays]
        if not self._is_loaded:
            self._network = _load_network()
            self._is_loaded = True
        if self._network is None:
            return None
        with torch.no_grad():
            return float(self._network(*tensors).mean().item())
