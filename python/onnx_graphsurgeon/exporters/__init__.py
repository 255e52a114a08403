"""Exports graphs as models."""

from onnx_graphsurgeon.exporters.base_exporter import BaseExporter
