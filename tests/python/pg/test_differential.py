"""Every script in `cases` prints the same with this package as with the original."""

from pathlib import Path

import pytest

from differential import PARITY, run

CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))

pytestmark = pytest.mark.skipif(
    not (PARITY / "polygraphy").is_dir(), reason="the original package is not installed here"
)


@pytest.mark.parametrize("script", CASES, ids=lambda script: script.stem)
def test_prints_what_the_original_prints(script, tmp_path):
    compare(script, tmp_path, {})


@pytest.mark.parametrize("name", ["func", "comparator", "compare"])
def test_prints_the_same_with_correctness_checks(name, tmp_path):
    script = Path(__file__).parent / "cases" / f"{name}.py"
    compare(script, tmp_path, {"POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS": "1"})


def compare(script, tmp_path, environment):
    expected = run(script, tmp_path / "original", ours=False, environment=environment)
    actual = run(script, tmp_path / "ours", ours=True, environment=environment)
    for stream, (theirs, mine) in zip(("stdout", "stderr"), zip(expected, actual)):
        assert mine.splitlines() == theirs.splitlines(), stream
    assert expected[0], "a case that prints nothing compares nothing"
