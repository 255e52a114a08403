"""The names in public_names.tsv are there, with the parameters that the original gives them."""

import csv
from pathlib import Path

import pytest

from names import CALLABLE, find, signature

with open(Path(__file__).parent / "public_names.tsv", newline="") as file:
    ROWS = list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['module']}:{row['name']}")
def test_name_is_there(row):
    obj = find(row["module"], row["name"])
    kind = row["kind"]
    if row["signature"] and kind.split(" ")[0] in CALLABLE:
        assert callable(obj)
        assert signature(obj, kind) == row["signature"]


def test_the_table_is_not_empty():
    assert len(ROWS) > 400
