"""Tools, scripts and argument groups do what those of the original do."""

from pathlib import Path

import pytest

from differential import needs_originals, same

CASES = Path(__file__).parent / "cases"
SCRIPTS = sorted(set(CASES.glob("*.py")) - {CASES / "argument_groups.py"})

pytestmark = needs_originals


@pytest.mark.parametrize("checks", ["0", "1"], ids=["plain", "checked"])
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_prints_what_the_original_prints(script, checks, tmp_path):
    environment = {"POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS": checks}
    same(script, tmp_path, environment=environment, more=[str(CASES)])
