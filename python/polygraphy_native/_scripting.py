"""Runs as scripts for the original."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._comparing import PerOutput, _judgement
from polygraphy_native._engines import RunnerLike, _places, _runners_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Path
from polygraphy_native._reporting import Error
from polygraphy_native._running import _runner_options


def run_script(
    model: Path, runners: RunnerLike | Sequence[RunnerLike], *, inputs: Path | Sequence[Path] = (),
    outputs: Sequence[str] | str = (), exclude_outputs: Sequence[str] = (),
    input_shapes: Mapping[str, Shape] | None = None, seed: int | None = None,
    iterations: int | None = None,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    warm_up: int = 0, sequential: bool = False, use_subprocess: bool = False,
    save_inputs: Path = "", save_outputs: Path = "", load_outputs: Path | Sequence[Path] = (),
    metric: str | Sequence[str] = "simple", rtol: PerOutput | None = None,
    atol: PerOutput | None = None, check_error_stat: str | Mapping[str, str] | None = None,
    check_shapes: bool = True, check_average: bool = False, validate: bool = False,
    fail_fast: bool = False, postprocess: str | Mapping[str, str] | None = None,
    **metric_options: Any,
) -> str:  # fmt: skip
    """A Python script that makes a run with the original's package polygraphy.

    Args:
        model: The path of a model; the script has it unchanged, as all paths.
        runners: One runner or several, as for run(), that the original has: "onnxrt" with
            providers and an optimization level, "pluginref"; "tensorrt" and "tensorflow" without
            options.
        inputs: Paths of saved inputs; empty: generated.
        outputs, exclude_outputs, input_shapes: As for run(). For TensorRT, the shapes are a profile,
            too.
        seed, iterations, val_range: Of generated inputs, as for run(); None: the original's default.
        warm_up: Inferences before the first iteration; needs sequential=True.
        sequential: All iterations on one runner before the next.
        use_subprocess: Runners in separate processes.
        save_inputs, save_outputs: Paths of JSON files; empty: not saved.
        load_outputs: Paths of saved outputs to compare with.
        metric, rtol, atol, check_error_stat, check_shapes, check_average, validate, fail_fast,
            postprocess, metric_options: As for compare().

    Returns: The text of the script.

    Raises:
        Error: The original lacks something that the arguments say.
    """
    if warm_up and not sequential:
        raise Error("warm_up needs sequential runners in a script for the original.",
                    "Give sequential=True, or leave out warm_up.")
    own = {"rtol": rtol, "atol": atol, "check_error_stat": check_error_stat, **metric_options}
    texts = _runners_to_native(runners)
    options = _judgement(metric, own, postprocess)
    options |= _runner_options(outputs, exclude_outputs, input_shapes, warm_up, False, None) | {
        "call": f"polygraphy_native.run_script({os.fspath(model)!r}, {texts!r})",
        "inputs": _paths(inputs), "seed": seed, "iterations": iterations,
        "val_range": _inputs_to_native(None, val_range=val_range)["val_range"],
        "sequential": sequential, "use_subprocess": use_subprocess,
        "save_inputs": os.fspath(save_inputs), "save_outputs": os.fspath(save_outputs),
        "load_outputs": _paths(load_outputs), "check_shapes": check_shapes,
        "check_average": check_average, "validate": validate, "fail_fast": fail_fast,
    }  # fmt: skip
    return _native.run_script(os.fspath(model), texts, options, _places())


def _paths(given: Path | Sequence[Path]) -> list[str]:
    if isinstance(given, (str, os.PathLike)):
        return [os.fspath(given)]
    return [os.fspath(each) for each in given]
