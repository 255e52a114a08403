"""Statistics of all elements."""

from __future__ import annotations

import builtins

from polygraphy import mod
from polygraphy.datatype import DataType
from polygraphy.mod._lazy_modules import np, torch
from polygraphy.util.array._dispatch import of_both, operation


def _torch_floating(obj):
    """PyTorch computes means and the like of floating-point numbers only, and few of small ones."""
    return obj if obj.dtype in (torch.float32, torch.float64) else obj.to(torch.float32)


def _torch_ordered(obj):
    """PyTorch does not look for the greatest of booleans and, on the host, of small numbers."""
    if obj.dtype == torch.bool:
        return obj.to(torch.uint8)
    return _torch_floating(obj) if obj.is_floating_point() else obj


sum = mod.export()(of_both("sum", "The sum of all elements."))


@operation()
def max():
    """The greatest element."""
    return {
        "numpy": lambda obj: np.amax(obj).item(),
        "torch": lambda obj: torch.max(obj).item(),
    }


@operation()
def argmax():
    """The flat index of the greatest element."""
    return {
        "numpy": lambda obj: np.argmax(obj),
        "torch": lambda obj: torch.argmax(_torch_ordered(obj)),
    }


@operation()
def min():
    """The smallest element."""
    return {
        "numpy": lambda obj: np.amin(obj).item(),
        "torch": lambda obj: torch.min(obj).item(),
    }


@operation()
def argmin():
    """The flat index of the smallest element."""
    return {
        "numpy": lambda obj: np.argmin(obj),
        "torch": lambda obj: torch.argmin(_torch_ordered(obj)),
    }


@operation()
def mean():
    """The mean of all elements; of `dtype` if given."""

    def torch_impl(obj, dtype=None):
        if dtype is None:
            return torch.mean(_torch_floating(obj))
        return torch.mean(obj, dtype=DataType.to_dtype(dtype, "torch"))

    def numpy_impl(obj, dtype=None):
        return np.mean(obj, dtype=DataType.to_dtype(dtype, "numpy") if dtype else None)

    return {"numpy": numpy_impl, "torch": torch_impl}


@operation()
def std():
    """The standard deviation of all elements, taken as the whole population."""
    return {
        "numpy": lambda obj: np.std(obj),
        "torch": lambda obj: torch.std(_torch_floating(obj), unbiased=False),
    }


@operation()
def var():
    """The variance of all elements, taken as the whole population."""
    return {
        "numpy": lambda obj: np.var(obj),
        "torch": lambda obj: torch.var(_torch_floating(obj), unbiased=False),
    }


def _torch_sorted(obj):
    return torch.sort(_torch_floating(obj).ravel()).values


@operation()
def median():
    """The median; the mean of the middle two of an even number of elements."""

    def torch_impl(obj):
        values = _torch_sorted(obj)
        # NaN comes last.
        if torch.isnan(values[-1]):
            return values[-1]
        count = values.nelement()
        return torch.mean(values[(count - 1) // 2 : count // 2 + 1])

    return {"numpy": lambda obj: np.median(obj), "torch": torch_impl}


@operation()
def quantile():
    """The value below which a fraction of the elements lies, interpolated."""

    def torch_impl(obj, q):
        if obj.nelement() == 0:
            return torch.inf
        # Not `torch.quantile`, which refuses more than 2 ** 24 elements.
        values = _torch_sorted(obj)
        if torch.isnan(values[-1]):
            return values[-1]
        place = q * (values.nelement() - 1)
        below, part = values[int(place)], place - int(place)
        return torch.lerp(below, values[int(place) + 1], part) if part else below

    def numpy_impl(obj, q):
        return np.inf if obj.size == 0 else np.quantile(obj, q)

    return {"numpy": numpy_impl, "torch": torch_impl}


@operation()
def histogram():
    """How many elements lie in each of ten bins, and the edges of the bins."""

    def torch_impl(obj, range=None):
        values = _torch_floating(obj).cpu()
        if range is None:
            return torch.histogram(values, bins=10)
        return torch.histogram(values, bins=10, range=tuple(map(float, range)))

    return {
        "numpy": lambda obj, range=None: np.histogram(obj, bins=10, range=range),
        "torch": torch_impl,
    }


@operation()
def topk():
    """The k greatest values along an axis in falling order, and their indices."""

    def numpy_impl(obj, k, axis):
        # Stable: of equal values the first comes first. NaN comes last.
        if np.issubdtype(obj.dtype, np.floating):
            indices = np.argsort(-obj, axis=axis, kind="stable")
        else:
            # Negated, unsigned and least integers would wrap around: reversed instead, twice.
            order = np.argsort(np.flip(obj, axis=axis), axis=axis, kind="stable")
            indices = obj.shape[axis] - 1 - np.flip(order, axis=axis)
        k = builtins.min(k, obj.shape[axis])
        indices = np.take(indices, np.arange(k), axis=axis)
        return np.take_along_axis(obj, indices, axis=axis), indices

    def torch_impl(obj, k, axis):
        ordered = _torch_ordered(obj)
        values, indices = torch.topk(ordered, builtins.min(k, obj.shape[axis]), dim=axis)
        return values.to(obj.dtype), indices

    return {"numpy": numpy_impl, "torch": torch_impl}
