"""Classes with the methods of plain classes that are not their bases."""

from __future__ import annotations

import types
from typing import Callable


def adopting(*classes: type) -> Callable[[type], type]:
    """A decorator that gives a class the methods of plain classes.

    For classes whose bases a user sees, or whose one base has methods that would come before those
    of a further one.
    """

    def adopt(derived: type) -> type:
        for each in classes:
            for name, method in vars(each).items():
                if isinstance(method, types.FunctionType):
                    setattr(derived, name, method)
        return derived

    return adopt
