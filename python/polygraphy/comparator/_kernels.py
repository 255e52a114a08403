"""The arithmetic of the comparator on whole arrays, and nothing else.

Nothing here logs or keeps anything. Arrays of NumPy's own numbers are computed natively
(`_kernels_native`), others (PyTorch's, types that NumPy lacks) by their own framework
(`_kernels_frameworks`).
"""

from __future__ import annotations

from typing import Optional

from polygraphy.comparator import _kernels_frameworks as _frameworks
from polygraphy.comparator import _kernels_native as _native
from polygraphy.comparator._statistics import Statistics


def statistics(array, quantile: Optional[float] = None) -> Statistics:
    """The figures of an array.

    Args:
        array: The array.
        quantile: In [0, 1]: which quantile is wanted, too.

    Raises:
        Exception: The array's framework does not support a figure, as of texts.
    """
    form = _native.form_of(array)
    if form is not None:
        return _native.statistics(form, quantile)
    return _frameworks.statistics(array, quantile)


def histogram(array, hist_range=None):
    """How many elements lie in each of ten bins, and the eleven edges of the bins.

    Args:
        array: The array.
        hist_range: The least and the greatest value, those of the array if left out.

    Raises:
        ValueError: If either is not finite.
    """
    form = _native.form_of(array)
    found = None if form is None else _native.histogram(form, hist_range)
    return found or _frameworks.histogram(array, hist_range)


def pair_sums(out0, out1):
    """Sums over two arrays of one size: an object with `size`, `squared_difference`, `squares0`,
    `squares1`, `product`, `same_integers`, and the first array's greatest element `peak`."""
    form0, form1 = _native.form_of(out0), _native.form_of(out1)
    if form0 is not None and form1 is not None:
        return _native.pair_sums(form0, form1)
    return _frameworks.PairSums(out0, out1)


def differences(out0, out1, atol: float, rtol: float, infinities_compare_equal: bool):
    """The differences of two arrays of one shape, relative to the second one.

    Returns:
        An object with `statistics(quantile)`, of absolute and relative differences; `histogram(i)`
        and `array(i)` of either; `mismatched()`, a mask of the elements that exceed both
        tolerances or are NaN; and, after `statistics`, with `any_mismatched` and
        `zeros_in_reference`.
    """
    form0, form1 = _native.form_of(out0), _native.form_of(out1)
    is_native = form0 is not None and form1 is not None and form0.shape == form1.shape
    # With equal infinities, the original's differences are in double precision; those of outputs
    # of different shapes are broadcast.
    if is_native and not (infinities_compare_equal and form0.array.dtype.kind == "f"):
        return _native.Differences(form0, form1, atol, rtol)
    return _frameworks.Differences(out0, out1, atol, rtol, infinities_compare_equal)
