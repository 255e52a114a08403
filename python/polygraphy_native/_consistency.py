"""Whether engines agree with themselves."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._comparing import PerOutput, _per_output
from polygraphy_native._documents import _made
from polygraphy_native._engines import RunnerLike, _places, _runners_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options
from polygraphy_native._verdict import Verdict, _verdict

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs


@dataclass(frozen=True)
class OutputDifference:
    """Two different results of an output.

    Attributes:
        output: Its name.
        incomparable: The reason for missing figures: other types or shapes, a missing output.
        index: Of the element with the largest error.
        expected, observed: Its values, as texts.
        largest_absolute, largest_relative: The largest errors; may be infinite.
        elements, beyond_tolerance: The number of all elements, and of those beyond the tolerance.
    """

    output: str
    incomparable: str = ""
    index: tuple[int, ...] = ()
    expected: str = ""
    observed: str = ""
    largest_absolute: float = 0
    largest_relative: float = 0
    elements: int = 0
    beyond_tolerance: int = 0


@dataclass(frozen=True)
class ConsistencyRow:
    """One comparison that a check made.

    Attributes:
        engine: The name of the runner.
        check: "repeat", "batch", "threads" ...: see docs/consistency.md.
        comparison: "1 thread against 2, 3, 4 and 8".
        verdict: "failed", "differs", "within tolerance", "identical" or "not applicable".
        worst: The output with the largest error; None: all elements are the same.
        optimizers: Without these, the results are within the tolerance.
        notes: Messages and reasons.
    """

    engine: str
    check: str
    comparison: str
    verdict: str
    worst: OutputDifference | None
    notes: tuple[str, ...]
    optimizers: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class ConsistencyReport(_Report):
    """The result of check_consistency(); true if no row differs or failed.

    Its answer's agreement is "differs" if a row differs, else "failed" if a check could not be run.

    Attributes:
        consistent: The same as bool().
        answer: On all checks.
        text: The summary that `polygraphy check consistency` prints.
        rows: By engine, then by check.
        notes: About the model.
    """

    consistent: bool
    answer: Verdict
    text: str
    rows: tuple[ConsistencyRow, ...]
    notes: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.consistent

    @property
    def compared(self) -> bool:
        """Whether a check has compared results."""
        return any(row.verdict not in ("failed", "not applicable") for row in self.rows)


def check_consistency(
    model: Model | Path, runners: RunnerLike | Sequence[RunnerLike], *, inputs: Inputs = None,
    input_shapes: Mapping[str, Shape] | None = None, seed: int = 1,
    val_range: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    valid_inputs: bool = False, isolate: bool = False, timeout: float | None = None,
    samples: int | None = None, batch_size: int = 8, batch_inputs: Sequence[str] = (),
    atol: PerOutput | None = None, rtol: PerOutput | None = None, decoder_names: Path = "",
    only: Sequence[str] = (), skip: Sequence[str] = (),
) -> ConsistencyReport:  # fmt: skip
    """Runs engines in variations that must not change the results, and compares the results.

    Args:
        model: A Model, or the path of a model.
        runners: One runner or several, as for run(). Each is compared with itself.
        inputs, input_shapes, seed, val_range, valid_inputs, isolate, timeout: As for run(). An
            iterable of inputs is read once, and kept in memory.
        samples: The largest number of inputs for checks without batches; None: all that are given,
            or one generated input.
        batch_size: Rows of a batch, if the model leaves this dimension open.
        batch_inputs: Inputs whose first dimension is the batch; empty: those with an open first
            dimension of the same name.
        atol, rtol: An element passes if it is within either; 1e-5 each. A number, or numbers by the
            outputs' names, "" being all others.
        decoder_names: For the check of caches: a JSON file that names inputs, outputs and caches of
            a language model; empty: by name and shape.
        only, skip: Names of checks: `polygraphy check consistency --list-checks`.

    Raises:
        Error: An option of an engine, a name or the inputs do not fit. An engine that cannot run is
            a row of the report.
    """
    if samples is None and inputs is None:
        samples = 1
    options = _process_options(input_shapes, isolate, timeout) | {
        "samples": samples, "batch_size": batch_size, "batch_inputs": list(batch_inputs),
        "atol": {} if atol is None else _per_output(atol),
        "rtol": {} if rtol is None else _per_output(rtol),
        "decoder_names": os.fspath(decoder_names), "only": list(only), "skip": list(skip),
    }  # fmt: skip
    data = _inputs_to_native(
        inputs, seed=seed, iterations=max(samples or 1, batch_size), val_range=val_range,
        input_shapes=input_shapes, valid=valid_inputs, again=True,
    )  # fmt: skip
    consistent, text, encoded = _native.check_consistency(
        _source_to_native(model), _runners_to_native(runners), options, data, _places()
    )
    found = json.loads(encoded)
    rows = tuple(map(_row, found["rows"]))
    answer = _verdict(found["answer"])
    return _made(
        ConsistencyReport, found, consistent=consistent, answer=answer, text=text, rows=rows
    )


def _row(found: dict[str, Any]) -> ConsistencyRow:
    worst = found.get("worst")
    return _made(ConsistencyRow, found, worst=worst and _made(OutputDifference, worst))
