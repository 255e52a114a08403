"""Where the parts of the installed wheel (or of a built checkout) lie."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
# The user may have linked the package into another folder.
_PACKAGES = dict.fromkeys((_PACKAGE, os.path.realpath(_PACKAGE)))


def python_path() -> str:
    """The folder with the packages `polygraphy` and `onnx_graphsurgeon`, for sys.path."""
    return os.path.join(_PACKAGE, "compat")


def tree() -> str:
    """The folder that has lib/polygraphy with the engines' plugins: this package, or a build folder.

    Raises FileNotFoundError when the package was copied without it.
    """
    for package in _PACKAGES:
        for folder in (package, os.path.dirname(os.path.dirname(package))):
            if os.path.isdir(os.path.join(folder, "lib", "polygraphy", "backends")):
                return folder
    raise FileNotFoundError(
        f"lib/polygraphy/backends is not in {_PACKAGE}: install polygraphy-native again"
    )


def executable() -> str:
    """The path of the command `polygraphy-native`, or of a build's `polygraphy`.

    Raises FileNotFoundError if neither exists.
    """
    for package in _PACKAGES:
        folder = os.path.dirname(package)
        # An environment (lib/python3.x/site-packages), the folder of `pip install --target`, a
        # build.
        places = (os.path.join(folder, "..", "..", ".."), folder, os.path.join(folder, ".."))
        for place in places:
            for name in ("polygraphy-native", "polygraphy"):
                path = os.path.normpath(os.path.join(place, "bin", name))
                if os.path.isfile(path):
                    return path
    raise FileNotFoundError(f"bin/polygraphy-native is not beside {_PACKAGE}")
