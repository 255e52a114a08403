"""The arithmetic of the comparator for arrays of NumPy's own numbers: calls of the extension."""

from __future__ import annotations

import math
import sys
import types
from typing import Any, NamedTuple, Optional, Tuple

from polygraphy import util
from polygraphy.comparator._statistics import Statistics
from polygraphy.mod._lazy_modules import np

# NumPy's types as numbers of ONNX.
_ELEMENT_TYPES = {
    "f4": 1,
    "u1": 2,
    "i1": 3,
    "u2": 4,
    "i2": 5,
    "i4": 6,
    "i8": 7,
    "b1": 9,
    "f2": 10,
    "f8": 11,
    "u4": 12,
    "u8": 13,
}
_TYPE_NAMES = {number: name for name, number in _ELEMENT_TYPES.items()}


def _native():
    """The extension, which is not loaded before it computes."""
    from polygraphy_native import _native

    return _native


class Form(NamedTuple):
    """An array as functions of the extension take it."""

    array: Any
    element_type: int
    shape: Tuple[int, ...]


def form_of(array) -> Optional[Form]:
    """An array for the extension; None for what the extension does not compute with."""
    if "numpy" not in sys.modules or not isinstance(array, np.ndarray) or not array.size:
        return None
    element_type = _ELEMENT_TYPES.get(array.dtype.str[1:]) if array.dtype.isnative else None
    if element_type is None:
        return None
    return Form(np.ascontiguousarray(array), element_type, array.shape)


def _statistics_of(figures: dict, shape, is_bool: bool) -> Statistics:
    extra = figures["extra_quantiles"]
    return Statistics(
        figures["mean"],
        figures["variance"],
        figures["median"],
        figures["min"],
        util.array.unravel_index(figures["argmin"], shape),
        figures["max"],
        util.array.unravel_index(figures["argmax"], shape),
        figures["avg_magnitude"],
        None if is_bool else (figures["p90"], figures["p95"], figures["p99"]),
        extra[0] if extra else None,
    )


def _quantiles(quantile: Optional[float]) -> list:
    return [] if quantile is None else [quantile]


def statistics(form: Form, quantile: Optional[float]) -> Statistics:
    figures = _native().statistics(form, _quantiles(quantile))
    return _statistics_of(figures, form.shape, _TYPE_NAMES[form.element_type] == "b1")


def histogram(form: Form, hist_range):
    """None where the range is not finite."""
    return _native().histogram(form, None if hist_range is None else tuple(map(float, hist_range)))


def pair_sums(form0: Form, form1: Form):
    return types.SimpleNamespace(**_native().pair_sums(form0, form1))


class Differences:
    """See `_kernels.differences`. Makes arrays of their size only on request."""

    def __init__(self, form0: Form, form1: Form, atol: float, rtol: float):
        self._native = _native().Difference(form0, form1, atol, rtol, False)
        self._shape = form0.shape
        self._tolerances = (atol, rtol)
        self._names = [_TYPE_NAMES[number] for number in self._native.types]
        self._ranges: list = []
        self._histograms: Optional[tuple] = None

    def statistics(self, quantile: Optional[float] = None) -> Tuple[Statistics, Statistics]:
        absolute, relative = (
            _statistics_of(figures, self._shape, name == "b1")
            for figures, name in zip(self._native.statistics(_quantiles(quantile)), self._names)
        )
        self._ranges = [(stats.min, stats.max) for stats in (absolute, relative)]
        return absolute, relative

    @property
    def any_mismatched(self) -> bool:
        return self._native.mismatches > 0

    @property
    def zeros_in_reference(self) -> bool:
        return self._native.zeros_in_reference

    def histogram(self, which: int):
        """None for booleans.

        Raises:
            ValueError: If a difference is not finite.
        """
        if self._histograms is None:
            self._histograms = self._native.histograms()
        found = self._histograms[which]
        if found is None and self._names[which] != "b1":
            least, greatest = self._ranges[which]
            if math.isfinite(least) and math.isfinite(greatest):
                raise ValueError("Too many bins for data range. Cannot create 10 finite-sized bins.")
            raise ValueError(f"autodetected range of [{least}, {greatest}] is not finite")
        return found

    def array(self, which: int):
        name = self._names[which]
        wide = {"f2": "f4", "f4": "f4", "f8": "f8", "u8": "u8"}.get(name, "i8")
        elements = np.empty(self._shape, wide)
        self._native.read_into(which, elements)
        return elements if name == wide else elements.astype(name)

    def mismatched(self):
        atol, rtol = self._tolerances
        return np.logical_not((self.array(0) <= atol) | (self.array(1) <= rtol))
