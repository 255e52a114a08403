"""Metrics of one output of two runners, their limits, and whether they are good enough."""

from __future__ import annotations

from collections import OrderedDict
from typing import Dict, List, Optional, Tuple

from polygraphy import mod
from polygraphy.json import Decoder, Encoder
from polygraphy.json.serde import register_fields
from polygraphy.logger import G_LOGGER

_STATS = ["max", "mean", "median", "quantile"]


@mod.export()
class Threshold:
    """The limits of the metrics of a comparison."""

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
        """A line of text about the check, and whether it passed; None without a text.

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
        """
        Args:
            threshold: The limit.
        """
        self.threshold = threshold

    @classmethod
    def metric_fields(cls) -> List[str]:
        return [cls._METRIC_FIELD]

    def passed(self, metric_values: Dict[str, float]) -> bool:
        value = metric_values[self._METRIC_FIELD]
        # A metric that could not be computed does not fail.
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
    """Two numbers with five digits, or with as many as their difference needs."""
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


register_fields(SimpleThreshold, "check_error_stat", "atol", "rtol")
for _each in _MetricThreshold.__subclasses__():
    register_fields(_each, "threshold")


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
