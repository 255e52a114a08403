"""Comparison functions as objects, and the outputs that belong together."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Callable, Dict, List, Optional, Tuple

from polygraphy import mod, util
from polygraphy.comparator.compare._results import CompareResult, Threshold
from polygraphy.logger import G_LOGGER, LogMode


def default_find_output_func(output_name: str, index: int, iter_result, base_iter_result):
    """The output that a name means, or that stands at the same place.

    Args:
        output_name: An output of `base_iter_result`.
        index: Its place.
        iter_result: Where to look.
        base_iter_result: The result of the name. Outputs with a namesake there match only that one.

    Returns:
        A list of one name, or None.
    """
    found_name = util.find_str_in_iterable(output_name, iter_result.keys(), index)
    if found_name is None:
        return None
    if found_name != output_name:
        exact_match = util.find_str_in_iterable(found_name, base_iter_result.keys())
        if exact_match == found_name:
            G_LOGGER.verbose(
                f"Will not compare {found_name} with {output_name}, since the former already has "
                f"an exact match: {exact_match}"
            )
            return None
        G_LOGGER.warning(
            f"Output names did not match exactly. Assuming {iter_result.runner_name} output: "
            f"{found_name} corresponds to output: {output_name}"
        )
    return [found_name]


def run_comparison(
    func: Callable,
    fail_fast: bool,
    iter_result0,
    iter_result1,
    find_output_func: Callable,
    func_name: Optional[str] = None,
) -> Dict[str, Any]:
    """Compares each output of one result with those that belong to it in another.

    Args:
        func: Gets name and array of both, and returns a result that is true or false.
        fail_fast: Whether to stop at the first mismatch.
        iter_result0: The first result.
        iter_result1: The second one.
        find_output_func: Gets name, index and the second result; returns names in it, or None.
        func_name: The name of the compared property, for messages.

    Returns:
        Name of an output of the first result -> what `func` returned.
    """
    label = f"{func_name} | " if func_name else ""
    output_status: Dict[str, Any] = OrderedDict()

    for index, (out0_name, output0) in enumerate(iter_result0.items()):
        out1_names = util.default(find_output_func(out0_name, index, iter_result1), [])
        if len(out1_names) > 1:
            G_LOGGER.info(
                f"Will attempt to compare output: '{out0_name}' [{iter_result0.runner_name}] with "
                f"multiple outputs: '{list(out1_names)}' [{iter_result1.runner_name}]"
            )
        for out1_name in out1_names:
            if out1_name is None or out1_name not in iter_result1:
                G_LOGGER.warning(
                    f"For output: '{out0_name}' [{iter_result0.runner_name}], skipping "
                    f"corresponding output: '{out1_name}' [{iter_result1.runner_name}], since the "
                    "output was not found"
                )
                continue
            result = _compared(func, label, out0_name, output0, out1_name, iter_result1[out1_name])
            # Of several partners, a bad one stays.
            if output_status.get(out0_name, True):
                output_status[out0_name] = result
            if fail_fast and not result:
                return output_status

    _report(output_status, label, iter_result0, iter_result1)
    return output_status


def _compared(func: Callable, label: str, name0: str, output0, name1: str, output1):
    """The result of `func` for two outputs; results of Polygraphy's functions get their names."""
    G_LOGGER.start(
        f"{label}Comparing Output: '{name0}' (dtype={util.array.dtype(output0)}, "
        f"shape={util.array.shape(output0)}) with '{name1}' "
        f"(dtype={util.array.dtype(output1)}, shape={util.array.shape(output1)})"
    )
    with G_LOGGER.indent():
        result = func(name0, output0, name1, output1)
    if isinstance(result, CompareResult):
        result.output0_name, result.output1_name = name0, name1
    return result


def _report(output_status: Dict[str, Any], label: str, iter_result0, iter_result1) -> None:
    """Logs which outputs matched. Raises PolygraphyException if there was nothing to compare."""
    mismatched_output_names = [name for name, matched in output_status.items() if not matched]
    if mismatched_output_names:
        G_LOGGER.error(f"FAILED | {label}Mismatched outputs: {mismatched_output_names}")
    elif output_status or not (len(iter_result0) or len(iter_result1)):
        G_LOGGER.finish(
            f"PASSED | {label}All outputs matched | Outputs: {list(output_status.keys())}"
        )

    if not output_status and (len(iter_result0) or len(iter_result1)):
        r0_name, r0_outs = iter_result0.runner_name, list(iter_result0.keys())
        r1_name, r1_outs = iter_result1.runner_name, list(iter_result1.keys())
        G_LOGGER.critical(
            "All outputs were skipped, no common outputs found! Note:\n"
            f"{r0_name} outputs: {r0_outs}\n{r1_name} outputs: {r1_outs}"
        )


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
