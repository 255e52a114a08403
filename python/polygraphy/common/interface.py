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

    def __contains__(self, key) -> bool:
        return key in self.dct

    def __getitem__(self, key):
        return self.dct[key]

    def __setitem__(self, key, val) -> None:
        self._check_types(key, val)
        self.dct[key] = val

    def __str__(self) -> str:
        return str(self.dct)

    def __repr__(self) -> str:
        return repr(self.dct)

    def __len__(self) -> int:
        return len(self.dct)

    def __iter__(self):
        return iter(self.dct)

    def __copy__(self):
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.dct = copy.copy(self.dct)
        return new

    def __deepcopy__(self, memo):
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.dct = copy.deepcopy(self.dct, memo)
        return new


def TypedDict(key_type_func: Callable[[], type], value_type_func: Callable[[], type]) -> type:
    """A base class for ordered dictionaries with keys and values of given types.

    Args:
        key_type_func: Returns the type of keys. A function, as it may not be defined yet.
        value_type_func: Returns the type of values.
    """

    @adopting(_Dict)
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

    def __contains__(self, key) -> bool:
        return key in self.lst

    def __getitem__(self, index):
        return self.lst[index]

    def __setitem__(self, index, elem) -> None:
        for item in elem if isinstance(index, slice) else [elem]:
            self._check_type(item)
        self.lst[index] = elem

    def __iadd__(self, elems):
        self.extend(elems)
        return self

    def __str__(self) -> str:
        return str(self.lst)

    def __repr__(self) -> str:
        return repr(self.lst)

    def __len__(self) -> int:
        return len(self.lst)

    def __iter__(self):
        return iter(self.lst)

    def __copy__(self):
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.lst = copy.copy(self.lst)
        return new

    def __deepcopy__(self, memo):
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.lst = copy.deepcopy(self.lst, memo)
        return new


def TypedList(elem_type_func: Callable[[], type]) -> type:
    """A base class for lists with elements of a given type.

    Args:
        elem_type_func: Returns the type. A function, as it may not be defined yet.
    """

    @adopting(_List)
    class Interface:
        def __init__(self, lst: list = None):
            self.lst = list(lst or [])
            self.elem_type = elem_type_func()

        def __eq__(self, other) -> bool:
            return self.lst == (other.lst if isinstance(other, Interface) else other)

        __hash__ = None

    return Interface
