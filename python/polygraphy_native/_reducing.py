"""Smaller models that still fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Union

from polygraphy_native import _native
from polygraphy_native._engines import _places, _program
from polygraphy_native._inputs import Shape, _inputs_to_native, _shapes_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._reporting import Error

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs

Check = Union[Callable[[Model], object], Sequence[str]]

_MODES = ("bisect", "linear", "auto")


def reduce(
    model: Model | Path, *,
    check: Check, mode: str = "bisect", inputs: Inputs = None,
    input_shapes: Mapping[str, Shape] | None = None, seed: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, reduce_inputs: bool = True, reduce_outputs: bool = True,
    same_failure: bool = False, force_fallback_shape_inference: bool = False,
    fail_regex: Sequence[str] = (), check_timeout: float | None = None,
) -> Model:  # fmt: skip
    """The smallest part of a model that still fails.

    Args:
        model: A Model, which stays as it is, or the path of one.
        check: A function of a candidate, a Model, that returns whether it passes; an exception ends
            the reduction. Or a command, as a list of words: exit code 0 means that the candidate
            passes. "{model}" in it becomes the path of the candidate's file.
        mode: "bisect" halves the rest each time. "linear" tries every node, and may find less.
            "auto" finds the nodes at fault wherever they are.
        inputs, seed, val_range, valid_inputs: The feeds of the model, which determine the values of
            inner tensors: see run().
        input_shapes: Shapes of inputs, by name.
        reduce_inputs, reduce_outputs: Whether nodes are cut off the beginning, and off the end.
        same_failure: Only failures like the first one count; always with mode="auto".
        force_fallback_shape_inference: Take all shapes from one run on ONNX Runtime.
        fail_regex: Of a command: patterns in its output that mean failure, and nothing else does.
        check_timeout: Of a command: seconds after which it is killed, and has failed. None: ten
            times the first one's time, and ten seconds at least.

    Returns: A new model. A candidate that `check` has got may be used until `check` returns.

    Raises:
        Error: The check passes on the whole model.
    """
    if mode not in _MODES:
        raise Error(f"There is no mode {mode!r}.", f"There are: {', '.join(_MODES)}.")
    options = _check_options(fail_regex, check_timeout) | {
        "mode": mode,
        "input_shapes": _shapes_to_native(input_shapes),
        "reduce_inputs": reduce_inputs,
        "reduce_outputs": reduce_outputs,
        "same_failure": same_failure,
        "force_fallback_shape_inference": force_fallback_shape_inference,
        "program": _program(),
    }
    data = _inputs_to_native(
        inputs, seed=seed, val_range=val_range, input_shapes=input_shapes, valid=valid_inputs,
        again=True,
    )  # fmt: skip
    return Model._of(
        _native.reduce_model(_source_to_native(model), _check_to_native(check, Model._of), options, data, _places())
    )


def _check_options(fail_regex: Sequence[str], check_timeout: float | None) -> dict[str, Any]:
    if check_timeout is not None and not check_timeout > 0:
        raise Error(f"The check cannot take {check_timeout} seconds.")
    return {"fail_regex": list(fail_regex), "check_timeout": check_timeout}


def _check_to_native(
    check: Callable[[Any], object] | Sequence[str], candidate_of: Callable[[Any], Any]
) -> Any:
    """A function of a native value, or the words of a command. A function gets candidate_of(the
    native value)."""
    if isinstance(check, str):
        raise TypeError("a command is a list of words: shlex.split() makes one of a text")
    if not callable(check):
        return [str(word) for word in check]
    function = check

    def passes(candidate: Any) -> bool:
        passed = function(candidate_of(candidate))
        if passed is None:
            raise TypeError("the check returned None: it must return whether the model passes")
        return bool(passed)

    return passes
