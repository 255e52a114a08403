"""The error of `import polygraphy` where only this package is installed."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import FrameType

_HINT = "PolygraphyNativeHint"  # of polygraphy_native.pth


def explain(name: str, caller: FrameType) -> ModuleSpec | None:
    """The spec of the finders behind the hint (of editable installs, say). Without one, raises
    ModuleNotFoundError for an import statement: no other finder has found the package `name`.
    `caller`: the frame that searches for it; `importlib.util.find_spec()` gets None."""
    if caller.f_code.co_name != "_find_and_load_unlocked":
        return None
    names = [getattr(finder, "__name__", "") for finder in sys.meta_path]
    for finder in sys.meta_path[names.index(_HINT) :]:
        find_spec = getattr(finder, "find_spec", None)
        if getattr(finder, "__name__", "") == _HINT or find_spec is None:
            continue
        spec: ModuleSpec | None = find_spec(name, None)
        if spec is not None:
            return spec
    raise ModuleNotFoundError(
        f"No module named {name!r}. polygraphy-native has it: call polygraphy_native.install() "
        "before, or set POLYGRAPHY_NATIVE=1.",
        name=name,
    )
