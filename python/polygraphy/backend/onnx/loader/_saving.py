"""Models written into files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.onnx import _core, _large_models
from polygraphy.logger import G_LOGGER

if TYPE_CHECKING:
    import onnx
else:
    onnx = mod.lazy_import("onnx>=1.8.1")


PROTOBUF_THRESHOLD = 2e9
"""float: Bytes from which on a model needs files of external data"""


@mod.export(funcify=True)
class SaveOnnx(BaseLoader):
    """Writes a model into a file."""

    def __init__(
        self,
        model,
        path: str,
        external_data_path: Optional[str] = None,
        size_threshold: Optional[int] = None,
        all_tensors_to_one_file: Optional[bool] = None,
    ):
        """Writes a model into a file. A file that is there is replaced when the new one is whole.

        Args:
            model: The model, or a callable that returns one.
            path: The file.
            external_data_path: The name of a file for values, relative to the folder of the model;
                "" for a default name. If left out, values are in the model unless it is too
                large.
            size_threshold: Bytes of a tensor from which on its values go into that file. 1024 if
                left out.
            all_tensors_to_one_file: Whether there is one such file. True if left out.
        """
        self._model = model
        self.path = path
        self.external_data_path = external_data_path
        self.size_threshold = size_threshold
        self.all_tensors_to_one_file = all_tensors_to_one_file

    @util.check_called_by("__call__")
    def call_impl(self) -> onnx.ModelProto:
        """
        Returns:
            The model.
        """
        model, _ = util.invoke_if_callable(self._model)
        G_LOGGER.info(f"Saving ONNX model to: {self.path}")
        location = self.external_data_path
        byte_size = _large_models.byte_size(model)
        if location is None and byte_size >= PROTOBUF_THRESHOLD:
            location = ""
            G_LOGGER.warning(
                f"Model size ({byte_size // 1024.0**2} MiB) exceeds protobuf size "
                f"threshold ({PROTOBUF_THRESHOLD // 1024**2} MiB). Will save weight data to an "
                "external file.\nTo control the location of this file, use the "
                "`external_data_path` parameter or the `--external-data-path` command-line "
                "option. "
            )

        if location is None:
            self._warn_of_unused("size_threshold", self.size_threshold)
            self._warn_of_unused("all_tensors_to_one_file", self.all_tensors_to_one_file)
            util.makedirs(self.path)
            _save_whole(model, self.path)
            return model

        G_LOGGER.verbose(f"Saving external data for ONNX model to: {location}")
        util.makedirs(self.path)
        size_threshold = util.default(self.size_threshold, 1024)
        one_file = util.default(self.all_tensors_to_one_file, True)
        if not _core.save_with_external_data(
            model, os.fspath(self.path), location, size_threshold, one_file
        ):
            stale = os.path.join(os.path.dirname(self.path), location)
            if location and os.path.isfile(stale):
                os.remove(stale)  # the new values would be put behind the old ones
            onnx.external_data_helper.convert_model_to_external_data(
                model,
                location=location,
                all_tensors_to_one_file=one_file,
                size_threshold=size_threshold,
            )
            _save_whole(model, self.path)
        return model

    @staticmethod
    def _warn_of_unused(option: str, value: Any) -> None:
        if value is not None:
            G_LOGGER.warning(
                f"{option} is set, but external data path has not been set. "
                "No external data will be written."
            )


def _save_whole(model: onnx.ModelProto, path: str) -> None:
    """Writes a model in the format that the name asks for, atomically where that is possible."""
    if _core.save_large(model, os.fspath(path)):
        return
    if os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path)):
        onnx.save(model, path)  # into what the link means, a device or a pipe
        return
    root, suffix = os.path.splitext(path)
    unfinished = f"{root}.{os.getpid()}{suffix}"
    try:
        onnx.save(model, unfinished)
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)
