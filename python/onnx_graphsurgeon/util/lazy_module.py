"""Modules that are imported when something in them is first used.

ONNX and NumPy take a quarter of a second to import, which a script that only looks at node names
need not pay.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """Stands for the module `name`: reading and setting attributes goes to the real one.

    The real module is looked up in `sys.modules` at every use, so that a module that a test
    replaces or hides is replaced or hidden here, too.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(_module(self.__name__), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_module(self.__name__), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_module(self.__name__), name)

    def __dir__(self) -> list[str]:
        return dir(_module(self.__name__))


def _module(name: str) -> ModuleType:
    module = sys.modules.get(name)
    if module is None or getattr(module.__spec__, "_initializing", False):
        return import_module(name)  # waits for a thread that imports it now
    return module


def loaded_module(name: str) -> ModuleType | None:
    """The module, if something has imported it already; nothing is an instance of it otherwise."""
    return sys.modules.get(name)
