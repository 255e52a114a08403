"""Public tools that use onnx_graphsurgeon print and write the same with it as with the original.

They are PINTO0309's tools for parts of models, which are small and depend on nothing else.
"""

from pathlib import Path

import pytest

from differential import ROOT, needs_originals, same

FLOWS = Path(__file__).with_name("flows.py")
STAND_INS = str(FLOWS.with_name("stand_ins"))
FOLDER = ROOT / ".deps" / "dependents"
TOOLS = ("sbi4onnx scc4onnx scs4onnx sna4onnx snc4onnx snd4onnx sne4onnx soa4onnx sod4onnx sog4onnx "
         "sor4onnx ssc4onnx ssi4onnx svs4onnx")  # fmt: skip

pytestmark = [
    needs_originals,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="run scripts/setup_parity.sh for the tools"),
]


def lines(text):
    """The lines of a text, without a warning that the original repeats with each message."""
    return [line for line in text.splitlines() if "colored module is not installed" not in line]


def test_they_do_what_they_do_with_the_original(tmp_path):
    printed, _ = same(
        FLOWS, tmp_path, lines, environment={"TOOLS": TOOLS}, more=[str(FOLDER), STAND_INS]
    )
    flows = [line for line in printed if line.startswith("FLOW")]
    worked = [line for line in flows if line.endswith("-> 0")]
    assert {line.split()[1] for line in worked} == set(TOOLS.split())
    assert len(worked) > 120
    assert sum(line.startswith("made.onnx ") for line in printed) > 100
