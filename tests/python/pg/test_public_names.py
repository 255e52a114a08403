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


# Not for users, but scripts and tests for the original call them.
PRIVATE = {
    "backend.onnx.loader": "_GSGraphManager",
    "backend.onnx.util": "_expand_wildcard_patterns",
    "backend.trt.loader": "_set_dla_workspace_allocation_strategy",
    "backend.trt.runner": "_get_array_on_cpu _make_debug_listener _make_output_allocator",
    "backend.trt.util": "_expand_wildcard_patterns",
    "comparator.comparator": "_InputBlobWriter _close_stream ITERATION_FILE_INDEX_WIDTH",
    "comparator.compare": "_MetricThreshold _SingleMetricCompareFunc",
    "comparator.data_loader": "_is_feed_dict",
    "cuda.cuda": "_find_cuda_lib_dirs _cuda_runtime_wheel_dirs",
    "json.serde": "NUMPY_REGISTRATION_SUCCESS TORCH_REGISTRATION_SUCCESS COMMON_REGISTRATION_SUCCESS",
    "tools.run.run": "generate_summary",
}


@pytest.mark.parametrize("module, names", PRIVATE.items(), ids=list(PRIVATE))
def test_private_names_are_there(module, names):
    for name in names.split():
        find("polygraphy." + module, name)
    with pytest.raises(AttributeError, match=f"module 'polygraphy.{module}' has no attribute '_other'"):
        find("polygraphy." + module, "_other")


def test_the_table_is_not_empty():
    assert len(ROWS) > 400
