"""Containers that check the types of what is put into them.

They hold a dictionary or list instead of being one: the JSON encoder would write the latter as
such, without asking how they are to be written.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from typing import Callable

from polygraphy.common._adopting import adopting
from polygraphy.logger import G_LOGGER


def _held(container) -> str:
    """The attribute of a typed container that holds its contents."""
    return "dct" if "dct" in vars(container) else "lst"


def _with_contents(container, contents):
    new = type(container).__new__(type(container))
    new.__dict__.update(container.__dict__)
    setattr(new, _held(container), contents)
    return new


class _Container:
    """The common part of typed containers."""

    def __contains__(self, key) -> bool:
        return key in getattr(self, _held(self))

    def __str__(self) -> str:
        return str(getattr(self, _held(self)))

    def __repr__(self) -> str:
        return repr(getattr(self, _held(self)))

    def __len__(self) -> int:
        return len(getattr(self, _held(self)))

    def __iter__(self):
        return iter(getattr(self, _held(self)))

    def __copy__(self):
        return _with_contents(self, copy.copy(getattr(self, _held(self))))

    def __deepcopy__(self, memo):
        return _with_contents(self, copy.deepcopy(getattr(self, _held(self)), memo))


class _Dict:
    """The common part of typed dictionaries."""

    def _check_types(self, key, val) -> None:
        if not isinstance(key, self.key_type):
            G_LOGGER.critical(
                f"Unsupported key type in {self}. Key: {repr(key)} is type "
                f"`{type(key).__name__}` but {type(self).__name__} expects type "
                f"`{self.key_type.__name__}`"
            )
        if not isinstance(val, self.value_type):
            G_LOGGER.critical(
                f"Unsupported value type in {self}. Value: {repr(val)} for key: {repr(key)} "
                f"is type `{type(val).__name__}` but {type(self).__name__} expects type "
                f"`{self.value_type.__name__}`"
            )

    def keys(self):
        return self.dct.keys()

    def values(self):
        return self.dct.values()

    def items(self):
        return self.dct.items()

    def update(self, other) -> None:
        items = list(other.items())
        for key, val in items:
            self._check_types(key, val)
        self.dct.update(items)

    def __getitem__(self, key):
        return self.dct[key]

    def __setitem__(self, key, val) -> None:
        self._check_types(key, val)
        self.dct[key] = val


def TypedDict(key_type_func: Callable[[], type], value_type_func: Callable[[], type]) -> type:
    """A base class for ordered dictionaries with keys and values of given types.

    Args:
        key_type_func: Returns the type of keys. A function, as it may not be defined yet.
        value_type_func: Returns the type of values.
    """

    @adopting(_Container, _Dict)
    class Interface:
        def __init__(self, dct: dict = None):
            self.dct = OrderedDict(dct or {})
            self.key_type = key_type_func()
            self.value_type = value_type_func()

        def __eq__(self, other) -> bool:
            return self.dct == (other.dct if isinstance(other, Interface) else other)

        __hash__ = None

    return Interface


class _List:
    """The common part of typed lists."""

    def _check_type(self, elem) -> None:
        if not isinstance(elem, self.elem_type):
            G_LOGGER.critical(
                f"Unsupported element type type in {type(self).__name__}. "
                f"Element: {repr(elem)} is type: {type(elem).__name__} but type: "
                f"{self.elem_type.__name__} was expected"
            )

    def append(self, elem) -> None:
        self._check_type(elem)
        self.lst.append(elem)

    def extend(self, elems) -> None:
        elems = list(elems)
        for elem in elems:
            self._check_type(elem)
        self.lst.extend(elems)

    def __getitem__(self, index):
        return self.lst[index]

    def __setitem__(self, index, elem) -> None:
        for item in elem if isinstance(index, slice) else [elem]:
            self._check_type(item)
        self.lst[index] = elem

    def __iadd__(self, elems):
        self.extend(elems)
        return self


def TypedList(elem_type_func: Callable[[], type]) -> type:
    """A base class for lists with elements of a given type.

    Args:
        elem_type_func: Returns the type. A function, as it may not be defined yet.
    """

    @adopting(_Container, _List)
    class Interface:
        def __init__(self, lst: list = None):
            self.lst = list(lst or [])
            self.elem_type = elem_type_func()

        def __eq__(self, other) -> bool:
            return self.lst == (other.lst if isinstance(other, Interface) else other)

        __hash__ = None

    return Interface
