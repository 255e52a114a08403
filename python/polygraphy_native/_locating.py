"""The nodes of a model that make two engines differ."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Union

from polygraphy_native import _native
from polygraphy_native._arrays import _to_numpy
from polygraphy_native._documents import _made
from polygraphy_native._engines import Backend, RunnerLike, _places, _runner_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._prompts import Prompts, _prompts_to_native
from polygraphy_native._reporting import Error
from polygraphy_native._reports import _Report
from polygraphy_native._running import RunResult, _process_options, _result_to_native, _results
from polygraphy_native._verdict import Verdict, _verdict

if TYPE_CHECKING:
    import numpy as np

    from polygraphy_native._inputs import Inputs

    # (name of an output, the reference's values, the observed values)
    Agrees = Callable[[str, np.ndarray[Any, Any], np.ndarray[Any, Any]], object]

# A runner, or the results of one, with all tensors: run(..., outputs="mark all").
Side = Union[RunnerLike, Sequence[RunResult]]


@dataclass(frozen=True)
class NodeError:
    """The error of a tensor on the target, against the reference.

    Attributes:
        ratio: The error as a multiple of its noise; infinite for an error without noise.
        by_element: The same ratio by elements, of which a share exceeds it: shows errors of small
            numbers beside large ones. 0: not known.
        relative: Norm of the difference / norm of the reference.
        largest: The largest difference.
        ulps: The largest difference in steps of the number format.
        noise, noise_largest: The relative error and the largest difference of a correct engine.
        cosine, snr: Of the angle between both; signal-to-noise ratio in decibels.
        elements, non_finite, non_finite_mismatches: Counts; non-finite elements are the target's,
            and mismatches are finite on one side only.
        worst_element, worst_reference, worst_observed: The index in C order of the largest
            difference (-1: there is no difference), and both values.
        first_mismatch: The index of the first mismatch, or -1.
        least, greatest: The range of the reference.
        incomparable: The reason for missing figures, such as different shapes.
    """

    ratio: float
    relative: float
    largest: float
    ulps: float
    noise: float
    noise_largest: float
    cosine: float
    snr: float
    elements: int
    non_finite: int
    non_finite_mismatches: int
    worst_element: int
    worst_reference: float
    worst_observed: float
    first_mismatch: int
    least: float
    greatest: float
    incomparable: str = ""
    by_element: float = 0.0


@dataclass(frozen=True)
class NodeFinding:
    """The verdict on one node. Figures are the maxima over outputs and samples.

    Attributes:
        node: Its name, or its first output if it has no name.
        op_type: "Conv".
        verdict: "non-finite", "guilty", "guilty in place", "overflow", "amplifier", "victim" ...:
            see docs/locate.md.
        tensor: The output with these figures.
        ratio: The error as a multiple of its noise: of the node alone, else in place.
        isolated: The error of the node alone, on the reference's inputs; None: not measured.
        neighbours: The same among the nodes that engines fuse it with.
        accumulated: In place, on the inputs that the target computed.
        graph: The body that holds it, "loop_1/body"; empty: the main graph.
        module: The framework's module, if the exporter recorded it.
        format: The number format of the node on the target.
        sample: The sample with these figures.
        amplification: The relative error of the result / the largest one of the inputs.
        headroom: The largest number of the format / the largest magnitude of the reference.
        least_input, greatest_input: The range of its inputs.
        reference_deviates: In place, the target agrees with the runtime that computes the noise,
            and the reference does not.
        reads, makes: Names of its variables.
        neighbourhood: Nodes that engines fuse it with, including itself.
        ran_with: The float model lacks the node: it was judged with this later one, which both
            have. Empty: it was not.
        wrong_weight: The contradiction between the float weight and the scales or zero points of
            the quantised one. Empty: they agree.
        note: The reason for a missing verdict.
    """

    node: str
    op_type: str
    verdict: str
    tensor: str
    ratio: float
    isolated: NodeError | None
    neighbours: NodeError | None
    accumulated: NodeError | None
    graph: str
    module: str
    format: str
    sample: int
    amplification: float
    headroom: float
    least_input: float
    greatest_input: float
    reads: tuple[str, ...]
    makes: tuple[str, ...]
    neighbourhood: tuple[str, ...]
    note: str = ""
    reference_deviates: bool = False
    ran_with: str = ""
    wrong_weight: str = ""


@dataclass(frozen=True)
class LocateProof:
    """A second run of the target, with results of nodes replaced by the reference's.

    Attributes:
        replaced: The nodes.
        agrees: All outputs of that run are within their noise.
        worst_output, worst_before, worst_after: The output with the largest error, and the ratio of
            its error to its noise in both runs.
        worst_with_only_these: The converse: the largest ratio if only these nodes are wrong, or
            None if that was not run.
        suffices: The converse is about as far off as the target.
        next: The first nodes that are wrong in that run although their inputs are right.
        note: The reason for a missing verdict.
    """

    replaced: tuple[str, ...]
    agrees: bool
    worst_output: str
    worst_before: float
    worst_after: float
    worst_with_only_these: float | None
    suffices: bool
    next: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class LocateFusion:
    """A difference that vanishes if tensors are outputs, too: the engine is wrong where it fuses
    their producers with their consumers.

    Attributes:
        tensors: These tensors.
        on_both_sides: They must be outputs of the reference, too: either engine may be wrong.
        first_off: If outputs do not make it vanish, the first result that is off in the model with
            all tensors as outputs, though its node is right alone; else "".
        note: The reason for missing tensors.
    """

    tensors: tuple[str, ...]
    on_both_sides: bool
    first_off: str
    note: str


@dataclass(frozen=True)
class LocateRemedy:
    """Nodes that must be computed in float32 so that the outputs agree.

    Attributes:
        nodes: In the order of data.
        agrees: The outputs agree with these nodes in float32.
        fewest: Every node is necessary; False: the search ended early.
        evaluations: How often the model was evaluated.
        written: The file of the model with Casts; empty: not written.
        written_agrees: Its outputs agree on the runner for noise; None: not written.
        note: The reason for missing results.
        measure: The limits that decide, as of Verdict.
    """

    nodes: tuple[str, ...]
    agrees: bool
    fewest: bool
    evaluations: int
    written: str
    note: str
    written_agrees: bool | None = None
    measure: str = ""


@dataclass(frozen=True, repr=False)
class LocateReport(_Report):
    """The result of locate(); true if the outputs of the model agree.

    Attributes:
        clean: The same as bool().
        answer: On the outputs of the model as it is.
        verdict: On the whole model: "agree", "noise", "accumulated", "guilty", "overflow" ...
        text: The summary that `polygraphy debug locate` prints.
        reference, target: Names of the runners.
        format: The target's number format.
        samples: How many sets of inputs were used.
        nodes: All nodes, worst first.
        outputs: Names of the model's outputs.
        proof: With prove=True, if nodes were replaced.
        remedy: With `remedy`.
        notes: Skipped steps, with reasons.
        fusion: If the outputs differ, but no tensor does while all are outputs.
        varies: How a side computes other results of the same input, or "".
    """

    clean: bool
    answer: Verdict
    verdict: str
    text: str
    reference: str
    target: str
    format: str
    samples: int
    nodes: tuple[NodeFinding, ...]
    outputs: tuple[str, ...]
    proof: LocateProof | None
    remedy: LocateRemedy | None
    notes: tuple[str, ...]
    fusion: LocateFusion | None = None
    varies: str = ""

    def __bool__(self) -> bool:
        return self.clean

    @property
    def guilty(self) -> tuple[NodeFinding, ...]:
        """The nodes that are wrong themselves."""
        verdicts = ("non-finite", "guilty", "guilty in place", "guilty if fused")
        return tuple(each for each in self.nodes if each.verdict in verdicts)


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
        tokenizer: The file tokenizer.json for texts; empty: the one in the model's folder.
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
    return _report(clean, text, json.loads(found))


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


def _report(clean: bool, text: str, found: dict[str, Any]) -> LocateReport:
    proof, remedy, fusion = (found.get(each) for each in ("proof", "remedy", "fusion"))
    return _made(
        LocateReport,
        found,
        clean=clean,
        answer=_verdict(found["answer"]),
        text=text,
        format=found["target_precision"],
        nodes=tuple(map(_finding, found["nodes"])),
        proof=proof and _made(LocateProof, proof),
        remedy=remedy and _made(LocateRemedy, remedy),
        fusion=fusion and _made(LocateFusion, fusion),
    )


def _finding(found: dict[str, Any]) -> NodeFinding:
    errors = {
        each: error and _made(NodeError, error)
        for each in ("isolated", "neighbours", "accumulated")
        for error in [found[f"{each}_error"]]
    }
    return _made(NodeFinding, found, op_type=found["op"], **errors)
