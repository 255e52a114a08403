"""Running models one after the other, or side by side, and comparing what comes out."""

from __future__ import annotations

from typing import Callable, List, Optional, Sequence, Tuple

from polygraphy import mod, util
from polygraphy.comparator import util as comp_util
from polygraphy.comparator.comparator._accuracy import (
    _close_stream,
    check_averageable,
    compare_iteration,
    count_iterations,
    iterations_of,
    summarize_pair,
)
from polygraphy.comparator.comparator._running import (
    Savers,
    execute_runner,
    execute_runner_in_process,
    run_streaming,
)
from polygraphy.comparator.compare import SimpleCompareFunc
from polygraphy.comparator.data_loader import DataLoader, DataLoaderCache
from polygraphy.comparator.struct import (
    AccuracyResult,
    AccuracyResults,
    IterationResult,
    RunResults,
)
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.logger._progress import over
from polygraphy.mod._lazy_modules import np


def validate_run_results(
    run_results: RunResults, check_inf: bool, check_nan: bool, fail_fast: bool, prefix: str = ""
) -> bool:
    valid = True
    for runner_name, iterations in run_results.items():
        for iteration in iterations:
            for output_name, output in iteration.items():
                head = f"{runner_name:35} | {prefix}"
                valid &= _validate_output(head, output_name, output, check_inf, check_nan)
                if fail_fast and not valid:
                    return False
    return valid


def _validate_output(head: str, name: str, output, check_inf: bool, check_nan: bool) -> bool:
    G_LOGGER.start(
        f"{head}Validating output: {name} (check_inf={check_inf}, check_nan={check_nan})"
    )
    with G_LOGGER.indent():
        comp_util.log_output_stats(output)
        valid = True
        if check_nan:
            valid &= _is_not_nan(output)
        if check_inf:
            valid &= _is_finite(output)
        if valid:
            G_LOGGER.finish(f"PASSED | Output: {name} is valid")
        else:
            G_LOGGER.error(f"FAILED | Errors detected in output: {name}")
    return valid


def _is_finite(output) -> bool:
    non_finite = util.array.logical_not(util.array.isfinite(output))
    if not util.array.any(non_finite):
        return True
    G_LOGGER.error("Inf Detected | One or more non-finite values were encountered in this output")
    G_LOGGER.info(
        "Note: Use -vv or set logging verbosity to EXTRA_VERBOSE to display non-finite values",
        mode=LogMode.ONCE,
    )
    G_LOGGER.extra_verbose(lambda: f"Note: non-finite values at:\n{non_finite}")
    G_LOGGER.extra_verbose(lambda: f"Note: non-finite values:\n{output[non_finite]}")
    return False


def _is_not_nan(output) -> bool:
    nans = util.array.isnan(output)
    if not util.array.any(nans):
        return True
    G_LOGGER.error("NaN Detected | One or more NaNs were encountered in this output")
    G_LOGGER.info(
        "Note: Use -vv or set logging verbosity to EXTRA_VERBOSE to display locations of NaNs",
        mode=LogMode.ONCE,
    )
    G_LOGGER.extra_verbose(lambda: f"Note: NaNs at:\n{nans}")
    return False


def _run_all(runners: list, cache, warm_up: int, processes: Optional[dict]) -> RunResults:
    """Runs one runner after the other, in processes with these limits if there are any."""
    if not runners:
        G_LOGGER.warning(
            "No runners were provided to Comparator.run(). "
            "Inference will not be run, and run results will be empty."
        )
    run_results = RunResults()
    for runner in runners:
        G_LOGGER.start(f"{runner.name:35} | Activating and starting inference")
        if processes is None:
            iterations = execute_runner(runner, cache, warm_up)
        else:
            iterations = execute_runner_in_process(
                runner, cache, warm_up, processes["timeout"], processes["polling_interval"]
            )
        run_results.append((runner.name, iterations))
    G_LOGGER.verbose(f"Successfully ran: {[r.name for r in runners]}")
    return run_results


def _begin_pairs(pairs: list, names: list, accuracy_results: AccuracyResults) -> None:
    """Makes room for the results of pairs of runners."""
    for place0, place1 in pairs:
        G_LOGGER.start(f"Accuracy Comparison | {names[place0]} vs. {names[place1]}")
        for accuracy_result in accuracy_results:
            accuracy_result[(names[place0], names[place1])] = []


def _pairs_match(
    results, pairs: list, funcs: list, accuracy_results: AccuracyResults, fail_fast: bool
) -> bool:
    """Compares the pairs of runners in one iteration."""
    matched = True
    for place0, place1 in pairs:
        matched &= compare_iteration(results[place0], results[place1], funcs, accuracy_results)
        if fail_fast and not matched:
            break
    return matched


@mod.export()
class Comparator:
    """Runs models, and checks and compares their outputs."""

    @staticmethod
    def run(
        runners: Sequence,
        data_loader=None,
        warm_up: Optional[int] = None,
        use_subprocess: Optional[bool] = None,
        subprocess_timeout: Optional[float] = None,
        subprocess_polling_interval: Optional[float] = None,
        save_inputs_path: Optional[str] = None,
        save_outputs_path: Optional[str] = None,
        save_input_blob_path: Optional[str] = None,
        streaming: Optional[bool] = None,
    ):
        """Runs every runner with the same inputs.

        Args:
            runners: The runners, inactive.
            data_loader: Something that can be iterated for dictionaries of name -> array. If it has
                an attribute `input_metadata`, that is set to the model's inputs. Random numbers if
                left out.
            warm_up: How often each runner runs before it counts. 0 if left out.
            use_subprocess: Whether each runner gets a separate process.
            subprocess_timeout: Seconds after which a process that does not finish is ended.
            subprocess_polling_interval: Seconds between looking whether it is alive. 30 if left
                out.
            save_inputs_path: File, or folder if it has no extension, for the inputs.
            save_outputs_path: File, or folder if it has no extension, for the outputs.
            save_input_blob_path: Folder for the bytes of the inputs.
            streaming: Whether all runners are active together, and results come one iteration at a
                time.

        Returns:
            Union[RunResults, Generator[RunResults]]: Results by runner, in the given order; those
            of one iteration after the other if `streaming` is set.
        """
        runners = list(runners)
        data_loader = util.default(data_loader, DataLoader())
        savers = Savers(save_inputs_path, save_outputs_path, save_input_blob_path)

        if streaming and (warm_up or use_subprocess):
            G_LOGGER.critical(
                "streaming=True does not support warm_up or use_subprocess. "
                "Set streaming=False to use them."
            )
        if streaming:
            return run_streaming(runners, data_loader, savers)

        cache = DataLoaderCache(data_loader)
        processes = {
            "timeout": subprocess_timeout,
            "polling_interval": util.default(subprocess_polling_interval, 30),
        }
        run_results = _run_all(
            runners, cache, util.default(warm_up, 0), processes if use_subprocess else None
        )
        savers.save(cache.cache, run_results)
        return run_results

    @staticmethod
    def postprocess(run_results, postprocess_func: Callable):
        """Applies a function to the result of every iteration.

        Args:
            run_results: RunResults, which are changed in place, or a generator or list of them.
            postprocess_func: Gets an IterationResult and returns one.

        Returns:
            The results; a generator or list of them if such was given.
        """
        if isinstance(run_results, (list, tuple)):
            return [Comparator.postprocess(each, postprocess_func) for each in run_results]
        name = getattr(postprocess_func, "__name__", type(postprocess_func).__name__)

        def apply(results: RunResults) -> RunResults:
            for index, (runner_name, iterations) in enumerate(results.items()):
                results.lst[index] = (runner_name, [postprocess_func(it) for it in iterations])
            return results

        def postprocess_stream():
            try:
                for results in run_results:
                    yield apply(results)
            finally:
                _close_stream(run_results)

        if not isinstance(run_results, RunResults):
            G_LOGGER.verbose(f"Will apply post-processing to streamed outputs: {name}")
            return postprocess_stream()
        G_LOGGER.start(f"Applying post-processing to outputs: {name}")
        processed = apply(run_results)
        G_LOGGER.finish("Finished applying post-processing")
        return processed

    @staticmethod
    def default_comparisons(run_results: RunResults) -> List[Tuple[int, int]]:
        """Places of runners to compare: the first with the second, the second with the third …"""
        return [(index, index + 1) for index in range(len(run_results) - 1)]

    @staticmethod
    def compare_accuracy(
        run_results,
        fail_fast: bool = False,
        comparisons: Optional[Sequence[Tuple[int, int]]] = None,
        compare_func=None,
        check_average: bool = False,
    ) -> AccuracyResults:
        """Compares the outputs of runners.

        Args:
            run_results: RunResults; or a generator of those of one iteration each; or a list of
                such generators, whose runners are taken together.
            fail_fast: Whether to stop after the first pair of results with a mismatch.
            comparisons: Pairs of places of runners; see `default_comparisons` if left out.
            compare_func: A function of two IterationResults that returns name -> something true or
                false, or a list of them. SimpleCompareFunc() if left out.
            check_average: Whether metrics are averaged over the iterations before they are checked.

        Returns:
            The results, one AccuracyResult for each function.
        """
        if check_average and fail_fast:
            G_LOGGER.critical("check_average and fail_fast cannot be used together.")
        funcs = list(compare_func) if isinstance(compare_func, (list, tuple)) else [compare_func]
        funcs = [util.default(func, SimpleCompareFunc()) for func in funcs]
        if check_average:
            for func in funcs:
                check_averageable(func)

        aggregation = "average" if check_average else "per_sample"
        accuracy_results = AccuracyResults([AccuracyResult(aggregation=aggregation) for _ in funcs])
        stream = iterations_of(run_results)
        total = count_iterations(run_results)
        pairs: List[Tuple[int, int]] = []
        runner_names: Optional[list] = None

        try:
            for index, results in enumerate(over(stream, "comparison", total)):
                names = list(results.keys())
                if runner_names is None:
                    runner_names = names
                    pairs = list(util.default(comparisons, Comparator.default_comparisons(results)))
                    _begin_pairs(pairs, names, accuracy_results)
                elif names != runner_names:
                    G_LOGGER.critical(
                        f"Streamed iteration {index} contains a different set of runners than the "
                        f"first ({names} vs. {runner_names}). Every iteration must contain the "
                        "same runners in the same order."
                    )
                G_LOGGER.info(f"Iteration: {index}")
                with G_LOGGER.indent():
                    matched = _pairs_match(results, pairs, funcs, accuracy_results, fail_fast)
                if fail_fast and not matched:
                    return accuracy_results
        finally:
            _close_stream(stream)

        for place0, place1 in pairs:
            summarize_pair((runner_names[place0], runner_names[place1]), accuracy_results)
        return accuracy_results

    @staticmethod
    def compare(output0, output1) -> bool:
        """Whether two outputs match, by SimpleCompareFunc's tolerances.

        The original has no such method, but scripts call it; `compare_accuracy` does more.

        Args:
            output0: Name -> array, or one array, or something that an array can be made of.
            output1: The same; the reference of relative differences.
        """

        def as_result(output, runner_name: str) -> IterationResult:
            if not hasattr(output, "items"):
                is_array = util.array.is_torch(output) or util.array.is_device_view(output)
                output = {"output": output if is_array else np.asarray(output)}
            return IterationResult(dict(output.items()), runner_name=runner_name)

        results = SimpleCompareFunc()(as_result(output0, "output0"), as_result(output1, "output1"))
        return all(map(bool, results.values()))

    @staticmethod
    def validate(
        run_results,
        check_inf: Optional[bool] = None,
        check_nan: Optional[bool] = None,
        fail_fast: Optional[bool] = None,
    ):
        """Looks for NaN and infinite values.

        Args:
            run_results: RunResults, or a generator or list of them.
            check_inf: Whether to look for infinite values. False if left out.
            check_nan: Whether to look for NaN. True if left out.
            fail_fast: Whether to stop at the first invalid output. False if left out.

        Returns:
            Union[bool, Generator[RunResults]]: Whether all outputs are valid. For a generator, the
            results again, which end with an exception at the first invalid iteration. For a list, a
            list of verdicts.
        """
        if isinstance(run_results, (list, tuple)):
            options = (check_inf, check_nan, fail_fast)
            return [Comparator.validate(each, *options) for each in run_results]
        check_inf = util.default(check_inf, False)
        check_nan = util.default(check_nan, True)
        fail_fast = util.default(fail_fast, False)

        if isinstance(run_results, RunResults):
            G_LOGGER.start(f"Output Validation | Runners: {list(run_results.keys())}")
            with G_LOGGER.indent():
                valid = validate_run_results(run_results, check_inf, check_nan, fail_fast)
                if valid:
                    G_LOGGER.finish("PASSED | Output Validation")
                elif not fail_fast:
                    G_LOGGER.error("FAILED | Output Validation")
            return valid

        def validate_stream():
            try:
                for index, results in enumerate(run_results):
                    prefix = f"Iteration {index} | "
                    if not validate_run_results(results, check_inf, check_nan, fail_fast, prefix):
                        G_LOGGER.critical(
                            f"Output validation failed: iteration {index} contains invalid values "
                            "(NaNs/Infs). See the errors above."
                        )
                    yield results
            finally:
                _close_stream(run_results)

        return validate_stream()


mod.export_parts()
