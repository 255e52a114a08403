"""What makes graphs of models."""

from onnx_graphsurgeon.importers.base_importer import BaseImporter
