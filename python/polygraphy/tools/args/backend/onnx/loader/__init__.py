"""Options of reading, changing and writing ONNX models."""

from polygraphy import mod
from polygraphy.tools.args.backend.onnx.loader._loading import *
from polygraphy.tools.args.backend.onnx.loader._saving import *

mod.export_parts()
