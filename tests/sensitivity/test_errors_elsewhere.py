"""Quantised models with an error that is in no layer's weights."""

import shlex
import subprocess

import numpy as np
import pytest

import conftest
import models
import oracle
from test_quantized_models import with_nbits


def with_a_wrong_node(model, after="tanh3", offset=0.8):
    """An Add: of 0.8, where the float model has none, or one of 0."""
    node = next(node for node in model.graph.node if node.name == after)
    output = node.output[0]
    node.output[0] = output + "_right"
    model.graph.initializer.append(models.numpy_helper.from_array(np.float32(offset), "offset"))
    place = list(model.graph.node).index(node) + 1
    model.graph.node.insert(place, models.helper.make_node("Add", [node.output[0], "offset"], [output], "wrong"))
    return model


def rolled(model, name="w5_Q4"):
    weight = next(i for i in model.graph.initializer if i.name == name)
    values = models.numpy_helper.to_array(weight)
    weight.CopyFrom(models.numpy_helper.from_array(np.roll(values, 1, 0), name))
    return model


def judged(polygraphy, folder, model, made, limit, code):
    feeds, source = models.samples(model, 2), folder / "float.onnx"
    models.onnx.save(model, source)
    result = polygraphy(made, feeds, "--float-model", source, "--limit", limit, "-o", folder / "mixed.onnx", code=code)
    return result, [layer["nodes"][0] for layer in result["layers"] if layer["kept"]], feeds


def test_no_layer_is_blamed(polygraphy, tmp_path):
    model = models.chain()
    made = with_a_wrong_node(with_nbits(model))
    result, kept, feeds = judged(polygraphy, tmp_path, model, made, 0.4, 1)
    as_it_is = oracle.relative_error(oracle.run(model, feeds), oracle.run(made, feeds))
    assert not kept and result["all_quantized"] < 0.4 < as_it_is
    assert result["proved"] == pytest.approx(as_it_is, rel=0.02)
    restored = oracle.relative_error(oracle.run(model, feeds), oracle.run(with_a_wrong_node(models.chain()), feeds))
    assert result["all_float"] == pytest.approx(restored, rel=0.02)
    assert "this error is not in their weights" in result["summary"]
    assert "No layer has to stay" not in result["summary"]


def test_a_wrong_layer_is_blamed_beside_it(polygraphy, tmp_path):
    model = models.chain()
    made = with_a_wrong_node(rolled(with_nbits(model)))
    result, kept, _ = judged(polygraphy, tmp_path, model, made, 0.4, 1)
    assert kept == ["layer5"] and result["all_float"] > 0.4


@pytest.mark.parametrize("limit", [0.4, 0.1, 0])
def test_errors_of_layers_are_theirs(polygraphy, tmp_path, limit):
    model = models.chain()
    result, kept, _ = judged(polygraphy, tmp_path, model, rolled(with_nbits(model)), limit, 0)
    assert "layer5" in kept and "all_float" not in result


def test_the_next_command_finds_the_node(polygraphy, tmp_path):
    model = with_a_wrong_node(models.chain(), offset=0.0)
    made = with_a_wrong_node(with_nbits(models.chain()))
    path, files = polygraphy.save(made, models.samples(model, 1))
    source = tmp_path / "float model.onnx"
    models.onnx.save(model, source)
    done = polygraphy.command(path, "--load-inputs", *files, "--float-model", source, "--limit", 0.4)
    assert done.returncode == 1
    line = next(line for line in done.stdout.splitlines() if "finds the node" in line)
    words = shlex.split(line.split("`")[1])
    assert words[:3] == ["polygraphy", "debug", "locate"]
    located = subprocess.run([conftest.PROGRAM, *words[1:]], capture_output=True, text=True)
    assert located.returncode == 1 and "guilty: 'wrong' (Add)" in located.stdout, located.stdout + located.stderr


@pytest.mark.parametrize("make", [models.chain, models.decoder])
def test_exchanged_models_are_told(polygraphy, tmp_path, make):
    model = make()
    path, files = polygraphy.save(model, models.samples(model, 1))
    models.onnx.save(with_nbits(model), tmp_path / "quantised.onnx")
    done = polygraphy.command(path, "--load-inputs", *files, "--float-model", tmp_path / "quantised.onnx")
    assert done.returncode == 3
    assert "quantised.onnx' has quantised weights, and the model '" in done.stderr and "Swap the models" in done.stderr
