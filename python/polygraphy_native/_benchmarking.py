"""Latency and memory of engines."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._engines import RunnerLike, _places, _runners_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native, _shapes_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._records import BenchmarkResults
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs


@dataclass(frozen=True, repr=False, kw_only=True)
class BenchmarkReport(_Report, BenchmarkResults):
    """The result of benchmark(); true if no runner failed.

    Attributes:
        passed: The same as bool().
        text: The messages of `polygraphy run --benchmark`, with a table of each case.

    The others are in the document of `--save-benchmark`: docs/results.md.
    """

    passed: bool
    text: str

    def __bool__(self) -> bool:
        return self.passed


def benchmark(
    model: Model | Path, runners: RunnerLike | Sequence[RunnerLike], *, inputs: Inputs = None,
    input_shapes: Mapping[str, Shape] | None = None, seed: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, isolate: bool = False, timeout: float | None = None,
    warm_up: int = 5, runs: int = 50, shapes: Sequence[Mapping[str, Shape]] = (),
    batches: Sequence[int] = (), nodes: int = 0, save: Path = "", save_plot: Path = "",
) -> BenchmarkReport:  # fmt: skip
    """Measures latency, throughput and memory of runners, which take turns.

    Args:
        model: A Model, or the path of a model.
        runners: One runner or several, as for run().
        inputs: As for run(); the first set of inputs is the only case.
        input_shapes, seed, val_range, valid_inputs, isolate, timeout: As for run().
        warm_up, runs: Unmeasured and measured runs of each runner and case.
        shapes: Sets of input shapes, by name; each is a case.
        batches: Batch sizes; each is a case of each set of shapes. A size is the first dimension of
            each input, where the model leaves it open.
        nodes: Time single nodes in separate sessions, and show this number of them in `text`; 0: do
            not time nodes.
        save, save_plot: Paths for the figures as JSON and as SVG; empty: not saved.

    Raises:
        Error: There are no runners, or an argument is out of range. A runner that fails, also
            because of its inputs, is in the report, and the others continue.
    """
    options = _process_options(input_shapes, isolate, timeout) | {
        "warm_up": warm_up, "runs": runs, "shapes": list(map(_shapes_to_native, shapes)),
        "batches": list(batches), "nodes": nodes, "save": os.fspath(save),
        "save_plot": os.fspath(save_plot),
    }  # fmt: skip
    data = _inputs_to_native(
        inputs, seed=seed, val_range=val_range, input_shapes=input_shapes, valid=valid_inputs
    )
    passed, text, encoded = _native.benchmark_model(
        _source_to_native(model), _runners_to_native(runners), options, data, _places()
    )
    return BenchmarkReport._of(json.loads(encoded), passed=passed, text=text)
