"""Helpers without a subject of their own."""

from onnx_graphsurgeon.util import exception as exception
