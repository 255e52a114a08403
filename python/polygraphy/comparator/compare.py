"""Comparing the outputs of two runners: thresholds, results, and the functions that yield them."""

from __future__ import annotations

import functools
from collections import OrderedDict
from typing import Any, Callable, Dict, List, Optional, Tuple

from polygraphy import mod, util
from polygraphy.comparator import _kernels, _kernels_frameworks, _metrics, _perceptual
from polygraphy.comparator import util as comp_util
from polygraphy.json import Decoder, Encoder
from polygraphy.logger import G_LOGGER, LogMode

_STATS = ["max", "mean", "median", "quantile"]
VALID_CHECK_ERROR_STATS = ["max", "mean", "median", "elemwise", "quantile"]

# Thresholds


@mod.export()
class Threshold:
    """What the metrics of a comparison are checked against."""

    METRIC_FIELDS: List[str] = []

    @classmethod
    def metric_fields(cls) -> List[str]:
        """The names of the metrics that are checked."""
        return list(cls.METRIC_FIELDS)

    def passed(self, metric_values: Dict[str, float]) -> bool:
        """Whether metrics are good enough.

        Args:
            metric_values: Name of a metric -> value.
        """
        raise NotImplementedError()

    def describe(self, metric_values: Dict[str, float]) -> Optional[Tuple[str, bool]]:
        """A line of text about the check, and whether it passed; None if there are no words for it.

        Args:
            metric_values: Name of a metric -> value.
        """
        return None


@mod.export()
class SimpleThreshold(Threshold):
    """Tolerances of one statistic of the differences. Keeping either of them is enough.

    Args:
        check_error_stat: The statistic: `max`, `mean`, `median`, `quantile`; `elemwise` where every
            element was checked.
        atol: The absolute tolerance.
        rtol: The relative one.
    """

    METRIC_FIELDS = [f"{stat}_{kind}diff" for stat in _STATS for kind in ("abs", "rel")]

    def __init__(self, check_error_stat: str, atol: float, rtol: float):
        self.check_error_stat = check_error_stat
        self.atol = atol
        self.rtol = rtol

    def passed(self, metric_values: Dict[str, float]) -> bool:
        if self.check_error_stat == "elemwise":
            G_LOGGER.critical(
                "Cannot re-threshold an 'elemwise' comparison: it is a per-element check with no "
                "scalar statistic to threshold.\nNote: Choose an explicit statistic "
                "(--check-error-stat max, mean, median, or quantile), or re-run the comparison "
                "from saved raw outputs (run --save-outputs / --load-outputs)."
            )
        if self.check_error_stat not in _STATS:
            G_LOGGER.critical(
                f"Invalid choice for check_error_stat: {self.check_error_stat}.\n"
                f"Note: Valid choices are: {_STATS}"
            )
        absdiff = metric_values.get(f"{self.check_error_stat}_absdiff")
        reldiff = metric_values.get(f"{self.check_error_stat}_reldiff")
        if absdiff is None or reldiff is None:
            G_LOGGER.critical(
                f"The saved results do not contain a '{self.check_error_stat}' statistic, so they "
                "cannot be checked against it.\nNote: 'quantile' statistics are only saved when "
                "the original comparison used --check-error-stat quantile. Choose max, mean, or "
                "median instead, or re-run the comparison from saved raw outputs."
            )
        # NaN keeps neither.
        return bool(absdiff <= self.atol or reldiff <= self.rtol)


class _MetricThreshold(Threshold):
    """A least or greatest value of one metric."""

    _METRIC_FIELD = ""
    _METRIC_LABEL = ""
    _METRIC_UNIT = ""
    _HIGHER_IS_BETTER = False

    def __init__(self, threshold: float):
        self.threshold = threshold

    @classmethod
    def metric_fields(cls) -> List[str]:
        return [cls._METRIC_FIELD]

    def passed(self, metric_values: Dict[str, float]) -> bool:
        value = metric_values[self._METRIC_FIELD]
        # What could not be computed is not held against anybody.
        if value is None:
            return True
        return bool(value >= self.threshold if self._HIGHER_IS_BETTER else value <= self.threshold)

    def describe(self, metric_values: Dict[str, float]) -> Optional[Tuple[str, bool]]:
        value = metric_values[self._METRIC_FIELD]
        if value is None:
            return None
        passed = self.passed(metric_values)
        value_str, threshold_str = _distinct(value, self.threshold)
        label = "min required" if self._HIGHER_IS_BETTER else "tolerance"
        unit = self._METRIC_UNIT
        verdict = "PASSED" if passed else "FAILED"
        text = f"{value_str}{unit} ({label}: {threshold_str}{unit})"
        return f"{self._METRIC_LABEL}: {text} | {verdict}", passed


def _distinct(value: float, threshold: float) -> Tuple[str, str]:
    """Two numbers with five digits, or as many as it takes to tell different ones apart."""
    for precision in range(5, 18):
        texts = (f"{value:.{precision}g}", f"{threshold:.{precision}g}")
        if value == threshold or texts[0] != texts[1]:
            break
    return texts


@mod.export()
class L2Threshold(_MetricThreshold):
    """The greatest Euclidean distance."""

    _METRIC_FIELD, _METRIC_LABEL = "l2_norm", "L2 Norm"


@mod.export()
class CosineSimilarityThreshold(_MetricThreshold):
    """The least cosine similarity."""

    _METRIC_FIELD, _METRIC_LABEL = "cosine_similarity", "Cosine Similarity"
    _HIGHER_IS_BETTER = True


@mod.export()
class PsnrThreshold(_MetricThreshold):
    """The least peak signal-to-noise ratio, in decibels."""

    _METRIC_FIELD, _METRIC_LABEL, _METRIC_UNIT = "psnr", "PSNR", " dB"
    _HIGHER_IS_BETTER = True


@mod.export()
class SnrThreshold(_MetricThreshold):
    """The least signal-to-noise ratio, in decibels."""

    _METRIC_FIELD, _METRIC_LABEL, _METRIC_UNIT = "snr", "SNR", " dB"
    _HIGHER_IS_BETTER = True


@mod.export()
class LpipsThreshold(_MetricThreshold):
    """The greatest perceptual distance (LPIPS)."""

    _METRIC_FIELD, _METRIC_LABEL = "lpips", "LPIPS"


# Results


@mod.export()
class CompareResult:
    """Metrics of one output, and the threshold that makes them good or bad.

    Args:
        thresholds: The threshold.
    """

    _THRESHOLD_CLASS: Optional[type] = None

    def __init__(self, thresholds: Optional[Threshold] = None):
        self.thresholds = thresholds
        self.output0_name: Optional[str] = None
        self.output1_name: Optional[str] = None

    @classmethod
    def metric_fields(cls) -> List[str]:
        """The names of the metrics."""
        return cls._THRESHOLD_CLASS.metric_fields() if cls._THRESHOLD_CLASS else []

    def metric_values(self) -> Dict[str, float]:
        """Name of a metric -> value."""
        return OrderedDict((field, getattr(self, field)) for field in self.metric_fields())

    def _require_thresholds(self) -> Threshold:
        if self.thresholds is None:
            G_LOGGER.critical(
                f"This {type(self).__name__} has no thresholds, so it neither passes nor fails. "
                "Set some with set_thresholds()."
            )
        return self.thresholds

    def __bool__(self) -> bool:
        return self._require_thresholds().passed(self.metric_values())

    def set_thresholds(self, thresholds: Threshold) -> None:
        """Checks the metrics against something else from now on."""
        self.thresholds = thresholds

    def describe(self) -> Optional[Tuple[str, bool]]:
        """A line of text about the check, and whether it passed; None if there is none."""
        return self._require_thresholds().describe(self.metric_values())


def _float(value) -> Optional[float]:
    return None if value is None else float(value)


@mod.export()
class OutputCompareResult(CompareResult):
    """Statistics of the differences of one output.

    Args:
        max_absdiff: Greatest absolute difference.
        max_reldiff: Greatest relative one.
        mean_absdiff: Mean of the absolute ones.
        mean_reldiff: Mean of the relative ones.
        median_absdiff: Median of the absolute ones.
        median_reldiff: Median of the relative ones.
        quantile_absdiff: A quantile of the absolute ones; None if that was not asked for.
        quantile_reldiff: The same of the relative ones.
        thresholds: The tolerances.
        passed: The verdict, where it does not follow from the statistics.
    """

    _THRESHOLD_CLASS = SimpleThreshold

    def __init__(
        self,
        max_absdiff: float,
        max_reldiff: float,
        mean_absdiff: float,
        mean_reldiff: float,
        median_absdiff: float,
        median_reldiff: float,
        quantile_absdiff: Optional[float],
        quantile_reldiff: Optional[float],
        thresholds: Optional[Threshold] = None,
        passed: Optional[bool] = None,
    ):
        super().__init__(thresholds)
        self._stored_passed = passed
        self.max_absdiff = _float(max_absdiff)
        self.max_reldiff = _float(max_reldiff)
        self.mean_absdiff = _float(mean_absdiff)
        self.mean_reldiff = _float(mean_reldiff)
        self.median_absdiff = _float(median_absdiff)
        self.median_reldiff = _float(median_reldiff)
        self.quantile_absdiff = _float(quantile_absdiff)
        self.quantile_reldiff = _float(quantile_reldiff)

    def __bool__(self) -> bool:
        return super().__bool__() if self._stored_passed is None else self._stored_passed

    def set_thresholds(self, thresholds: Threshold) -> None:
        super().set_thresholds(thresholds)
        # The stored verdict was about other tolerances.
        self._stored_passed = None

    def __str__(self) -> str:
        return f"(atol={self.max_absdiff}, rtol={self.max_reldiff})"


class _SingleMetricResult(CompareResult):
    """A result of one metric, given by name as the first argument."""

    def _set(self, value: Optional[float]) -> None:
        setattr(self, self.metric_fields()[0], _float(value))


@mod.export()
class PerceptualMetricsResult(_SingleMetricResult):
    """The perceptual distance of one output; None if it could not be computed."""

    _THRESHOLD_CLASS = LpipsThreshold

    def __init__(self, lpips: Optional[float] = None, thresholds: Optional[Threshold] = None):
        super().__init__(thresholds)
        self._set(lpips)


@mod.export()
class L2Result(_SingleMetricResult):
    """The Euclidean distance of one output."""

    _THRESHOLD_CLASS = L2Threshold

    def __init__(self, l2_norm: float, thresholds: Optional[Threshold] = None):
        super().__init__(thresholds)
        self._set(l2_norm)


@mod.export()
class CosineSimilarityResult(_SingleMetricResult):
    """The cosine similarity of one output."""

    _THRESHOLD_CLASS = CosineSimilarityThreshold

    def __init__(self, cosine_similarity: float, thresholds: Optional[Threshold] = None):
        super().__init__(thresholds)
        self._set(cosine_similarity)


@mod.export()
class PsnrResult(_SingleMetricResult):
    """The peak signal-to-noise ratio of one output, in decibels."""

    _THRESHOLD_CLASS = PsnrThreshold

    def __init__(self, psnr: float, thresholds: Optional[Threshold] = None):
        super().__init__(thresholds)
        self._set(psnr)


@mod.export()
class SnrResult(_SingleMetricResult):
    """The signal-to-noise ratio of one output, in decibels."""

    _THRESHOLD_CLASS = SnrThreshold

    def __init__(self, snr: float, thresholds: Optional[Threshold] = None):
        super().__init__(thresholds)
        self._set(snr)


def _register_json() -> None:
    def register(cls: type, to_dict: Callable) -> None:
        Encoder.register(cls)(to_dict)
        Decoder.register(cls)(lambda dct: cls(**dct))

    for cls in [SimpleThreshold]:
        register(cls, lambda t: {k: getattr(t, k) for k in ("check_error_stat", "atol", "rtol")})
    for cls in [
        L2Threshold,
        CosineSimilarityThreshold,
        PsnrThreshold,
        SnrThreshold,
        LpipsThreshold,
    ]:
        register(cls, lambda t: {"threshold": t.threshold})
    register(
        OutputCompareResult,
        lambda r: {**r.metric_values(), "thresholds": r.thresholds, "passed": r._stored_passed},
    )
    for cls in [PerceptualMetricsResult, L2Result, CosineSimilarityResult, PsnrResult, SnrResult]:
        register(cls, lambda r: {**r.metric_values(), "thresholds": r.thresholds})


_register_json()

# Finding out what to compare with what


def default_find_output_func(output_name: str, index: int, iter_result, base_iter_result):
    """The output that a name means, or that stands at the same place.

    Args:
        output_name: An output of `base_iter_result`.
        index: Its place.
        iter_result: Where to look.
        base_iter_result: Where the name is from. What has a namesake there is left to that one.

    Returns:
        A list of one name, or None.
    """
    found_name = util.find_str_in_iterable(output_name, iter_result.keys(), index)
    if found_name is None:
        return None
    if found_name != output_name:
        exact_match = util.find_str_in_iterable(found_name, base_iter_result.keys())
        if exact_match == found_name:
            G_LOGGER.verbose(
                f"Will not compare {found_name} with {output_name}, since the former already has "
                f"an exact match: {exact_match}"
            )
            return None
        G_LOGGER.warning(
            f"Output names did not match exactly. Assuming {iter_result.runner_name} output: "
            f"{found_name} corresponds to output: {output_name}"
        )
    return [found_name]


def run_comparison(
    func: Callable,
    fail_fast: bool,
    iter_result0,
    iter_result1,
    find_output_func: Callable,
    func_name: Optional[str] = None,
) -> Dict[str, Any]:
    """Compares each output of one result with those that belong to it in another.

    Args:
        func: Gets name and array of both, and returns a result that is true or false.
        fail_fast: Whether to stop at the first mismatch.
        iter_result0: The first result.
        iter_result1: The second one.
        find_output_func: Gets name, index and the second result; returns names in it, or None.
        func_name: What is compared, for messages.

    Returns:
        Name of an output of the first result -> what `func` returned.
    """
    label = f"{func_name} | " if func_name else ""
    output_status: Dict[str, Any] = OrderedDict()

    for index, (out0_name, output0) in enumerate(iter_result0.items()):
        out1_names = util.default(find_output_func(out0_name, index, iter_result1), [])
        if len(out1_names) > 1:
            G_LOGGER.info(
                f"Will attempt to compare output: '{out0_name}' [{iter_result0.runner_name}] with "
                f"multiple outputs: '{list(out1_names)}' [{iter_result1.runner_name}]"
            )
        for out1_name in out1_names:
            if out1_name is None or out1_name not in iter_result1:
                G_LOGGER.warning(
                    f"For output: '{out0_name}' [{iter_result0.runner_name}], skipping "
                    f"corresponding output: '{out1_name}' [{iter_result1.runner_name}], since the "
                    "output was not found"
                )
                continue
            output1 = iter_result1[out1_name]
            G_LOGGER.start(
                f"{label}Comparing Output: '{out0_name}' (dtype={util.array.dtype(output0)}, "
                f"shape={util.array.shape(output0)}) with '{out1_name}' "
                f"(dtype={util.array.dtype(output1)}, shape={util.array.shape(output1)})"
            )
            with G_LOGGER.indent():
                result = func(out0_name, output0, out1_name, output1)
            if isinstance(result, CompareResult):
                result.output0_name, result.output1_name = out0_name, out1_name
            # Of several partners, a bad one stays.
            if output_status.get(out0_name, True):
                output_status[out0_name] = result
            if fail_fast and not result:
                return output_status

    mismatched_output_names = [name for name, matched in output_status.items() if not matched]
    if mismatched_output_names:
        G_LOGGER.error(f"FAILED | {label}Mismatched outputs: {mismatched_output_names}")
    elif output_status:
        G_LOGGER.finish(
            f"PASSED | {label}All outputs matched | Outputs: {list(output_status.keys())}"
        )

    if not output_status and (len(iter_result0) or len(iter_result1)):
        r0_name, r0_outs = iter_result0.runner_name, list(iter_result0.keys())
        r1_name, r1_outs = iter_result1.runner_name, list(iter_result1.keys())
        G_LOGGER.critical(
            "All outputs were skipped, no common outputs found! Note:\n"
            f"{r0_name} outputs: {r0_outs}\n{r1_name} outputs: {r1_outs}"
        )
    return output_status


# Comparison functions


@mod.export()
class BaseCompareFunc:
    """A function that compares two IterationResults, as an object."""

    _RESULT_CLASS: Optional[type] = None
    _SUMMARY_LABEL: Optional[str] = None

    def __call__(self, iter_result0, iter_result1) -> Dict[str, Any]:
        """Compares two results.

        Args:
            iter_result0: The first one.
            iter_result1: The second one.

        Returns:
            Name of an output of the first one -> something that is true if it matches.
        """
        raise NotImplementedError()

    def thresholds_for(self, output_name: str) -> Threshold:
        """What an output is checked against, for functions that yield metrics."""
        raise NotImplementedError()

    @staticmethod
    def _align_shapes(out0_name, out0, out1, check_shapes: bool):
        """The second array, in the shape of the first one if that is allowed; None if not."""
        shape0, shape1 = util.array.shape(out0), util.array.shape(out1)
        if tuple(shape0) == tuple(shape1):
            return out1
        if check_shapes:
            G_LOGGER.error(
                f"FAILED | Output: `{out0_name}` | Will not compare outputs of different shapes.\n"
                f"Note: Output shapes are {shape0} and {shape1}."
            )
            G_LOGGER.error(
                "Note: Use --no-shape-check or set check_shapes=False to attempt to compare "
                "values anyway.",
                mode=LogMode.ONCE,
            )
            return None
        matched = util.try_match_shape(out1, shape0)
        return matched if tuple(util.array.shape(matched)) == tuple(shape0) else out1

    def _run_comparison(self, match: Callable, iter_result0, iter_result1) -> Dict[str, Any]:
        """Calls `match` for pairs of outputs of one shape."""
        if not self.check_shapes:
            G_LOGGER.info(
                "Strict shape checking disabled. Will attempt to match output shapes before "
                "comparisons",
                mode=LogMode.ONCE,
            )

        def match_aligned(out0_name, out0, out1_name, out1):
            out1 = self._align_shapes(out0_name, out0, out1, self.check_shapes)
            return False if out1 is None else match(out0_name, out0, out1_name, out1)

        # A partner is looked for among these very results: the function may be used again.
        find_output_func = self.find_output_func or (
            lambda name, index, result: default_find_output_func(name, index, result, iter_result0)
        )
        return run_comparison(
            match_aligned,
            self.fail_fast,
            iter_result0,
            iter_result1,
            find_output_func,
            self._SUMMARY_LABEL,
        )

    @staticmethod
    def _check_keys(options: List[Tuple[str, Any]], iter_result0, iter_result1) -> None:
        """Warns of dictionaries by output that name outputs which there are not."""
        known = [*iter_result0.keys(), *iter_result1.keys(), ""]
        for name, option in options:
            if isinstance(option, dict):
                util.check_sequence_contains(
                    option.keys(), known, name=name, log_func=G_LOGGER.warning, check_missing=False
                )


def metric_fields_for_func(func: Callable) -> Optional[List[str]]:
    """The names of the metrics that a comparison function yields; None for functions that are none
    of Polygraphy's."""
    if not isinstance(func, BaseCompareFunc):
        return None
    return func._RESULT_CLASS.metric_fields() if func._RESULT_CLASS else []


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

        def match(out0_name, out0, out1_name, out1):
            threshold = self.thresholds_for(out0_name)
            stat = threshold.check_error_stat
            if stat not in VALID_CHECK_ERROR_STATS:
                G_LOGGER.critical(
                    f"Invalid choice for check_error_stat: {stat}.\n"
                    f"Note: Valid choices are: {VALID_CHECK_ERROR_STATS}"
                )
            quantile = self._option("error_quantile", out0_name, self._DEFAULT_QUANTILE)
            G_LOGGER.info(
                f"Tolerance: [abs={threshold.atol:.5g}, rel={threshold.rtol:.5g}] | "
                f"Checking {stat} error"
            )
            G_LOGGER.extra_verbose(
                f"Note: Comparing {iter_result0.runner_name} vs. {iter_result1.runner_name}"
            )
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

        return self._run_comparison(match, iter_result0, iter_result1)

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
                lambda: f"{runner_name:35} | Output: {name} (dtype={util.array.dtype(out)}, "
                f"shape={util.array.shape(out)}):\n{util.indent_block(out)}"
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
        values = {
            f"{name}_{kind}diff": getattr(kind_stats, name)
            for name in ("max", "mean", "median", "quantile")
            for kind, kind_stats in zip(("abs", "rel"), stats)
        }

        stored_passed = None
        if stat == "elemwise":
            stored_passed = not differences.any_mismatched
            if not stored_passed:
                self._log_mismatches(differences, (runner0_name, out0), (runner1_name, out1))
        result = OutputCompareResult(**values, thresholds=threshold, passed=stored_passed)
        failed = not result

        required = [getattr(s, "max" if stat == "elemwise" else stat) for s in stats]
        G_LOGGER.info(f"Error Metrics: {out0_name}")
        with G_LOGGER.indent():
            note = {
                "elemwise": " (requirements may be lower if both abs/rel tolerances are set)",
                "quantile": f" (quantile={quantile:.4g})",
            }
            G_LOGGER.info(
                f"Minimum Required Tolerance: {stat} error | [abs={required[0]:.5g}] OR "
                f"[rel={required[1]:.5g}]{note.get(stat, '')}"
            )
            if self.save_error_metrics_plot or self.show_error_metrics_plot:
                with G_LOGGER.indent():
                    comp_util.scatter_plot_error_magnitude(
                        differences.array(0),
                        differences.array(1),
                        out1,
                        stats[1].min,
                        stats[1].max,
                        runner0_name,
                        runner1_name,
                        out0_name,
                        out1_name,
                        self.save_error_metrics_plot,
                        self.show_error_metrics_plot,
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
                if self.save_heatmaps or self.show_heatmaps:
                    with G_LOGGER.indent():
                        comp_util.build_heatmaps(
                            differences.array(which),
                            stats[which].min,
                            stats[which].max,
                            f"{kind} Error | {out0_name}",
                            self.save_heatmaps,
                            self.show_heatmaps,
                            use_lognorm=kind == "Relative",
                        )

        G_LOGGER.extra_verbose(
            lambda: f"Finished comparing: '{out0_name}' (dtype={util.array.dtype(out0)}, "
            f"shape={util.array.shape(out0)}) [{runner0_name}] and '{out1_name}' "
            f"(dtype={util.array.dtype(out1)}, shape={util.array.shape(out1)}) [{runner1_name}]"
        )
        return result

    @staticmethod
    def _log_mismatches(differences, *named_outputs) -> None:
        mask = functools.cache(differences.mismatched)
        with G_LOGGER.indent():
            G_LOGGER.super_verbose(lambda: f"Mismatched indices:\n{util.array.argwhere(mask())}")
            for name, out in named_outputs:
                G_LOGGER.extra_verbose(lambda: f"{name:35} | Mismatched values:\n{out[mask()]}")


@mod.export()
class IndicesCompareFunc(BaseCompareFunc):
    """Compares lists of indices along the last axis: each has to be found near its place.

    Args:
        index_tolerance: How many places away it may be; the last as many are not looked for. 0 if
            left out. Or a dictionary by name of an output, with `""` for the others.
        fail_fast: Whether to stop at the first mismatch.
    """

    _SUMMARY_LABEL = "indices"
    check_shapes = True
    find_output_func = None

    def __init__(self, index_tolerance: Any = None, fail_fast: Optional[bool] = None):
        self.index_tolerance = util.default(index_tolerance, 0)
        self.fail_fast = util.default(fail_fast, False)

    def __call__(self, iter_result0, iter_result1) -> Dict[str, bool]:
        """Compares two results.

        Returns:
            Dict[str, bool]: Name of an output of the first one -> whether it matches.
        """

        def match(out0_name, out0, _, out1) -> bool:
            tolerance = util.value_or_from_dict(self.index_tolerance, out0_name, 0)
            shape0, shape1 = util.array.shape(out0), util.array.shape(out1)
            if tuple(shape0) != tuple(shape1):
                G_LOGGER.error("Cannot compare outputs of different shapes.")
                return False

            width = shape0[-1] if len(shape0) else 1
            rows0 = util.array.to_numpy(out0).reshape(-1, width)
            rows1 = util.array.to_numpy(out1).reshape(-1, width)
            passed = True
            for row0, row1 in zip(rows0, rows1):
                places: Dict[Any, list] = {}
                for place, value in enumerate(row1.tolist()):
                    places.setdefault(value, []).append(place)
                for place, value in enumerate(row0.tolist()[: max(width - tolerance, 0)]):
                    if value not in places:
                        G_LOGGER.error(f"FAILED | Value: {value} not found in output")
                        passed = False
                    elif min(abs(place - other) for other in places[value]) > tolerance:
                        G_LOGGER.error(f"FAILED | Difference exceeds index tolerance ({tolerance})")
                        passed = False
                    if not passed and self.fail_fast:
                        return False
            if passed:
                G_LOGGER.finish(f"PASSED | Difference is within index tolerance ({tolerance})")
            return passed

        return run_comparison(
            match,
            self.fail_fast,
            iter_result0,
            iter_result1,
            lambda name, index, result: default_find_output_func(name, index, result, iter_result0),
            self._SUMMARY_LABEL,
        )


class _SingleMetricCompareFunc(BaseCompareFunc):
    """Compares one metric with a threshold. Derived classes say which."""

    _DEFAULT_THRESHOLD: float = 0.0
    _THRESHOLD_ARG = ""

    def _init(self, threshold, check_shapes, fail_fast, find_output_func) -> None:
        self.threshold = util.default(threshold, self._DEFAULT_THRESHOLD)
        self.check_shapes = util.default(check_shapes, True)
        self.fail_fast = util.default(fail_fast, False)
        self.find_output_func = find_output_func

    def thresholds_for(self, output_name: str) -> Threshold:
        threshold = util.value_or_from_dict(self.threshold, output_name, self._DEFAULT_THRESHOLD)
        return self._RESULT_CLASS._THRESHOLD_CLASS(threshold)

    def _compute_metric(self, out0, out1) -> Optional[float]:
        """The metric of two arrays of one shape and framework."""
        raise NotImplementedError()

    def _check_outputs_match(self, out0_name, out0, out1) -> CompareResult:
        result = self._RESULT_CLASS(
            self._compute_metric(out0, out1), self.thresholds_for(out0_name)
        )
        described = result.describe()
        if described is not None:
            msg, passed = described
            (G_LOGGER.finish if passed else G_LOGGER.error)(msg)
        return result

    def __call__(self, iter_result0, iter_result1) -> Dict[str, Any]:
        """Compares two results.

        Returns:
            Dict[str, CompareResult]: Name of an output of the first one -> result; False for
            outputs of different shapes.
        """
        self._check_keys(
            [(f"the {self._THRESHOLD_ARG} dictionary", self.threshold)], iter_result0, iter_result1
        )

        def match(out0_name, out0, _, out1):
            G_LOGGER.extra_verbose(
                f"Note: Comparing {iter_result0.runner_name} vs. {iter_result1.runner_name}"
            )
            return self._check_outputs_match(out0_name, out0, out1)

        return self._run_comparison(match, iter_result0, iter_result1)


@mod.export()
class L2CompareFunc(_SingleMetricCompareFunc):
    """Compares Euclidean distances: sqrt(sum((a - b)^2)).

    Args:
        l2_threshold: The greatest distance, 1e-5 if left out. Or a dictionary by name of an output,
            with `""` for the others.
        check_shapes: Whether shapes must be the same. True if left out.
        fail_fast: Whether to stop at the first mismatch.
        find_output_func: See SimpleCompareFunc.
    """

    _DEFAULT_THRESHOLD, _THRESHOLD_ARG = 1e-5, "l2_threshold"
    _RESULT_CLASS, _SUMMARY_LABEL = L2Result, "L2 Norm"

    def __init__(self, l2_threshold=None, check_shapes=None, fail_fast=None, find_output_func=None):
        self._init(l2_threshold, check_shapes, fail_fast, find_output_func)

    def _compute_metric(self, out0, out1) -> float:
        return _metrics.l2_norm(out0, out1)


@mod.export()
class CosineSimilarityCompareFunc(_SingleMetricCompareFunc):
    """Compares cosine similarities of the flattened arrays.

    Args:
        cosine_similarity_threshold: The least similarity, 0.997 if left out. Or a dictionary by
            name of an output, with `""` for the others.
        check_shapes: Whether shapes must be the same. True if left out.
        fail_fast: Whether to stop at the first mismatch.
        find_output_func: See SimpleCompareFunc.
    """

    _DEFAULT_THRESHOLD, _THRESHOLD_ARG = 0.997, "cosine_similarity_threshold"
    _RESULT_CLASS, _SUMMARY_LABEL = CosineSimilarityResult, "Cosine Similarity"

    def __init__(
        self,
        cosine_similarity_threshold=None,
        check_shapes=None,
        fail_fast=None,
        find_output_func=None,
    ):
        self._init(cosine_similarity_threshold, check_shapes, fail_fast, find_output_func)

    def _compute_metric(self, out0, out1) -> float:
        return _metrics.cosine_similarity(out0, out1)


@mod.export()
class PsnrCompareFunc(_SingleMetricCompareFunc):
    """Compares peak signal-to-noise ratios; the peak is the first array's.

    Args:
        psnr_threshold: The least ratio in decibels, 30 if left out. Or a dictionary by name of an
            output, with `""` for the others.
        check_shapes: Whether shapes must be the same. True if left out.
        fail_fast: Whether to stop at the first mismatch.
        find_output_func: See SimpleCompareFunc.
    """

    _DEFAULT_THRESHOLD, _THRESHOLD_ARG = 30.0, "psnr_threshold"
    _RESULT_CLASS, _SUMMARY_LABEL = PsnrResult, "PSNR"

    def __init__(
        self, psnr_threshold=None, check_shapes=None, fail_fast=None, find_output_func=None
    ):
        self._init(psnr_threshold, check_shapes, fail_fast, find_output_func)

    def _compute_metric(self, out0, out1) -> float:
        return _metrics.psnr(out0, out1)


@mod.export()
class SnrCompareFunc(_SingleMetricCompareFunc):
    """Compares signal-to-noise ratios; the signal is the first array.

    Args:
        snr_threshold: The least ratio in decibels, 20 if left out. Or a dictionary by name of an
            output, with `""` for the others.
        check_shapes: Whether shapes must be the same. True if left out.
        fail_fast: Whether to stop at the first mismatch.
        find_output_func: See SimpleCompareFunc.
    """

    _DEFAULT_THRESHOLD, _THRESHOLD_ARG = 20.0, "snr_threshold"
    _RESULT_CLASS, _SUMMARY_LABEL = SnrResult, "SNR"

    def __init__(
        self, snr_threshold=None, check_shapes=None, fail_fast=None, find_output_func=None
    ):
        self._init(snr_threshold, check_shapes, fail_fast, find_output_func)

    def _compute_metric(self, out0, out1) -> float:
        return _metrics.snr(out0, out1)


@mod.export()
class PerceptualMetricsCompareFunc(_SingleMetricCompareFunc):
    """Compares perceptual distances of images (LPIPS). Needs the packages `torch` and `lpips`.

    An output whose distance cannot be computed passes, with a warning.

    Args:
        lpips_threshold: The greatest distance, 0.1 if left out. Or a dictionary by name of an
            output, with `""` for the others.
        check_shapes: Whether shapes must be the same. True if left out.
        fail_fast: Whether to stop at the first mismatch.
        find_output_func: See SimpleCompareFunc.
    """

    _DEFAULT_THRESHOLD, _THRESHOLD_ARG = 0.1, "lpips_threshold"
    _RESULT_CLASS, _SUMMARY_LABEL = PerceptualMetricsResult, "LPIPS"

    def __init__(
        self, lpips_threshold=None, check_shapes=None, fail_fast=None, find_output_func=None
    ):
        self._init(lpips_threshold, check_shapes, fail_fast, find_output_func)
        self._distance = _perceptual.Distance()

    def _compute_metric(self, out0, out1) -> Optional[float]:
        distance = self._distance(*_kernels_frameworks.of_one_framework(out0, out1))
        if distance is None:
            G_LOGGER.warning(
                "LPIPS could not be computed (see the warning above); this output is being "
                "treated as a PASS, so its accuracy was NOT verified."
            )
        return distance


@mod.export()
class CompareFunc:
    """The names that older versions have for these functions."""

    @staticmethod
    @mod.deprecate("0.60.0", use_instead="SimpleCompareFunc", name="CompareFunc.simple")
    def simple(
        check_shapes=None,
        rtol=None,
        atol=None,
        fail_fast=None,
        find_output_func=None,
        check_error_stat=None,
        infinities_compare_equal=None,
        save_heatmaps=None,
        show_heatmaps=None,
        save_error_metrics_plot=None,
        show_error_metrics_plot=None,
        error_quantile=None,
    ):
        """A SimpleCompareFunc."""
        return SimpleCompareFunc(**locals())

    @staticmethod
    @mod.deprecate("0.60.0", use_instead="IndicesCompareFunc", name="CompareFunc.indices")
    def indices(index_tolerance=None, fail_fast=None):
        """An IndicesCompareFunc."""
        return IndicesCompareFunc(index_tolerance, fail_fast)

    @staticmethod
    @mod.deprecate(
        "0.60.0", use_instead="PerceptualMetricsCompareFunc", name="CompareFunc.perceptual_metrics"
    )
    def perceptual_metrics(
        lpips_threshold=None, check_shapes=None, fail_fast=None, find_output_func=None
    ):
        """A PerceptualMetricsCompareFunc."""
        return PerceptualMetricsCompareFunc(**locals())

    @staticmethod
    def distance_metrics(
        l2_tolerance=None,
        cosine_similarity_threshold=None,
        check_shapes=None,
        fail_fast=None,
        find_output_func=None,
    ):
        """An L2CompareFunc and a CosineSimilarityCompareFunc in one, as of Polygraphy 0.49.

        Its results are DistanceMetricsResult.
        """
        from polygraphy.comparator._combined import CombinedCompareFunc, DistanceMetricsResult

        functions = [
            L2CompareFunc(l2_tolerance),
            CosineSimilarityCompareFunc(cosine_similarity_threshold),
        ]
        return CombinedCompareFunc(
            "Distance Metrics",
            DistanceMetricsResult,
            functions,
            check_shapes,
            fail_fast,
            find_output_func,
        )

    @staticmethod
    def quality_metrics(
        psnr_tolerance=None,
        snr_tolerance=None,
        check_shapes=None,
        fail_fast=None,
        find_output_func=None,
    ):
        """A PsnrCompareFunc and an SnrCompareFunc in one, as of Polygraphy 0.49.

        Its results are QualityMetricsResult. An output whose tolerance is None, in a dictionary, is
        not checked for it.
        """
        from polygraphy.comparator._combined import CombinedCompareFunc, QualityMetricsResult

        functions = [PsnrCompareFunc(psnr_tolerance), SnrCompareFunc(snr_tolerance)]
        return CombinedCompareFunc(
            "Quality Metrics",
            QualityMetricsResult,
            functions,
            check_shapes,
            fail_fast,
            find_output_func,
        )
