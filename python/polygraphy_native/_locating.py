"""The nodes of a model that make two engines differ."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Union

from polygraphy_native import _native
from polygraphy_native._arrays import _to_numpy
from polygraphy_native._engines import Backend, RunnerLike, _places, _runner_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._prompts import Prompts, _prompts_to_native
from polygraphy_native._records import LocateFigures, NodeFinding
from polygraphy_native._reporting import Error
from polygraphy_native._reports import _GUILTY, _Report
from polygraphy_native._running import RunResult, _process_options, _result_to_native, _results

if TYPE_CHECKING:
    import numpy as np

    from polygraphy_native._inputs import Inputs

    # (name of an output, the reference's values, the observed values)
    Agrees = Callable[[str, np.ndarray[Any, Any], np.ndarray[Any, Any]], object]

# A runner, or the results of one, with all tensors: run(..., outputs="mark all").
Side = Union[RunnerLike, Sequence[RunResult]]


@dataclass(frozen=True, repr=False, kw_only=True)
class LocateReport(_Report, LocateFigures):
    """The result of locate(); true if the outputs of the model agree.

    Attributes:
        clean: The same as bool().
        text: The summary that `polygraphy debug locate` prints.

    The others are in the document of `--json`: docs/results.md.
    """

    clean: bool
    text: str

    def __bool__(self) -> bool:
        return self.clean

    @property
    def guilty(self) -> tuple[NodeFinding, ...]:
        """The nodes that are wrong themselves."""
        return tuple(each for each in self.nodes if each.verdict in _GUILTY)


def locate(
    model: Model | Path, reference: Side, target: Side | None = None, *,
    float_model: Model | Path | None = None, inputs: Inputs = None,
    input_shapes: Mapping[str, Shape] | None = None, seed: int = 1, iterations: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, decode_step: int | None = None, prompts: Prompts = None,
    tokenizer: Path = "", decoder_names: Path = "", isolate: bool = False,
    timeout: float | None = None, noise: RunnerLike | None = None, format: str | None = None,
    noise_runs: int = 3, quantization_noise: bool = False,
    threshold: float = 3, isolate_nodes: bool = True, isolate_neighbours: bool = True,
    prove: bool = True, remedy: Agrees | None = None, output: Path = "", tensor_bytes: int = 0,
) -> LocateReport:  # fmt: skip
    """Finds the nodes of a model that make two engines differ.

    Args:
        model: A Model, or the path of one.
        reference, target: The runner that is right, and the other one, as for run(); or their
            results with all tensors, run(model, outputs="mark all"), on the same inputs. The
            target of a float model is by default the same runner.
        float_model: The model that the reference runs: `model` before it was quantised, with the
            same inputs. Both sides are runners then, and there is no remedy.
        inputs, input_shapes, seed, iterations, val_range, valid_inputs, isolate, timeout: As for
            run(). An iterable of inputs is read once, and kept in memory.
        decode_step: Of a language model: locate at this step behind the prompt, 0 being the prompt
            itself. The reference makes the cache.
        prompts: For a step: a list of texts and of lists of token ids, or the path of a file of
            them; None: the prompts in `inputs`, else random tokens.
        tokenizer: The file tokenizer.json for texts; empty: from the model's folder.
        decoder_names: A JSON file that names inputs, outputs and caches; empty: by name and shape.
        noise: The runner that computes the noise; None: the embedded ONNX Runtime.
        format: The coarser of both sides' number formats, such as "float16" or "tf32"; None: by
            the ones that the runners report, or their options request.
        noise_runs: Evaluations with random rounding, at least 2; 0: noise is not measured.
        quantization_noise: Errors that rounding to the steps of the model's quantised weights may
            cause count as noise. A float model implies it.
        threshold: Errors up to this multiple of the noise pass.
        isolate_nodes, isolate_neighbours: Also run each node alone, and with the nodes that engines
            fuse it with.
        prove: Run the target once more with the results of guilty nodes replaced.
        remedy: A function of an output's name, the reference's values and the observed values. It
            returns whether they are close enough. With it, locate() searches for a minimal set of
            nodes that must be computed in float32.
        output: The file for the model in float16 with these nodes in float32; needs `remedy`.
        tensor_bytes: Memory for the tensors of a group of nodes; 0: 2 GiB.

    Raises:
        Error: As run(); and if there is nothing to compare.
    """
    if os.fspath(output) and remedy is None:
        raise Error("An output is written for a remedy only.", "Give remedy, or leave out output.")
    target = _target(reference, target, float_model)
    if decode_step is None and (prompts is not None or os.fspath(tokenizer) or os.fspath(decoder_names)):
        raise Error("prompts, tokenizer and decoder_names have no effect without decode_step.")
    options = _process_options(input_shapes, isolate, timeout)
    options |= _prompts_to_native(prompts, inputs, tokenizer, decoder_names) | {
        "float_model": None if float_model is None else _source_to_native(float_model),
        "decode_step": decode_step, "quantization_noise": quantization_noise,
        "noise": None if noise is None else _runner_to_native(noise), "format": format,
        "noise_runs": noise_runs, "threshold": threshold, "isolate_nodes": isolate_nodes,
        "isolate_neighbours": isolate_neighbours, "prove": prove,
        "agrees": None if remedy is None else _agrees_to_native(remedy),
        "output": os.fspath(output), "tensor_bytes": tensor_bytes,
    }  # fmt: skip
    data = _inputs_to_native(
        inputs, seed=seed, iterations=iterations, val_range=val_range,
        input_shapes=input_shapes, valid=valid_inputs, again=True,
    )  # fmt: skip
    sides = [_side_to_native(reference, "reference"), _side_to_native(target, "target")]
    clean, text, found = _native.locate_nodes(
        _source_to_native(model), sides, options, data, _places()
    )
    return LocateReport._of(json.loads(found), clean=clean, text=text)


def _target(reference: Side, target: Side | None, float_model: Model | Path | None) -> Side:
    if target is not None:
        return target
    if float_model is None:
        raise TypeError("locate() needs a target, or a float_model for the reference")
    return reference


def _side_to_native(side: Side, parameter: str) -> Any:
    """The text of a runner, or a list of results."""
    if isinstance(side, (str, Backend, Mapping)):
        return _runner_to_native(side)
    results = _results(side, parameter)
    return [_result_to_native(result, results[0].backend) for result in results]


def _agrees_to_native(agrees: Agrees) -> Callable[[str, Any, Any], bool]:
    return lambda output, reference, observed: bool(
        agrees(output, _to_numpy(*reference), _to_numpy(*observed))
    )
