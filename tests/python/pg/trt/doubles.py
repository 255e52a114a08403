"""The doubles of `tensorrt` and of libcudart."""

import os
import sys

from differential import ROOT

DOUBLES = str(ROOT / "tests" / "doubles" / "trt_module")
sys.path.append(DOUBLES)
import cudart_double  # noqa: E402: it lies there


def build_cudart(folder) -> dict:
    """Builds the double of libcudart; returns the environment in which it is found."""
    cudart_double.build(folder)
    folders = [str(folder), os.environ.get("LD_LIBRARY_PATH", "")]
    return {"LD_LIBRARY_PATH": os.pathsep.join(folders)}
