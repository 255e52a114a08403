"""Pictures of arrays, as figures of Matplotlib: nothing is logged, saved or shown here."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Callable, Iterator, Tuple

from polygraphy import mod
from polygraphy.mod._lazy_modules import np

plt = mod.lazy_import("matplotlib.pyplot")
matplotlib = mod.lazy_import("matplotlib")

_WIDTH, _HEIGHT = 1920, 1080
"""Elements of a figure, at most"""
_COLUMNS, _ROWS = 7, 14
"""Images of a figure, at most"""
_SMALL = {"fontsize": "xx-small"}


def _images(arr) -> Iterator[Tuple[str, object]]:
    """The last two axes of an array as images, each with its place; large ones in parts."""
    if arr.ndim < 3:
        arr = arr.reshape((1,) * (3 - arr.ndim) + arr.shape)
    height, width = arr.shape[-2:]
    rows, columns = range(0, height, _HEIGHT), range(0, width, _WIDTH)
    for index in np.ndindex(arr.shape[:-2]):
        for row, column in itertools.product(rows, columns):
            image = arr[index][row : row + _HEIGHT, column : column + _WIDTH]
            ranges = [f"{row}:{row + image.shape[0]}", f"{column}:{column + image.shape[1]}"]
            yield f"({','.join([*map(str, index), *ranges])})", image


def _bounds(arr, low: float, high: float) -> Tuple[float, float]:
    """Two ends of a colour scale that are numbers: those given, else those of the numbers."""
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    finite = arr[np.isfinite(arr)]
    return (finite.min(), finite.max()) if finite.size else (0.0, 1.0)


def heatmap_scale(arr, low: float, high: float, logarithmic: bool) -> Tuple[float, float, bool]:
    """The ends of a colour scale, and whether it is logarithmic.

    Zeros and less have no place on a logarithmic scale: it begins at the least element above. If
    nothing is between its ends, the scale is not logarithmic.
    """
    low, high = _bounds(arr, low, high)
    if not logarithmic:
        return low, high, False
    positive = arr[(arr > 0) & np.isfinite(arr)]
    start = low if low > 0 else positive.min() if positive.size else high
    return (start, high, True) if start < high else (low, high, False)


def heatmaps(
    arr, low: float, high: float, logarithmic: bool, title: str
) -> Iterator[Tuple[str, Callable]]:
    """Figures of a grid of images each, on one colour scale.

    Yields:
        Tuple[str, Callable() -> matplotlib.figure.Figure]: Title, which names the places, and a
        function that draws the figure.
    """
    images = list(_images(arr))
    height = max(image.shape[0] for _, image in images)
    width = max(image.shape[1] for _, image in images)
    columns = min(_COLUMNS, _WIDTH // width, len(images))
    rows = min(_ROWS, _HEIGHT // height, math.ceil(len(images) / columns))
    for start in range(0, len(images), rows * columns):
        batch = images[start : start + rows * columns]
        full_title = f"{title}: {batch[0][0]} to {batch[-1][0]}"
        scale = (low, high, logarithmic)
        yield full_title, functools.partial(_grid, batch, rows, columns, scale, full_title)


def _grid(images: list, rows: int, columns: int, scale: tuple, title: str):
    """A figure of images with their places."""
    low, high, logarithmic = scale
    figure, axes = plt.subplots(rows, columns, squeeze=False, dpi=200, constrained_layout=True)
    make_norm = matplotlib.colors.LogNorm if logarithmic else matplotlib.colors.Normalize
    norm = make_norm(vmin=low, vmax=high)
    figure.suptitle(title, **_SMALL)
    # Fills the rest of the grid.
    nothing = ("Out Of Bounds", np.zeros_like(images[0][1]))
    for axis, (place, image) in itertools.zip_longest(axes.flat, images, fillvalue=nothing):
        axis.set_axis_off()
        axis.set_title(place, **_SMALL)
        shown = axis.imshow(image, cmap="plasma", filternorm=False, resample=False)
        shown.set_norm(norm)
    # The scale is the same for all.
    figure.colorbar(shown, ax=axes, shrink=0.7)
    return figure


def error_plot(absdiff, reldiff, magnitude, min_reldiff: float, max_reldiff: float, title: str):
    """A figure of absolute and relative differences over the magnitude of the reference.

    Args:
        absdiff: Absolute differences.
        reldiff: Relative ones, on a logarithmic scale if they differ.
        magnitude: Absolute values of the reference.
        min_reldiff: The least relative difference.
        max_reldiff: The greatest one.
        title: Stands above.
    """
    figure, (above, below) = plt.subplots(2, sharex=True, constrained_layout=True)
    figure.suptitle(title, fontsize=7)
    low, high = _bounds(reldiff, min_reldiff, max_reldiff)
    logarithmic = bool(low != high and high > 0)

    above.set_ylabel("Absolute error", fontsize=7)
    scale = " (log scale)" if logarithmic else ""
    below.set_ylabel(f"Relative error{scale}", fontsize=7)
    below.set_xlabel("output1 magnitude", fontsize=7)
    for axis, differences in ((above, absdiff), (below, reldiff)):
        axis.scatter(magnitude, differences, s=1)
        if axis is below and logarithmic:
            axis.set_yscale("log")
            # A zero is shown as far down as such differences go.
            powers = [math.floor(math.log10(max(end, 1e-15))) for end in (low, high)]
            y_ticks = 10.0 ** np.arange(powers[0], powers[1] + 1)
        else:
            y_ticks = np.linspace(0, axis.get_yticks()[-1], 10)
        axis.set_xticks(np.linspace(0, axis.get_xticks()[-1], 20))
        axis.set_yticks(y_ticks)
        axis.tick_params(axis="x", labelrotation=90)
        axis.tick_params(axis="both", labelsize=6)
        axis.grid(linestyle="--")
    return figure
