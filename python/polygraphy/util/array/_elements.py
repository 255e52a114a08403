"""Arithmetic, comparisons and tests, element by element."""

from __future__ import annotations

import math

from polygraphy import mod
from polygraphy.mod._lazy_modules import np, torch
from polygraphy.util.array._dispatch import of_both, operation


@operation()
def any():
    """Whether any element is true."""
    return {"numpy": lambda obj: np.any(obj), "torch": lambda obj: bool(torch.any(obj))}


@operation()
def all():
    """Whether all elements are true."""
    return {"numpy": lambda obj: np.all(obj), "torch": lambda obj: bool(torch.all(obj))}


@operation(num_arrays=2)
def allclose():
    """Whether two arrays are equal but for an absolute plus a relative tolerance."""
    return {
        "numpy": lambda lhs, rhs, rtol=1e-5, atol=1e-8: np.allclose(lhs, rhs, rtol, atol),
        "torch": lambda lhs, rhs, rtol=1e-5, atol=1e-8: torch.allclose(lhs, rhs, rtol, atol),
    }


@operation(num_arrays=2)
def subtract():
    """The first array less the second, element by element."""
    return {
        "numpy": lambda lhs, rhs: np.asarray(lhs - rhs),
        "torch": lambda lhs, rhs: lhs - rhs,
    }


@operation(num_arrays=2)
def divide():
    """The first array by the second, element by element."""
    return {"numpy": lambda lhs, rhs: lhs / rhs, "torch": lambda lhs, rhs: lhs / rhs}


@operation(num_arrays=2)
def multiply():
    """The product of two arrays, element by element."""
    return {"numpy": lambda lhs, rhs: lhs * rhs, "torch": lambda lhs, rhs: lhs * rhs}


@operation()
def abs():
    """The absolute values of the elements."""
    return {
        "numpy": lambda obj: np.asarray(np.abs(obj)),
        "torch": lambda obj: obj if obj.dtype == torch.bool else torch.abs(obj),
    }


@operation()
def isnan():
    """Which elements are NaN."""
    return {
        "numpy": lambda obj: np.isnan(obj),
        "torch": lambda obj: torch.isnan(obj),
        "number": lambda obj: math.isnan(obj),
    }


_export = mod.export()

equal = _export(
    of_both(
        "equal",
        "Whether two arrays have the same shape and values.",
        "lhs rhs",
        numpy="array_equal",
    )
)
greater = _export(
    of_both("greater", "Where one array is greater than another.", "lhs rhs", torch="gt")
)
power = _export(
    of_both(
        "power",
        "The elements to the power of a number, or of another array's elements.",
        "obj exponent",
        torch="pow",
    )
)
sqrt = _export(of_both("sqrt", "The square roots of the elements."))
isfinite = _export(of_both("isfinite", "Which elements are finite."))
isinf = _export(of_both("isinf", "Which elements are infinite."))
argwhere = _export(
    of_both("argwhere", "The indices of elements that are not zero, as an array of (count, rank).")
)
where = _export(
    of_both(
        "where",
        "Elements of the second array where the first is true, of the third elsewhere.",
        "cond lhs rhs",
    )
)
logical_not = _export(of_both("logical_not", "The opposite of each element."))
logical_xor = _export(of_both("logical_xor", "Where exactly one of two arrays is true.", "lhs rhs"))
logical_and = _export(of_both("logical_and", "Where both of two arrays are true.", "lhs rhs"))
