"""Tools, scripts and argument groups do what those of the original do."""

from pathlib import Path

import pytest

from differential import PARITY, run

CASES = Path(__file__).parent / "tool_cases"
SCRIPTS = sorted(set(CASES.glob("*.py")) - {CASES / "argument_groups.py"})

pytestmark = pytest.mark.skipif(
    not (PARITY / "polygraphy").is_dir(), reason="the original package is not installed here"
)


@pytest.mark.parametrize("checks", ["0", "1"], ids=["plain", "checked"])
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_prints_what_the_original_prints(script, checks, tmp_path):
    environment = {"POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS": checks}
    theirs, ours = (
        run(script, tmp_path / name, is_ours, environment, more=[str(CASES)])
        for name, is_ours in (("original", False), ("ours", True))
    )
    for stream, expected, actual in zip(("stdout", "stderr"), theirs, ours):
        assert actual.splitlines() == expected.splitlines(), stream
    assert theirs[0], "a case that prints nothing compares nothing"
