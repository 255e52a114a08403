"""The layers of a model that suffer from quantisation."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

from polygraphy_native import _native
from polygraphy_native._comparing import _judgement
from polygraphy_native._engines import RunnerLike, _places, _runner_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._locating import _agrees_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._prompts import Prompts, _prompts_to_native
from polygraphy_native._records import LayerSensitivity, SensitivityFigures
from polygraphy_native._reporting import Error
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs
    from polygraphy_native._locating import Agrees

# Comparison functions by their names, or a function of Python.
OutputCheck = Union[str, Sequence[str], "Agrees"]


@dataclass(frozen=True, repr=False, kw_only=True)
class SensitivityReport(_Report, SensitivityFigures):
    """The result of sensitivity(); true if the mixed model passes the check.

    Attributes:
        text: The table and the summary that `polygraphy debug sensitivity` prints.
        json: The document that its option --json writes.
        exclusions: Arguments of tools that quantise models: {"modelopt": {"nodes_to_exclude":
            [...]}, "onnxruntime": {...}, "olive": {...}}.
        written: The file of the mixed model; empty: none.

    The others are in this document: docs/results.md.
    """

    text: str
    json: str
    exclusions: dict[str, dict[str, list[str]]]
    written: str

    def __bool__(self) -> bool:
        return bool(self.answer)

    @property
    def kept(self) -> tuple[LayerSensitivity, ...]:
        """The layers that stay in floating point."""
        return tuple(each for each in self.layers if each.kept)


def sensitivity(
    model: Model | Path, runner: RunnerLike = "onnxrt", *, format: str | None = None,
    float_model: Model | Path | None = None, limit: float | None = None,
    compare: OutputCheck | None = None, metric: str | None = None, labels: Path = "",
    metric_output: str = "", metric_drop: float | None = None, most_sets: int | None = None,
    embeddings: bool = False, mem_limit: int = 0, output: Path = "", save_exclusions: Path = "",
    inputs: Inputs = None, input_shapes: Mapping[str, Shape] | None = None, seed: int = 1,
    iterations: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, prompts: Prompts = None, tokenizer: Path = "",
    decoder_names: Path = "", isolate: bool = False, timeout: float | None = None,
    **metric_options: Any,
) -> SensitivityReport:  # fmt: skip
    """Quantises each layer of a model alone, measures the effects, and finds the cheapest set of
    layers that must stay in floating point for the model to pass a check.

    Args:
        model: A Model, or the path of one.
        runner: The engine, as for run().
        format: Of quantised weights: "int8" (with the inputs of layers; the default), "int4",
            "fp8", "fp4", "bf16" or "fp16". Behind a colon, separated by commas: "block=N",
            "per-tensor", "asymmetric", "weights-only": "int4:block=32".
        float_model: The model in floating point, if `model` is quantised already: judges the
            layers of `model`.
        limit: The largest relative error of an output that passes, 0.01 by default: the norm of
            the differences / the norm of the reference.
        compare: Another check: comparison functions, which must all pass, such as
            "tokens:kl=0.02,margin=0.5" or "l2"; or a function of an output's name, the reference's
            values and the observed ones, which returns whether they are close enough.
        metric: Another check: a metric of the model's task, "top1", "perplexity" or
            "score.py:function", over all samples.
        labels: Its file of labels.
        metric_output: The output that it judges; empty: the only one that suits.
        metric_drop: The largest loss that passes, 0.005 by default; of perplexity, relative.
        most_sets: The largest number of sets of layers that the search tries; None: 512 for up to
            9 layers, and 64 or 16 more than the layers for others.
        embeddings: Quantise tables of Gather nodes, too.
        mem_limit: Bytes that all processes may take together: a model runs in parts if its
            weights do not fit. 0: no limit. Not with `output` and `float_model`.
        output: The file for the mixed model.
        save_exclusions: The file for `exclusions` of the result, as JSON.
        inputs, input_shapes, seed, iterations, val_range, valid_inputs, isolate, timeout: As for
            run(). An iterable of inputs is read once, and kept in memory. Use samples of real data:
            random inputs have other ranges.
        prompts: Of a language model, in place of inputs, with an empty cache: a list of texts and
            of lists of token ids, or the path of a file of them.
        tokenizer: The file tokenizer.json for texts; empty: from the model's folder.
        decoder_names: A JSON file that names inputs, outputs and caches; empty: by name and shape.
        metric_options: Options of comparison functions, as for compare(): atol=1e-3.

    Raises:
        Error: As run(); if there is no layer to quantise, no layer of `float_model` corresponds,
            or no output can be judged; if options exclude each other.
    """
    _refuse_together(format=format, float_model=float_model)
    _refuse_together(limit=limit, compare=compare or metric_options or None, metric=metric)
    if metric is None and (os.fspath(labels) or metric_output or metric_drop is not None):
        raise Error("labels, metric_output and metric_drop need a metric.", 'For one: "top1".')
    if prompts is None and (os.fspath(tokenizer) or os.fspath(decoder_names)):
        raise Error("tokenizer and decoder_names have no effect without prompts.")
    options = _process_options(input_shapes, isolate, timeout) | _check(compare, metric_options)
    options |= _prompts_to_native(prompts, inputs, tokenizer, decoder_names) | {
        "format": format or "int8",
        "float_model": None if float_model is None else _source_to_native(float_model),
        "limit": limit, "task_metric": metric, "labels": os.fspath(labels),
        "metric_output": metric_output, "metric_drop": metric_drop, "most_sets": most_sets,
        "embeddings": embeddings, "mem_limit": mem_limit, "output": os.fspath(output),
        "save_exclusions": os.fspath(save_exclusions),
    }  # fmt: skip
    data = _inputs_to_native(
        inputs, seed=seed, iterations=iterations, val_range=val_range,
        input_shapes=input_shapes, valid=valid_inputs, again=True,
    )  # fmt: skip
    passed, text, document, exclusions = _native.find_sensitivity(
        _source_to_native(model), [_runner_to_native(runner)], options, data, _places()
    )
    return SensitivityReport._of(
        json.loads(document), text=text, json=document, exclusions=json.loads(exclusions),
        written=os.fspath(output),
    )  # fmt: skip


def _refuse_together(**options: object) -> None:
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise Error(f"{' and '.join(given)} exclude each other.", "Leave out all but one.")


def _check(compare: OutputCheck | None, metric_options: Mapping[str, Any]) -> dict[str, Any]:
    """`agrees`, or `metrics` and `metric_options`: of "simple" if only its options are given."""
    if callable(compare):
        return {"agrees": _agrees_to_native(compare)} | _metrics((), metric_options)
    names = compare or ("simple" if metric_options else ())
    return {"agrees": None} | _metrics(names, metric_options)


def _metrics(names: str | Sequence[str], metric_options: Mapping[str, Any]) -> dict[str, Any]:
    if not names and not metric_options:
        return {"metrics": [], "metric_options": {}}
    return _judgement(names, metric_options, None)
