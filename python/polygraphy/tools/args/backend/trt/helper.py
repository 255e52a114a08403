"""Enumerators of TensorRT as code."""

from __future__ import annotations

from polygraphy.tools.script import Script, inline, inline_identifier, safe


def make_trt_enum_val(enum_name: str, value: str) -> Script.String:
    """Code of an enumerator, for scripts that import TensorRT as `trt`.

    Args:
        enum_name: The enumeration, such as `"TacticSource"`.
        value: The enumerator, in any case.

    Raises:
        PolygraphyException: If one of the two is no name. Whether TensorRT knows it is found out
            when the script is run.
    """
    return inline(safe("trt.{}.{}", inline_identifier(enum_name), inline_identifier(value.upper())))
