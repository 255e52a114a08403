"""The names that older versions have for comparison functions."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.comparator.compare._combined import (
    CombinedCompareFunc,
    DistanceMetricsResult,
    QualityMetricsResult,
)
from polygraphy.comparator.compare._indices import IndicesCompareFunc
from polygraphy.comparator.compare._simple import SimpleCompareFunc
from polygraphy.comparator.compare._single_metric import (
    CosineSimilarityCompareFunc,
    L2CompareFunc,
    PerceptualMetricsCompareFunc,
    PsnrCompareFunc,
    SnrCompareFunc,
)


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
