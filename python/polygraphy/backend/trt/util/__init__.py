"""TensorRT's logger, and parts of networks, configurations and engines."""

from __future__ import annotations

import os
import signal

from polygraphy import mod
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.util._config import *
from polygraphy.backend.trt.util._docstrings import *
from polygraphy.backend.trt.util._engine import *
from polygraphy.backend.trt.util._engine import _get_array_on_gpu
from polygraphy.backend.trt.util._messages import *
from polygraphy.backend.trt.util._messages import _warn_once
from polygraphy.backend.trt.util._network import *
from polygraphy.logger import G_LOGGER

TRT_LOGGER = None


@mod.export()
def get_trt_logger():
    """The one `trt.ILogger` of this process. It passes TensorRT's messages to `G_LOGGER`.

    Errors are errors, each warning is shown once, and information is verbose.
    """
    global TRT_LOGGER
    if TRT_LOGGER is None:
        TRT_LOGGER = _make_trt_logger()
    return TRT_LOGGER


def _make_trt_logger():
    class CustomTrtLogger(trt.ILogger):
        def __init__(self):
            # Objects of the extension cannot be used before this.
            trt.ILogger.__init__(self)

        def log(self, severity, msg):
            # TensorRT calls this: no caller could catch an exception.
            try:
                {
                    trt.Logger.INTERNAL_ERROR: G_LOGGER.error,
                    trt.Logger.ERROR: G_LOGGER.error,
                    trt.Logger.WARNING: _warn_once,
                    trt.Logger.INFO: G_LOGGER.verbose,
                    trt.Logger.VERBOSE: G_LOGGER.extra_verbose,
                }.get(severity, G_LOGGER.super_verbose)(msg)
            except KeyboardInterrupt:
                os.kill(os.getpid(), signal.SIGTERM)
            except Exception:
                pass

    return CustomTrtLogger()


mod.export_parts()
