"""Classes with methods of plain classes, derived from one of TensorRT alone."""

from __future__ import annotations

import types
from typing import Callable


def adopting(*classes: type) -> Callable[[type], type]:
    """A decorator that gives a class the methods of plain classes.

    As bases, they would stand in the place of TensorRT's class, the first base, whose own methods
    would otherwise come before theirs.
    """

    def adopt(derived: type) -> type:
        for each in classes:
            for name, method in vars(each).items():
                if isinstance(method, types.FunctionType):
                    setattr(derived, name, method)
        return derived

    return adopt
