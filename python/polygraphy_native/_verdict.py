"""The answer of all calls that compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from polygraphy_native._documents import _made


@dataclass(frozen=True)
class TokenCounts:
    """The tokens that two sides prefer (a comparison by tokens).

    Attributes:
        compared: Rows of logits.
        flips: Rows whose token differs.
        near_ties: Flips that noise or the margin excuses.
        wrong: The others.
        first_wrong: Where the first of these is ("logits[0, 5]"), or "".
        noise_known: Whether noise was measured: without it, only a margin excuses.
        also: A difference beside single tokens, such as a mean divergence beyond its limit, or "".
    """

    compared: int
    flips: int
    near_ties: int
    wrong: int
    first_wrong: str
    noise_known: bool
    also: str = ""


@dataclass(frozen=True)
class Verdict:
    """Whether two sides agree; true if something was compared, and all of it agrees.

    Attributes:
        agreement: "agrees", "differs", "precision too low" (rounding errors of the number format
            alone are as large as the results), "not finite" (all numbers are NaN or infinite on
            both sides), "failed" (a side has no results), "not compared".
        headline: The verdict in a line.
        target, reference: Names of both sides; of several pairs, of the worst one.
        target_file, reference_file: The files that their results were read from, or "".
        pairs: How many pairs of sides were compared, each with separate units.
        measure: The limits that decide: "3 times the noise of bfloat16".
        unit: The counted things: "output", "check".
        total, compared, off: How many both sides could have, were compared, and are beyond the
            measure.
        empty: How many are equal since they have no elements: they are not among the compared ones.
        samples: For how many inputs.
        worst: The one that is farthest off, or None.
        excess: Its error in parts of what the measure allows, or None.
        place: The part of a run that was compared ("step 5"), or "" for all of it.
        reason: A sentence that says more, or "".
        tokens: Of all outputs that were compared by tokens, or None.
    """

    agreement: str
    headline: str
    target: str
    reference: str
    measure: str
    unit: str
    total: int
    compared: int
    empty: int
    off: int
    samples: int
    worst: str | None
    excess: float | None
    pairs: int = 1
    reason: str = ""
    place: str = ""
    tokens: TokenCounts | None = None
    target_file: str = ""
    reference_file: str = ""

    def __bool__(self) -> bool:
        return self.agreement == "agrees"


def _verdict(document: Mapping[str, Any]) -> Verdict:
    """Of the JSON that all commands write."""
    counts = document.get("tokens")
    return _made(Verdict, document, tokens=_made(TokenCounts, counts) if counts else None)
