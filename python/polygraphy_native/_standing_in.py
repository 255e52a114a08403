"""Standing in for the packages `polygraphy` and `onnx_graphsurgeon`."""

from __future__ import annotations

import os
import sys

from polygraphy_native._places import python_path

_PACKAGES = ("polygraphy", "onnx_graphsurgeon")


def _stands_in(name: str) -> bool:
    """Whether the installed package of a name is the native one."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return "+native" in version(name)
    except PackageNotFoundError:
        return False


def install() -> None:
    """From now on `import polygraphy` and `import onnx_graphsurgeon` mean the native ones, here and
    in processes of `multiprocessing`. Other children need POLYGRAPHY_NATIVE=1.

    Raises ImportError when another package of these names has been imported already.
    """
    folder = python_path()
    for name in _PACKAGES:
        module = sys.modules.get(name)
        origin = getattr(module, "__file__", None) or ""
        if module and not origin.startswith(folder + os.sep) and not _stands_in(name):
            raise ImportError(
                f"{name} is imported already, from {origin or 'an unknown place'}: call "
                "polygraphy_native.install() before its first import"
            )
    if sys.path[:1] != [folder]:
        sys.path[:] = [folder, *(entry for entry in sys.path if entry != folder)]
