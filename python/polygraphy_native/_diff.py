"""Lists the differences between two models."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Sequence

from polygraphy_native import _native
from polygraphy_native._model import Model, Path, load
from polygraphy_native._reporting import Error
from polygraphy_native._reports import _Report

_IGNORED = ("names", "weights", "metadata", "docs", "versions")
_LISTS = {"inputs": "input", "outputs": "output", "nodes": "node", "initializers": "initializer"}


@dataclass(frozen=True)
class Change:
    """One thing that has a value in one model or in both: "op", "attribute 'axis'", "input 1"; None
    where it is absent."""

    what: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Difference:
    """One thing that differs.

    Attributes:
        kind: "model" (its header), "graph", "function", "input", "output", "node", "initializer".
        state: "added", "removed" or "changed".
        graph: Where it lies: "" for the main graph, "if0.then_branch", "function 'local.f'".
        name: Its name in the second model, or in the first where the second has none.
        op_type: Of a node.
        details: Of an added or removed item: its type, or inputs and outputs.
        changes: Its fields that differ.
        values: Of an initializer with different values: "size", "different" (elements), "max_abs",
            "max_ulp", "first" (index), "first_before", "first_after".
    """

    kind: str
    state: str
    graph: str = ""
    name: str = ""
    op_type: str = ""
    details: str = ""
    changes: tuple[Change, ...] = ()
    values: dict[str, Any] | None = None


@dataclass(frozen=True, repr=False)
class Diff(_Report):
    """The result of diff(); true when something differs, as a list of differences is.

    Attributes:
        equal: Whether nothing differs.
        text: The text that `polygraphy surgeon diff` prints.
        findings: Everything that differs, in the order of the second model.
        report: The same as plain data, as `polygraphy surgeon diff -o` writes it.
    """

    equal: bool
    text: str
    findings: tuple[Difference, ...]
    report: dict[str, Any]

    def __bool__(self) -> bool:
        return not self.equal


def diff(
    a: Model | Path,
    b: Model | Path,
    *,
    ignore: Sequence[str] = (),
    atol: float | None = None,
    rtol: float | None = None,
    show: int = 20,
) -> Diff:
    """Compares two models: structure, attributes, types and weights.

    Args:
        a, b: The models, or their paths.
        ignore: Differences to ignore: "names" (inputs and outputs go by position then), "weights",
            "metadata", "docs", "versions".
        atol, rtol: Tolerances for weights: |a - b| <= atol + rtol * |b|. Without: bit by bit.
        show: How many differences of each list `text` shows; -1: all.

    O(nodes log nodes). Weights are read block by block, those that are the same bytes of the same
    file are not.
    """
    for name in ignore:
        if name not in _IGNORED:
            raise Error(f"{name!r} cannot be ignored.", f"These can: {', '.join(_IGNORED)}.")
    for which, tolerance in (("absolute", atol), ("relative", rtol)):
        if tolerance is not None and not 0 <= tolerance < float("inf"):
            raise Error(
                f"The {which} tolerance is {tolerance}.",
                "Tolerances are numbers that are not negative.",
            )
    options = {**{name: name not in ignore for name in _IGNORED}, "atol": atol, "rtol": rtol,
               "items": show}  # fmt: skip
    first, second = (each if isinstance(each, Model) else load(each) for each in (a, b))
    equal, text, encoded = _native.diff_models(first._core, second._core, options)
    report = json.loads(encoded)
    return Diff(equal, text, tuple(_differences(report)), report)


def _changes(items: list[dict[str, Any]]) -> tuple[Change, ...]:
    return tuple(Change(each["what"], each["before"], each["after"]) for each in items)


def _item(kind: str, graph: str, item: dict[str, Any]) -> Difference:
    values = item.get("values")
    if values and values["max_abs"] is not None:  # "NaN" is a text in JSON
        values = values | {"max_abs": float(values["max_abs"])}
    return Difference(
        kind,
        item["state"],
        graph,
        item["name"],
        item.get("op") or "",
        item.get("details") or "",
        _changes(item.get("changes", [])),
        values,
    )


def _differences(report: dict[str, Any]) -> list[Difference]:
    found = []
    if report["model"]:
        found.append(Difference("model", "changed", changes=_changes(report["model"])))
    found += [_item("function", "", each) for each in report["functions"]]
    for graph in report["graphs"]:
        path = graph["path"]
        if graph["changes"]:
            found.append(Difference("graph", "changed", path, changes=_changes(graph["changes"])))
        for key, kind in _LISTS.items():
            found += [_item(kind, path, each) for each in graph[key]]
    return found
