"""Which of the two TensorRT modules to use."""

from __future__ import annotations

from polygraphy import config, mod


def tensorrt_module_and_version_string() -> str:
    """The module and the least version of it that Polygraphy works with."""
    return "tensorrt_rtx>=1.0" if config.USE_TENSORRT_RTX else "tensorrt>=8.5"


def lazy_import_trt():
    """`tensorrt`, or `tensorrt_rtx` where `config.USE_TENSORRT_RTX` says so, imported lazily."""
    return mod.lazy_import(tensorrt_module_and_version_string())
