"""Comparing iterations, which may come one at a time, and counting how many match."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Iterator, List, Optional, Tuple

from polygraphy import util
from polygraphy.comparator import util as comp_util
from polygraphy.comparator.compare import SimpleCompareFunc, metric_fields_for_func
from polygraphy.comparator.struct import AccuracyResults, RunResults
from polygraphy.logger import G_LOGGER


def _close_stream(stream: Any) -> None:
    """Ends a generator now, so that the runners in it are deactivated."""
    close = getattr(stream, "close", None)
    if close is not None:
        close()


def iterations_of(run_results) -> Iterator[RunResults]:
    """The results of one iteration after the other, of whatever `compare_accuracy` takes."""
    if isinstance(run_results, RunResults):
        # One stream for each runner: none is compared beyond the shortest.
        return _merged_stream(
            [RunResults([(name, its)]).split() for name, its in run_results.items()]
        )
    if isinstance(run_results, (list, tuple)):
        streams = [r.split() if isinstance(r, RunResults) else iter(r) for r in run_results]
        return _merged_stream(streams)
    return iter(run_results)


def count_iterations(run_results) -> Optional[int]:
    """How many iterations `iterations_of` gives; None for generators."""
    if not isinstance(run_results, RunResults):
        return None
    return min((len(iterations) for _, iterations in run_results.items()), default=0)


def _merged_stream(streams: List[Iterator[RunResults]]) -> Iterator[RunResults]:
    """Iterations with the runners of all streams, as long as all of them last."""
    compared = 0
    end = object()
    try:
        while streams:  # without any, there are no iterations
            parts = [next(stream, end) for stream in streams]
            exhausted = [index for index, part in enumerate(parts) if part is end]
            if exhausted:
                if len(exhausted) < len(streams):
                    G_LOGGER.warning(
                        "The provided streams have different numbers of iterations. Only the "
                        f"first {compared} iteration(s) -- present in all {len(streams)} streams "
                        f"-- were compared; stream(s) at index {exhausted} ran out first."
                    )
                return
            merged = RunResults()
            for part in parts:
                merged.extend(part.lst)
            compared += 1
            yield merged
    finally:
        for stream in streams:
            try:
                _close_stream(stream)
            except Exception as err:
                # The others have to be closed as well.
                G_LOGGER.warning(f"Error while closing a stream: {err}")


def check_averageable(func: Callable) -> None:
    fields = metric_fields_for_func(func)
    if fields is None:
        G_LOGGER.critical(
            "The provided compare_func does not support average comparison. Use a compare_func "
            "that produces averageable metrics (sets _RESULT_CLASS and implements thresholds_for) "
            "with check_average=True."
        )
    if not fields:
        G_LOGGER.critical(
            "The selected compare_func does not produce averageable metrics and cannot be used "
            "with check_average=True."
        )
    if isinstance(func, SimpleCompareFunc):
        stat = func.check_error_stat
        stats = {"": func._DEFAULT_ERROR_STAT, **stat} if isinstance(stat, dict) else {"": stat}
        if "elemwise" in stats.values():
            G_LOGGER.critical(
                "check_average is not supported with check_error_stat='elemwise': it is a "
                "per-element check with no scalar statistic to average. Specify max, mean, median, "
                "or quantile."
            )


def compare_iteration(named0, named1, funcs: Iterable[Callable], accuracy_results) -> bool:
    """Compares one iteration of two runners, and adds the outcome to the results."""
    (runner0_name, [iter_result0]), (runner1_name, [iter_result1]) = named0, named1
    pair = (runner0_name, runner1_name)
    outcomes = []
    for func, accuracy_result in zip(funcs, accuracy_results):
        outcome = func(iter_result0, iter_result1)
        outcomes.append(outcome)
        accuracy_result[pair].append(outcome)
    comp_util.log_compared_output_stats(
        iter_result0, iter_result1, outcomes, runner0_name, runner1_name
    )
    return all(bool(matched) for outcome in outcomes for matched in outcome.values())


def summarize_pair(pair: Tuple[str, str], accuracy_results: AccuracyResults) -> None:
    """Logs how many iterations (or outputs, if metrics are averaged) of two runners matched."""

    def severity_for(passed: bool) -> int:
        return G_LOGGER.FINISH if passed else G_LOGGER.ERROR

    head = f"Accuracy Summary | {pair[0]} vs. {pair[1]} | "
    if any(result.aggregation == "average" for result in accuracy_results):
        averages = [result.average_results(pair) for result in accuracy_results]
        names = util.unique_list(name for average in averages for name in average)
        verdicts = {
            name: all(bool(average[name]) for average in averages if name in average)
            for name in names
        }
        passed, total = sum(verdicts.values()), len(verdicts)
        G_LOGGER.log(f"{head}Passed: {passed}/{total} outputs", severity_for(passed == total))
        with G_LOGGER.indent():
            for name, out_passed in verdicts.items():
                verdict = "PASSED" if out_passed else "FAILED"
                G_LOGGER.log(f"{name} | {verdict}:", severity_for(out_passed))
                described = [a[name].describe() for a in averages if name in a]
                with G_LOGGER.indent():
                    for line, line_passed in filter(None, described):
                        G_LOGGER.log(line, severity_for(line_passed))
        return

    by_iteration = zip(*(result[pair] for result in accuracy_results))
    matched = [
        all(bool(match) for outcome in outcomes for match in outcome.values())
        for outcomes in by_iteration
    ]
    passed, total = sum(matched), len(matched)
    rate = (float(passed) / float(total) if total else 1.0) * 100
    G_LOGGER.log(
        f"{head}Passed: {passed}/{total} iterations | Pass Rate: {rate:.2f}%",
        severity_for(passed == total),
    )
