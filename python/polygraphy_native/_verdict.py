"""The answer of all calls that compare."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """Whether two sides agree; true if neither a difference nor a failure was found.

    Attributes:
        agreement: "agrees", "differs", "precision too low" (rounding errors of the number format
            alone are as large as the results), "failed" (a side has no results), "not compared".
        headline: The verdict in a line.
        target, reference: Names of both sides.
        measure: The limits that decide: "3 times the noise of bfloat16".
        unit: The counted things: "output", "check".
        total, compared, off: How many both sides could have, were compared, and are beyond the
            measure.
        empty: How many are equal since they have no elements: they are not among the compared ones.
        samples: For how many inputs.
        worst: The one that is farthest off, or None.
        excess: Its error in parts of what the measure allows, or None.
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

    def __bool__(self) -> bool:
        return self.agreement in ("agrees", "not compared")
