"""The modules of others that several parts of Polygraphy use, with their least versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polygraphy.mod.importer import lazy_import

if TYPE_CHECKING:
    import numpy as np
    import onnx
    import onnx_graphsurgeon as gs
else:
    gs = lazy_import("onnx_graphsurgeon>=0.3.27")
    np = lazy_import("numpy")
    onnx = lazy_import("onnx>=1.8.1")

torch = lazy_import("torch>=1.13.0")
