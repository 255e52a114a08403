"""The figures of an array that messages and results show."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional


class Statistics(NamedTuple):
    """Figures of one array. `argmin` and `argmax` are indices along each axis, of the first one."""

    mean: Any
    variance: Any
    median: Any
    min: Any
    argmin: tuple
    max: Any
    argmax: tuple
    avg_magnitude: Any
    """The mean of the absolute values"""
    percentiles: Optional[tuple]
    """The 90th, 95th and 99th; None for booleans"""
    quantile: Any = None
    """The requested quantile, if any"""
