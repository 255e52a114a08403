"""Loaders that make, change and write ONNX models."""

from polygraphy import mod
from polygraphy.backend.onnx.loader._base import BaseLoadOnnxCopy
from polygraphy.backend.onnx.loader._changes import *
from polygraphy.backend.onnx.loader._files import *
from polygraphy.backend.onnx.loader._files import PROTOBUF_THRESHOLD
from polygraphy.backend.onnx.loader._folding import *
from polygraphy.backend.onnx.loader._inference import *
from polygraphy.backend.onnx.loader._inference import LARGE_MODEL_THRESHOLD
from polygraphy.backend.onnx.loader._subgraph import *

mod.export_parts()
