"""Comparisons of two metrics at once, which Polygraphy had until 0.49.

Later versions compare each metric on its own: `L2CompareFunc`, `CosineSimilarityCompareFunc`,
`PsnrCompareFunc`, `SnrCompareFunc`.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from polygraphy import mod, util
from polygraphy.comparator.compare._base import BaseCompareFunc
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
