"""Engines by the path of a model or an engine. The original lacks this class; scripts use it."""

from __future__ import annotations

import os

from polygraphy import mod
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt.loader import EngineFromNetwork, EngineFromPath, NetworkFromOnnxPath


@mod.export()
class Engine(BaseLoader):
    """Builds the engine of an ONNX file, or loads one from a file of another kind."""

    def __init__(self, path: str):
        """
        Args:
            path: The file. It is an ONNX model if it ends in `.onnx`.
        """
        self.path = path

    def call_impl(self):
        """
        Returns:
            tensorrt.ICudaEngine: The engine.
        """
        if os.path.splitext(self.path)[1].lower() == ".onnx":
            return EngineFromNetwork(NetworkFromOnnxPath(self.path))()
        return EngineFromPath(self.path)()
