"""No call of the API changes its arguments: all calls, with arguments by the names of their parameters."""

import copy
import inspect

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import proto

# Arguments that several calls take; without any of them, a call has the rest of its defaults.
GIVEN = {
    "inputs": lambda: {"x": np.ones((2, 3), np.float32)},
    "exclude_outputs": lambda: ["w"],
    "input_shapes": lambda: {"x": [2, 3]},
    "val_range": lambda: {"x": (0, 1)},
    "runners": lambda: ["onnxrt"],
    "backends": lambda: ["onnxrt", "onnxrt"],
    "engines": lambda: ["onnxrt"],
    "rtol": lambda: {"z": 1e-3, "": 1e-2},
    "atol": lambda: {"z": 1e-3},
    "only": lambda: ["repeat"],
    "skip": lambda: ["threads"],
    "only_rules": lambda: ["runs"],
    "skip_rules": lambda: [],
    "show": lambda: ["layers"],
    "batch_inputs": lambda: [],
    "metric": lambda: ["simple"],
    "batches": lambda: [],
    "values": lambda: np.ones(3, np.float32),
    "name": lambda: "c",
}
CALLS = ["benchmark", "check_consistency", "compare", "lint", "locate", "run", "zoo"]
METHODS = ["extract", "fold", "sanitize", "save", "set_array"]
NOT_TOGETHER = {"val_range": "inputs", "input_shapes": "inputs", "skip": "only", "skip_rules": "only_rules",
                "batch_inputs": "inputs"}


def shown(value):
    if isinstance(value, pn.Model):
        return value.to_bytes()
    if isinstance(value, np.ndarray):
        return (value.dtype, value.tolist())
    if isinstance(value, dict):
        return [(key, shown(each)) for key, each in value.items()]
    return [shown(each) for each in value] if isinstance(value, (list, tuple)) else value


def variants(function):
    """Arguments that fit together: those of the table, and then those that exclude some of them."""
    known = [name for name in inspect.signature(function).parameters if name in GIVEN]
    yield {name: GIVEN[name]() for name in known if name not in NOT_TOGETHER}
    yield {name: GIVEN[name]() for name in known if name not in NOT_TOGETHER.values()}


def same_after(call, given):
    before = {name: copy.deepcopy(shown(value)) for name, value in given.items()}
    call(**given)
    for name, value in given.items():
        assert shown(value) == before[name], name


@pytest.mark.parametrize("name", CALLS)
def test_calls_leave_their_arguments_alone(name, tmp_path):
    function = getattr(pn, name)
    pn.Model.from_proto(proto()).save(tmp_path / "m.onnx")
    first = next(iter(inspect.signature(function).parameters))
    model = pn.load(tmp_path / "m.onnx") if first == "model" else [str(tmp_path / "m.onnx")]
    needed = {"run": {"backend": "onnxrt"}, "locate": {"reference": "onnxrt", "target": "onnxrt"}}.get(name, {})
    for given in variants(function):
        same_after(function, {first: model, **needed, **given})


@pytest.mark.parametrize("name", METHODS)
def test_methods_leave_their_arguments_alone(name, tmp_path):
    needed = {"extract": {"inputs": {"x": None}, "outputs": {"w": None}}, "save": {"path": tmp_path / "m.onnx"},
              "fold": {"skip_rules": []}, "sanitize": {"exclude_outputs": ["w"]}}.get(name)
    model = pn.Model.from_proto(proto())
    same_after(getattr(model, name), needed or {"name": "c", "values": GIVEN["values"]()})
