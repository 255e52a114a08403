"""The common part of loaders that change models."""

from __future__ import annotations

from typing import Optional

from polygraphy import util
from polygraphy.backend.base import BaseLoader
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import onnx


def _log_native(severity: int, module: str, text: str) -> None:
    """Logs messages of native code as messages of this file.

    This file logs the begin and end of an operation, in the order in which scripts expect them.
    """
    if severity != G_LOGGER.VERBOSE:
        G_LOGGER.log(text, severity=severity)


class BaseLoadOnnxCopy(BaseLoader):
    """The base class of loaders that change a model in place, or a copy of it.

    Args:
        model: The model, or a callable that returns one.
        copy: Whether to change a copy. False if left out.
    """

    def __init__(self, model, copy: Optional[bool] = None):
        self._model = model
        self.copy = util.default(copy, False)

    def load(self) -> onnx.ModelProto:
        """The model to change."""
        model, _ = util.invoke_if_callable(self._model)
        if not self.copy:
            return model
        copy = type(model)()
        copy.CopyFrom(model)
        return copy
