"""Polygraphy's Python API over the native core: a drop-in for `polygraphy` 0.53.6.

No submodule imports NumPy, ONNX, torch or an inference engine by itself: see `polygraphy.mod`.
"""

from polygraphy import config

__version__ = "0.53.6"
