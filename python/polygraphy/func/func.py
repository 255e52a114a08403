"""Building functions out of others."""

from __future__ import annotations

import copy
import functools
from typing import Any, Callable

from polygraphy import config, mod
from polygraphy.logger import G_LOGGER


def make_iterable(obj: Any) -> tuple:
    """A tuple as it is, anything else (lists, too) as a tuple of one."""
    return obj if isinstance(obj, tuple) else (obj,)


def _name(func: Callable) -> str:
    return getattr(func, "__name__", None) or str(func)


@mod.export()
def extend(extend_func: Callable) -> Callable:
    """A decorator that runs a function on the results of another one.

    ::

        @func.extend(make_network)
        def named_network(network):
            network.name = "mine"

    Calling `named_network(...)` calls `make_network(...)` and then the decorated function, with the
    values returned (one parameter each for the elements of a tuple), or with the arguments
    followed by the values. Where the first function returns None, the decorated one may have no
    parameters. The result is that of the decorated function, or, if that is None, that of
    the first one. Variadic parameters are not supported.

    Args:
        extend_func: The function or loader to call first.

    Raises:
        PolygraphyException: When called, if the number of parameters fits neither way.
    """

    def extend_decorator(func):
        @functools.wraps(func)
        def extended_func(*args, **kwargs):
            import inspect

            first = extend_func(*args, **kwargs)
            values = make_iterable(first)
            names = list(inspect.signature(func).parameters)

            if first is None and not names:
                second = func()
            elif len(names) == len(values):
                second = func(*values)
            elif len(names) == len(args) + len(kwargs) + len(values):
                # The results fill, in order, the parameters that the arguments leave.
                bound = inspect.signature(func).bind_partial(*args, **kwargs).arguments
                rest = [name for name in names if name not in bound]
                second = func(**bound, **dict(zip(rest, values)))
            else:
                G_LOGGER.critical(
                    f"Function: {_name(func)} accepts {len(names)} parameter(s), but needs "
                    f"to accept {len(values)} parameter(s) from: {_name(extend_func)} instead.\n"
                    f"Note: Parameters should be: {tuple(map(type, values))}"
                )

            return first if second is None else second

        return extended_func

    return extend_decorator


@mod.export()
def constantmethod(func: Callable) -> Callable:
    """A decorator for methods that leave their object as it is.

    With correctness checks on, a change of an attribute is an internal error.
    """

    @functools.wraps(func)
    def wrapper(self, *args, **kwargs):
        if not config.INTERNAL_CORRECTNESS_CHECKS:
            return func(self, *args, **kwargs)
        old_dict = copy.copy(vars(self))
        try:
            return func(self, *args, **kwargs)
        finally:
            if vars(self) != old_dict:
                G_LOGGER.internal_error(
                    f"{self} was mutated in a constant method! Note:\n"
                    f"Old state: {old_dict}\nNew state: {vars(self)}"
                )

    return wrapper
