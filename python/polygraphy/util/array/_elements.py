"""Arithmetic, comparisons and tests, element by element."""

from __future__ import annotations

import math

from polygraphy import mod
from polygraphy.util.array._dispatch import dispatch

np = mod.lazy_import("numpy")
torch = mod.lazy_import("torch>=1.13.0")


@mod.export()
@dispatch()
def any():
    """Whether any element is true."""
    return {"numpy": lambda obj: np.any(obj), "torch": lambda obj: bool(torch.any(obj))}


@mod.export()
@dispatch()
def all():
    """Whether all elements are true."""
    return {"numpy": lambda obj: np.all(obj), "torch": lambda obj: bool(torch.all(obj))}


@mod.export()
@dispatch(num_arrays=2)
def equal():
    """Whether two arrays have the same shape and values."""
    return {
        "numpy": lambda lhs, rhs: np.array_equal(lhs, rhs),
        "torch": lambda lhs, rhs: torch.equal(lhs, rhs),
    }


@mod.export()
@dispatch(num_arrays=2)
def allclose():
    """Whether two arrays are equal but for an absolute plus a relative tolerance."""
    return {
        "numpy": lambda lhs, rhs, rtol=1e-5, atol=1e-8: np.allclose(lhs, rhs, rtol, atol),
        "torch": lambda lhs, rhs, rtol=1e-5, atol=1e-8: torch.allclose(lhs, rhs, rtol, atol),
    }


@mod.export()
@dispatch(num_arrays=2)
def greater():
    """Where one array is greater than another."""
    return {
        "numpy": lambda lhs, rhs: np.greater(lhs, rhs),
        "torch": lambda lhs, rhs: torch.gt(lhs, rhs),
    }


@mod.export()
@dispatch(num_arrays=2)
def subtract():
    """The first array less the second, element by element."""
    return {
        "numpy": lambda lhs, rhs: np.asarray(lhs - rhs),
        "torch": lambda lhs, rhs: lhs - rhs,
    }


@mod.export()
@dispatch(num_arrays=2)
def divide():
    """The first array by the second, element by element."""
    return {"numpy": lambda lhs, rhs: lhs / rhs, "torch": lambda lhs, rhs: lhs / rhs}


@mod.export()
@dispatch(num_arrays=2)
def multiply():
    """The product of two arrays, element by element."""
    return {"numpy": lambda lhs, rhs: lhs * rhs, "torch": lambda lhs, rhs: lhs * rhs}


@mod.export()
@dispatch(num_arrays=2)
def power():
    """The elements to the power of a number, or of another array's elements."""
    return {
        "numpy": lambda obj, exponent: np.power(obj, exponent),
        "torch": lambda obj, exponent: torch.pow(obj, exponent),
    }


@mod.export()
@dispatch()
def sqrt():
    """The square roots of the elements."""
    return {"numpy": lambda obj: np.sqrt(obj), "torch": lambda obj: torch.sqrt(obj)}


@mod.export()
@dispatch()
def abs():
    """The absolute values of the elements."""
    return {
        "numpy": lambda obj: np.asarray(np.abs(obj)),
        "torch": lambda obj: obj if obj.dtype == torch.bool else torch.abs(obj),
    }


@mod.export()
@dispatch()
def isfinite():
    """Which elements are finite."""
    return {"numpy": lambda obj: np.isfinite(obj), "torch": lambda obj: torch.isfinite(obj)}


@mod.export()
@dispatch()
def isinf():
    """Which elements are infinite."""
    return {"numpy": lambda obj: np.isinf(obj), "torch": lambda obj: torch.isinf(obj)}


@mod.export()
@dispatch()
def isnan():
    """Which elements are NaN."""
    return {
        "numpy": lambda obj: np.isnan(obj),
        "torch": lambda obj: torch.isnan(obj),
        "number": lambda obj: math.isnan(obj),
    }


@mod.export()
@dispatch()
def argwhere():
    """The indices of elements that are not zero, as an array of (count, rank)."""
    return {"numpy": lambda obj: np.argwhere(obj), "torch": lambda obj: torch.argwhere(obj)}


@mod.export()
@dispatch(num_arrays=3)
def where():
    """Elements of the second array where the first is true, of the third elsewhere."""
    return {
        "numpy": lambda cond, lhs, rhs: np.where(cond, lhs, rhs),
        "torch": lambda cond, lhs, rhs: torch.where(cond, lhs, rhs),
    }


@mod.export()
@dispatch()
def logical_not():
    """The opposite of each element."""
    return {"numpy": lambda obj: np.logical_not(obj), "torch": lambda obj: torch.logical_not(obj)}


@mod.export()
@dispatch(num_arrays=2)
def logical_xor():
    """Where exactly one of two arrays is true."""
    return {
        "numpy": lambda lhs, rhs: np.logical_xor(lhs, rhs),
        "torch": lambda lhs, rhs: torch.logical_xor(lhs, rhs),
    }


@mod.export()
@dispatch(num_arrays=2)
def logical_and():
    """Where both of two arrays are true."""
    return {
        "numpy": lambda lhs, rhs: np.logical_and(lhs, rhs),
        "torch": lambda lhs, rhs: torch.logical_and(lhs, rhs),
    }
