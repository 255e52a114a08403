"""Loaders that make, change and write ONNX models."""

from polygraphy import mod
from polygraphy.backend.onnx.loader._changes import *
from polygraphy.backend.onnx.loader._changes import LARGE_MODEL_THRESHOLD, BaseLoadOnnxCopy
from polygraphy.backend.onnx.loader._files import *
from polygraphy.backend.onnx.loader._files import PROTOBUF_THRESHOLD
from polygraphy.backend.onnx.loader._subgraph import *

mod.export_parts()
