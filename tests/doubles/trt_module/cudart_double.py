"""The double of libcudart (`../cudart`): builds it, and reports the calls that it got."""

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

_SOURCE = Path(__file__).resolve().parents[1] / "cudart" / "cudart.c"


def build(folder):
    """Compiles the library into a folder, which `LD_LIBRARY_PATH` has to name then."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    command = [compiler, "-shared", "-fPIC", "-o", str(folder / "libcudart.so"), str(_SOURCE)]
    subprocess.run(command, check=True)


def _library():
    # The first folder, where the package finds it, too: the same library is loaded once.
    folder = os.environ["LD_LIBRARY_PATH"].split(os.pathsep)[0]
    library = ctypes.CDLL(os.path.join(folder, "libcudart.so"))
    library.double_calls.restype = ctypes.c_char_p
    return library


def calls():
    """The calls since this was last asked, one text for each."""
    return _library().double_calls().decode().splitlines()


def live():
    """The number of blocks of memory and of streams that were never freed."""
    return _library().double_live_blocks(), _library().double_live_streams()


def fail_next(status):
    """Makes the next call fail."""
    _library().double_fail_next(status)
