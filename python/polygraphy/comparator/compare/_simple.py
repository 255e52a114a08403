"""Comparing elements, or statistics of their differences."""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, Optional

from polygraphy import mod, util
from polygraphy.comparator import _kernels
from polygraphy.comparator import util as comp_util
from polygraphy.comparator.compare._base import BaseCompareFunc
from polygraphy.comparator.compare._results import OutputCompareResult, SimpleThreshold
from polygraphy.logger import G_LOGGER, LogMode

VALID_CHECK_ERROR_STATS = ["max", "mean", "median", "elemwise", "quantile"]


def _values(stats) -> dict:
    """Arguments of OutputCompareResult: the figures of absolute and of relative errors."""
    return {
        f"{name}_{kind}diff": getattr(kind_stats, name)
        for name in ("max", "mean", "median", "quantile")
        for kind, kind_stats in zip(("abs", "rel"), stats)
    }


def _log_required_tolerance(stat: str, quantile: float, stats) -> None:
    required = [getattr(each, "max" if stat == "elemwise" else stat) for each in stats]
    note = {
        "elemwise": " (requirements may be lower if both abs/rel tolerances are set)",
        "quantile": f" (quantile={quantile:.4g})",
    }
    G_LOGGER.info(
        f"Minimum Required Tolerance: {stat} error | [abs={required[0]:.5g}] OR "
        f"[rel={required[1]:.5g}]{note.get(stat, '')}"
    )


@mod.export()
class SimpleCompareFunc(BaseCompareFunc):
    """Compares elements, or a statistic of their differences, with tolerances.

    An absolute and a relative tolerance have to be exceeded for a mismatch; the second result is
    the reference of relative differences. NaN always mismatches. Arguments that say so may also be
    dictionaries by name of an output, with `""` for the others.

    Args:
        check_shapes: Whether shapes must be the same; else arrays are permuted or reshaped. True
            if left out.
        rtol: The relative tolerance, 1e-5 if left out. Or a dictionary.
        atol: The absolute tolerance, 1e-5 if left out. Or a dictionary.
        fail_fast: Whether to stop at the first mismatch.
        find_output_func: Gets the name and place of an output, and the second result; returns the
            names to compare it with.
        check_error_stat: `elemwise` (if left out), `max`, `mean`, `median` or `quantile`. Or a
            dictionary.
        infinities_compare_equal: Whether infinities of one sign do not differ.
        save_heatmaps: A folder for pictures of the differences (see `util.build_heatmaps`).
        show_heatmaps: Whether to show them. False if left out.
        save_error_metrics_plot: A folder for a plot of the differences over the magnitude of the
            reference (see `util.scatter_plot_error_magnitude`).
        show_error_metrics_plot: Whether to show it. False if left out.
        error_quantile: Which quantile, 0.99 if left out. Or a dictionary.
    """

    _DEFAULT_RTOL = 1e-5
    _DEFAULT_ATOL = 1e-5
    _DEFAULT_QUANTILE = 0.99
    _DEFAULT_ERROR_STAT = "elemwise"
    _RESULT_CLASS = OutputCompareResult
    _SUMMARY_LABEL = "simple"

    def __init__(
        self,
        check_shapes: Optional[bool] = None,
        rtol: Any = None,
        atol: Any = None,
        fail_fast: Optional[bool] = None,
        find_output_func: Optional[Callable] = None,
        check_error_stat: Any = None,
        infinities_compare_equal: Optional[bool] = None,
        save_heatmaps: Optional[str] = None,
        show_heatmaps: Optional[bool] = None,
        save_error_metrics_plot: Optional[str] = None,
        show_error_metrics_plot: Optional[bool] = None,
        error_quantile: Any = None,
    ):
        self.check_shapes = util.default(check_shapes, True)
        self.rtol = util.default(rtol, self._DEFAULT_RTOL)
        self.atol = util.default(atol, self._DEFAULT_ATOL)
        self.error_quantile = util.default(error_quantile, self._DEFAULT_QUANTILE)
        self.fail_fast = util.default(fail_fast, False)
        self.find_output_func = find_output_func
        self.check_error_stat = util.default(check_error_stat, self._DEFAULT_ERROR_STAT)
        self.infinities_compare_equal = util.default(infinities_compare_equal, False)
        self.save_heatmaps = save_heatmaps
        self.show_heatmaps = util.default(show_heatmaps, False)
        self.save_error_metrics_plot = save_error_metrics_plot
        self.show_error_metrics_plot = util.default(show_error_metrics_plot, False)

    def _option(self, name: str, output_name: str, default: Any) -> Any:
        return util.value_or_from_dict(getattr(self, name), output_name, default)

    def thresholds_for(self, output_name: str) -> SimpleThreshold:
        return SimpleThreshold(
            self._option("check_error_stat", output_name, self._DEFAULT_ERROR_STAT),
            self._option("atol", output_name, self._DEFAULT_ATOL),
            self._option("rtol", output_name, self._DEFAULT_RTOL),
        )

    def __call__(self, iter_result0, iter_result1) -> Dict[str, Any]:
        """Compares two results.

        Returns:
            Dict[str, OutputCompareResult]: Name of an output of the first one -> result; False for
            outputs of different shapes.
        """
        options = ("rtol", "atol", "check_error_stat", "error_quantile")
        self._check_keys(
            [(f"the {name} dictionary", getattr(self, name)) for name in options],
            iter_result0,
            iter_result1,
        )

        def announce(out0_name):
            threshold = self.thresholds_for(out0_name)
            stat = threshold.check_error_stat
            if stat not in VALID_CHECK_ERROR_STATS:
                G_LOGGER.critical(
                    f"Invalid choice for check_error_stat: {stat}.\n"
                    f"Note: Valid choices are: {VALID_CHECK_ERROR_STATS}"
                )
            G_LOGGER.info(
                f"Tolerance: [abs={threshold.atol:.5g}, rel={threshold.rtol:.5g}] | "
                f"Checking {stat} error"
            )
            G_LOGGER.extra_verbose(
                f"Note: Comparing {iter_result0.runner_name} vs. {iter_result1.runner_name}"
            )

        def match(out0_name, out0, out1_name, out1):
            threshold = self.thresholds_for(out0_name)
            quantile = self._option("error_quantile", out0_name, self._DEFAULT_QUANTILE)
            result = self._check_outputs_match(
                out0, out0_name, out1, out1_name, threshold, quantile, iter_result0, iter_result1
            )
            tolerances = f"(rel={threshold.rtol}, abs={threshold.atol})"
            if result:
                G_LOGGER.finish(
                    f"PASSED | Output: '{out0_name}' | Difference is within tolerance {tolerances}"
                )
            else:
                G_LOGGER.error(
                    f"FAILED | Output: '{out0_name}' | Difference exceeds tolerance {tolerances}"
                )
            return result

        return self._run_comparison(match, iter_result0, iter_result1, announce)

    def _check_outputs_match(
        self, out0, out0_name, out1, out1_name, threshold, quantile, iter_result0, iter_result1
    ) -> OutputCompareResult:
        runner0_name, runner1_name = iter_result0.runner_name, iter_result1.runner_name
        stat, atol, rtol = threshold.check_error_stat, threshold.atol, threshold.rtol
        for runner_name, name, out in (
            (runner0_name, out0_name, out0),
            (runner1_name, out1_name, out1),
        ):
            G_LOGGER.super_verbose(
                lambda: (
                    f"{runner_name:35} | Output: {name} (dtype={util.array.dtype(out)}, "
                    f"shape={util.array.shape(out)}):\n{util.indent_block(out)}"
                )
            )

        differences = _kernels.differences(out0, out1, atol, rtol, self.infinities_compare_equal)
        stats = differences.statistics(quantile if stat == "quantile" else None)
        if differences.zeros_in_reference:
            G_LOGGER.warning(
                f"{runner1_name:35} | Output: {out1_name}: Some values are 0. Will add a small "
                "epsilon quantity to these when computing relative difference. Note that this may "
                "cause some relative differences to be extremely high. ",
                mode=LogMode.ONCE,
            )
        stored_passed = None
        if stat == "elemwise":
            stored_passed = not differences.any_mismatched
            self._log_mismatches(differences, (runner0_name, out0), (runner1_name, out1))
        result = OutputCompareResult(**_values(stats), thresholds=threshold, passed=stored_passed)
        failed = not result

        G_LOGGER.info(f"Error Metrics: {out0_name}")
        with G_LOGGER.indent():
            _log_required_tolerance(stat, quantile, stats)
            self._plot_magnitudes(
                differences, out1, stats[1], (runner0_name, out0_name), (runner1_name, out1_name)
            )
            for which, kind in enumerate(("Absolute", "Relative")):
                comp_util.log_differences(
                    differences,
                    which,
                    stats[which],
                    util.array.size(out0),
                    failed,
                    f"{kind} Difference",
                )
                self._draw_heatmaps(differences, which, stats[which], kind, out0_name)

        G_LOGGER.extra_verbose(
            lambda: (
                f"Finished comparing: '{out0_name}' (dtype={util.array.dtype(out0)}, "
                f"shape={util.array.shape(out0)}) [{runner0_name}] and '{out1_name}' "
                f"(dtype={util.array.dtype(out1)}, shape={util.array.shape(out1)}) [{runner1_name}]"
            )
        )
        return result

    def _plot_magnitudes(self, differences, out1, relative, named0, named1) -> None:
        """Plots errors over values, if that is wanted. The last two are names of runner and output."""
        if not (self.save_error_metrics_plot or self.show_error_metrics_plot):
            return
        (runner0_name, out0_name), (runner1_name, out1_name) = named0, named1
        with G_LOGGER.indent():
            comp_util.scatter_plot_error_magnitude(
                differences.array(0),
                differences.array(1),
                out1,
                relative.min,
                relative.max,
                runner0_name,
                runner1_name,
                out0_name,
                out1_name,
                self.save_error_metrics_plot,
                self.show_error_metrics_plot,
            )

    def _draw_heatmaps(self, differences, which: int, stats, kind: str, out0_name: str) -> None:
        """Draws absolute (0) or relative (1) errors as pictures, if that is wanted."""
        if not (self.save_heatmaps or self.show_heatmaps):
            return
        with G_LOGGER.indent():
            comp_util.build_heatmaps(
                differences.array(which),
                stats.min,
                stats.max,
                f"{kind} Error | {out0_name}",
                self.save_heatmaps,
                self.show_heatmaps,
                use_lognorm=kind == "Relative",
            )

    @staticmethod
    def _log_mismatches(differences, *named_outputs) -> None:
        mask = functools.cache(differences.mismatched)
        with G_LOGGER.indent():
            G_LOGGER.super_verbose(lambda: f"Mismatched indices:\n{util.array.argwhere(mask())}")
            for name, out in named_outputs:
                G_LOGGER.extra_verbose(lambda: f"{name:35} | Mismatched values:\n{out[mask()]}")
