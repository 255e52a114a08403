"""Every public name of the original is here, with its signature (public_names.tsv)."""

import csv
import importlib
import inspect
from pathlib import Path

import pytest

ROWS = [
    row
    for row in csv.DictReader(
        Path(__file__).with_name("public_names.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    if row["name"]
]
MODULES = sorted({row["module"] for row in ROWS})
# Enum members have signatures that depend on the version of Python.
INHERITED = {"LogMode"}
# Keywords of ours, which calls for the original do not have.
ADDED = {"Graph.fold_constants": ["keep_input_defaults"]}


def instances():
    """Objects of the classes, for attributes that these do not have themselves."""
    import numpy as np

    import onnx_graphsurgeon as gs
    from onnx_graphsurgeon.exporters.onnx_exporter import NumpyArrayConverter
    from onnx_graphsurgeon.ir.graph import NodeIDAdder
    from onnx_graphsurgeon.ir.tensor import LazyValues
    from onnx_graphsurgeon.logger.logger import Logger
    from onnx_graphsurgeon.util.misc import SynchronizedList

    import onnx

    logger = Logger()
    variable = gs.Variable("v")
    return {
        "Tensor": gs.Variable("v").to_constant(np.zeros(1)),
        "Variable": variable,
        "Constant": gs.Constant("c", np.zeros(1)),
        "Node": gs.Node("Op"),
        "Graph": gs.Graph(),
        "Function": gs.Function("f"),
        "GraphPattern": gs.GraphPattern(),
        "PatternMapping": gs.PatternMapping(),
        "LazyValues": LazyValues(onnx.numpy_helper.from_array(np.zeros(1))),
        "NumpyArrayConverter": NumpyArrayConverter(np.float32, float),
        "NodeIDAdder": NodeIDAdder(gs.Graph()),
        "Logger": logger,
        "LoggerIndent": logger.indent(),
        "LoggerSuppress": logger.suppress(),
        "SynchronizedList": SynchronizedList(variable, "inputs", []),
    }


def find(module: str, name: str):
    found = importlib.import_module(module)
    parts = name.split(".")
    for depth, part in enumerate(parts):
        if depth == len(parts) - 1 and not hasattr(found, part):
            found = instances()[parts[depth - 1]]
        found = getattr(found, part)
    return found


def parameters(signature: str):
    """Names, defaults and kinds of a signature as the table writes it."""
    text = signature.split(" -> ")[0]
    scope = {"G_LOGGER": __import__("onnx_graphsurgeon").logger.G_LOGGER, "INFO": 20}
    scope["CRITICAL"] = 50
    scope["LogMode"] = __import__("onnx_graphsurgeon").logger.LogMode
    exec(f"def stub{text}: ...", scope)
    return [
        (p.name, p.default, p.kind) for p in inspect.signature(scope["stub"]).parameters.values()
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['module']}:{row['name']}")
def test_name_is_there(row):
    find(row["module"], row["name"])


@pytest.mark.parametrize(
    "row",
    [
        row
        for row in ROWS
        if row["signature"].startswith("(")
        and row["kind"] in ("function", "method", "staticmethod", "class", "method (generator)")
        and row["name"].split(".")[0] not in INHERITED
    ],
    ids=lambda row: f"{row['module']}:{row['name']}",
)
def test_signature_is_the_same(row):
    found = find(row["module"], row["name"])
    try:
        actual = list(inspect.signature(found).parameters.values())
    except ValueError:
        # Of a method that list has in C: it takes what the table says, as the lists tests show.
        assert row["name"].startswith("SynchronizedList.")
        return
    if actual and actual[0].name == "self":
        actual = actual[1:]
    added = ADDED.get(row["name"], [])
    assert [p.name for p in actual if p.kind == p.KEYWORD_ONLY and p.name in added] == added
    actual = [p for p in actual if p.name not in added]
    expected = parameters(row["signature"])
    assert [(p.name, p.default, p.kind) for p in actual] == expected


def test_the_table_is_not_empty():
    assert len(ROWS) > 240 and "onnx_graphsurgeon.util.misc" in MODULES
