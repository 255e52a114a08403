"""The error of `import polygraphy` where only this package is installed."""

from __future__ import annotations

from types import FrameType


def explain(name: str, caller: FrameType) -> None:
    """Raises ModuleNotFoundError for an import statement: no other finder has found the package
    `name`. `caller`: the frame that searches for it; `importlib.util.find_spec()` gets None."""
    if caller.f_code.co_name != "_find_and_load_unlocked":
        return
    raise ModuleNotFoundError(
        f"No module named {name!r}. polygraphy-native has it: call polygraphy_native.install() "
        "before, or set POLYGRAPHY_NATIVE=1.",
        name=name,
    )
