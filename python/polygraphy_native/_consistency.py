"""Whether engines agree with themselves."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from polygraphy_native import _native
from polygraphy_native._comparing import PerOutput, _per_output
from polygraphy_native._engines import RunnerLike, _places, _runners_to_native
from polygraphy_native._inputs import Shape, _inputs_to_native
from polygraphy_native._model import Model, Path, _source_to_native
from polygraphy_native._records import ConsistencyFigures
from polygraphy_native._reports import _Report
from polygraphy_native._running import _process_options

if TYPE_CHECKING:
    from polygraphy_native._inputs import Inputs


@dataclass(frozen=True, repr=False, kw_only=True)
class ConsistencyReport(_Report, ConsistencyFigures):
    """The result of check_consistency(); true if no row differs or failed.

    Its answer's agreement is "differs" if a row differs, else "failed" if a check could not be run.

    Attributes:
        text: The summary that `polygraphy check consistency` prints.

    The others are in the document of `--json`: docs/results.md.
    """

    text: str

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
        batch_inputs: Inputs with the batch as first dimension; empty: those with an open first
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
    _, text, encoded = _native.check_consistency(
        _source_to_native(model), _runners_to_native(runners), options, data, _places()
    )
    return ConsistencyReport._of(json.loads(encoded), text=text)
