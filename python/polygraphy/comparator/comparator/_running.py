"""Runs runners, side by side or not, and writes their inputs and outputs into files."""

from __future__ import annotations

import contextlib
import copy
import os
from typing import Iterator, List, Optional, Sequence

from polygraphy import util
from polygraphy.common import TensorMetadata
from polygraphy.comparator.data_loader import DataLoaderCache, check_feed_dict, coerce_feed_dict
from polygraphy.comparator.struct import IterationResult, RunResults
from polygraphy.json.serde import ITERATION_FILE_INDEX_WIDTH, IterationWriter, is_single_file
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.logger._progress import over


class _InputBlobWriter:
    """Writes the bytes of each input into a separate file, in a folder for each iteration."""

    def __init__(self, path: Optional[str]):
        self.path = path
        self._index = 0
        if path is None:
            return
        G_LOGGER.info(f"Saving raw inference input tensors to: {path}")
        if os.path.exists(path) and not os.path.isdir(path):
            G_LOGGER.critical(
                f"Cannot save raw inputs to '{path}': a file already exists there, but this path "
                "is a directory of per-iteration subdirectories."
            )

    def append(self, feed_dict: dict) -> None:
        if self.path is None:
            return
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


class Savers:
    """The files for inputs and outputs of a run, as far as the options name them."""

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

    def save(self, feed_dicts: List[dict], run_results: RunResults) -> None:
        """Writes what a whole run has left, one file or folder after the other."""
        if self._inputs is not None:
            with self._input_writer(self._inputs) as inputs:
                for feed_dict in feed_dicts:
                    inputs.append(dict(feed_dict))
        if self._blobs is not None:
            blobs = _InputBlobWriter(self._blobs)
            for feed_dict in feed_dicts:
                blobs.append(feed_dict)
        if self._outputs is None:
            return
        if is_single_file(self._outputs):
            run_results.save(self._outputs)
            return
        with self._output_writer(self._outputs) as outputs:
            for iteration in run_results.split():
                outputs.append(iteration)

    @staticmethod
    def _input_writer(path: str) -> IterationWriter:
        return IterationWriter(path, copy_on_accumulate=True, description="inference input data")

    @staticmethod
    def _output_writer(path: str) -> IterationWriter:
        return IterationWriter(path, combine=RunResults.concat, description="inference results")

    @contextlib.contextmanager
    def open(self):
        """Yields two functions that take the inputs and the RunResults of an iteration."""
        inputs = outputs = blobs = None
        if self._inputs is not None:
            inputs = self._input_writer(self._inputs)
        if self._outputs is not None:
            outputs = self._output_writer(self._outputs)
        if self._blobs is not None:
            blobs = _InputBlobWriter(self._blobs)
        with contextlib.ExitStack() as stack:
            for writer in filter(None, (outputs, inputs)):  # closed the other way round
                self.writers.append(stack.enter_context(writer))

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
        lambda: (
            f"{runner_name:35} | Inference Time: {runtime * 1000.0:.3f} ms | Received "
            f"outputs:\n{util.indent_block(dict(outputs))}"
        )
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
                lambda: (
                    f"{active_runner.name:35} | Feeding inputs:\n"
                    f"{util.indent_block(dict(feed_dict))}"
                )
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
            "No runners were provided to Comparator.run(streaming=True). Inference will not be run."
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
