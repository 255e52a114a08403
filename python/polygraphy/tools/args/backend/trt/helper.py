"""Enumerators of TensorRT as code."""

from polygraphy.tools.args.util import make_trt_enum_val
