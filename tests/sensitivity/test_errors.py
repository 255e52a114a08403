"""Messages where the command cannot work."""

import numpy as np

import models


def message(polygraphy, model, *words):
    path, _ = polygraphy.save(model, [])
    process = polygraphy.command(path, *words)
    assert process.returncode not in (0, 1), process.stdout
    return process.stderr + process.stdout


def test_no_layer(polygraphy):
    graph = models.helper.make_graph(
        [models.helper.make_node("Relu", ["x"], ["y"])], "g",
        [models.helper.make_tensor_value_info("x", 1, [2])], [models.helper.make_tensor_value_info("y", 1, [2])])
    assert "The model has no layer to quantise" in message(polygraphy, models.helper.make_model(graph))


def test_unknown_formats(polygraphy):
    for form in ("int3", "int4:block=0", "int4:", "bf16:block=8", "int8:block=8,per-tensor", "fp8:asymmetric", ""):
        text = message(polygraphy, models.chain(), "--format", form)
        assert f"'{form}' is not a format of weights" in text


def test_reference_that_does_not_match(polygraphy, tmp_path):
    models.onnx.save(models.decoder(), tmp_path / "other.onnx")
    text = message(polygraphy, models.chain(), "--float-model", tmp_path / "other.onnx")
    assert "No quantised layer corresponds to a layer of the reference" in text


def test_options_that_exclude_each_other(polygraphy, tmp_path):
    models.onnx.save(models.chain(), tmp_path / "m.onnx")
    reference = ("--float-model", tmp_path / "m.onnx")
    assert "exclude each other" in message(polygraphy, models.chain(), *reference, "--format", "int8")
    assert "limit must be" in message(polygraphy, models.chain(), "--limit", "-1")
    assert "sets must be" in message(polygraphy, models.chain(), "--most-sets", "0")


def test_outputs_without_numbers(polygraphy):
    model = models.chain(width=256)
    feed = {name: np.full_like(values, np.nan) for name, values in models.samples(model, 1)[0].items()}
    path, files = polygraphy.save(model, [feed])
    for limit in ((), ("--mem-limit", "257M")):
        process = polygraphy.command(path, "--load-inputs", *files, *limit)
        text = process.stdout + process.stderr
        assert process.returncode == 3 and "has no number to judge by" in text, text
