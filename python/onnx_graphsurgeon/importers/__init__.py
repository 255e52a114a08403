"""Imports graphs from models."""

from onnx_graphsurgeon.importers.base_importer import BaseImporter
