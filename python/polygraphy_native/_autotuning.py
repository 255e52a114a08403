"""The replacements by plugins that make a model faster."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping

from polygraphy_native import _native
from polygraphy_native._engines import RunnerLike, _places, _runner_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._plugins import PluginConfigLike, _config_to_native, _options, match_plugins
from polygraphy_native._records import AutotuneFigures
from polygraphy_native._reporting import Error
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs

_MODES = ("greedy", "exhaustive")


@dataclass(frozen=True, repr=False, kw_only=True)
class AutotuneReport(_Report, AutotuneFigures):
    """The result of autotune().

    Attributes:
        text: The report that `polygraphy plugin autotune --report` writes.

    The others are in docs/results.md.
    """

    text: str


def autotune(
    model: Model | Path, plugin_dir: Path, output: Path, *, config: PluginConfigLike | None = None,
    runner: RunnerLike = "tensorrt", mode: str = "greedy", max_combinations: int = 1000,
    threshold: float = 0.1, runs: int = 10, inputs: Inputs = None,
    input_shapes: Mapping[str, Shape] | None = None, seed: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, isolate: bool = False, timeout: float | None = None,
    timing_cache: Path | None = None, save_report: Path = "",
) -> AutotuneReport:  # fmt: skip
    """Finds the replacements by plugins that make a model faster, and saves the fastest model.

    Args:
        model: A Model, which stays as it is, or the path of a model.
        plugin_dir: As for match_plugins().
        output: The file of the fastest model.
        config: The subgraphs to replace, as for replace_plugins(); None: as match_plugins().
        runner: Models are measured on it, as for run().
        mode: "greedy" adds one replacement after the other, and keeps it if the model becomes
            faster. "exhaustive" tries the subsets, small ones first.
        max_combinations: For "exhaustive": the maximum number of subsets.
        threshold: For "exhaustive": stop at a model with a latency lower by more than this share.
        runs: Measured runs of each model, after 2 others.
        inputs: As for run(); the first set of inputs is used.
        input_shapes, seed, val_range, valid_inputs, isolate, timeout: As for run().
        timing_cache: For TensorRT: a file that builds read and update; None: a temporary one; "":
            none.
        save_report: A file for the report; empty: it is not saved.

    Raises:
        Error: No replacement makes the model faster; nothing is written then. The configuration is
            of another model, or the unmodified model cannot be run.
    """
    if mode not in _MODES:
        raise Error(f"There is no mode {mode!r}.", f"Modes: {', '.join(_MODES)}.")
    for name, number in (("runs", runs), ("max_combinations", max_combinations)):
        if number < 1:
            raise Error(f"{name} must be at least 1, but was: {number}")
    if not threshold >= 0:
        raise Error(f"threshold must be a share of at least 0, but was: {threshold}")
    chosen = match_plugins(model, plugin_dir) if config is None else config
    options: dict[str, Any] = _process_options(input_shapes, isolate, timeout)
    options |= _options(plugin_dir) | {
        "runners": [_runner_to_native(runner)], "mode": mode, "runs": runs,
        "max_combinations": max_combinations, "threshold": threshold, "output": os.fspath(output),
        "timing_cache": None if timing_cache is None else os.fspath(timing_cache),
        "save_report": os.fspath(save_report),
    }  # fmt: skip
    data = _inputs_to_native(
        inputs, seed=seed, val_range=val_range, input_shapes=input_shapes, valid=valid_inputs,
        again=True,
    )  # fmt: skip
    _, text, encoded = _native.autotune_plugins(
        _source_to_native(model), _config_to_native(chosen), options, data, _places()
    )
    return AutotuneReport._of(json.loads(encoded), text=text)
