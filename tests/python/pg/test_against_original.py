"""Names, parameters and sections of docstrings are those of the original, in both packages."""

import json
from pathlib import Path

import pytest

from differential import needs_originals, run_both
from names import ADDED

SCRIPT = Path(__file__).parents[1] / "public_objects.py"
LEAST = {"polygraphy": 850, "onnx_graphsurgeon": 120}  # objects that both have

# The original's own commands are those of the executable here.
COMMANDS = ("check", "convert", "data", "debug", "inspect", "multi_device", "plugin", "run", "sparse",
            "surgeon", "template")  # fmt: skip
# There every function is a dispatcher with (*args, **kwargs).
DISPATCHED = "polygraphy.util.array:"
# Documented there, but not attributes of the object.
NOT_ATTRIBUTES = {"polygraphy.tools.args.backend.trt.loader:TrtOnnxFlagArgs.parse_impl"}
OLD = {"int_range", "float_range"}  # arguments of earlier releases
EXAMPLES = {"polygraphy.tools.args.base:BaseArgs"}  # a docstring that shows how to write one

pytestmark = needs_originals


@pytest.fixture(scope="module", params=sorted(LEAST))
def objects(request, tmp_path_factory):
    """The package, and its objects in the original and here."""
    folder = tmp_path_factory.mktemp(request.param)
    runs = run_both(SCRIPT, folder, environment={"PACKAGE": request.param})
    lines = [next(l for l in out.splitlines() if l.startswith("OBJECTS ")) for out, _ in runs]
    return request.param, *(json.loads(line.partition(" ")[2]) for line in lines)


def common(objects):
    package, theirs, ours = objects
    found = [name for name, each in theirs.items() if each["own"] and name in ours]
    assert len(found) >= LEAST[package]
    return [(name, theirs[name], ours[name]) for name in found]


def test_names(objects):
    package, theirs, ours = objects
    skipped = tuple(f"{package}.tools.{command}" for command in COMMANDS)
    missing = [name for name, each in theirs.items()
               if each["own"] and name not in ours and not name.startswith(skipped)]  # fmt: skip
    assert not missing


def test_parameters(objects):
    differ = []
    for name, theirs, ours in common(objects):
        if name.startswith(DISPATCHED):
            continue
        given = [each for each in ours["parameters"] or () if each[0] not in ADDED | OLD]
        if given != (theirs["parameters"] or []):
            differ.append((name, theirs["parameters"], given))
    assert not differ


def test_attributes_and_groups_in_docstrings(objects):
    differ = []
    for name, theirs, ours in common(objects):
        if name in NOT_ATTRIBUTES | EXAMPLES:
            continue
        for heading, names in theirs["sections"].items():
            here = ours["sections"].get(heading, [])
            if lacking := [each for each in names if each not in here]:
                differ.append((name, heading, lacking))
    assert not differ


def test_parameters_in_docstrings(objects):
    _, _, every = objects
    lacking = []
    for name, theirs, ours in common(objects):
        # Here a class may describe those of its constructor.
        of_class = every[name.removesuffix(".__init__")]
        described = ours["args"] or of_class["args"]
        if theirs["args"] and not described:
            lacking.append(name)
    assert not lacking
