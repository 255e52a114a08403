"""Argument groups read random command lines as the original's do."""

from pathlib import Path

import pytest

from differential import needs_originals, same

CASES = Path(__file__).parent / "group_cases"

pytestmark = needs_originals


@pytest.mark.parametrize("checks", ["0", "1"], ids=["", "with correctness checks"])
@pytest.mark.parametrize("name", ["comparator", "trt", "tf"])
def test_groups_do_what_those_of_the_original_do(name, checks, tmp_path):
    environment = {"POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS": checks}
    printed, _ = same(
        CASES / f"{name}.py", tmp_path, environment=environment, more=[str(CASES)]
    )
    assert "\n".join(printed).count("----") > 100
