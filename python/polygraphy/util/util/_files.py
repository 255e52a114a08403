"""Files, and locks on them."""

from __future__ import annotations

import os
import sys
from typing import Any, List, Optional, Sequence, Union

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.util._replaced_file import replaced_file
from polygraphy.util.util._values import default


@mod.export()
def sanitize_filename(path: str) -> str:
    """A path as a name that is good for one file, without folders."""
    return path.replace(os.path.sep, "_")


@mod.export()
class NamedTemporaryFile:
    """A new file in the folder for temporary files. It is open while the context is entered.

    Other than that of `tempfile`, it can be opened a second time on every system, and stays until
    the caller deletes it.

    Args:
        mode: How to open it, by default `"wb+"`.
        prefix: First part of its name.
        suffix: Last part of its name.
    """

    def __init__(
        self,
        mode: Optional[str] = None,
        prefix: Optional[str] = None,
        suffix: Optional[str] = None,
    ):
        import tempfile

        self.mode = default(mode, "wb+")
        self._fhandle = None
        try:
            handle, self.name = tempfile.mkstemp(default(suffix, ""), default(prefix, ""))
        except OSError:
            G_LOGGER.critical(f"Could not create a temporary file under: {tempfile.gettempdir()}")
        os.close(handle)

    def __enter__(self):
        self._fhandle = open(self.name, self.mode)
        return self._fhandle

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        self._fhandle.close()


@mod.export()
class LockFile:
    """A context manager that waits for, and then holds, a lock beside a file.

    The lock is a separate file, `PATH.lock`, and stays behind: deleting it would let two others
    lock different files of the same name.

    Args:
        path: The file. Nothing is locked for file-like objects.
    """

    def __init__(self, path):
        self.is_file_like = is_file_like(path)
        if not self.is_file_like:
            self.lock_path = path + ".lock"
            self._handle = None

    def __enter__(self) -> "LockFile":
        if self.is_file_like:
            return self
        makedirs(self.lock_path)
        self._handle = open(self.lock_path, "wb")
        if sys.platform == "win32":
            import msvcrt
            import time

            while True:
                try:
                    msvcrt.locking(self._handle.fileno(), msvcrt.LK_LOCK, 1)
                    break
                except OSError:
                    # It gives up after ten tries.
                    time.sleep(0.1)
        else:
            import fcntl

            fcntl.lockf(self._handle.fileno(), fcntl.LOCK_EX)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        if self.is_file_like:
            return
        if sys.platform == "win32":
            import msvcrt

            self._handle.seek(0)
            msvcrt.locking(self._handle.fileno(), msvcrt.LK_UNLCK, 1)
        # Elsewhere, closing the file unlocks it.
        self._handle.close()


@mod.export()
def find_in_dirs(name_glob: str, dirs: Sequence[str]) -> List[str]:
    """The matches of a pattern in the first of some folders with any match.

    Args:
        name_glob: The pattern of file names.
        dirs: The folders, in order of preference.
    """
    import glob

    for folder in dirs:
        found = glob.glob(os.path.join(folder, name_glob))
        if found:
            return found
    return []


def is_file_like(obj: Any) -> bool:
    """Whether something can be read from and written to, as far as it has the methods."""
    return hasattr(obj, "read") and hasattr(obj, "write")


def warn_if_wrong_mode(file_like: Any, mode: str) -> None:
    """Warns if a file-like object was opened otherwise than a mode asks for."""

    def binary(text: str) -> bool:
        return "b" in text

    def readable(text: str) -> bool:
        return "r" in text or "+" in text

    def writable(text: str) -> bool:
        return any(c in text for c in "wax+")

    have = getattr(file_like, "mode", None)
    if not isinstance(have, str):
        return
    if (
        binary(have) != binary(mode)
        or (readable(mode) and not readable(have))
        or (writable(mode) and not writable(have))
    ):
        G_LOGGER.warning(
            "File-like object has a different mode than requested!\n"
            f"Note: Requested mode was: {mode} but file-like object has mode: {have}"
        )


@mod.export()
def get_file_size(src) -> int:
    """The size in bytes of a path or a file-like object, whose position does not change.

    Args:
        src: The path or file. A file that does not exist has size 0.
    """
    if not is_file_like(src):
        return os.stat(src).st_size if os.path.exists(src) else 0
    position = src.tell()
    try:
        return src.seek(0, os.SEEK_END)
    finally:
        src.seek(position)


@mod.export()
def add_file_suffix(path: str, suffix: str) -> str:
    """`a/b.c` with suffix `-d` is `a/b-d.c`.

    Args:
        path: The path.
        suffix: The text before the extension.
    """
    path, ext = os.path.splitext(path)
    return f"{path}{suffix}{ext}"


@mod.export()
def makedirs(path: str) -> None:
    """Makes the folder that a file at `path` will lie in."""
    dir_path = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(dir_path):
        G_LOGGER.verbose(f"{dir_path} does not exist, creating now.")
        os.makedirs(dir_path, exist_ok=True)


@mod.export()
def load_file(src, mode: str = "rb", description: Optional[str] = None) -> Union[str, bytes]:
    """Everything that a file holds.

    Args:
        src: A path, or a file-like object, which is read from its beginning and put back to where it
            was.
        mode: How to open it: `"rb"` for bytes, `"r"` for text.
        description: The kind of contents, for a message.
    """
    if description is not None:
        G_LOGGER.info(f"Loading {description} from {src}")
    if is_file_like(src):
        warn_if_wrong_mode(src, mode)
        # Sources such as pipes have no position.
        position = src.tell() if getattr(src, "seekable", lambda: True)() else None
        if position is not None:
            src.seek(0)
        contents = src.read()
        if position is not None:
            src.seek(position)
        return contents
    with open(src, mode) as file:
        return file.read()


def _get_num_bytes(contents: Any) -> int:
    """The size of anything that lends its bytes; the length of text."""
    if isinstance(contents, str):
        return len(contents)
    try:
        return memoryview(contents).nbytes
    except TypeError:
        raise TypeError(
            f"`contents` is {contents}, which is not bytes-like. Cannot get number of bytes."
        ) from None


@mod.export()
def save_file(contents, dest, mode: str = "wb", description: Optional[str] = None):
    """Writes a file.

    Args:
        contents: Text, or anything that lends its bytes.
        dest: A path, whose folder is made, or a file-like object.
        mode: How to open it.
        description: The kind of contents, for a message.

    Returns:
        `dest`, or an object that was opened there and is closed by now.
    """
    if description is not None:
        G_LOGGER.info(f"Saving {description} to {dest}")

    if not is_file_like(dest):
        makedirs(dest)
        with replaced_file(dest, mode) as file:
            bytes_written = file.write(contents)
    else:
        warn_if_wrong_mode(dest, mode)
        bytes_written = dest.write(contents)
        dest.flush()

    try:
        content_bytes = _get_num_bytes(contents)
    except TypeError:
        G_LOGGER.warning(
            "Failed to retrieve number of content bytes. "
            "Could not check whether the entire file was written."
        )
    else:
        # Some file-like objects do not say how much they took.
        if bytes_written is not None and bytes_written != content_bytes:
            G_LOGGER.warning(
                f"Could not write entire file. Note: file contains {content_bytes} bytes, "
                f"but only {bytes_written} bytes were written"
            )
    return dest
