"""Engines that TensorRT reads from a file piece by piece."""

from __future__ import annotations

import os
from typing import Callable, Optional

from polygraphy import mod, util
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.common._adopting import adopting
from polygraphy.logger import G_LOGGER


class _Reading:
    """The methods of readers of all base classes of TensorRT."""

    def _open(self, make_func: Callable, filepath: str, base_class: type) -> None:
        self.filepath = filepath
        self._base_class = base_class
        self.mode = "rb"
        if not os.path.isfile(filepath):
            G_LOGGER.error(f"File at {filepath} does not exist!")
        self.file = open(filepath, self.mode)
        self.make_func = make_func

    def read(self, size: int, stream: Optional[int] = None) -> bytes:
        """The next bytes, up to `size`; fewer at the end of the file.

        Args:
            size: How many bytes.
            stream: The CUDA stream that interfaces of version 2 offer; not needed here.
        """
        return self.file.read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Goes to a position and returns it, from the start of the file.

        Args:
            offset: The position.
            whence: From where it counts, a `trt.SeekPosition`.
        """
        return self.file.seek(offset, int(whence))

    def free(self) -> None:
        """Closes the file."""
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.free()

    def __repr__(self) -> str:
        return util.make_repr("FileReader", self.filepath, BaseClass=self._base_class)[0]


@mod.export()
def FileReader(filepath: str, BaseClass: Optional[type] = None):
    """An object that reads a file for TensorRT. The file is open until `free()`, or the end of a
    `with` statement.

    Args:
        filepath: The file.
        BaseClass: The class of TensorRT to derive from: `trt.IStreamReader` if left out, or
            `trt.IStreamReaderV2` if TensorRT lacks that one.

    Raises:
        OSError: If the file cannot be opened.
    """
    BaseClass = (
        BaseClass
        or util.try_getattr(trt, "IStreamReader")
        or util.try_getattr(trt, "IStreamReaderV2")
        or trt_util.fail_unavailable("Reading engines as a stream")
    )

    @adopting(_Reading)
    class FileReaderClass(BaseClass):
        def __init__(self):
            # Objects of the extension cannot be used before this.
            BaseClass.__init__(self)
            self._open(FileReader, filepath, BaseClass)

    return FileReaderClass()
