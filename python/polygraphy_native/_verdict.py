"""The answer of all calls that compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from polygraphy_native._documents import _made


@dataclass(frozen=True)
class TokenFlip:
    """A row of logits whose largest one is another token on the other side.

    Attributes:
        sample: From 0.
        place: "logits[0, 5]".
        token, instead: The reference's, and that of the other side; None: the row is no
            distribution.
        margin: By how much the reference prefers its token.
        allowed: The margin that noise may turn.
        wrong: Whether noise does not explain it.
        text, instead_text: Of the tokens, by the model's tokenizer, or "".
    """

    sample: int
    place: str
    token: int | None
    instead: int | None
    margin: float
    allowed: float
    wrong: bool
    text: str = ""
    instead_text: str = ""


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
        mean_divergence, divergence_error: Kullback-Leibler, in nats, over all rows, and its
            standard error, or None.
        all_flips: In their order.
    """

    compared: int
    flips: int
    near_ties: int
    wrong: int
    first_wrong: str
    noise_known: bool
    also: str = ""
    mean_divergence: float | None = None
    divergence_error: float | None = None
    all_flips: tuple[TokenFlip, ...] = ()


@dataclass(frozen=True)
class TextRunner:
    """How well a runner predicts a text.

    Attributes:
        perplexity, perplexity_error: e to the power of the mean cross entropy of the next token,
            and the standard error of that.
    """

    name: str
    perplexity: float
    perplexity_error: float


@dataclass(frozen=True)
class TextPair:
    """How far the predictions of two runners are apart, each figure with its standard error.

    Attributes:
        divergence: Mean Kullback-Leibler divergence, in nats.
        same_top1: Share of tokens whose largest logit is the same.
        perplexity_ratio: That of the target by that of the reference.
    """

    reference: str
    target: str
    divergence: float
    divergence_error: float
    same_top1: float
    same_top1_error: float
    perplexity_ratio: float
    perplexity_ratio_error: float


@dataclass(frozen=True)
class TextFigures:
    """The figures of a text: of the second half of each of its windows."""

    windows: int
    tokens: int
    runners: tuple[TextRunner, ...]
    pairs: tuple[TextPair, ...]


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
        text: The figures of a text, if one was run, or None.
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
    text: TextFigures | None = None
    target_file: str = ""
    reference_file: str = ""

    def __bool__(self) -> bool:
        return self.agreement == "agrees"


def _verdict(document: Mapping[str, Any]) -> Verdict:
    """Of the JSON that all commands write."""
    counts, text = document.get("tokens"), document.get("text")
    return _made(
        Verdict,
        document,
        tokens=counts and _made(TokenCounts, counts, all_flips=_all(TokenFlip, counts, "all_flips")),
        text=text
        and _made(
            TextFigures,
            text,
            runners=_all(TextRunner, text, "runners"),
            pairs=_all(TextPair, text, "pairs"),
        ),
    )


def _all(kind: type[Any], document: Mapping[str, Any], name: str) -> tuple[Any, ...]:
    return tuple(_made(kind, each) for each in document.get(name, ()))
