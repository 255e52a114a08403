"""Docstrings of derived classes."""

from __future__ import annotations

import inspect
from typing import Callable, Tuple


def inherit_and_extend_docstring(parent_method: Callable) -> Callable:
    """A decorator that puts the text on a base class, or on a method of it, before a method's own.

    Both may end with a section `Args:`, of which one is made.

    Args:
        parent_method: The base class or its method.
    """

    def split(doc: str) -> Tuple[str, str]:
        text, _, args = inspect.cleandoc(doc).partition("Args:\n")
        return text.strip(), args.rstrip()

    def decorator(method):
        inherited, own = parent_method.__doc__, method.__doc__
        if inherited and own:
            texts, args = zip(split(inherited), split(own))
            method.__doc__ = "\n\n".join(filter(None, texts))
            if any(args):
                # The arguments of the derived class come first in its signature.
                method.__doc__ += "\n\nArgs:\n" + "\n".join(filter(None, reversed(args)))
        elif inherited:
            method.__doc__ = inherited
        return method

    return decorator
