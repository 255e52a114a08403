"""The framework of an array, and conversions between frameworks."""

from __future__ import annotations

import numbers
import sys
from typing import Any, Callable, Dict, Iterable

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import np, torch
from polygraphy.mod.exporter import _add_to_all


@mod.export()
def is_torch(obj: Any) -> bool:
    """Whether something is a tensor of PyTorch.

    Args:
        obj: Anything.
    """
    # An object of the module exists only if the module is imported.
    return "torch" in sys.modules and isinstance(obj, torch.Tensor)


@mod.export()
def is_numpy(obj: Any) -> bool:
    """Whether something is an array or a scalar of NumPy.

    Args:
        obj: Anything.
    """
    return "numpy" in sys.modules and isinstance(obj, (np.ndarray, np.generic))


@mod.export()
def is_device_view(obj: Any) -> bool:
    """Whether something is Polygraphy's view of device memory.

    Args:
        obj: Anything.
    """
    cuda = sys.modules.get("polygraphy.cuda.cuda")
    return cuda is not None and isinstance(obj, cuda.DeviceView)


_FRAMEWORKS: Dict[str, Callable[[Any], bool]] = {
    "numpy": is_numpy,
    "torch": is_torch,
    "device_view": is_device_view,
    "number": lambda obj: isinstance(obj, numbers.Number),
}


# The parameters of implementations, described by name.
_PARAMETERS = {
    "obj": "The array.",
    "lhs": "The first array.",
    "rhs": "The second array.",
    "cond": "An array of booleans.",
    "exponent": "A number, or an array of exponents.",
    "rtol": "The tolerance relative to the second array.",
    "atol": "The absolute tolerance.",
    "dtype": "A `DataType`.",
    "shape": "The shape of the result.",
    "axes": "The axes, by number; None: all of them.",
    "axis": "The axis, by number.",
    "k": "How many values; all of them if there are fewer.",
    "q": "The fraction, from 0 to 1.",
    "range": "The lowest and the highest edge; None: the least and the greatest element.",
    "pads": "A pair of numbers (before, after) for each of the axes.",
    "mode": "The padding mode, as the framework's own function names it.",
    "constant_val": 'The value of new elements if `mode` is "constant".',
}


def _described(doc: str, names: Iterable[str]) -> str:
    """A docstring with a section of parameters."""
    lines = [f"    {name}: {_PARAMETERS[name]}" for name in names]
    return "\n\n".join([doc.strip(), "\n".join(["Args:", *lines])])


def dispatch(num_arrays: int = 1) -> Callable:
    """A decorator for a function without parameters that returns implementations by framework.

    The parameters of the implementations, which `_PARAMETERS` describes, go into its docstring.

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
        for attribute in ("__name__", "__qualname__", "__module__"):
            setattr(wrapped, attribute, getattr(func, attribute))
        code = next(iter(table.values())).__code__
        names = [name for name in code.co_varnames[: code.co_argcount] if name != "_"]
        wrapped.__doc__ = _described(func.__doc__ or "", names)
        return wrapped

    return dispatch_impl


def operation(num_arrays: int = 1) -> Callable:
    """`dispatch` for a function that its module exports."""

    def operation_impl(func):
        _add_to_all(func.__name__, sys.modules[func.__module__])
        return dispatch(num_arrays)(func)

    return operation_impl


def of_both(name: str, doc: str, arrays: str = "obj", **others: str) -> Callable:
    """A function of arrays that NumPy and PyTorch have, too.

    Args:
        name: Its name.
        doc: Its docstring, without the parameters.
        arrays: The names of its parameters.
        others: Framework (`numpy`, `torch`) -> the framework's name for it, if that differs.
    """

    def function():
        return {
            "numpy": lambda *args: getattr(np, others.get("numpy", name))(*args),
            "torch": lambda *args: getattr(torch, others.get("torch", name))(*args),
        }

    function.__name__ = function.__qualname__ = name
    made = dispatch(len(arrays.split()))(function)
    made.__doc__ = _described(doc, arrays.split())
    return made


@operation()
def to_torch():
    """An array or number as a tensor of PyTorch, which shares its memory if it can."""
    return {
        "numpy": lambda obj: torch.from_numpy(np.ascontiguousarray(obj).reshape(np.shape(obj))),
        "torch": lambda obj: obj,
        "number": lambda obj: torch.tensor(obj),
    }


@operation()
def to_numpy():
    """A tensor or number as an array of NumPy; device memory is copied to the host."""
    return {
        "numpy": lambda obj: obj,
        "torch": lambda obj: obj.detach().cpu().numpy(),
        "device_view": lambda obj: obj.numpy(),
        "number": lambda obj: np.array(obj),
    }
