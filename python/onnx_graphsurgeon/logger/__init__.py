"""The logger of the package."""

from onnx_graphsurgeon.logger.logger import G_LOGGER, LogMode
