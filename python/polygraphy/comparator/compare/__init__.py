"""Comparing the outputs of two runners: thresholds, results, and the functions that yield them."""

from polygraphy import mod
from polygraphy.comparator.compare._base import *
from polygraphy.comparator.compare._base import (
    default_find_output_func,
    metric_fields_for_func,
    run_comparison,
)
from polygraphy.comparator.compare._indices import *
from polygraphy.comparator.compare._old_names import *
from polygraphy.comparator.compare._results import *
from polygraphy.comparator.compare._simple import *
from polygraphy.comparator.compare._simple import VALID_CHECK_ERROR_STATS
from polygraphy.comparator.compare._single_metric import *

__all__ = [name for name, value in globals().items() if isinstance(value, type)]

mod.export_parts()
