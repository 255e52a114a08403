"""Operations on arrays of any framework: NumPy, PyTorch, device memory.

The framework is told by the first argument; the other arrays of an operation are converted to it.
Each function is a table of implementations by framework, made callable by `dispatch`.
"""

from __future__ import annotations

import builtins
import math
import numbers
import sys
from typing import Any, Callable, Dict

from polygraphy import mod
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER

np = mod.lazy_import("numpy")
torch = mod.lazy_import("torch>=1.13.0")


@mod.export()
def is_torch(obj: Any) -> bool:
    """Whether something is a tensor of PyTorch."""
    # Nobody has one without having imported the module.
    return "torch" in sys.modules and isinstance(obj, torch.Tensor)


@mod.export()
def is_numpy(obj: Any) -> bool:
    """Whether something is an array or a scalar of NumPy."""
    return "numpy" in sys.modules and isinstance(obj, (np.ndarray, np.generic))


@mod.export()
def is_device_view(obj: Any) -> bool:
    """Whether something is Polygraphy's view of device memory."""
    cuda = sys.modules.get("polygraphy.cuda.cuda")
    return cuda is not None and isinstance(obj, cuda.DeviceView)


_FRAMEWORKS: Dict[str, Callable[[Any], bool]] = {
    "numpy": is_numpy,
    "torch": is_torch,
    "device_view": is_device_view,
    "number": lambda obj: isinstance(obj, numbers.Number),
}


def dispatch(num_arrays: int = 1) -> Callable:
    """A decorator for a function without parameters that returns implementations by framework.

    ::

        @dispatch()
        def abs():
            return {"numpy": lambda obj: np.abs(obj), "torch": lambda obj: torch.abs(obj)}

    Args:
        num_arrays: How many of the positional arguments are arrays.
    """

    def dispatch_impl(func):
        if num_arrays < 0:
            G_LOGGER.critical(f"Function: {func.__name__} is unsupported with {num_arrays} < 0")
        table = func()

        def unsupported(obj) -> None:
            G_LOGGER.critical(
                f"Function: {func.__name__} is unsupported for objects of type: "
                f"{type(obj).__name__}"
            )

        def converted(obj, framework: str):
            if framework == "torch":
                return to_torch(obj)
            if framework == "numpy":
                return to_numpy(obj)
            return unsupported(obj)

        def wrapped(*args, **kwargs):
            if len(args) < num_arrays:
                G_LOGGER.critical(
                    f"Function: {func.__name__} is unsupported for less than {num_arrays} "
                    "positional arguments"
                )
            for framework, implementation in table.items():
                if _FRAMEWORKS[framework](args[0]):
                    break
            else:
                unsupported(args[0])
            is_same = _FRAMEWORKS[framework]
            others = (
                obj if is_same(obj) else converted(obj, framework) for obj in args[1:num_arrays]
            )
            return implementation(args[0], *others, *args[num_arrays:], **kwargs)

        # Not `functools.wraps`: it would show the table's signature, which has no parameters.
        for attribute in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(wrapped, attribute, getattr(func, attribute))
        return wrapped

    return dispatch_impl


# Conversion


@mod.export()
@dispatch()
def to_torch():
    """An array or number as a tensor of PyTorch, which shares its memory if it can."""
    return {
        "numpy": lambda obj: torch.from_numpy(np.ascontiguousarray(obj).reshape(np.shape(obj))),
        "torch": lambda obj: obj,
        "number": lambda obj: torch.tensor(obj),
    }


@mod.export()
@dispatch()
def to_numpy():
    """A tensor or number as an array of NumPy; device memory is copied to the host."""
    return {
        "numpy": lambda obj: obj,
        "torch": lambda obj: obj.detach().cpu().numpy(),
        "device_view": lambda obj: obj.numpy(),
        "number": lambda obj: np.array(obj),
    }


# Memory


@mod.export()
@dispatch()
def nbytes():
    """The size in bytes."""
    return {
        "numpy": lambda obj: obj.nbytes,
        "torch": lambda obj: obj.nelement() * obj.element_size(),
        "device_view": lambda obj: obj.nbytes,
    }


@mod.export()
@dispatch()
def size():
    """The number of elements."""
    return {"numpy": lambda obj: obj.size, "torch": lambda obj: obj.nelement()}


@mod.export()
@dispatch()
def data_ptr():
    """The address of the first element."""
    return {
        "numpy": lambda obj: obj.ctypes.data,
        "torch": lambda obj: obj.data_ptr(),
        "device_view": lambda obj: obj.ptr,
    }


@mod.export()
@dispatch()
def is_on_cpu():
    """Whether the memory is the host's."""
    return {
        "numpy": lambda obj: True,
        "torch": lambda obj: obj.device.type == "cpu",
        "device_view": lambda obj: False,
    }


@mod.export()
@dispatch()
def is_on_gpu():
    """Whether the memory is a GPU's."""
    return {
        "numpy": lambda obj: False,
        "torch": lambda obj: obj.device.type == "cuda",
        "device_view": lambda obj: True,
    }


@mod.export()
@dispatch()
def dtype():
    """The data type, as Polygraphy's `DataType`."""
    return {
        "numpy": lambda obj: DataType.from_dtype(obj.dtype, source_module="numpy"),
        "torch": lambda obj: DataType.from_dtype(obj.dtype, source_module="torch"),
        "device_view": lambda obj: obj._dtype,
    }


@mod.export()
@dispatch()
def shape():
    """The shape."""
    return {
        "numpy": lambda obj: obj.shape,
        "torch": lambda obj: obj.shape,
        "device_view": lambda obj: obj.shape,
    }


@mod.export()
def view(obj, dtype, shape):
    """The bytes of a contiguous array as another one.

    Args:
        obj: The array.
        dtype: The `DataType` of the result.
        shape: The shape of the result.

    Raises:
        PolygraphyException: If the array is not contiguous.
    """
    if not is_contiguous(obj):
        G_LOGGER.critical("Input array to view() must be contiguous in memory")
    return _view(obj, dtype, shape)


@dispatch()
def _view():
    def numpy_impl(obj, dtype, shape):
        return obj.reshape(-1).view(DataType.to_dtype(dtype, "numpy")).reshape(shape)

    def torch_impl(obj, dtype, shape):
        return obj.reshape(-1).view(DataType.to_dtype(dtype, "torch")).reshape(tuple(shape))

    return {
        "numpy": numpy_impl,
        "torch": torch_impl,
        "device_view": lambda obj, dtype, shape: obj.view(shape=shape, dtype=dtype),
    }


@mod.export()
@dispatch()
def is_contiguous():
    """Whether the elements lie one after the other, in order."""
    return {
        "numpy": lambda obj: obj.flags["C_CONTIGUOUS"],
        "torch": lambda obj: obj.is_contiguous(),
        "device_view": lambda _: True,
    }


@mod.export()
@dispatch()
def make_contiguous():
    """The array, or a contiguous copy of it."""

    def numpy_impl(obj):
        # `ascontiguousarray` would make a scalar one-dimensional.
        return obj if is_contiguous(obj) else np.ascontiguousarray(obj)

    return {
        "numpy": numpy_impl,
        "torch": lambda obj: obj.contiguous(),
        "device_view": lambda obj: obj,
    }


@mod.export()
@dispatch()
def resize_or_reallocate():
    """A buffer of another shape, the same one if it can be resized. Its contents are undefined."""

    def numpy_impl(obj, shape):
        if tuple(shape) == obj.shape:
            return obj
        try:
            obj.resize(shape, refcheck=False)
        except ValueError as err:
            G_LOGGER.warning(
                f"Could not resize NumPy array to shape: {shape}. "
                f"Allocating a new array instead.\nNote: Error was: {err}"
            )
            obj = np.empty(shape, dtype=obj.dtype)
        return obj

    return {
        "numpy": numpy_impl,
        "torch": lambda obj, shape: obj.resize_(tuple(shape)),
        "device_view": lambda obj, shape: obj.resize(shape),
    }


@mod.export()
@dispatch()
def cast():
    """An array with its values converted to a `DataType`."""

    def numpy_impl(obj, dtype):
        # Scalars stay arrays.
        return np.asarray(obj.astype(DataType.to_dtype(dtype, "numpy")))

    return {
        "numpy": numpy_impl,
        "torch": lambda obj, dtype: obj.to(DataType.to_dtype(dtype, "torch")),
    }


# Comparison


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


# Arithmetic


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


# Statistics


def _torch_floating(obj):
    """PyTorch computes means and the like of floating-point numbers only, and few of small ones."""
    return obj if obj.dtype in (torch.float32, torch.float64) else obj.to(torch.float32)


def _torch_ordered(obj):
    """PyTorch does not look for the greatest of booleans and, on the host, of small numbers."""
    if obj.dtype == torch.bool:
        return obj.to(torch.uint8)
    return _torch_floating(obj) if obj.is_floating_point() else obj


@mod.export()
@dispatch()
def sum():
    """The sum of all elements."""
    return {"numpy": lambda obj: np.sum(obj), "torch": lambda obj: torch.sum(obj)}


@mod.export()
@dispatch()
def max():
    """The greatest element."""
    return {
        "numpy": lambda obj: np.amax(obj).item(),
        "torch": lambda obj: torch.max(obj).item(),
    }


@mod.export()
@dispatch()
def argmax():
    """The flat index of the greatest element."""
    return {
        "numpy": lambda obj: np.argmax(obj),
        "torch": lambda obj: torch.argmax(_torch_ordered(obj)),
    }


@mod.export()
@dispatch()
def min():
    """The smallest element."""
    return {
        "numpy": lambda obj: np.amin(obj).item(),
        "torch": lambda obj: torch.min(obj).item(),
    }


@mod.export()
@dispatch()
def argmin():
    """The flat index of the smallest element."""
    return {
        "numpy": lambda obj: np.argmin(obj),
        "torch": lambda obj: torch.argmin(_torch_ordered(obj)),
    }


@mod.export()
@dispatch()
def mean():
    """The mean of all elements; of `dtype` if given."""

    def torch_impl(obj, dtype=None):
        if dtype is None:
            return torch.mean(_torch_floating(obj))
        return torch.mean(obj, dtype=DataType.to_dtype(dtype, "torch"))

    def numpy_impl(obj, dtype=None):
        return np.mean(obj, dtype=DataType.to_dtype(dtype, "numpy") if dtype else None)

    return {"numpy": numpy_impl, "torch": torch_impl}


@mod.export()
@dispatch()
def std():
    """The standard deviation of all elements, taken as the whole population."""
    return {
        "numpy": lambda obj: np.std(obj),
        "torch": lambda obj: torch.std(_torch_floating(obj), unbiased=False),
    }


@mod.export()
@dispatch()
def var():
    """The variance of all elements, taken as the whole population."""
    return {
        "numpy": lambda obj: np.var(obj),
        "torch": lambda obj: torch.var(_torch_floating(obj), unbiased=False),
    }


def _torch_sorted(obj):
    return torch.sort(_torch_floating(obj).ravel()).values


@mod.export()
@dispatch()
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


@mod.export()
@dispatch()
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


@mod.export()
@dispatch()
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


@mod.export()
@dispatch()
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


# Tests of elements


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


# Shapes


@mod.export()
def unravel_index(index: int, shape) -> tuple:
    """The indices along each axis for a flat index."""
    index, indices = int(index), []
    for dim in reversed(tuple(shape)):
        index, last = divmod(index, dim)
        indices.append(last)
    return tuple(reversed(indices))


@mod.export()
@dispatch()
def ravel():
    """The elements in one dimension."""
    return {"numpy": lambda obj: np.ravel(obj), "torch": lambda obj: torch.ravel(obj)}


@mod.export()
@dispatch()
def reshape():
    """The elements in another shape."""
    return {
        "numpy": lambda obj, shape: np.reshape(obj, shape),
        "torch": lambda obj, shape: torch.reshape(obj, tuple(shape)),
    }


@mod.export()
@dispatch()
def transpose():
    """The array with its axes in another order; reversed if none is given."""

    def axes_of(obj, axes):
        return tuple(reversed(range(len(obj.shape)))) if axes is None else tuple(axes)

    return {
        "numpy": lambda obj, axes=None: np.transpose(obj, axes_of(obj, axes)),
        "torch": lambda obj, axes=None: torch.permute(obj, axes_of(obj, axes)),
    }


def _pads_of_all_axes(obj, pads, axes) -> list:
    """One pair (before, after) for each axis of an array."""
    rank = len(obj.shape)
    if axes is None:
        if len(pads) != rank:
            raise ValueError(
                f"Number of padding tuples ({len(pads)}) must match number of dimensions ({rank})"
            )
        axes = range(rank)
    if len(pads) != len(axes):
        raise ValueError("Number of padding tuples and axes must be the same!")
    ret = [(0, 0)] * rank
    for axis, pad in zip(axes, pads):
        ret[axis] = tuple(pad)
    return ret


@mod.export()
@dispatch()
def pad():
    """The array with elements of a value around it.

    Takes `pads`, pairs (before, after), for all axes or for those given as `axes`; `mode` as
    NumPy's or PyTorch's function has it; and `constant_val`.
    """

    def numpy_impl(obj, pads, axes=None, mode="constant", constant_val=0):
        more = {"constant_values": constant_val} if mode == "constant" else {}
        return np.pad(obj, _pads_of_all_axes(obj, pads, axes), mode=mode, **more)

    def torch_impl(obj, pads, axes=None, mode="constant", constant_val=0):
        # PyTorch begins with the last axis.
        flat = [n for pair in reversed(_pads_of_all_axes(obj, pads, axes)) for n in pair]
        more = {"value": constant_val} if mode == "constant" else {}
        return torch.nn.functional.pad(obj, flat, mode=mode, **more)

    return {"numpy": numpy_impl, "torch": torch_impl}
