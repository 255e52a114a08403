"""The arithmetic of the comparator for arrays of any framework, by the functions of `util.array`."""

from __future__ import annotations

from typing import Optional, Tuple

from polygraphy import util
from polygraphy.comparator._statistics import Statistics
from polygraphy.datatype import DataType

ZERO_EPSILON = 2.220446049250313e-16
"""float: Stands for zeros of a floating-point reference in relative differences"""

_PERCENTILES = (0.9, 0.95, 0.99)


def cast_up(buffer):
    """Small types as ones in which differences and sums do not overflow."""
    dtype = util.array.dtype(buffer)
    if dtype == DataType.FLOAT16:
        return util.array.cast(buffer, DataType.FLOAT32)
    if dtype in (DataType.INT8, DataType.UINT8, DataType.INT16, DataType.UINT16):
        return util.array.cast(buffer, DataType.INT32)
    if dtype == DataType.UINT32:
        return util.array.cast(buffer, DataType.INT64)
    return buffer


def statistics(array, quantile: Optional[float]) -> Statistics:
    buffer, shape = cast_up(array), util.array.shape(array)

    def figure(function):
        return 0 if util.is_empty_shape(shape) else function(buffer)

    def place(function):
        return 0 if util.is_empty_shape(shape) else util.array.unravel_index(function(buffer), shape)

    is_bool = util.array.dtype(array) == DataType.BOOL
    return Statistics(
        util.array.mean(buffer, dtype=DataType.FLOAT32),
        figure(util.array.var),
        figure(util.array.median),
        figure(util.array.min),
        place(util.array.argmin),
        figure(util.array.max),
        place(util.array.argmax),
        util.array.mean(util.array.abs(buffer), dtype=DataType.FLOAT32),
        None if is_bool else tuple(util.array.quantile(array, q) for q in _PERCENTILES),
        None if quantile is None else util.array.quantile(array, quantile),
    )


def histogram(array, hist_range):
    counts, edges = util.array.histogram(cast_up(array), range=hist_range)
    return util.array.to_numpy(counts).tolist(), util.array.to_numpy(edges)


def of_one_framework(out0, out1) -> tuple:
    """Both cast up, the second as an array of the first one's framework, on its device."""
    up0, up1 = cast_up(out0), cast_up(out1)
    if util.array.is_torch(up0):
        return up0, util.array.to_torch(up1).to(up0.device)
    return up0, util.array.to_numpy(up1)


def _floating(array):
    """Integers as floating-point numbers: their squares would wrap around."""
    is_floating = getattr(util.array.dtype(array), "is_floating", True)
    return array if is_floating else util.array.cast(array, DataType.FLOAT64)


class PairSums:
    """See `_kernels.pair_sums`."""

    same_integers = False

    def __init__(self, out0, out1):
        up0, up1 = of_one_framework(out0, out1)
        self._out0, self._out1 = _floating(up0), _floating(up1)

    @property
    def size(self) -> int:
        return util.array.size(self._out0)

    @staticmethod
    def _squares(buffer) -> float:
        return float(util.array.sum(util.array.power(buffer, 2)))

    @property
    def squared_difference(self) -> float:
        return self._squares(util.array.subtract(self._out0, self._out1))

    @property
    def squares0(self) -> float:
        return self._squares(self._out0)

    @property
    def squares1(self) -> float:
        return self._squares(self._out1)

    @property
    def product(self) -> float:
        flat0, flat1 = util.array.ravel(self._out0), util.array.ravel(self._out1)
        return float(util.array.sum(util.array.multiply(flat0, flat1)))

    @property
    def peak(self) -> float:
        return float(util.array.max(self._out0))


class Differences:
    """See `_kernels.differences`."""

    def __init__(self, out0, out1, atol, rtol, infinities_compare_equal):
        up0, up1 = of_one_framework(out0, out1)
        self._tolerances = (atol, rtol)
        absolute = _absolute_difference(up0, up1, infinities_compare_equal)
        relative, self.zeros_in_reference = _relative_difference(absolute, up1)
        self._arrays = (absolute, relative)

    def statistics(self, quantile: Optional[float] = None) -> Tuple[Statistics, Statistics]:
        absolute, relative = (statistics(array, quantile) for array in self._arrays)
        return absolute, relative

    @property
    def any_mismatched(self) -> bool:
        return bool(util.array.any(self.mismatched()))

    def histogram(self, which: int):
        array = self._arrays[which]
        has_bins = util.array.dtype(array) != DataType.BOOL and util.array.size(array)
        return histogram(array, None) if has_bins else None

    def array(self, which: int):
        return self._arrays[which]

    def mismatched(self):
        (absolute, relative), (atol, rtol) = self._arrays, self._tolerances
        return util.array.logical_not((absolute <= atol) | (relative <= rtol))


def _absolute_difference(out0, out1, infinities_compare_equal: bool):
    """|out0 - out1|; whether they differ, for booleans."""
    if util.array.dtype(out0) == DataType.BOOL:
        return util.array.logical_xor(out0, out1)
    absdiff = util.array.abs(util.array.subtract(out0, out1))
    if infinities_compare_equal:
        # In double precision, as the original has it in this case.
        if util.array.is_numpy(absdiff):
            absdiff = util.array.cast(absdiff, DataType.FLOAT64)
        absdiff[util.array.logical_and(util.array.isinf(out0), out0 == out1)] = 0
    return absdiff


def _relative_difference(absdiff, out1) -> Tuple[object, bool]:
    """The difference by |out1|, and whether zeros of the reference were replaced."""
    is_bool = util.array.dtype(out1) == DataType.BOOL
    if is_bool:
        out1 = util.array.cast(out1, DataType.FLOAT32)
        absdiff = util.array.cast(absdiff, DataType.FLOAT32)
    is_integral = getattr(util.array.dtype(out1), "is_integral", False)
    # The least integer has no positive counterpart of its type.
    absout1 = util.array.abs(util.array.cast(out1, DataType.FLOAT64) if is_integral else out1)
    replaced = False
    if not is_integral and not is_bool:
        zeros = absout1 == 0
        if util.array.any(zeros):
            replaced = True
            absout1[zeros] += ZERO_EPSILON
    return util.array.divide(absdiff, absout1), replaced
