"""Running models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._arrays import _to_native, _to_numpy
from polygraphy_native._engines import RunnerLike, _places, _program, _runner_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native, _shapes_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._prompts import Prompts, _decoding_to_native
from polygraphy_native._reporting import Error

if TYPE_CHECKING:
    import numpy as np

    from polygraphy_native._inputs import Inputs


@dataclass(frozen=True, repr=False)
class RunResult:
    """The result of one inference.

    Attributes:
        outputs: Arrays by name, in the engine's order. They cannot be written to: they are the
            memory that the engine has filled. Items of sequences are named "x[0]", parts of maps
            "x.keys" and "x.values".
        runtime_s: Seconds that the engine took; None: not known.
        backend: The name of the runner: the engine, a number, and when it was made.
    """

    outputs: dict[str, np.ndarray[Any, Any]]
    runtime_s: float | None = None
    backend: str = "custom_runner"

    def __repr__(self) -> str:
        outputs = [f"{name} {array.dtype}{list(array.shape)}" for name, array in
                   self.outputs.items()]  # fmt: skip
        more = f", ... and {len(outputs) - 3} more" if len(outputs) > 3 else ""
        return f"<RunResult of {self.backend}: {', '.join(outputs[:3])}{more}>"


def run(
    model: Model | Path,
    *,
    backend: RunnerLike = "onnxrt",
    inputs: Inputs = None,
    outputs: Sequence[str] | str = (),
    exclude_outputs: Sequence[str] = (),
    input_shapes: Mapping[str, Shape] | None = None,
    seed: int = 1,
    iterations: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False,
    decode: int | None = None,
    prompts: Prompts = None,
    tokenizer: Path = "",
    decoder_names: Path = "",
    tokens_of: Sequence[RunResult] = (),
    text: Path = "",
    window: int = 512,
    warm_up: int = 0,
    isolate: bool = False,
    timeout: float | None = None,
) -> list[RunResult]:
    """Runs a model on one engine.

    Args:
        model: A Model, or the path of a model: the engine loads the file itself, also one of the
            engine's own format.
        backend: The engine: "onnxrt", "openvino" ..., a Backend with options, or any other runner:
            the text of a spec, "onnxrt providers=cpu --isolated" or "./program.sh", or a spec as a
            dict.
        inputs: A dict of names and arrays, or nested lists of numbers; an iterable of dicts,
            which is read one by one; the path of saved inputs; None: generated. An input that is
            a sequence takes a list of arrays, an optional one None. A value of another type or
            shape is converted if possible, with a warning.
        outputs: Names and patterns of the tensors that are returned; "mark all" or "*": all of
            them. Empty: the model's own.
        exclude_outputs: Names and patterns to leave out.
        input_shapes: Shapes of generated inputs, by name; open dimensions are 1 else.
        seed: Of generated inputs; iteration i uses seed + i.
        iterations: How many generated inputs.
        val_range: Least and greatest generated number, for all inputs or by name. (0, 1) else.
        valid_inputs: Generate inputs that the model can work with, such as indices that are there.
        decode: Of a language model: run the prompt, and then this number of tokens one by one, with
            its cache. Masks, positions and caches are made. Outputs are the logits of all tokens,
            "tokens" (int64[rows, prompt + decode + 1]) and the cache after the last step.
        prompts: To decode: a list of texts and of lists of token ids, or the path of a file of
            them; None: the prompts in `inputs`, else random tokens.
        tokenizer: The file tokenizer.json for texts; empty: from the model's folder.
        decoder_names: A JSON file that names inputs, outputs and caches; empty: by name and shape.
        tokens_of: Results of another model on the same prompts: the model gets their tokens in
            place of those that it prefers.
        text: A file of text, or of one JSON list of token ids: a language model runs its windows,
            without steps. compare(..., text=True) has perplexity and divergence of these results.
        window: Tokens of each.
        warm_up: Inferences before the first iteration; their results are dropped.
        isolate: In a separate process: a crash of the engine raises Error.
        timeout: Seconds that loading the model or an inference may take, in a separate process.
            A spec that has its own limit keeps it.

    Returns: A result for each set of inputs, in their order. All are held in memory.

    Raises:
        Error: The engine is missing, refuses the model, or fails; inputs that do not fit.
    """
    options = _runner_options(outputs, exclude_outputs, input_shapes, warm_up, isolate, timeout)
    options |= _decoding_to_native(
        decode, prompts, inputs, tokenizer, decoder_names, text=text, window=window,
        tokens=_tokens_to_native(tokens_of),
    )  # fmt: skip
    data = _inputs_to_native(
        inputs, seed=seed, iterations=iterations, val_range=val_range,
        input_shapes=input_shapes, valid=valid_inputs,
    )  # fmt: skip
    found = _native.run_model(
        _source_to_native(model), [_runner_to_native(backend)], options, data, _places()
    )
    return [
        RunResult({name: _to_numpy(*array) for name, array in arrays}, seconds, runner)
        for arrays, seconds, runner in found
    ]


def _runner_options(
    outputs: Sequence[str] | str,
    exclude_outputs: Sequence[str],
    input_shapes: Mapping[str, Shape] | None,
    warm_up: int,
    isolate: bool,
    timeout: float | None,
) -> dict[str, Any]:
    if isinstance(outputs, str):
        outputs = ["*"] if outputs == "mark all" else [outputs]
    return _process_options(input_shapes, isolate, timeout) | {
        "outputs": list(outputs),
        "exclude_outputs": list(exclude_outputs),
        "warm_up": warm_up,
    }


def _process_options(
    input_shapes: Mapping[str, Shape] | None, isolate: bool, timeout: float | None
) -> dict[str, Any]:
    """Options that apply to every runner of a job."""
    return {
        "input_shapes": _shapes_to_native(input_shapes),
        "isolate": isolate,
        "timeout": timeout,
        "program": _program(),
    }


def _tokens_to_native(results: Sequence[RunResult]) -> list[Any]:
    results = _results(results, "tokens_of")
    for result in results:
        if "tokens" not in result.outputs:
            raise Error("A result of tokens_of has no tokens.", "Give results of run(decode=...).")
    return [_to_native(result.outputs["tokens"], "output 'tokens'") for result in results]


def _results(given: object, parameter: str) -> list[RunResult]:
    """Results of run(), as a list."""
    results = []
    for result in given if isinstance(given, (Sequence, Iterator)) else [given]:
        if not isinstance(result, RunResult):
            raise TypeError(f"{parameter} has results of run(), not {type(result).__name__}")
        results.append(result)
    return results


def _result_to_native(result: RunResult, runner: str) -> Any:
    outputs = [(name, _to_native(array, f"output '{name}'")) for name, array in
               result.outputs.items()]  # fmt: skip
    return outputs, result.runtime_s, runner
