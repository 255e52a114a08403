"""Shapes, axes, and the memory layout of arrays."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import np, torch
from polygraphy.util.array._dispatch import dispatch, of_both, operation


@mod.export()
def unravel_index(index: int, shape) -> tuple:
    """The indices along each axis for a flat index.

    Args:
        index: The place of an element if all lie in one row.
        shape: The shape of the array.
    """
    index, indices = int(index), []
    for dim in reversed(tuple(shape)):
        index, last = divmod(index, dim)
        indices.append(last)
    return tuple(reversed(indices))


ravel = mod.export()(of_both("ravel", "The elements in one dimension."))


@operation()
def reshape():
    """The elements in another shape."""
    return {
        "numpy": lambda obj, shape: np.reshape(obj, shape),
        "torch": lambda obj, shape: torch.reshape(obj, tuple(shape)),
    }


@operation()
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


@operation()
def pad():
    """The array with further elements around it."""

    def numpy_impl(obj, pads, axes=None, mode="constant", constant_val=0):
        more = {"constant_values": constant_val} if mode == "constant" else {}
        return np.pad(obj, _pads_of_all_axes(obj, pads, axes), mode=mode, **more)

    def torch_impl(obj, pads, axes=None, mode="constant", constant_val=0):
        # PyTorch begins with the last axis.
        flat = [n for pair in reversed(_pads_of_all_axes(obj, pads, axes)) for n in pair]
        more = {"value": constant_val} if mode == "constant" else {}
        return torch.nn.functional.pad(obj, flat, mode=mode, **more)

    return {"numpy": numpy_impl, "torch": torch_impl}


@operation()
def nbytes():
    """The size in bytes."""
    return {
        "numpy": lambda obj: obj.nbytes,
        "torch": lambda obj: obj.nelement() * obj.element_size(),
        "device_view": lambda obj: obj.nbytes,
    }


@operation()
def size():
    """The number of elements."""
    return {"numpy": lambda obj: obj.size, "torch": lambda obj: obj.nelement()}


@operation()
def data_ptr():
    """The address of the first element."""
    return {
        "numpy": lambda obj: obj.ctypes.data,
        "torch": lambda obj: obj.data_ptr(),
        "device_view": lambda obj: obj.ptr,
    }


@operation()
def is_on_cpu():
    """Whether the memory is the host's."""
    return {
        "numpy": lambda obj: True,
        "torch": lambda obj: obj.device.type == "cpu",
        "device_view": lambda obj: False,
    }


@operation()
def is_on_gpu():
    """Whether the memory is a GPU's."""
    return {
        "numpy": lambda obj: False,
        "torch": lambda obj: obj.device.type == "cuda",
        "device_view": lambda obj: True,
    }


@operation()
def dtype():
    """The data type, as Polygraphy's `DataType`."""
    return {
        "numpy": lambda obj: DataType.from_dtype(obj.dtype, source_module="numpy"),
        "torch": lambda obj: DataType.from_dtype(obj.dtype, source_module="torch"),
        "device_view": lambda obj: obj._dtype,
    }


@operation()
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


@operation()
def is_contiguous():
    """Whether the elements lie one after the other, in order."""
    return {
        "numpy": lambda obj: obj.flags["C_CONTIGUOUS"],
        "torch": lambda obj: obj.is_contiguous(),
        "device_view": lambda _: True,
    }


@operation()
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


@operation()
def resize_or_reallocate():
    """A buffer of another shape, the same one if it can be resized. Its contents are undefined."""

    def numpy_impl(obj, shape):
        if tuple(shape) != obj.shape:
            try:
                obj.resize(shape, refcheck=False)
            except ValueError as err:
                message = f"Could not resize NumPy array to shape: {shape}. "
                message += f"Allocating a new array instead.\nNote: Error was: {err}"
                G_LOGGER.warning(message)
                return np.empty(shape, dtype=obj.dtype)
        return obj

    return {
        "numpy": numpy_impl,
        "torch": lambda obj, shape: obj.resize_(tuple(shape)),
        "device_view": lambda obj, shape: obj.resize(shape),
    }


@operation()
def cast():
    """An array with its values converted to a `DataType`."""

    def numpy_impl(obj, dtype):
        # Scalars stay arrays.
        return np.asarray(obj.astype(DataType.to_dtype(dtype, "numpy")))

    return {
        "numpy": numpy_impl,
        "torch": lambda obj, dtype: obj.to(DataType.to_dtype(dtype, "torch")),
    }
