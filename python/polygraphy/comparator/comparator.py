"""Running models one after the other, or side by side, and comparing what comes out."""

from __future__ import annotations

import contextlib
import copy
import os
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple

from polygraphy import mod, util
from polygraphy.common import TensorMetadata
from polygraphy.comparator import util as comp_util
from polygraphy.comparator.compare import (
    BaseCompareFunc,
    SimpleCompareFunc,
    metric_fields_for_func,
)
from polygraphy.comparator.data_loader import (
    DataLoader,
    DataLoaderCache,
    check_feed_dict,
    coerce_feed_dict,
)
from polygraphy.comparator.struct import (
    AccuracyResult,
    AccuracyResults,
    IterationResult,
    RunResults,
)
from polygraphy.json.serde import ITERATION_FILE_INDEX_WIDTH, IterationWriter
from polygraphy.logger import G_LOGGER, LogMode

np = mod.lazy_import("numpy")


def _close_stream(stream: Any) -> None:
    """Ends a generator now, so that the runners in it are deactivated."""
    close = getattr(stream, "close", None)
    if close is not None:
        close()


class _InputBlobWriter:
    """Writes the bytes of each input into a file of its own, in a folder for each iteration."""

    def __init__(self, path: str):
        G_LOGGER.info(f"Saving raw inference input tensors to: {path}")
        if os.path.exists(path) and not os.path.isdir(path):
            G_LOGGER.critical(
                f"Cannot save raw inputs to '{path}': a file already exists there, but this path "
                "is a directory of per-iteration subdirectories."
            )
        self.path = path
        self._index = 0

    def append(self, feed_dict: dict) -> None:
        iter_dir = os.path.join(self.path, f"{self._index:0{ITERATION_FILE_INDEX_WIDTH}d}")
        os.makedirs(iter_dir, exist_ok=True)
        for name, arr in feed_dict.items():
            file = os.path.join(iter_dir, f"{name}.bin")
            # Names come out of models: they must not reach other folders.
            inside = os.path.join(os.path.realpath(iter_dir), "")
            if not os.path.realpath(file).startswith(inside):
                G_LOGGER.critical(
                    f"Cannot save raw input tensor named '{name}': the name resolves to a path "
                    f"outside of '{iter_dir}'."
                )
            contiguous = util.array.make_contiguous(util.array.to_numpy(arr))
            util.save_file(contiguous.tobytes(), file)
        G_LOGGER.verbose(f"Saved raw inference input tensors to: {iter_dir}")
        self._index += 1


class _Savers:
    """The files that inputs and outputs of a run are written to, those that are asked for."""

    def __init__(self, inputs: Optional[str], outputs: Optional[str], blobs: Optional[str]):
        paths = [path for path in (inputs, outputs, blobs) if path is not None]
        for index, path in enumerate(paths):
            if os.path.realpath(path) in map(os.path.realpath, paths[:index]):
                G_LOGGER.critical(
                    "Two of save_inputs_path, save_outputs_path, and save_input_blob_path resolve "
                    f"to the same path ('{path}'). Use distinct paths."
                )
        self._inputs, self._outputs, self._blobs = inputs, outputs, blobs
        self.writers: List[IterationWriter] = []

    @contextlib.contextmanager
    def open(self):
        """Yields two functions that take the inputs and the RunResults of an iteration."""
        with contextlib.ExitStack() as stack:
            inputs = outputs = blobs = None
            if self._inputs is not None:
                inputs = IterationWriter(
                    self._inputs, copy_on_accumulate=True, description="inference input data"
                )
                self.writers.append(stack.enter_context(inputs))
            if self._blobs is not None:
                blobs = _InputBlobWriter(self._blobs)
            if self._outputs is not None:
                outputs = IterationWriter(
                    self._outputs, combine=RunResults.concat, description="inference results"
                )
                self.writers.append(stack.enter_context(outputs))

            def save_inputs(feed_dict) -> None:
                for writer in filter(None, (inputs, blobs)):
                    writer.append(dict(feed_dict))

            def save_outputs(run_results) -> None:
                if outputs is not None:
                    outputs.append(run_results)

            yield save_inputs, save_outputs


def _log_metadata(head: str, kind: str, arrays: dict) -> None:
    G_LOGGER.info(
        f"{head}\n---- Inference {kind} ----\n{TensorMetadata.from_feed_dict(arrays)}",
        mode=LogMode.ONCE,
    )


def _log_outputs(runner_name: str, runtime: float, outputs: dict) -> None:
    G_LOGGER.extra_verbose(
        lambda: f"{runner_name:35} | Inference Time: {runtime * 1000.0:.3f} ms | Received "
        f"outputs:\n{util.indent_block(dict(outputs))}"
    )


def _execute_runner(runner, cache: DataLoaderCache, warm_up: int) -> List[IterationResult]:
    """All iterations of one runner."""
    with runner as active_runner:
        # DataLoaderCache brings inputs into this runner's types and shapes.
        cache.set_input_metadata(active_runner.get_input_metadata(use_numpy_dtypes=False))

        if warm_up:
            G_LOGGER.start(f"{active_runner.name:35} | Running {warm_up} warm-up run(s)")
            try:
                feed_dict = cache[0]
            except IndexError:
                G_LOGGER.warning(
                    f"{warm_up} warm-up run(s) were requested, but data loader did not supply any "
                    "data. Skipping warm-up run(s)"
                )
            else:
                G_LOGGER.ultra_verbose(
                    lambda: f"Warm-up Input Buffers:\n{util.indent_block(feed_dict)}"
                )
                for _ in range(warm_up):
                    active_runner.infer(feed_dict=feed_dict)
            G_LOGGER.finish(f"{active_runner.name:35} | Finished {warm_up} warm-up run(s)")

        # With one iteration nothing overwrites the outputs, and they may be large.
        keep = copy.deepcopy if len(cache) > 1 else lambda outputs: outputs
        total_runtime = 0.0
        iterations: List[IterationResult] = []
        for feed_dict in cache:
            _log_metadata(f"{active_runner.name:35}", "Input(s)", feed_dict)
            G_LOGGER.extra_verbose(
                lambda: f"{active_runner.name:35} | Feeding inputs:\n"
                f"{util.indent_block(dict(feed_dict))}"
            )
            outputs = active_runner.infer(feed_dict=feed_dict)
            runtime = active_runner.last_inference_time() or 0.0
            total_runtime += runtime
            iterations.append(
                IterationResult(
                    outputs=keep(outputs), runtime=runtime, runner_name=active_runner.name
                )
            )
            _log_metadata(f"{active_runner.name:35}", "Output(s)", outputs)
            _log_outputs(active_runner.name, runtime, outputs)

        total_runtime_ms = total_runtime * 1000.0
        count = len(iterations)
        G_LOGGER.finish(
            f"{active_runner.name:35} | Completed {count} iteration(s) in "
            f"{total_runtime_ms:.4g} ms | Average inference time: "
            f"{total_runtime_ms / float(max(count, 1)):.4g} ms."
        )
        return iterations


def _execute_runner_in_process(
    runner, cache: DataLoaderCache, warm_up: int, timeout, polling_interval: float
) -> List[IterationResult]:
    """The same in a process of its own; `cache` then has what was taken out of the data loader."""
    import multiprocessing
    import queue
    import traceback

    # Runners and data loaders cannot be sent, only inherited.
    context = multiprocessing.get_context("fork")
    runner_queue, cache_queue = context.Queue(), context.Queue()

    def execute() -> None:
        iterations = None
        try:
            iterations = _execute_runner(runner, cache, warm_up)
        except Exception:
            # The parent only sees that there are no results.
            G_LOGGER.error(traceback.format_exc())
        finally:
            util.try_send_on_queue(runner_queue, iterations)
            util.try_send_on_queue(cache_queue, cache.cache)

    process = context.Process(target=execute)
    process.start()

    iterations = None
    waited = 0.0
    while True:
        try:
            iterations = util.util.receive_on_queue(runner_queue, polling_interval)
            break
        except queue.Empty:
            waited += polling_interval
            if not process.is_alive() or (timeout is not None and waited >= timeout):
                break
            G_LOGGER.extra_verbose("Polled subprocess - still running")

    if iterations is None:
        process.terminate()
        process.join()
        G_LOGGER.critical(
            f"{runner.name:35} | Terminated prematurely. Check the exception logged above. If "
            "there is no exception logged above, make sure not to use the --use-subprocess flag "
            "or set use_subprocess=False in Comparator.run()."
        )
    contents = util.try_receive_on_queue(cache_queue, timeout)
    if contents is None:
        G_LOGGER.critical(
            "Could not send data loader cache to runner subprocess. Please try disabling "
            "subprocesses by removing the --use-subprocess flag, or setting use_subprocess=False "
            "in Comparator.run()"
        )
    cache.cache = contents
    process.join(timeout)
    return iterations


def _run_streaming(runners: Sequence, data_loader, savers: _Savers) -> Iterator[RunResults]:
    """All runners active at once; the results of an iteration are forgotten after the next."""
    if not runners:
        G_LOGGER.warning(
            "No runners were provided to Comparator.run(streaming=True). "
            "Inference will not be run."
        )
        return
    with contextlib.ExitStack() as stack:
        metadata = []
        for runner in runners:
            G_LOGGER.start(f"{runner.name:35} | Activating and starting inference")
            stack.enter_context(runner)
            metadata.append(runner.get_input_metadata(use_numpy_dtypes=False))
        if hasattr(data_loader, "input_metadata"):
            data_loader.input_metadata = metadata[0]
        save_inputs, save_outputs = stack.enter_context(savers.open())

        for index, feed_dict in enumerate(data_loader):
            check_feed_dict(feed_dict)
            _log_metadata(f"Streaming iteration {index}", "Input(s)", feed_dict)
            save_inputs(feed_dict)

            run_results = RunResults()
            for runner, meta in zip(runners, metadata):
                outputs = runner.infer(feed_dict=coerce_feed_dict(feed_dict, meta))
                runtime = runner.last_inference_time() or 0.0
                _log_metadata(f"{runner.name:35}", "Output(s)", outputs)
                _log_outputs(runner.name, runtime, outputs)
                # The next iteration may overwrite them while somebody holds these.
                iteration = IterationResult(copy.deepcopy(outputs), runtime, runner.name)
                run_results.append((runner.name, [iteration]))
            save_outputs(run_results)
            if index == 1 and any(writer.single_file for writer in savers.writers):
                G_LOGGER.warning(
                    "Saving streamed results to a single file accumulates every iteration in "
                    "memory; pass a directory to --save-inputs/--save-outputs (read back with "
                    "--load-inputs/--load-outputs) to keep memory constant."
                )
            yield run_results


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
            use_subprocess: Whether each runner has a process of its own.
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
        warm_up = util.default(warm_up, 0)
        use_subprocess = util.default(use_subprocess, False)
        polling_interval = util.default(subprocess_polling_interval, 30)
        data_loader = util.default(data_loader, DataLoader())
        savers = _Savers(save_inputs_path, save_outputs_path, save_input_blob_path)

        if util.default(streaming, False):
            if warm_up or use_subprocess:
                G_LOGGER.critical(
                    "streaming=True does not support warm_up or use_subprocess. "
                    "Set streaming=False to use them."
                )
            return _run_streaming(runners, data_loader, savers)

        if not runners:
            G_LOGGER.warning(
                "No runners were provided to Comparator.run(). "
                "Inference will not be run, and run results will be empty."
            )
        cache = DataLoaderCache(data_loader)
        run_results = RunResults()
        for runner in runners:
            G_LOGGER.start(f"{runner.name:35} | Activating and starting inference")
            if use_subprocess:
                iterations = _execute_runner_in_process(
                    runner, cache, warm_up, subprocess_timeout, polling_interval
                )
            else:
                iterations = _execute_runner(runner, cache, warm_up)
            run_results.append((runner.name, iterations))
        G_LOGGER.verbose(f"Successfully ran: {[r.name for r in runners]}")

        with savers.open() as (save_inputs, save_outputs):
            for feed_dict in cache.cache:
                save_inputs(feed_dict)
            for iteration in run_results.split():
                save_outputs(iteration)
        return run_results

    @staticmethod
    def postprocess(run_results, postprocess_func: Callable):
        """Applies a function to the result of every iteration.

        Args:
            run_results: RunResults, which are changed in place, or a generator of them.
            postprocess_func: Gets an IterationResult and returns one.

        Returns:
            The results; a generator of them if a generator was given.
        """
        name = getattr(postprocess_func, "__name__", type(postprocess_func).__name__)

        def apply(results: RunResults) -> RunResults:
            for index, (runner_name, iterations) in enumerate(results.items()):
                results.lst[index] = (runner_name, [postprocess_func(it) for it in iterations])
            return results

        if isinstance(run_results, RunResults):
            G_LOGGER.start(f"Applying post-processing to outputs: {name}")
            apply(run_results)
            G_LOGGER.finish("Finished applying post-processing")
            return run_results

        def postprocess_stream():
            try:
                for results in run_results:
                    yield apply(results)
            finally:
                _close_stream(run_results)

        G_LOGGER.verbose(f"Will apply post-processing to streamed outputs: {name}")
        return postprocess_stream()

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
            fail_fast: Whether to stop after the first iteration with a mismatch.
            comparisons: Pairs of places of runners; see `default_comparisons` if left out.
            compare_func: A function of two IterationResults that returns name -> something true or
                false, or a list of them. SimpleCompareFunc() if left out.
            check_average: Whether metrics are averaged over the iterations before they are checked.

        Returns:
            The results, one AccuracyResult for each function.
        """
        if check_average and fail_fast:
            G_LOGGER.critical("check_average and fail_fast cannot be used together.")
        compare_func = util.default(compare_func, SimpleCompareFunc())
        funcs = list(compare_func) if isinstance(compare_func, (list, tuple)) else [compare_func]
        if check_average:
            for func in funcs:
                _check_averageable(func)

        aggregation = "average" if check_average else "per_sample"
        accuracy_results = AccuracyResults([AccuracyResult(aggregation=aggregation) for _ in funcs])
        stream = _iterations_of(run_results)
        pairs: List[Tuple[int, int]] = []
        runner_names: Optional[list] = None

        try:
            for index, results in enumerate(stream):
                names = list(results.keys())
                if runner_names is None:
                    runner_names = names
                    pairs = list(util.default(comparisons, Comparator.default_comparisons(results)))
                    for place0, place1 in pairs:
                        G_LOGGER.start(f"Accuracy Comparison | {names[place0]} vs. {names[place1]}")
                elif names != runner_names:
                    G_LOGGER.critical(
                        f"Streamed iteration {index} contains a different set of runners than the "
                        f"first ({names} vs. {runner_names}). Every iteration must contain the "
                        "same runners in the same order."
                    )
                G_LOGGER.info(f"Iteration: {index}")
                matched = True
                with G_LOGGER.indent():
                    for place0, place1 in pairs:
                        matched &= _compare_iteration(
                            results[place0], results[place1], funcs, accuracy_results
                        )
                if fail_fast and not matched:
                    return accuracy_results
        finally:
            _close_stream(stream)

        for place0, place1 in pairs:
            _summarize_pair((runner_names[place0], runner_names[place1]), accuracy_results)
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
        """Looks for values that are no numbers.

        Args:
            run_results: RunResults, or a generator of them.
            check_inf: Whether to look for infinite values. False if left out.
            check_nan: Whether to look for NaN. True if left out.
            fail_fast: Whether to stop at the first invalid output. False if left out.

        Returns:
            Union[bool, Generator[RunResults]]: Whether all outputs are valid. For a generator, the
            results again, which end with an exception at the first invalid iteration.
        """
        check_inf = util.default(check_inf, False)
        check_nan = util.default(check_nan, True)
        fail_fast = util.default(fail_fast, False)

        if isinstance(run_results, RunResults):
            G_LOGGER.start(f"Output Validation | Runners: {list(run_results.keys())}")
            with G_LOGGER.indent():
                valid = _validate_run_results(run_results, check_inf, check_nan, fail_fast)
                if valid:
                    G_LOGGER.finish("PASSED | Output Validation")
                elif not fail_fast:
                    G_LOGGER.error("FAILED | Output Validation")
            return valid

        def validate_stream():
            try:
                for index, results in enumerate(run_results):
                    prefix = f"Iteration {index} | "
                    if not _validate_run_results(results, check_inf, check_nan, fail_fast, prefix):
                        G_LOGGER.critical(
                            f"Output validation failed: iteration {index} contains invalid values "
                            "(NaNs/Infs). See the errors above."
                        )
                    yield results
            finally:
                _close_stream(run_results)

        return validate_stream()


def _check_averageable(func: Callable) -> None:
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


def _iterations_of(run_results) -> Iterator[RunResults]:
    """The results of one iteration after the other, of whatever `compare_accuracy` takes."""
    if isinstance(run_results, RunResults):
        return run_results.split()
    if isinstance(run_results, (list, tuple)):
        streams = [r.split() if isinstance(r, RunResults) else iter(r) for r in run_results]
        return _merged_stream(streams)
    return iter(run_results)


def _merged_stream(streams: List[Iterator[RunResults]]) -> Iterator[RunResults]:
    """Iterations with the runners of all streams, as long as all of them last."""
    compared = 0
    end = object()
    try:
        while True:
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


def _compare_iteration(named0, named1, funcs: Iterable[Callable], accuracy_results) -> bool:
    """Compares one iteration of two runners, and adds the outcome to the results."""
    (runner0_name, [iter_result0]), (runner1_name, [iter_result1]) = named0, named1
    pair = (runner0_name, runner1_name)
    outcomes = []
    for func, accuracy_result in zip(funcs, accuracy_results):
        outcome = func(iter_result0, iter_result1)
        outcomes.append(outcome)
        if pair not in accuracy_result:
            accuracy_result[pair] = []
        accuracy_result[pair].append(outcome)
    comp_util.log_compared_output_stats(
        iter_result0, iter_result1, outcomes, runner0_name, runner1_name
    )
    return all(bool(matched) for outcome in outcomes for matched in outcome.values())


def _summarize_pair(pair: Tuple[str, str], accuracy_results: AccuracyResults) -> None:
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


def _validate_run_results(
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
