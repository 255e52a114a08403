"""Finds errors of models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping, NamedTuple, Sequence

from polygraphy_native import _native
from polygraphy_native._engines import _places, _program
from polygraphy_native._inputs import Shape, _inputs_to_native, _shapes_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._reports import _Shown

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs


class Finding(NamedTuple):
    """A finding of lint().

    Attributes:
        level: "exception", "warning" or "info".
        source: Its origin: "onnxruntime", "onnx_checker", "onnx_loader", "onnx_graphsurgeon".
        message: The text.
        rule: The name of the rule.
        node: Of the model; empty: it is about the whole model.
        op_type: Of the node, where it is known.
    """

    level: str
    source: str
    message: str
    rule: str
    node: str
    op_type: str


class Findings(_Shown, list[Finding]):
    """The result of lint()."""


def lint(
    model: Model | Path,
    *,
    only_rules: Sequence[str] = (),
    skip_rules: Sequence[str] = (),
    advice: bool = False,
    input_shapes: Mapping[str, Shape] | None = None,
    inputs: Inputs = None,
    seed: int = 1,
    isolate: bool = True,
    timeout: float | None = None,
) -> Findings:
    """Finds errors of a model: by rules, and by running it on ONNX Runtime, node by node where it
    fails as a whole.

    Args:
        model: A Model, or the path of one: a file that is not a model is a finding, too.
        only_rules, skip_rules: Names of rules: `polygraphy check lint --list-rules`.
        advice: Also rules that give mere advice.
        input_shapes: Shapes of inputs, by name.
        inputs, seed: The feeds: see run().
        isolate: Run it in separate processes, so that an engine that crashes is a finding and
            not the end of this process.
        timeout: Seconds that loading the model and running it may take each, where it is isolated.
            None: 300.

    Returns: The findings, in the order in which they were found. The model is fine when none of
        them is an "exception".

    Raises:
        Error: The file cannot be read; a rule of another name; inputs that do not fit.
    """
    options = {
        "only_rules": list(only_rules),
        "skip_rules": list(skip_rules),
        "advice": advice,
        "input_shapes": _shapes_to_native(input_shapes),
        "program": _program() if isolate else "",
        "timeout": timeout,
    }
    data = _inputs_to_native(inputs, seed=seed, input_shapes=input_shapes, again=True)
    _, findings = _native.lint_model(_source_to_native(model), options, data, _places())
    return Findings(Finding(*each) for each in findings)
