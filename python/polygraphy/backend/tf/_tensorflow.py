"""The module of TensorFlow, and how much it says."""

from __future__ import annotations

import functools
import os
import sys

from polygraphy import mod
from polygraphy.logger import G_LOGGER

_tensorflow = mod.lazy_import("tensorflow")


class _Version1:
    """The interface of TensorFlow 1, which TensorFlow 2 has as well."""

    def __getattr__(self, name: str):
        return getattr(_load(), name)


tf = _Version1()


@functools.lru_cache(maxsize=None)
def _load():
    version1 = _tensorflow.compat.v1
    version1.logging.set_verbosity(_levels(G_LOGGER.module_severity)[0])
    return version1


def _levels(severities) -> tuple:
    """TensorFlow's names of the threshold of `backend/tf`: in Python, and in its native part."""
    severity = severities.get("backend/tf")
    if severity > G_LOGGER.WARNING:
        return 40, "3"
    if severity > G_LOGGER.INFO:
        return 30, "2"
    if severity > G_LOGGER.VERBOSE:
        return 20, "1"
    return 10, "0"


def _set_verbosity(severities) -> None:
    if not _tensorflow.is_installed():
        return
    level, minimum = _levels(severities)
    # Read when the native part is loaded.
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = minimum
    if "tensorflow" in sys.modules:
        tf.logging.set_verbosity(level)


def register_logger_callback() -> None:
    """Makes TensorFlow as verbose as the logger, from now on."""
    G_LOGGER.register_callback(_set_verbosity)
