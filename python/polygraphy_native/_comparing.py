"""Comparing the results of engines."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union, cast

from polygraphy_native import _native
from polygraphy_native._engines import RunnerLike, _places, _runners_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._prompts import Prompts, _decoding_to_native
from polygraphy_native._records import Verdict
from polygraphy_native._reporting import Error
from polygraphy_native._reports import _Report
from polygraphy_native._running import (
    RunResult,
    _result_to_native,
    _runner_options,
    _tokens_to_native,
)

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs

# One value for all outputs, or values by the outputs' names, "" being all others.
PerOutput = Union[float, Mapping[str, float]]


@dataclass(frozen=True)
class OutputComparison:
    """A pair of outputs, held against each other by one metric in one iteration.

    Attributes:
        iteration: From 0.
        output, other_output: Their names; normally the same.
        backends: The two runners.
        metric: "simple", "l2" ...
        passed: The verdict.
        figures: The measured figures by name: {"max_absdiff": 0.0 ...}. Empty if nothing can be
            measured: other shapes, texts, indices.
        limits: The tolerances by name: {"atol": 1e-05, "rtol": 1e-05}.
        statistic: Of "simple": which error the limits hold for: "elemwise", "max" ...
    """

    iteration: int
    output: str
    other_output: str
    backends: tuple[str, str]
    metric: str
    passed: bool
    figures: dict[str, float]
    limits: dict[str, float]
    statistic: str


@dataclass(frozen=True)
class InvalidOutput:
    """An output with a NaN or an infinity, of compare(validate=True)."""

    iteration: int
    backend: str
    output: str


@dataclass(frozen=True, repr=False)
class CompareReport(_Report):
    """The result of compare(); true when everything matched and no engine failed.

    Attributes:
        passed: The same as bool().
        answer: The verdict on all outputs: how many were compared, how many differ, which most.
        text: The text that `polygraphy run` prints about the comparison.
        comparisons: Every pair of outputs, in the order in which they were compared.
        invalid: With validate=True.
    """

    passed: bool
    answer: Verdict
    text: str
    comparisons: tuple[OutputComparison, ...]
    invalid: tuple[InvalidOutput, ...] = ()
    _list_of_rows = "comparisons"

    def __bool__(self) -> bool:
        return self.passed

    @property
    def failed(self) -> tuple[OutputComparison, ...]:
        """The pairs that did not match."""
        return tuple(each for each in self.comparisons if not each.passed)


def compare(
    model: Model | Path | Sequence[RunResult], *others: Sequence[RunResult],
    backends: Sequence[RunnerLike] = (), inputs: Inputs = None,
    outputs: Sequence[str] | str = (), exclude_outputs: Sequence[str] = (),
    input_shapes: Mapping[str, Shape] | None = None, seed: int = 1, iterations: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, decode: int | None = None, free_run: bool = False,
    prompts: Prompts = None, tokenizer: Path = "", decoder_names: Path = "",
    text: Path | bool = "", window: int = 512, warm_up: int = 0, isolate: bool = False,
    timeout: float | None = None, metric: str | Sequence[str] | None = None,
    rtol: PerOutput | None = None, atol: PerOutput | None = None,
    check_error_stat: str | Mapping[str, str] | None = None, check_shapes: bool = True,
    check_average: bool = False, validate: bool = False, fail_fast: bool = False,
    postprocess: str | Mapping[str, str] | None = None, noise_floor: bool | str = False,
    noise_runs: int = 3, noise_threshold: float = 3, quantization_noise: bool = False,
    noise_model: Model | Path | None = None, **metric_options: Any,
) -> CompareReport:  # fmt: skip
    """Runs a model on several engines and compares their results; or compares results of run().

    Args:
        model: A Model or a path, for `backends`; or the results of a run.
        others: The results of more runs: each is compared with the next one, up to the iterations
            that all have.
        backends: The engines, or other runners, as for run(); two or more. Each is compared with
            the next one.
        inputs, outputs, exclude_outputs, input_shapes, seed, iterations, val_range, valid_inputs,
            decode, prompts, tokenizer, decoder_names, text, window, warm_up, isolate, timeout: As
            for run(). One iteration is in memory at a time. text=True, for results: they are of
            run(text=...). The answer has the figures of the text.
        free_run: To decode: each engine goes on with the tokens that it prefers. False: all get the
            first one's.
        metric: "simple", "l2", "cosine_similarity", "psnr", "snr", "indices", "distance_metrics",
            "quality_metrics", "perceptual_metrics", "tokens", or several, which must all pass;
            with arguments as on the command line, "tokens:margin=0.5". None: "simple", or of a
            text "tokens:margin=auto".
        rtol, atol: Of "simple": relative and absolute tolerance; 1e-5 each. A number, or numbers by
            the outputs' names, "" being all others.
        check_error_stat: Of "simple": which error must be within them: "elemwise", "max", "mean",
            "median", "quantile".
        check_shapes: False: bring outputs of different shapes into line where that is possible.
        check_average: Judge the means of the figures over all iterations.
        validate: NaNs and infinities fail, and end the comparison.
        fail_fast: Stop at the first iteration that fails.
        postprocess: Steps that replace outputs before comparison: "top-5", for all or by name.
        noise_floor: Judge by the rounding noise of a number format, "float16" for one; True: the
            coarser one of the engines. In place of tolerances, when the report has an answer and no
            comparisons; or with metric="tokens".
        noise_runs: Evaluations with random rounding, at least 2.
        noise_threshold: Errors up to this multiple of the noise pass.
        quantization_noise: Errors that rounding to the steps of the model's quantised weights may
            cause count as noise: to compare it with results of its float model.
        noise_model: For results of run(): their model, the quantised one of two. `inputs` or
            `prompts` come from the runs then, and so does `decode`.
        metric_options: Options of metrics, named as on the command line: l2_threshold=1e-3.

    Raises:
        Error: As run(), when no engine is left; and when there is nothing to compare. An engine
            that fails while others go on makes the report false.
    """
    if metric is None:
        metric = "tokens:margin=auto" if text and not noise_floor else "simple"
    own = {"rtol": rtol, "atol": atol, "check_error_stat": check_error_stat, **metric_options}
    options = _judgement(metric, own, postprocess) | {
        "check_shapes": check_shapes, "check_average": check_average,
        "validate": validate, "fail_fast": fail_fast,
        "noise_floor": "auto" if noise_floor is True else noise_floor or None,
        "noise_runs": noise_runs, "noise_threshold": noise_threshold,
        "quantization_noise": quantization_noise, "scores_text": bool(text),
    }  # fmt: skip
    _check_noise(options, noise_floor)
    runs = None if isinstance(model, (Model, str, os.PathLike)) else [model, *others]
    if isinstance(text, bool) and text and not runs:
        raise Error("text=True is for results.", "Give the path of the text.")
    if (noise_model is None) is bool(runs and noise_floor):
        raise Error("noise_model is the model of results, for noise_floor: give both, or neither.")
    if runs and not noise_floor:
        return _report(_native.compare_results(_results_to_native(runs), options))
    if runs is None and others:
        raise TypeError("compare() takes a model and backends, or the results of two or more runs")
    options |= _runner_options(outputs, exclude_outputs, input_shapes, warm_up, isolate, timeout)
    options |= _decoding_to_native(
        decode, prompts, inputs, tokenizer, decoder_names, free_run=free_run,
        text="" if isinstance(text, bool) else text, window=window,
        tokens=_tokens_to_native(runs[0]) if runs and decode is not None else (),
    )  # fmt: skip
    data = _inputs_to_native(
        inputs, seed=seed, iterations=iterations, val_range=val_range,
        input_shapes=input_shapes, valid=valid_inputs, again=bool(noise_floor),
    )  # fmt: skip
    if runs and noise_model is not None:
        source, results = _source_to_native(noise_model), _results_to_native(runs)
        return _report(
            _native.compare_results_by_noise(source, results, options, data, _places())
        )
    return _compare_engines(cast("Model | Path", model), backends, options, data)


def _check_noise(options: Mapping[str, Any], noise_floor: bool | str) -> None:
    """Raises Error for options that mean nothing beside a noise floor, or without one."""
    if not noise_floor:
        if options["quantization_noise"]:
            raise Error("quantization_noise has no effect without noise_floor.")
        return
    if options["check_average"] or options["postprocess"]:
        raise Error(
            "noise_floor judges outputs as they are.",
            "Leave out check_average and postprocess.",
        )
    if options["metrics"] == ["simple"] and options["metric_options"]:
        raise Error("noise_floor judges in place of tolerances.", "Leave them out.")


def _judgement(
    metric: str | Sequence[str], own: Mapping[str, Any], postprocess: str | Mapping[str, str] | None
) -> dict[str, Any]:
    """The metrics with their options, and the steps that replace outputs before them."""
    metrics = [metric] if isinstance(metric, str) else list(metric)
    if not metrics:
        raise Error("There is nothing to compare by: no metric is named.")
    return {
        "metrics": metrics,
        "metric_options": {
            name: _per_output(value) for name, value in own.items() if value is not None
        },
        "postprocess": {} if postprocess is None else _per_output(postprocess),
    }


def _compare_engines(
    model: Model | Path, backends: Sequence[RunnerLike], options: dict[str, Any], data: Any
) -> CompareReport:
    runners = _runners_to_native(backends)
    if len(runners) < 2:
        raise Error(
            f"Comparing needs two engines or more, but there are {len(runners)}.",
            'Name them: compare(model, backends=["onnxrt", "openvino"]).',
        )
    return _report(
        _native.compare_model(_source_to_native(model), runners, options, data, _places())
    )


def _per_output(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {"": value}


def _results_to_native(runs: Sequence[Any]) -> list[list[Any]]:
    if len(runs) < 2 or not all(runs):
        raise Error(
            "Comparing needs the results of two runs or more, with an iteration each.",
            "compare(run(model), run(model, backend=...))",
        )
    for result in (result for results in runs for result in results):
        if not isinstance(result, RunResult):
            raise TypeError(f"results must be from run(), not {type(result).__name__}")
        if not result.outputs:
            raise Error("There is nothing to compare: a result has no outputs.")
    names: set[str] = set()
    return [
        [_result_to_native(result, name) for result in results]
        for results in runs
        for name in [_distinct(results[0].backend, names)]
    ]


def _distinct(name: str, taken: set[str]) -> str:
    number, distinct = 1, name
    while distinct in taken:
        number += 1
        distinct = f"{name} ({number})"
    taken.add(distinct)
    return distinct


def _report(found: tuple[bool, str, list[Any], list[Any], str]) -> CompareReport:
    passed, text, comparisons, invalid, answer = found
    return CompareReport(
        passed,
        Verdict._of(json.loads(answer)),
        text,
        tuple(
            OutputComparison(iteration, output, other, (runner0, runner1), *rest)
            for iteration, output, other, runner0, runner1, *rest in comparisons
        ),
        tuple(InvalidOutput(*each) for each in invalid),
    )
