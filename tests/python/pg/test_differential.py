"""Every script in `cases` prints the same with this package as with the original."""

from pathlib import Path

import pytest

from differential import needs_originals, same

CASES = Path(__file__).parent / "cases"

pytestmark = needs_originals


@pytest.mark.parametrize("script", sorted(CASES.glob("*.py")), ids=lambda script: script.stem)
def test_prints_what_the_original_prints(script, tmp_path):
    same(script, tmp_path)


@pytest.mark.parametrize("name", ["func", "comparator", "compare"])
def test_prints_the_same_with_correctness_checks(name, tmp_path):
    environment = {"POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS": "1"}
    same(CASES / f"{name}.py", tmp_path, environment=environment)
