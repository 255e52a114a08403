"""Metrics of one output of two runners, and whether they are good enough."""

from __future__ import annotations

from collections import OrderedDict
from typing import Dict, List, Optional, Tuple

from polygraphy import mod
from polygraphy.comparator.compare._thresholds import (
    CosineSimilarityThreshold,
    L2Threshold,
    LpipsThreshold,
    PsnrThreshold,
    SimpleThreshold,
    SnrThreshold,
    Threshold,
)
from polygraphy.json import Decoder, Encoder
from polygraphy.json.serde import register_fields
from polygraphy.logger import G_LOGGER


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

    @property
    def passed(self) -> bool:
        """Whether the output is good enough; a name of Polygraphy 0.49 for `bool(result)`."""
        return bool(self)

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
        """A line of text about the check, and whether it passed; None without a check."""
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
        quantile_absdiff: A quantile of the absolute ones; None if not requested.
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
        """
        Args:
            lpips: The measured distance; None if it could not be measured.
            thresholds: The limits that apply.
        """
        super().__init__(thresholds)
        self._set(lpips)


@mod.export()
class L2Result(_SingleMetricResult):
    """The Euclidean distance of one output."""

    _THRESHOLD_CLASS = L2Threshold

    def __init__(self, l2_norm: float, thresholds: Optional[Threshold] = None):
        """
        Args:
            l2_norm: The measured norm.
            thresholds: The limits that apply.
        """
        super().__init__(thresholds)
        self._set(l2_norm)


@mod.export()
class CosineSimilarityResult(_SingleMetricResult):
    """The cosine similarity of one output."""

    _THRESHOLD_CLASS = CosineSimilarityThreshold

    def __init__(self, cosine_similarity: float, thresholds: Optional[Threshold] = None):
        """
        Args:
            cosine_similarity: The measured similarity.
            thresholds: The limits that apply.
        """
        super().__init__(thresholds)
        self._set(cosine_similarity)


@mod.export()
class PsnrResult(_SingleMetricResult):
    """The peak signal-to-noise ratio of one output, in decibels."""

    _THRESHOLD_CLASS = PsnrThreshold

    def __init__(self, psnr: float, thresholds: Optional[Threshold] = None):
        """
        Args:
            psnr: The measured ratio.
            thresholds: The limits that apply.
        """
        super().__init__(thresholds)
        self._set(psnr)


@mod.export()
class SnrResult(_SingleMetricResult):
    """The signal-to-noise ratio of one output, in decibels."""

    _THRESHOLD_CLASS = SnrThreshold

    def __init__(self, snr: float, thresholds: Optional[Threshold] = None):
        """
        Args:
            snr: The measured ratio.
            thresholds: The limits that apply.
        """
        super().__init__(thresholds)
        self._set(snr)


@Encoder.register(OutputCompareResult)
def encode(result):
    passed = result._stored_passed
    return {**result.metric_values(), "thresholds": result.thresholds, "passed": passed}


@Decoder.register(OutputCompareResult)
def decode(dct):
    return OutputCompareResult(**dct)


for _each in _SingleMetricResult.__subclasses__():
    register_fields(_each, *_each.metric_fields(), "thresholds")
