"""What makes models of graphs."""

from onnx_graphsurgeon.exporters.base_exporter import BaseExporter
