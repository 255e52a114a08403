"""The names and functions that older versions have for comparisons."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from polygraphy import mod, util
from polygraphy.comparator.compare._base import BaseCompareFunc
from polygraphy.comparator.compare._indices import IndicesCompareFunc
from polygraphy.comparator.compare._simple import SimpleCompareFunc
from polygraphy.comparator.compare._single_metric import (
    CosineSimilarityCompareFunc,
    L2CompareFunc,
    PerceptualMetricsCompareFunc,
    PsnrCompareFunc,
    SnrCompareFunc,
)
from polygraphy.json.serde import register_fields
from polygraphy.logger import G_LOGGER


class _CombinedResult:
    """Metrics of one output, and the verdict on all of them."""

    _METRICS: List[str] = []

    def __bool__(self) -> bool:
        return self.passed


@mod.export()
class DistanceMetricsResult(_CombinedResult):
    """Euclidean distance and cosine similarity of one output.

    Args:
        passed: Whether both are good enough.
        l2_norm: The distance.
        cosine_similarity: The similarity.
    """

    _METRICS = ["l2_norm", "cosine_similarity"]

    def __init__(self, passed: bool, l2_norm: float, cosine_similarity: float):
        self.passed = passed
        self.l2_norm = l2_norm
        self.cosine_similarity = cosine_similarity


@mod.export()
class QualityMetricsResult(_CombinedResult):
    """Signal-to-noise ratios of one output, in decibels; None for one that was not checked.

    Args:
        passed: Whether all that were checked are good enough.
        psnr: The one of the peak.
        snr: The one of the signal.
    """

    _METRICS = ["psnr", "snr"]

    def __init__(self, passed: bool, psnr: Optional[float] = None, snr: Optional[float] = None):
        self.passed = passed
        self.psnr = psnr
        self.snr = snr


for _each in _CombinedResult.__subclasses__():
    register_fields(_each, "passed", *_each._METRICS)


class CombinedCompareFunc(BaseCompareFunc):
    """Compares by several functions of one metric each.

    Args:
        title: A name for all of them together, for messages.
        result_class: Made of the verdict and a metric of each function.
        functions: The functions. An output whose threshold is None is not checked by one.
        check_shapes: Whether shapes must be the same. True if left out.
        fail_fast: Whether to stop at the first mismatch.
        find_output_func: See SimpleCompareFunc.
    """

    def __init__(
        self,
        title: str,
        result_class: type,
        functions: List[BaseCompareFunc],
        check_shapes: Optional[bool] = None,
        fail_fast: Optional[bool] = None,
        find_output_func=None,
    ):
        self.title = title
        self.result_class = result_class
        self.functions = functions
        self.check_shapes = util.default(check_shapes, True)
        self.fail_fast = util.default(fail_fast, False)
        self.find_output_func = find_output_func

    def __call__(self, iter_result0, iter_result1) -> Dict[str, Any]:
        """Compares two results.

        Returns:
            Dict[str, _CombinedResult]: Name of an output of the first one -> result; False for
            outputs of different shapes.
        """

        def match(out0_name, out0, _, out1):
            G_LOGGER.info(f"{self.title}: {out0_name}")
            passed, metrics = True, {}
            with G_LOGGER.indent():
                for function in self.functions:
                    if function.thresholds_for(out0_name).threshold is None:
                        continue
                    result = function._check_outputs_match(out0_name, out0, out1)
                    metrics.update(result.metric_values())
                    passed = passed and bool(result)
            if passed:
                G_LOGGER.finish(
                    f"PASSED | Output: '{out0_name}' | All metrics passed: {', '.join(metrics)}"
                )
            else:
                G_LOGGER.error(f"FAILED | Output: '{out0_name}' | Not all metrics passed")
            values = {name: metrics.get(name) for name in self.result_class._METRICS}
            return self.result_class(passed, **values)

        return self._run_comparison(match, iter_result0, iter_result1)


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
        functions = [PsnrCompareFunc(psnr_tolerance), SnrCompareFunc(snr_tolerance)]
        return CombinedCompareFunc(
            "Quality Metrics",
            QualityMetricsResult,
            functions,
            check_shapes,
            fail_fast,
            find_output_func,
        )
