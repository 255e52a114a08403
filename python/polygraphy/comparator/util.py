"""Statistics of arrays, their text in messages, and pictures of them."""

from __future__ import annotations

import functools
import os
from typing import Callable, Optional

from polygraphy import mod, util
from polygraphy.comparator import _kernels, _plots
from polygraphy.comparator._kernels_frameworks import cast_up
from polygraphy.comparator._statistics import Statistics
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER

plt = mod.lazy_import("matplotlib.pyplot")

_MAX_VALUES_SHOWN = 100
_BAR_WIDTH = 40


def use_higher_precision(func):
    """A decorator that casts arrays up (see `cast_up`) before they are computed with."""

    @functools.wraps(func)
    def wrapped(*buffers):
        is_array = lambda buf: util.array.is_numpy(buf) or util.array.is_torch(buf)
        return func(*(cast_up(buf) if is_array(buf) else buf for buf in buffers))

    return wrapped


def _figure(function: Callable, buffer):
    """0 for arrays without elements."""
    is_empty = util.is_empty_shape(util.array.shape(buffer))
    return 0 if is_empty else use_higher_precision(function)(buffer)


def _place(function: Callable, buffer):
    return _figure(lambda up: util.array.unravel_index(function(up), util.array.shape(up)), buffer)


def compute_max(buffer):
    return _figure(util.array.max, buffer)


def compute_argmax(buffer):
    """The indices along each axis."""
    return _place(util.array.argmax, buffer)


def compute_min(buffer):
    return _figure(util.array.min, buffer)


def compute_argmin(buffer):
    """The indices along each axis."""
    return _place(util.array.argmin, buffer)


@use_higher_precision
def compute_mean(buffer):
    """In single precision."""
    return util.array.mean(buffer, dtype=DataType.FLOAT32)


def compute_std(buffer):
    return _figure(util.array.std, buffer)


def compute_variance(buffer):
    return _figure(util.array.var, buffer)


def compute_median(buffer):
    return _figure(util.array.median, buffer)


def compute_quantile(buffer, q: float):
    """In the array's own precision."""
    return util.array.quantile(buffer, q)


def compute_average_magnitude(buffer):
    """The mean of the absolute values."""
    return compute_mean(util.array.abs(cast_up(buffer)))


def str_histogram(output, hist_range=None) -> str:
    """A histogram of ten bins as text; empty if it cannot be computed.

    Args:
        output: The array.
        hist_range: Least and greatest value, those of the array if left out.
    """
    is_bool = util.array.dtype(output) == DataType.BOOL
    if is_bool or util.is_empty_shape(util.array.shape(output)):
        return ""
    return _histogram_text(lambda: _kernels.histogram(output, hist_range))


def _histogram_text(compute: Callable[[], Optional[tuple]]) -> str:
    """The text of counts and edges; empty for None, and where `compute` raises."""
    try:
        found = compute()
    except Exception as err:
        G_LOGGER.verbose(f"Could not generate histogram. Note: Error was: {err}")
        return ""
    if found is None:
        return ""
    hist, edges = found[0], [f"{edge:.3g}" for edge in found[1]]
    starts, ends = edges[:-1], edges[1:]
    start_width, end_width = max(map(len, edges)), max(map(len, ends))
    greatest = max(*hist, 1)

    ret = "---- Histogram ----\n"
    ret += f"{'Bin Range':{start_width + end_width + 5}}|  Num Elems | Visualization\n"
    for num, start, end in zip(map(int, hist), starts, ends):
        bar = "#" * int(_BAR_WIDTH * num / greatest)
        ret += f"({start:<{start_width}}, {end:<{end_width}}) | {num:10} | {bar}\n"
    return ret


def str_output_stats(output, runner_name: Optional[str] = None) -> str:
    """Statistics of an array in one line.

    Args:
        output: The array.
        runner_name: Stands in front of them.
    """
    return str_statistics(lambda: _kernels.statistics(output), runner_name)


def str_statistics(compute: Callable[[], Statistics], name: Optional[str] = None) -> str:
    """Statistics in one line, or, if `compute` raises, a line that they are missing."""
    ret = f"{name} | Stats: " if name else ""
    try:
        stats = compute()
        ret += (
            f"mean={stats.mean:.5g}, std-dev={stats.variance ** 0.5:.5g}, "
            f"var={stats.variance:.5g}, median={stats.median:.5g}, "
            f"min={stats.min:.5g} at {stats.argmin}, "
            f"max={stats.max:.5g} at {stats.argmax}, "
            f"avg-magnitude={stats.avg_magnitude:.5g}"
        )
        if stats.percentiles is not None:
            p90, p95, p99 = stats.percentiles
            ret += f", p90={p90:.5g}, p95={p95:.5g}, p99={p99:.5g}"
        ret += "\n"
    except Exception as err:
        G_LOGGER.verbose(f"Could not generate statistics.\nNote: Error was: {err}")
        ret += "<Error while computing statistics>"
    return ret


def log_output_stats(output, info_hist=False, runner_name: Optional[str] = None, hist_range=None):
    """Logs statistics of an array, and, at another severity, its values and a histogram.

    Args:
        output: The array.
        info_hist: Whether values and histogram are logged as INFO instead of VERBOSE.
        runner_name: Stands in front of the statistics.
        hist_range: Least and greatest value of the histogram.
    """
    _log_statistics(str_output_stats(output, runner_name), output, info_hist, hist_range)


def _log_statistics(text: str, output, info_hist: bool, hist_range) -> None:
    G_LOGGER.info(text)
    severity = G_LOGGER.INFO if info_hist else G_LOGGER.VERBOSE
    with G_LOGGER.indent():
        _log_values(util.array.size(output), lambda: output, severity)
        G_LOGGER.log(lambda: str_histogram(output, hist_range), severity=severity)


def _log_values(size: int, values: Callable, severity) -> None:
    if size <= _MAX_VALUES_SHOWN:
        G_LOGGER.log(lambda: f"---- Values ----\n{util.indent_block(values())}", severity=severity)


def log_differences(differences, which: int, statistics, size: int, failed: bool, name: str):
    """As `log_output_stats`, for the absolute (0) or relative (1) differences of two arrays.

    Args:
        differences: Of `_kernels.differences`.
        which: Which ones.
        statistics: Their statistics.
        size: How many there are.
        failed: Whether values and histogram are logged as INFO.
        name: A name for them.
    """
    G_LOGGER.info(str_statistics(lambda: statistics, name))
    severity = G_LOGGER.INFO if failed else G_LOGGER.VERBOSE
    with G_LOGGER.indent():
        _log_values(size, lambda: differences.array(which), severity)
        histogram = lambda: differences.histogram(which)
        G_LOGGER.log(lambda: _histogram_text(histogram), severity=severity)


def log_compared_output_stats(
    iter_result0, iter_result1, match_dicts, runner0_name: str, runner1_name: str
) -> None:
    """Logs the statistics of outputs that were compared, each pair over one range of values.

    Args:
        iter_result0: The first runner's outputs.
        iter_result1: The second one's.
        match_dicts: For each comparison function, name of an output -> result. The first one says
            which outputs are logged; where any result is false, values and histogram are logged as
            INFO.
        runner0_name: The first runner.
        runner1_name: The second one.
    """
    for out0_name, result in (match_dicts[0] if match_dicts else {}).items():
        out1_name = getattr(result, "output1_name", out0_name)
        if out0_name not in iter_result0 or out1_name not in iter_result1:
            continue
        failed = not all(results.get(out0_name, True) for results in match_dicts)
        named = (
            (iter_result0[out0_name], f"{runner0_name}: {out0_name}"),
            (iter_result1[out1_name], f"{runner1_name}: {out1_name}"),
        )
        texts, hist_range = _texts_and_range(named)
        for (output, _), text in zip(named, texts):
            _log_statistics(text, output, failed, hist_range)


def _texts_and_range(named_outputs) -> tuple:
    """The statistics of outputs as texts, and the least and greatest value of all of them.

    Texts, for example, have neither; the range is None then, and histograms say so.
    """
    texts, extremes = [], []
    for output, name in named_outputs:
        try:
            stats = _kernels.statistics(output)
        except Exception:
            texts.append(str_output_stats(output, name))
        else:
            texts.append(str_statistics(lambda: stats, name))
            extremes.append((stats.min, stats.max))
    if len(extremes) < len(texts):
        return texts, None
    lows, highs = zip(*extremes)
    return texts, (min(lows), max(highs))


def _picture_array(buffer):
    """An array of NumPy that can be drawn, booleans as zeros and ones."""
    array = util.array.to_numpy(buffer)
    return array.astype("float32") if array.dtype.kind == "b" else array


def _save_and_show(figure, what: str, save_dir, name: str, dpi: Optional[int], show) -> None:
    try:
        if save_dir is not None:
            path = os.path.join(save_dir, name.replace("/", "_"))
            util.makedirs(path)
            G_LOGGER.info(f"Saving {what} to: '{path}'")
            figure.savefig(path, **({"dpi": dpi, "bbox_inches": "tight"} if dpi else {}))
        if show:
            plt.show()
    finally:
        plt.close(figure)


def build_heatmaps(
    arr,
    min_val: float,
    max_val: float,
    prefix: str,
    save_dir: Optional[str] = None,
    show: Optional[bool] = None,
    use_lognorm: Optional[bool] = None,
) -> None:
    """Draws an array as images of its last two axes: up to 98 in a figure.

    Needs Matplotlib. An array without elements has no picture.

    Args:
        arr: The array.
        min_val: The value of the first colour.
        max_val: The value of the last one. If either is not finite, the least and greatest
            finite elements take their place.
        prefix: First part of titles and file names.
        save_dir: A folder for the pictures, as SVG. They are not saved if left out.
        show: Whether to show them. False if left out.
        use_lognorm: Whether the colours are on a logarithmic scale. False if left out.
    """
    G_LOGGER.start(f"Building heatmaps for {prefix}. This may take a while...")
    array = _picture_array(arr)
    if not array.size:
        return
    with G_LOGGER.indent():
        low, high, logarithmic = _plots.heatmap_scale(array, min_val, max_val, bool(use_lognorm))
        title = f"{prefix} (Log Scale)" if logarithmic else prefix
        for full_title, draw in _plots.heatmaps(array, low, high, logarithmic, title):
            G_LOGGER.extra_verbose(f"Building heatmaps for {full_title}")
            what = f"'{title}' heatmap"
            _save_and_show(draw(), what, save_dir, f"{full_title}.svg", None, show)


def scatter_plot_error_magnitude(
    absdiff,
    reldiff,
    reference_output,
    min_reldiff: float,
    max_reldiff: float,
    runner0_name: str,
    runner1_name: str,
    out0_name: str,
    out1_name: str,
    save_dir: Optional[str] = None,
    show: Optional[bool] = None,
) -> None:
    """Draws the differences of an output over the magnitude of the reference.

    Needs Matplotlib.

    Args:
        absdiff: Absolute differences.
        reldiff: Relative ones.
        reference_output: The output that they are relative to.
        min_reldiff: The least relative difference.
        max_reldiff: The greatest one.
        runner0_name: The runner of the output.
        runner1_name: The runner of the reference.
        out0_name: The output.
        out1_name: The reference.
        save_dir: A folder for the picture, as PNG. It is not saved if left out.
        show: Whether to show it. False if left out.
    """
    G_LOGGER.start(f"Building error metrics plot for {out0_name}. This may take a while...")
    with G_LOGGER.indent():
        title = (
            "Error metrics between output0 and output1\n"
            f"output0: {runner0_name:35} | {out0_name}\n"
            f"output1: {runner1_name:35} | {out1_name}"
        )
        figure = _plots.error_plot(
            _picture_array(absdiff),
            _picture_array(reldiff),
            abs(_picture_array(reference_output)),
            min_reldiff,
            max_reldiff,
            title,
        )
        name = f"error_metrics_{out0_name}.png"
        _save_and_show(figure, "error metrics plot", save_dir, name, 1200, show)
