"""Argument groups make the same of command lines as the original's, put together by chance."""

from pathlib import Path

import pytest

from differential import PARITY, run

CASES = Path(__file__).parent / "group_cases"

pytestmark = pytest.mark.skipif(
    not (PARITY / "polygraphy").is_dir(), reason="the original package is not installed here"
)


@pytest.mark.parametrize("checks", ["0", "1"], ids=["", "with correctness checks"])
@pytest.mark.parametrize("name", ["comparator", "trt", "tf"])
def test_groups_do_what_those_of_the_original_do(name, checks, tmp_path):
    script = CASES / f"{name}.py"
    how = {"environment": {"POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS": checks}, "more": [str(CASES)]}
    expected = run(script, tmp_path / "original", ours=False, **how)
    actual = run(script, tmp_path / "ours", ours=True, **how)
    for stream, (theirs, mine) in zip(("stdout", "stderr"), zip(expected, actual)):
        assert mine.splitlines() == theirs.splitlines(), stream
    assert expected[0].count("----") > 100
