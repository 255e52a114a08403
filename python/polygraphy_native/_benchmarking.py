"""Latency and memory of engines."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._documents import _made
from polygraphy_native._engines import RunnerLike, _places, _runners_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native, _shapes_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs


@dataclass(frozen=True)
class BenchmarkedRunner:
    """A runner that was measured.

    Attributes:
        name: Its name.
        load_seconds: The duration of loading the model.
        failure: The message if the model could not be loaded; empty: it was loaded.
    """

    name: str
    load_seconds: float = 0
    failure: str = ""


@dataclass(frozen=True)
class Latencies:
    """In seconds."""

    min: float
    mean: float
    p50: float
    p90: float
    p99: float
    max: float


@dataclass(frozen=True)
class NodeTime:
    """The time of one node.

    Attributes:
        node, op_type: Its name and operator, if the engine knows them.
        kernel: The engine's name of the implementation.
        microseconds: The median of the measured runs.
    """

    node: str
    op_type: str
    kernel: str
    microseconds: float


@dataclass(frozen=True)
class BenchmarkFigures:
    """One runner with the inputs of one case.

    Attributes:
        runner: Its name.
        failure: Its message if it failed; then there are no figures. Empty: it ran.
        latency: Of the measured runs; None: it failed.
        runs_per_second: 1 / the mean latency.
        samples_per_second: None: the batch size is not known.
        peak_bytes: Growth of memory up to the peak of the first run; 0: not known.
        runs_seconds: Of each measured run, in order.
        nodes: The slowest ones first, with nodes=COUNT.
    """

    runner: str
    failure: str = ""
    latency: Latencies | None = None
    runs_per_second: float = 0
    samples_per_second: float | None = None
    peak_bytes: int = 0
    runs_seconds: tuple[float, ...] = ()
    nodes: tuple[NodeTime, ...] = ()


@dataclass(frozen=True)
class BenchmarkCase:
    """Inputs of one shape.

    Attributes:
        inputs: "x:[1,3,224,224]".
        results: In the order of the runners.
        batch: The batch size; None: not known.
    """

    inputs: str
    results: tuple[BenchmarkFigures, ...]
    batch: int | None = None


@dataclass(frozen=True, repr=False)
class BenchmarkReport(_Report):
    """The result of benchmark(); true if no runner failed.

    Attributes:
        passed: The same as bool().
        text: The messages of `polygraphy run --benchmark`, with a table of each case.
        runners: In the order of the call.
        cases: Each set of shapes with each batch size.
    """

    passed: bool
    text: str
    runners: tuple[BenchmarkedRunner, ...]
    cases: tuple[BenchmarkCase, ...]

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
    found = json.loads(encoded)
    return BenchmarkReport(
        passed,
        text,
        tuple(_made(BenchmarkedRunner, each) for each in found["runners"]),
        tuple(map(_case, found["cases"])),
    )


def _case(found: dict[str, Any]) -> BenchmarkCase:
    return _made(BenchmarkCase, found, results=tuple(map(_figures, found["results"])))


def _figures(found: dict[str, Any]) -> BenchmarkFigures:
    latency = found.get("latency_seconds")
    nodes = tuple(_made(NodeTime, each, op_type=each["op"]) for each in found.get("nodes", ()))
    return _made(BenchmarkFigures, found, latency=latency and _made(Latencies, latency), nodes=nodes)
