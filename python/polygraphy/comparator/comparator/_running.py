"""Runs runners: one after the other, in separate processes, or side by side."""

from __future__ import annotations

import contextlib
import copy
from typing import Iterator, List, Sequence

from polygraphy import util
from polygraphy.common import TensorMetadata
from polygraphy.comparator.comparator._saving import Savers
from polygraphy.comparator.data_loader import DataLoaderCache, check_feed_dict, coerce_feed_dict
from polygraphy.comparator.struct import IterationResult, RunResults
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.logger._progress import over


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


def execute_runner(runner, cache: DataLoaderCache, warm_up: int) -> List[IterationResult]:
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
        for feed_dict in over(cache, "iteration"):
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


def execute_runner_in_process(
    runner, cache: DataLoaderCache, warm_up: int, timeout, polling_interval: float
) -> List[IterationResult]:
    """The same in a separate process; `cache` then holds the data that the loader has returned."""
    import multiprocessing
    import queue
    import traceback

    # Runners and data loaders cannot be sent, only inherited.
    context = multiprocessing.get_context("fork")
    runner_queue, cache_queue = context.Queue(), context.Queue()

    def execute() -> None:
        iterations = None
        try:
            iterations = execute_runner(runner, cache, warm_up)
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


def run_streaming(runners: Sequence, data_loader, savers: Savers) -> Iterator[RunResults]:
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
        # An object without attributes, such as a list or a generator, is left as it is.
        with contextlib.suppress(AttributeError):
            data_loader.input_metadata = metadata[0]
        save_inputs, save_outputs = stack.enter_context(savers.open())

        for index, feed_dict in enumerate(data_loader):
            check_feed_dict(feed_dict)
            _log_metadata(f"Streaming iteration {index}", "Input(s)", feed_dict)
            if index == 1 and any(writer.single_file for writer in savers.writers):
                G_LOGGER.warning(
                    "Saving streamed results to a single file accumulates every iteration in "
                    "memory; pass a directory to --save-inputs/--save-outputs (read back with "
                    "--load-inputs/--load-outputs) to keep memory constant."
                )
            save_inputs(feed_dict)

            run_results = RunResults()
            for runner, meta in zip(runners, metadata):
                outputs = runner.infer(feed_dict=coerce_feed_dict(feed_dict, meta))
                runtime = runner.last_inference_time() or 0.0
                _log_metadata(f"{runner.name:35}", "Output(s)", outputs)
                _log_outputs(runner.name, runtime, outputs)
                # The next iteration may overwrite them while the caller holds them.
                iteration = IterationResult(copy.deepcopy(outputs), runtime, runner.name)
                run_results.append((runner.name, [iteration]))
            save_outputs(run_results)
            yield run_results
