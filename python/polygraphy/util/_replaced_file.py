"""Files that are either complete or missing."""

from __future__ import annotations

import contextlib
import os
import stat

_OPEN_FILES = "/proc/self/fd"


@contextlib.contextmanager
def replaced_file(path, mode: str):
    """A context manager: a file that takes its place when it was written without an exception.

    Links are followed, and the permissions of an existing file are kept. An irregular
    file, such as a pipe, is written directly; so is a file whose folder takes no others. Where the
    system has files without names, nothing stays of the new file if the process is killed.

    Args:
        path: Where the file belongs.
        mode: How to open it: `"w"` or `"wb"`.

    Raises:
        OSError: As `open` does. An older file is unchanged then.
    """
    target = os.path.realpath(path)
    is_file = os.path.isfile(target)
    fd, temporary, named = None, "", True
    if is_file and os.access(target, os.W_OK) or not os.path.lexists(target):
        folder = os.path.dirname(target)
        temporary = os.path.join(folder, f".{os.urandom(8).hex()}.part")
        # Where these fail, `open` below says why, or succeeds.
        with contextlib.suppress(OSError):
            os.stat(_OPEN_FILES)
            fd, named = os.open(folder, os.O_RDWR | os.O_TMPFILE | os.O_CLOEXEC, 0o666), False
        if fd is None:
            with contextlib.suppress(OSError):
                fd = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    if fd is None:
        with open(path, mode) as file:
            yield file
        return

    try:
        with os.fdopen(fd, mode) as file:
            if is_file:
                os.chmod(fd, stat.S_IMODE(os.stat(target).st_mode))
            yield file
            if not named:
                file.flush()
                # Only with a folder, which an absolute path ignores, does Python follow the link.
                os.link(f"{_OPEN_FILES}/{fd}", temporary, src_dir_fd=fd)
        os.replace(temporary, target)
    except BaseException:
        # An interrupt may come when the file is in its place.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
