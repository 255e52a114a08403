"""Values, attributes and calls."""

from __future__ import annotations

import functools
import math
import sys
from typing import Any, Callable, Dict, Iterable, Tuple

from polygraphy import mod
from polygraphy.logger import G_LOGGER


@mod.export()
def is_nan(obj: Any) -> bool:
    return isinstance(obj, float) and math.isnan(obj)


@mod.export()
def is_inf(obj: Any) -> bool:
    return isinstance(obj, float) and math.isinf(obj)


@mod.export()
def default(value: Any, default: Any) -> Any:
    """`value`, or `default` if it is None.

    Args:
        value: The value.
        default: The value in place of None.
    """
    return default if value is None else value


@mod.export()
def is_sequence(obj: Any) -> bool:
    """Whether something can be iterated and is neither text nor a dictionary or set."""
    return hasattr(obj, "__iter__") and not isinstance(obj, (str, dict, set))


@mod.export()
def unpack_args(args: tuple, num: int) -> tuple:
    """The first `num` of some values, None for those that are missing; of a list, a new list.

    Args:
        args: The values.
        num: How many are wanted.
    """
    args = args if is_sequence(args) else (args,)
    if len(args) < num:
        missing = [None] * (num - len(args))
        args = [*args, *missing] if isinstance(args, list) else (*args, *missing)
    return args[:num]


@mod.export()
def unique_list(sequence: Iterable) -> list:
    """The elements without repetitions, in order.

    Args:
        sequence: The elements, which have to be hashable.
    """
    return list(dict.fromkeys(sequence))


@mod.export()
def invert_dict(dct: dict) -> dict:
    """Values to keys.

    Args:
        dct: Keys to values, which have to be hashable.
    """
    return {value: key for key, value in dct.items()}


@mod.export()
def value_or_from_dict(obj: Any, key: str, default: Any = None) -> Any:
    """The value of a setting for `key`.

    Args:
        obj: One value for all, or a dictionary with `""` for keys that are not in it.
        key: The key to look up.
        default: For dictionaries that have neither.
    """
    if not isinstance(obj, dict):
        return obj
    return obj.get(key, obj.get("", default))


@mod.export()
def invoke_if_callable(func: Any, *args, **kwargs) -> Tuple[Any, bool]:
    """Calls `func` if it can be called.

    Returns:
        Its result, or `func` itself, and whether it was called.
    """
    return (func(*args, **kwargs), True) if callable(func) else (func, False)


@mod.export()
def getattr_nested(obj: Any, attr: str) -> Any:
    """`getattr` along a dotted path."""
    return functools.reduce(getattr, attr.split("."), obj)


@mod.export()
def try_getattr(obj: Any, attr: str, default: Any = None) -> Any:
    """`getattr`, or `default` if there is no such attribute.

    Args:
        obj: The object.
        attr: The name of the attribute.
        default: The value in place of a missing one.
    """
    return getattr(obj, attr, default)


@mod.export()
class TempAttrChange:
    """A context manager that sets attributes and puts the old values back afterwards.

    Args:
        arg_group: The object.
        attr_values: Attribute -> value. Values of None are not set.
    """

    def __init__(self, arg_group: Any, attr_values: Dict[str, Any]):
        self.arg_group = arg_group
        self.old_values: dict = {}
        self.new_values = attr_values

    def __enter__(self) -> "TempAttrChange":
        for attr, value in self.new_values.items():
            self.old_values[attr] = getattr(self.arg_group, attr)
            if value is not None:
                setattr(self.arg_group, attr, value)
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        for attr, value in self.old_values.items():
            setattr(self.arg_group, attr, value)


@mod.export()
def check_called_by(expected_caller_name: str) -> Callable:
    """A decorator for methods that have a public wrapper.

    Calling them from outside of Polygraphy, and not out of a function of the expected name, warns.

    Args:
        expected_caller_name: The name of the public method.
    """

    def check_called_by_impl(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            caller = sys._getframe(1)
            package = caller.f_globals.get("__name__", "").split(".")[0]
            if package != "polygraphy" and caller.f_code.co_name != expected_caller_name:
                G_LOGGER.warning(
                    f"Calling '{func.__qualname__}()' directly is not recommended. "
                    f"Please use '{expected_caller_name}()' instead."
                )
            return func(*args, **kwargs)

        return wrapped

    return check_called_by_impl
