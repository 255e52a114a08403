"""Shapes and axes."""

from __future__ import annotations

from polygraphy import mod
from polygraphy.mod._lazy_modules import np, torch
from polygraphy.util.array._dispatch import dispatch, of_both


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
