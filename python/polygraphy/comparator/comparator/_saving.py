"""Writes inputs and outputs of a run into files, during the run."""

from __future__ import annotations

import contextlib
import os
from typing import List, Optional

from polygraphy import util
from polygraphy.comparator.struct import RunResults
from polygraphy.json.serde import ITERATION_FILE_INDEX_WIDTH, IterationWriter, is_single_file
from polygraphy.logger import G_LOGGER


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
