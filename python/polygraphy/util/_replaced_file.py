"""Files that are either complete or missing."""

from __future__ import annotations

import contextlib
import os
import stat


@contextlib.contextmanager
def replaced_file(path, mode: str):
    """A context manager: a file that takes its place when it was written without an exception.

    Links are followed, and the permissions of an existing file are kept. An irregular
    file, such as a pipe, is written directly; so is a file whose folder takes no others.

    Args:
        path: Where the file belongs.
        mode: How to open it: `"w"` or `"wb"`.

    Raises:
        OSError: As `open` does. An older file is unchanged then.
    """
    target = os.path.realpath(path)
    is_file = os.path.isfile(target)
    fd = None
    if is_file and os.access(target, os.W_OK) or not os.path.lexists(target):
        temporary = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.part")
        # Where this fails, `open` below says why, or succeeds.
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
        os.replace(temporary, target)
    except BaseException:
        # An interrupt may come when the file is in its place.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
