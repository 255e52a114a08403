"""The native extension, wherever it lies."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=None)
def load() -> Any:
    """The extension: of the installed package, or of the one that this package lies in."""
    try:
        from polygraphy_native import _native
    except ImportError:
        from importlib import import_module
        from importlib.util import module_from_spec, spec_from_file_location

        here = os.path.dirname(os.path.abspath(__file__))
        folder = os.path.dirname(os.path.dirname(here))
        spec = spec_from_file_location(
            "polygraphy_native",
            os.path.join(folder, "__init__.py"),
            submodule_search_locations=[folder],
        )
        if os.path.basename(folder) != "polygraphy_native" or not spec or not spec.loader:
            raise ImportError(
                "onnx_graphsurgeon needs the extension polygraphy_native._native, which cannot be "
                "imported: install polygraphy-native."
            ) from None
        sys.modules["polygraphy_native"] = package = module_from_spec(spec)
        spec.loader.exec_module(package)
        _native = import_module("polygraphy_native._native")
    return _native
