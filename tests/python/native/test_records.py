"""Dataclasses of reports have the members of the JSON that commands write."""

import dataclasses
import re
from pathlib import Path

import pytest

import polygraphy_native as pn

SOURCES = Path(__file__).resolve().parents[3] / "src" / "polygraphy"
LOCATE, VERDICT = "diagnosis/locate/report/locate_json.cpp", "comparison/verdict/verdict_json.cpp"

# Other names of members, and what other members say as well.
OTHERS = {
    "LocateReport": {"summary", "answer", "target_precision", "nodes"},
    "NodeFinding": {"rank", "op", "isolated", "accumulated", "noise", "ratio"},
    "LocateRemedy": set(),
}


def members(file, function):
    """The keys that a function writes, without those of objects inside."""
    text = (SOURCES / file).read_text()
    body = text[text.index(function) + len(function):]
    end = body.index("end_object" if function.startswith("if") else "\n  }\n")
    own = re.sub(r"if \(result\.fusion\).*?end_object\(\);", "", body[:end], flags=re.S)
    return {*re.findall(r'\b(?:text|integer|boolean|number|number_or_null|list)\(\s*"(\w+)"', own)}


@pytest.mark.parametrize("record, file, function", [
    (pn.Verdict, VERDICT, "void write(const Verdict& verdict)"),
    (pn.TokenCounts, VERDICT, "void write(const TokenCounts& counts)"),
    (pn.TokenFlip, VERDICT, "void write(const TokenFlip& flip)"),
    (pn.LocateReport, LOCATE, "void write(const LocateResult& result)"),
    (pn.LocateProof, LOCATE, "void write(const LocateProof& proof)"),
    (pn.LocateRemedy, LOCATE, "void write(const LocateRemedy& remedy)"),
    (pn.LocateFusion, LOCATE, "if (result.fusion)"),
    (pn.NodeFinding, LOCATE, "void write(const NodeFinding& finding, int64_t rank)"),
], ids=lambda each: getattr(each, "__name__", ""))
def test_records_have_all_members(record, file, function):
    written = members(file, function)
    assert len(written) > 3
    known = {field.name for field in dataclasses.fields(record)} | OTHERS.get(record.__name__, set())
    assert written <= known, written - known
