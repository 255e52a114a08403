"""The arithmetic of the comparator on whole arrays, and nothing else.

This is the seam to native code: every function takes and returns arrays or numbers, logs nothing
and keeps nothing. Arrays are NumPy's or PyTorch's, both operands of one framework.
"""

from __future__ import annotations

import math
from typing import Sequence, Tuple

from polygraphy import mod, util
from polygraphy.datatype import DataType

np = mod.lazy_import("numpy")

ZERO_EPSILON = 2.220446049250313e-16
"""float: Stands for zeros of a floating-point reference in relative differences"""


def _is_array(obj) -> bool:
    """Whether something is an array of NumPy, not one of its numbers."""
    return util.array.is_numpy(obj) and isinstance(obj, np.ndarray)


def _abs_in_place(fresh):
    """Absolute values, in the place of an array that nobody else has."""
    if _is_array(fresh) and fresh.dtype.kind == "f":
        return np.abs(fresh, out=fresh)
    return util.array.abs(fresh)


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


def absolute_difference(out0, out1, infinities_compare_equal: bool):
    """|out0 - out1|; whether they differ, for booleans.

    The difference of two integers does not wrap around: it is unsigned where it has to be.
    """
    dtype = util.array.dtype(out0)
    if dtype == DataType.BOOL:
        return util.array.logical_xor(out0, out1)
    if util.array.is_numpy(out0) and out0.dtype.kind in "iu" and out0.dtype == out1.dtype:
        diff = out0 - out1
        diff[out1 > out0] = (out1 - out0)[out1 > out0]
        return diff.view(f"u{diff.dtype.itemsize}") if (diff < 0).any() else diff
    absdiff = _abs_in_place(util.array.subtract(out0, out1))
    if infinities_compare_equal:
        # In double precision, as the original has it in this case.
        if util.array.is_numpy(absdiff):
            absdiff = util.array.cast(absdiff, DataType.FLOAT64)
        absdiff[util.array.logical_and(util.array.isinf(out0), out0 == out1)] = 0
    return absdiff


def relative_difference(absdiff, out1) -> Tuple[object, bool]:
    """The difference by |out1|.

    Returns:
        The relative difference, and whether zeros of the reference were replaced.
    """
    if util.array.dtype(out1) == DataType.BOOL:
        out1 = util.array.cast(out1, DataType.FLOAT32)
        absdiff = util.array.cast(absdiff, DataType.FLOAT32)
    is_integral = getattr(util.array.dtype(out1), "is_integral", False)
    # The least integer has no positive counterpart of its type.
    absout1 = util.array.abs(util.array.cast(out1, DataType.FLOAT64) if is_integral else out1)
    replaced = False
    if not is_integral:
        zeros = absout1 == 0
        if util.array.any(zeros):
            replaced = True
            absout1[zeros] += ZERO_EPSILON
    if _is_array(absout1) and absout1.dtype.kind == "f" and absout1.dtype == absdiff.dtype:
        # The divisor is nobody else's: a further array of this size costs more than the division.
        return np.divide(absdiff, absout1, out=absout1), replaced
    return util.array.divide(absdiff, absout1), replaced


def quantiles(buffer, fractions: Sequence[float]) -> list:
    """Several quantiles, each as `util.array.quantile` has it, with one search for all of them."""
    if not _is_array(buffer) or buffer.dtype.kind != "f" or not buffer.size:
        return [util.array.quantile(buffer, fraction) for fraction in fractions]
    # Between the two neighbours of a quantile, it is a quantile of these two.
    last = buffer.size - 1
    places = [(min(int(last * f), last), last * f - int(last * f)) for f in fractions]
    neighbours = {min(place + step, last) for place, _ in places for step in (0, 1)}
    ordered = np.partition(buffer, sorted(neighbours | {last}), axis=None)
    if np.isnan(ordered[-1]):
        return [ordered[-1]] * len(places)
    return [np.quantile(ordered[place : place + 2], part) for place, part in places]


def mismatches(absdiff, reldiff, atol: float, rtol: float):
    """Which elements exceed both tolerances; NaN does."""
    within_either = (absdiff <= atol) | (reldiff <= rtol)
    return util.array.logical_not(within_either)


def l2_norm(out0, out1) -> float:
    diff = util.array.subtract(out0, out1)
    return float(util.array.sqrt(util.array.sum(util.array.power(diff, 2))))


def cosine_similarity(out0, out1) -> float:
    """Of two arrays of zeros it is 1, of one and something else 0."""
    flat0, flat1 = util.array.ravel(out0), util.array.ravel(out1)
    dot = float(util.array.sum(util.array.multiply(flat0, flat1)))
    norm0 = float(util.array.sqrt(util.array.sum(util.array.power(flat0, 2))))
    norm1 = float(util.array.sqrt(util.array.sum(util.array.power(flat1, 2))))
    if norm0 == 0 or norm1 == 0:
        return 1.0 if norm0 == norm1 else 0.0
    similarity = dot / (norm0 * norm1)
    return similarity if math.isnan(similarity) else max(-1.0, min(1.0, similarity))


def mean_square(buffer) -> float:
    return float(util.array.mean(util.array.power(buffer, 2)))


def psnr(out0, out1) -> float:
    """Decibels; the peak is the first array's greatest element, or 1 if that is not positive."""
    if util.array.size(out0) == 0:
        return math.inf
    noise = mean_square(util.array.subtract(out0, out1))
    if noise == 0:
        return math.inf
    peak = float(util.array.max(out0))
    if peak <= 0:
        peak = 1.0
    return 20 * math.log10(peak) - 10 * math.log10(noise) if noise == noise else math.nan


def snr(out0, out1) -> float:
    """Decibels of the first array over the difference."""
    if util.array.size(out0) == 0:
        return math.inf
    noise = mean_square(util.array.subtract(out0, out1))
    signal = mean_square(out0)
    if noise == 0:
        return math.inf
    if signal == 0:
        return -math.inf
    ratio = signal / noise
    return 10 * math.log10(ratio) if ratio > 0 else math.nan
