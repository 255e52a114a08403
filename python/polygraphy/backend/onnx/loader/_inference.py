"""Types and shapes of tensors."""

from __future__ import annotations

from typing import Optional

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.onnx import _core
from polygraphy.backend.onnx.loader._base import _log_native
from polygraphy.backend.onnx.loader._files import PROTOBUF_THRESHOLD, onnx_from_path
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import onnx

LARGE_MODEL_THRESHOLD = 512 << 20
"""int: Bytes above which the original warns before it infers shapes"""


@mod.export(funcify=True)
class InferShapes(BaseLoader):
    """Finds out types and shapes of the tensors in a model."""

    def __init__(
        self,
        model,
        error_ok: Optional[bool] = None,
        external_data_dir: Optional[str] = None,
        save_to_disk_threshold_bytes: Optional[int] = None,
        allow_onnxruntime: Optional[bool] = None,
    ):
        """Finds out types and shapes of the tensors in a model.

        Values do not take part, so models of any size are inferred in memory.

        Args:
            model: The model, a path, or a callable that returns either.
            error_ok: Whether a model that cannot be inferred is returned as it is. True if left
                out.
            external_data_dir: The folder with files of values, for a path.
            save_to_disk_threshold_bytes: Kept for scripts that set it. No files are written.
            allow_onnxruntime: Kept for scripts that set it. The original chooses with it between
                two implementations; here there is one.
        """
        self._model = model
        self.error_ok = util.default(error_ok, True)
        self.external_data_dir = external_data_dir
        self.save_to_disk_threshold_bytes = util.default(
            save_to_disk_threshold_bytes, PROTOBUF_THRESHOLD
        )
        self.allow_onnxruntime = util.default(allow_onnxruntime, True)

    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            A new model with types and shapes.
        """
        model, _ = util.invoke_if_callable(self._model)
        G_LOGGER.verbose("Starting shape inference")
        if not isinstance(model, onnx.ModelProto):
            model = onnx_from_path(model, external_data_dir=self.external_data_dir)
        try:
            inferred = _core.infer_shapes(model, _log_native)
        except ImportError:
            raise
        except Exception as err:
            if not self.error_ok:
                raise
            message = f"ONNX shape inference exited with an error:\n{err}"
            G_LOGGER.warning(message)
            G_LOGGER.internal_error(message)
            return model
        G_LOGGER.verbose("Shape inference completed successfully")
        return inferred
