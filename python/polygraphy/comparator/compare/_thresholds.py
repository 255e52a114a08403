"""The limits of the metrics of a comparison."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from polygraphy import mod
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
