"""Loaders that make networks and engines, change networks, and save engines."""

from polygraphy import mod
from polygraphy.backend.trt.loader._changes import *
from polygraphy.backend.trt.loader._engine import *
from polygraphy.backend.trt.loader._network import *
from polygraphy.backend.trt.loader._onnx import *
from polygraphy.backend.trt.loader._onnx import BaseNetworkFromOnnx

mod.export_parts()
