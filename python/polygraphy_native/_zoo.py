"""Many models on several engines."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._documents import _made
from polygraphy_native._engines import RunnerLike, _places, _runners_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Path
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options
from polygraphy_native._verdict import Verdict, _verdict


@dataclass(frozen=True)
class ZooOutput:
    """The verdict on one output.

    Attributes:
        name: Its name.
        passed: Whether its error is within the noise.
        excess: Its error in parts of what is allowed, or None.
    """

    name: str
    passed: bool
    excess: float | None = None


@dataclass(frozen=True)
class ZooEngine:
    """How far an engine gets with a model.

    Attributes:
        engine: Its name.
        outcome: "passed", "not compared", "killed" (from outside: no verdict), "not finite",
            "precision too low", "differs", "other shape", "not run", "not loaded", "too slow" or
            "crashed".
        stage: The step that failed: "load", "run", "compare"; "done" if no step did.
        reason: A sentence, or "".
        details: The whole text of a failure; "" if `reason` is all of it.
        excess: The largest error in parts of what is allowed, or None.
        guilty: Nodes that make the outputs differ, each with its operator: "Relu_3 (Relu)".
        outputs: None of them if all have the same bytes as those of the reference.
        reduced: The smallest model that still crashes the engine, as the bytes of a file, or None.
        load_seconds, run_seconds: Of one load and one inference, or None.
        peak_bytes: Memory of the engine's processes meanwhile, or None.
    """

    engine: str
    outcome: str
    stage: str
    reason: str = ""
    details: str = ""
    excess: float | None = None
    guilty: tuple[str, ...] = ()
    outputs: tuple[ZooOutput, ...] = ()
    reduced: bytes | None = None
    load_seconds: float | None = None
    run_seconds: float | None = None
    peak_bytes: int | None = None


@dataclass(frozen=True)
class ZooModel:
    """A model on all engines.

    Attributes:
        model: Its path.
        outcome: The worst of all engines.
        nodes: How many it has.
        inputs: Shapes of generated inputs whose dimensions the model leaves open:
            "image:[1,3,32,32]".
        reference: The first engine that ran it, or "".
        engines: In their order; empty with a problem.
        problem: Why it cannot be read or has no inputs, or "".
    """

    model: str
    outcome: str
    nodes: int
    reference: str
    engines: tuple[ZooEngine, ...]
    problem: str = ""
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class ZooReport(_Report):
    """The result of zoo(); true if no model fails.

    Attributes:
        passed: The same as bool().
        answer: On all models.
        text: The tables that `polygraphy zoo` prints.
        models: In their order.
        versions: Of the engines, by name.
        results: The JSON text of `polygraphy zoo -o`, also for its --baseline.
    """

    passed: bool
    answer: Verdict
    text: str
    models: tuple[ZooModel, ...]
    versions: dict[str, str]
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
    costs = [model["engines"] for model in json.loads(times)["models"]]
    return _made(
        ZooReport, found, passed=passed, answer=_verdict(found["answer"]), text=text,
        models=tuple(map(_model, found["models"], costs)), results=results,
    )  # fmt: skip


def _model(found: dict[str, Any], costs: list[dict[str, Any]]) -> ZooModel:
    return _made(ZooModel, found, engines=tuple(map(_engine, found["engines"], costs)))


def _engine(found: dict[str, Any], cost: dict[str, Any]) -> ZooEngine:
    reduced = found.get("reduced")
    return _made(
        ZooEngine, {**found, **cost},
        outputs=tuple(_made(ZooOutput, each) for each in found.get("outputs", ())),
        reduced=base64.b64decode(reduced["onnx"]) if reduced else None,
    )  # fmt: skip
