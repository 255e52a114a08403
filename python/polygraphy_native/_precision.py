"""The parts of a model that need a higher precision."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Mapping, Sequence, Union

from polygraphy_native import _native
from polygraphy_native._engines import RunnerLike, _places, _runner_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._records import PrecisionFigures
from polygraphy_native._reducing import _check_options, _check_to_native
from polygraphy_native._reporting import Error
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs

# A function of an engine's path, or the words of a command.
EngineCheck = Union[Callable[[str], object], Sequence[str]]

_MODES = (None, "bisect", "linear", "auto")
_PRECISIONS = ("float32", "float16")


@dataclass(frozen=True, repr=False, kw_only=True)
class PrecisionReport(_Report, PrecisionFigures):
    """The result of find_precision(); true if an engine passes.

    Attributes:
        text: The messages of `polygraphy debug precision`.

    The others are in docs/results.md.
    """

    text: str

    def __bool__(self) -> bool:
        return self.mode == "auto" or self.layers is not None


def find_precision(
    model: Model | Path, check: EngineCheck, *, runner: RunnerLike = "tensorrt",
    mode: str | None = None, reverse: bool = False, precision: str = "float32", output: Path = "",
    inputs: Inputs = None, input_shapes: Mapping[str, Shape] | None = None, seed: int = 1,
    iterations: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, timeout: float | None = None, fail_regex: Sequence[str] = (),
    check_timeout: float | None = None, load_replay: Path = "", save_replay: Path = "",
) -> PrecisionReport:  # fmt: skip
    """Builds engines with parts of a model in a higher precision, until a check passes.

    Args:
        model: A Model, or the path of a model.
        check: A function of an engine's path; it returns whether the engine passes, and an
            exception ends the search. Or a command, as a list of words: exit code 0 means that the
            engine passes. "{model}" in it becomes the path of the engine.
        runner: The library and its options, as for run(): "tensorrt fp16".
        mode: "bisect" and "linear" search for the fewest layers from one end of the network: they
            try half of them, or one more each time. "auto" searches for the fewest nodes of the
            model. None: "bisect" if layers of the network have precisions, else "auto".
        reverse: For the first two modes: start at the network's end.
        precision: For the first two modes: the higher precision, "float32" or "float16".
        output: For "auto": a file for the model in float16 with these nodes in float32.
        inputs, seed, iterations, val_range, valid_inputs: For int8 calibration, as for
            build_engine().
        input_shapes: Shapes of inputs, by name.
        timeout: The limit of a build in seconds.
        fail_regex: Of a command: patterns in its output that alone mean failure.
        check_timeout: Of a command: its limit in seconds. None: ten times the duration of the first
            check, and at least ten seconds.
        load_replay, save_replay: Files of verdicts: to skip the checks of an earlier search.

    Raises:
        Error: An option does not fit the network; the check fails on the model in float32.
    """
    if mode not in _MODES:
        raise Error(f"There is no mode {mode!r}.", f"Modes: {', '.join(map(str, _MODES))}.")
    if precision not in _PRECISIONS:
        raise Error(
            f"{precision!r} is not a higher precision.", f"Choices: {', '.join(_PRECISIONS)}."
        )
    options = _process_options(input_shapes, False, timeout)
    options |= _check_options(fail_regex, check_timeout) | {
        "runners": [_runner_to_native(runner)], "mode": mode or "", "reverse": reverse,
        "precision": precision, "output": os.fspath(output),
        "load_replay": os.fspath(load_replay), "save_replay": os.fspath(save_replay),
    }  # fmt: skip
    data = _inputs_to_native(
        inputs, seed=seed, iterations=iterations, val_range=val_range,
        input_shapes=input_shapes, valid=valid_inputs, again=True,
    )  # fmt: skip
    _, text, encoded = _native.find_precision(
        _source_to_native(model), _check_to_native(check, str), options, data, _places()
    )
    return PrecisionReport._of(json.loads(encoded), text=text)
