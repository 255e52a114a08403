"""Helpers for various subjects."""

from onnx_graphsurgeon.util import exception as exception
