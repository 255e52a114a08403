"""Every example prints the same and writes the same files with these packages as with the
originals.

The examples are scripts as users write them, one for each thing that the packages are for.
"""

import re
from pathlib import Path

import pytest

from differential import needs_originals, same

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))

pytestmark = needs_originals


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_does_what_it_does_with_the_original(script, tmp_path):
    same(script, tmp_path, lines)
    expected, actual = (files(tmp_path / name) for name in ("original", "ours"))
    assert list(actual) == list(expected)
    for name in expected:
        assert actual[name] == expected[name], name
    assert expected, "an example that writes nothing shows little"


def lines(text):
    """The lines of a text, without a warning that the original repeats with each message."""
    return [
        line
        for line in text.splitlines()
        if "'colored'" not in line and "colored module" not in line
    ]


def files(folder):
    """The bytes of the files by name. Runtimes differ from run to run."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): re.sub(rb'"runtime": [-+.e\d]+', b"", path.read_bytes())
        for path in paths
    }
