"""Programs on a terminal."""

import os
import pty
import sys


def shown_on_a_terminal(script):
    """The text of a Python script that ends well, whose standard streams are a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-c", script], {**os.environ, "TERM": "xterm"})
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:  # the end of a terminal whose last process has ended
        pass
    assert os.waitpid(child, 0)[1] == 0, shown
    return shown.decode()
