"""The arithmetic of the comparator, and arrays in files, against plain NumPy."""

import numpy as np
import pytest

from polygraphy.comparator import _kernels
from polygraphy.json import from_json, to_json


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32])
@pytest.mark.parametrize("size", [1, 2, 3, 1000, 99999])
def test_quantiles_at_once_are_those_one_by_one(dtype, size):
    values = (np.random.RandomState(size).randn(size) * 10).astype(dtype)
    fractions = (0.9, 0.95, 0.99)
    expected = [np.quantile(values, fraction) for fraction in fractions]
    actual = _kernels.quantiles(values, fractions)
    assert actual == expected
    assert [number.dtype for number in actual] == [number.dtype for number in expected]


def test_differences_leave_the_outputs_as_they_were():
    out0, out1 = np.array([1.0, -2.0, 0.0]), np.array([-1.0, -4.0, 0.0])
    absdiff = _kernels.absolute_difference(out0, out1, False)
    reldiff, replaced_zeros = _kernels.relative_difference(absdiff, out1)
    assert absdiff.tolist() == [2, 2, 0] and reldiff.tolist() == [2, 0.5, 0] and replaced_zeros
    assert out0.tolist() == [1, -2, 0] and out1.tolist() == [-1, -4, 0]


@pytest.mark.parametrize("order", ["C", "F"])
def test_large_arrays_are_saved_and_loaded(order):
    array = np.asarray(np.random.RandomState(0).rand(300, 500, 2), order=order)
    loaded = from_json(to_json(array))
    assert np.array_equal(loaded, array) and loaded.dtype == array.dtype
    assert loaded.flags.writeable and loaded.flags[f"{order}_CONTIGUOUS"]
    text = to_json(np.zeros(1 << 18))
    with pytest.raises(ValueError):
        from_json(text.replace("AAAA" * 1000, "", 1))
