"""The arithmetic of the comparator, and arrays in files, against plain NumPy."""

import numpy as np
import pytest

from polygraphy.comparator import _kernels, _kernels_frameworks, _kernels_native
from polygraphy.json import from_json, to_json


TYPES = ["f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]


def random_array(dtype: str, size: int, seed: int):
    return (np.random.RandomState(seed).randn(size) * 10).astype("i8").astype(dtype)


def flat(figures) -> list:
    """Numbers of nested sequences in one list."""
    if not hasattr(figures, "__len__"):
        return [figures]
    return [number for part in figures for number in flat(part)]


def assert_close(mine, theirs, rel=1e-5):
    assert flat(mine) == pytest.approx(flat(theirs), rel=rel, nan_ok=True)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [1, 2, 3, 1000, 9999])
def test_both_kernels_have_the_same_statistics(dtype, size):
    array = random_array(dtype, size, size).reshape(1, size)
    native = _kernels_native.statistics(_kernels_native.form_of(array), 0.3)
    # NumPy interpolates between float16 in float16.
    rel = 2e-3 if dtype == "f2" else 1e-6
    assert_close(native, _kernels_frameworks.statistics(array, 0.3), rel)


@pytest.mark.parametrize("dtype", [name for name in TYPES if name not in ("u4", "i8", "u8")])
def test_both_kernels_have_the_same_differences(dtype):
    arrays = random_array(dtype, 5000, 1), random_array(dtype, 5000, 2) + np.array(60, dtype)
    native = _kernels_native.Differences(*map(_kernels_native.form_of, arrays), 4, 0.5)
    other = _kernels_frameworks.Differences(*arrays, 4, 0.5, False)
    for mine, theirs in zip(native.statistics(0.7), other.statistics(0.7)):
        assert_close(mine, theirs)
    assert native.any_mismatched and other.any_mismatched
    assert native.zeros_in_reference == other.zeros_in_reference
    assert np.array_equal(native.mismatched(), other.mismatched())
    for which in (0, 1):
        assert np.allclose(native.array(which), other.array(which), equal_nan=True)
        assert_close(native.histogram(which), other.histogram(which))


def test_zeros_in_the_reference():
    out0, out1 = np.array([1.0, 2.0], "f4"), np.array([0.0, 2.0], "f4")
    for differences in (
        _kernels_native.Differences(*map(_kernels_native.form_of, (out0, out1)), 1, 1),
        _kernels_frameworks.Differences(out0, out1, 1, 1, False),
    ):
        assert differences.statistics()[1].max == pytest.approx(1 / 2.220446049250313e-16)
        assert differences.zeros_in_reference and not differences.any_mismatched


def test_nan_has_no_histogram():
    form = _kernels_native.form_of(np.array([1, np.nan]))
    differences = _kernels_native.Differences(form, form, 1, 1)
    differences.statistics()
    with pytest.raises(ValueError, match="not finite"):
        differences.histogram(0)
    assert differences.any_mismatched


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_both_kernels_have_the_same_metrics(dtype):
    arrays = random_array(dtype, 5000, 3), random_array(dtype, 5000, 4)
    native = _kernels_native.pair_sums(*map(_kernels_native.form_of, arrays))
    other = _kernels_frameworks.PairSums(*arrays)
    for name in ("size", "squared_difference", "squares0", "squares1", "product", "peak"):
        assert getattr(native, name) == pytest.approx(getattr(other, name), rel=1e-5)


def test_differences_leave_the_outputs_as_they_were():
    out0, out1 = np.array([1.0, -2.0, 0.0]), np.array([-1.0, -4.0, 0.0])
    differences = _kernels.differences(out0, out1, 0, 0, False)
    assert differences.statistics()[0].max == 2
    assert differences.array(0).tolist() == [2, 2, 0]
    assert differences.array(1).tolist() == [2, 0.5, 0]
    assert out0.tolist() == [1, -2, 0] and out1.tolist() == [-1, -4, 0]


def test_what_the_extension_does_not_compute_with_has_no_form():
    for array in (np.array(["text"]), np.zeros(0), np.zeros(3, ">f4"), [1.0], 1.0, np.float32(1)):
        assert _kernels_native.form_of(array) is None
    assert _kernels_native.form_of(np.zeros((2, 3)).T).shape == (3, 2)


@pytest.mark.parametrize("order", ["C", "F"])
def test_large_arrays_are_saved_and_loaded(order):
    array = np.asarray(np.random.RandomState(0).rand(300, 500, 2), order=order)
    loaded = from_json(to_json(array))
    assert np.array_equal(loaded, array) and loaded.dtype == array.dtype
    assert loaded.flags.writeable and loaded.flags[f"{order}_CONTIGUOUS"]
    text = to_json(np.zeros(1 << 18))
    with pytest.raises(ValueError):
        from_json(text.replace("AAAA" * 1000, "", 1))
