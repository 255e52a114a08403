"""Arguments of wrong types are errors that name the parameter."""

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import LAYERS, proto

ONES = {"x": np.ones((2, 4), np.float32)}


@pytest.fixture
def model():
    return pn.Model.from_proto(proto(LAYERS))


@pytest.mark.parametrize("name, value", [
    ("input_shapes", 1), ("input_shapes", [1]), ("input_shapes", {"x": 1}), ("tokens_of", 5), ("tokens_of", "abc"),
    ("isolate", "no"), ("isolate", object()), ("isolate", 1), ("valid_inputs", [1]), ("warm_up", "x"),
    ("iterations", 1.5), ("timeout", "1"),
])
def test_wrong_types_of_run_name_the_parameter(model, name, value):
    options = {"inputs": ONES} if name not in ("valid_inputs", "iterations", "input_shapes") else {}
    if name == "tokens_of":
        options.update(decode=1)
    with pytest.raises((TypeError, ValueError), match="input 'x'" if value == {"x": 1} else name):
        pn.run(model, **{**options, name: value})


@pytest.mark.parametrize("name, value", [
    ("reference", 5), ("reference", [5]), ("target", [None]), ("prove", "yes"), ("isolate_nodes", 0),
    ("quantization_noise", None), ("noise_runs", "3")])
def test_wrong_types_of_locate_name_the_parameter(model, name, value):
    arguments = {"reference": "onnxrt", "target": "onnxrt", "inputs": ONES, name: value}
    with pytest.raises((TypeError, ValueError), match=name):
        pn.locate(model, **arguments)


def test_bools_of_numpy_are_flags(model):
    assert pn.run(model, inputs=ONES, isolate=np.bool_(False))


def test_nodes_are_counted(model):
    with pytest.raises(TypeError, match="whole number or a slice, not 'a'"):
        model.nodes["a"]
    assert model.nodes[np.int64(0)] == model.nodes[0]


def test_a_model_in_a_line(model):
    assert f"{len(model.nodes)} nodes, x float32" in repr(model) and "-> y float32" in repr(model)
