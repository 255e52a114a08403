"""Polygraphy and ONNX-GraphSurgeon on a native core.

The packages `polygraphy` and `onnx_graphsurgeon` lie inside of this one and are not on Python's path
unless asked for: `install()` in a program, `python -m polygraphy_native script.py`, the environment
variable POLYGRAPHY_NATIVE=1, or PYTHONPATH=$(polygraphy-native --python-path).
"""

from __future__ import annotations

from polygraphy_native._places import executable, python_path, tree
from polygraphy_native._standing_in import install

__version__ = "0.1.0"
__all__ = ["__version__", "executable", "install", "python_path", "tree"]
