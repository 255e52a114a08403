"""Where the parts of the installed wheel (or of a built checkout) lie."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def python_path() -> str:
    """The folder with the packages `polygraphy` and `onnx_graphsurgeon`, for sys.path."""
    return os.path.join(_PACKAGE, "compat")


def tree() -> str:
    """The folder that has lib/polygraphy with the engines' plugins: the environment, the folder of
    `pip install --target`, or a build folder.

    Raises FileNotFoundError when the package was copied without it.
    """
    folder = _PACKAGE
    # site-packages is three below an environment (lib/python3.x/site-packages), or is the folder.
    for _ in range(5):
        folder = os.path.dirname(folder)
        if os.path.isdir(os.path.join(folder, "lib", "polygraphy", "backends")):
            return folder
    raise FileNotFoundError(
        f"lib/polygraphy/backends is in no folder above {_PACKAGE}: install polygraphy-native again"
    )


def executable() -> str:
    """The path of the command `polygraphy-native`.

    Raises FileNotFoundError where there is none.
    """
    for name in ("polygraphy-native", "polygraphy"):
        path = os.path.join(tree(), "bin", name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"bin/polygraphy-native is not in {tree()}")
