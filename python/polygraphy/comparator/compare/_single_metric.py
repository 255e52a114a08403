"""Comparing one metric of the differences."""

from __future__ import annotations

import math
from typing import Any, Dict, Optional

from polygraphy import mod, util
from polygraphy.comparator import _kernels, _kernels_frameworks
from polygraphy.comparator.compare import _perceptual
from polygraphy.comparator.compare._base import BaseCompareFunc
from polygraphy.comparator.compare._results import (
    CompareResult,
    CosineSimilarityResult,
    L2Result,
    PerceptualMetricsResult,
    PsnrResult,
    SnrResult,
    Threshold,
)
from polygraphy.logger import G_LOGGER


def _l2_norm(out0, out1) -> float:
    """The Euclidean distance."""
    return math.sqrt(_kernels.pair_sums(out0, out1).squared_difference)


def _cosine_similarity(out0, out1) -> float:
    """Of two arrays of zeros it is 1, of one and something else 0."""
    sums = _kernels.pair_sums(out0, out1)
    norm0, norm1 = math.sqrt(sums.squares0), math.sqrt(sums.squares1)
    if norm0 == 0 or norm1 == 0:
        return 1.0 if norm0 == norm1 else 0.0
    if sums.same_integers:
        return 1.0
    similarity = sums.product / (norm0 * norm1)
    return similarity if math.isnan(similarity) else max(-1.0, min(1.0, similarity))


def _psnr(out0, out1) -> float:
    """Decibels; the peak is the first array's greatest element, or 1 if that is not positive."""
    sums = _kernels.pair_sums(out0, out1)
    if sums.size == 0 or sums.squared_difference == 0:
        return math.inf
    noise, peak = sums.squared_difference / sums.size, sums.peak
    if peak <= 0:
        peak = 1.0
    return 20 * math.log10(peak) - 10 * math.log10(noise) if noise == noise else math.nan


def _snr(out0, out1) -> float:
    """Decibels of the first array over the difference."""
    sums = _kernels.pair_sums(out0, out1)
    if sums.size == 0 or sums.squared_difference == 0:
        return math.inf
    if sums.squares0 == 0:
        return -math.inf
    ratio = sums.squares0 / sums.squared_difference
    if ratio == 0:
        return -math.inf
    return 10 * math.log10(ratio) if ratio > 0 else math.nan


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
        metric = self._compute_metric(out0, out1)
        result = self._RESULT_CLASS(metric, self.thresholds_for(out0_name))
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

        def announce(_):
            G_LOGGER.extra_verbose(
                f"Note: Comparing {iter_result0.runner_name} vs. {iter_result1.runner_name}"
            )

        def match(out0_name, out0, _, out1):
            return self._check_outputs_match(out0_name, out0, out1)

        return self._run_comparison(match, iter_result0, iter_result1, announce)


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
    _compute_metric = staticmethod(_l2_norm)

    def __init__(self, l2_threshold=None, check_shapes=None, fail_fast=None, find_output_func=None):
        self._init(l2_threshold, check_shapes, fail_fast, find_output_func)


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
    _compute_metric = staticmethod(_cosine_similarity)

    def __init__(
        self,
        cosine_similarity_threshold=None,
        check_shapes=None,
        fail_fast=None,
        find_output_func=None,
    ):
        self._init(cosine_similarity_threshold, check_shapes, fail_fast, find_output_func)


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
    _compute_metric = staticmethod(_psnr)

    def __init__(
        self, psnr_threshold=None, check_shapes=None, fail_fast=None, find_output_func=None
    ):
        self._init(psnr_threshold, check_shapes, fail_fast, find_output_func)


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
    _compute_metric = staticmethod(_snr)

    def __init__(
        self, snr_threshold=None, check_shapes=None, fail_fast=None, find_output_func=None
    ):
        self._init(snr_threshold, check_shapes, fail_fast, find_output_func)


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
