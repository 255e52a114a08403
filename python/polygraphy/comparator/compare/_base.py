"""Comparison functions as objects."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from polygraphy import mod, util
from polygraphy.comparator.compare._pairing import default_find_output_func, run_comparison
from polygraphy.comparator.compare._thresholds import Threshold
from polygraphy.logger import G_LOGGER, LogMode


@mod.export()
class BaseCompareFunc:
    """A function that compares two IterationResults, as an object."""

    _RESULT_CLASS: Optional[type] = None
    _SUMMARY_LABEL: Optional[str] = None

    def __call__(self, iter_result0, iter_result1) -> Dict[str, Any]:
        """Compares two results.

        Args:
            iter_result0: The first one.
            iter_result1: The second one.

        Returns:
            Name of an output of the first one -> something that is true if it matches.
        """
        raise NotImplementedError()

    def thresholds_for(self, output_name: str) -> Threshold:
        """The limits of an output, for functions that yield metrics.

        Args:
            output_name: The output of the first runner.
        """
        raise NotImplementedError()

    @staticmethod
    def _align_shapes(out0_name, out0, out1, check_shapes: bool):
        """The second array, in the shape of the first one if that is allowed; None if not."""
        shape0, shape1 = util.array.shape(out0), util.array.shape(out1)
        if tuple(shape0) == tuple(shape1):
            return out1
        if check_shapes:
            G_LOGGER.error(
                f"FAILED | Output: `{out0_name}` | Will not compare outputs of different shapes.\n"
                f"Note: Output shapes are {shape0} and {shape1}."
            )
            G_LOGGER.error(
                "Note: Use --no-shape-check or set check_shapes=False to attempt to compare "
                "values anyway.",
                mode=LogMode.ONCE,
            )
            return None
        matched = util.try_match_shape(out1, shape0)
        return matched if tuple(util.array.shape(matched)) == tuple(shape0) else out1

    def _run_comparison(
        self, match: Callable, iter_result0, iter_result1, announce: Callable = lambda name: None
    ) -> Dict[str, Any]:
        """Calls `announce` for outputs, and `match` for pairs of outputs of one shape."""
        if not self.check_shapes:
            G_LOGGER.info(
                "Strict shape checking disabled. Will attempt to match output shapes before "
                "comparisons",
                mode=LogMode.ONCE,
            )

        def match_aligned(out0_name, out0, out1_name, out1):
            announce(out0_name)
            out1 = self._align_shapes(out0_name, out0, out1, self.check_shapes)
            return False if out1 is None else match(out0_name, out0, out1_name, out1)

        # A partner is looked for among these very results: the function may be used again.
        find_output_func = self.find_output_func or (
            lambda name, index, result: default_find_output_func(name, index, result, iter_result0)
        )
        return run_comparison(
            match_aligned,
            self.fail_fast,
            iter_result0,
            iter_result1,
            find_output_func,
            self._SUMMARY_LABEL,
        )

    @staticmethod
    def _check_keys(options: List[Tuple[str, Any]], iter_result0, iter_result1) -> None:
        """Warns of dictionaries by output that name outputs which there are not."""
        known = [*iter_result0.keys(), *iter_result1.keys(), ""]
        for name, option in options:
            if isinstance(option, dict):
                util.check_sequence_contains(
                    option.keys(), known, name=name, log_func=G_LOGGER.warning, check_missing=False
                )


def metric_fields_for_func(func: Callable) -> Optional[List[str]]:
    """The names of the metrics that a comparison function yields; None for functions from outside
    Polygraphy."""
    if not isinstance(func, BaseCompareFunc):
        return None
    return func._RESULT_CLASS.metric_fields() if func._RESULT_CLASS else []
