"""Many models on several engines."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._engines import RunnerLike, _places, _runners_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Path
from polygraphy_native._records import JudgedUnit, ZooFigures, ZooModel
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options


# The verdict on an output.
ZooOutput = JudgedUnit


@dataclass(frozen=True, repr=False, kw_only=True)
class ZooReport(_Report, ZooFigures):
    """The result of zoo(); true if no model fails.

    Attributes:
        passed: The same as bool().
        text: The tables that `polygraphy zoo` prints.
        results: The JSON text of `polygraphy zoo -o`, also for its --baseline.

    The others are in that document: docs/results.md.
    """

    passed: bool
    text: str
    results: str

    def __bool__(self) -> bool:
        return self.passed

    @property
    def failed(self) -> tuple[ZooModel, ...]:
        """The models that fail on an engine."""
        return tuple(each for each in self.models if each.outcome not in ("passed", "not compared"))


def zoo(
    models: Path | Sequence[Path], engines: RunnerLike | Sequence[RunnerLike], *, seed: int = 1,
    input_shapes: Mapping[str, Shape] | None = None,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = True,
    noise_runs: int = 3, threshold: float = 3, timeout: float | None = 300, locate: bool = True,
    reduce_timeout: float | None = 60,
) -> ZooReport:  # fmt: skip
    """Runs every model on several engines, each in a separate process, and compares the outputs.

    Args:
        models: Models, folders with .onnx files at any depth, and .txt files with a path per line.
            Inputs come from a folder test_data_set_0 beside a model, else they are generated.
        engines: One runner or several, as for run(). The first that runs a model is its reference.
        seed: Of generated inputs.
        input_shapes: Shapes of generated inputs, by name, for the models that have them.
        val_range: Least and greatest generated number, for all inputs or by name. (0, 1) else.
        valid_inputs: Generate inputs, and sizes of open dimensions, that models can work with.
        noise_runs: Evaluations with random rounding, at least 2.
        threshold: Errors up to this multiple of the noise pass.
        timeout: Seconds for a load or an inference; None: no limit.
        locate: Find the guilty nodes of outputs that differ.
        reduce_timeout: Seconds to reduce a model that crashes an engine; None: do not.

    Raises:
        Error: There is no model or no such engine. A model that fails is a part of the report.
    """
    options = _process_options(None, True, timeout) | {
        **_inputs_to_native(
            None, seed=seed, val_range=val_range, input_shapes=input_shapes, valid=valid_inputs
        ),
        "noise_runs": noise_runs, "threshold": threshold, "locate": locate,
        "reduce_timeout": reduce_timeout,
    }  # fmt: skip
    given = [models] if isinstance(models, (str, os.PathLike)) else models
    passed, text, results, times = _native.run_zoo(
        [os.fspath(each) for each in given], _runners_to_native(engines), options, _places()
    )
    found = json.loads(results)
    for model, cost in zip(found["models"], json.loads(times)["models"]):
        for engine, of_engine in zip(model["engines"], cost["engines"]):
            engine |= of_engine
    return ZooReport._of(found, passed=passed, text=text, results=results)
