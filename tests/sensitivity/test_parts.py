"""A model whose weights exceed the memory limit runs in parts, with the figures of the whole."""

import os
import re
import subprocess

import onnx
import pytest

import conftest
import models

# Parts of half a MiB.
LIMIT = ["--mem-limit", "257M"]


def tied():
    """The last node reads the weight of the first, so this layer is in two parts."""
    model = models.chain(width=256, outliers=(1,))
    nodes = [node for node in model.graph.node if node.op_type == "MatMul"]
    nodes[-1].input[1] = nodes[0].input[1]
    return model


MODELS = {
    "chain": lambda: models.chain(width=256, outliers=(1, 4)),
    "tied": tied,
    "bert": lambda: models.bert(hidden=128),
    "decoder": lambda: models.decoder(hidden=128, vocabulary=997),
}


def close(one, other):
    """In parts, engines fuse other nodes."""
    return other == pytest.approx(one, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("form", ["int8", "int4:block=32", "fp8"])
@pytest.mark.parametrize("name", MODELS)
def test_parts_have_the_figures_of_the_whole(polygraphy, name, form):
    model = MODELS[name]()
    feeds = models.samples(model, 2)
    words = ["--format", form, *conftest.EXACT_INT8]
    everything = polygraphy(model, feeds, *words)["all_quantized"]
    words += ["--limit", everything * 0.7]
    whole, parts = polygraphy(model, feeds, *words), polygraphy(model, feeds, *words, *LIMIT)
    assert int(re.search(r"ran in (\d+) parts", " ".join(parts["notes"])).group(1)) > 2
    expected = {layer["weight"]: layer for layer in whole["layers"]}
    found = {layer["weight"]: layer for layer in parts["layers"]}
    assert expected.keys() == found.keys()
    for weight, layer in expected.items():
        for figure in ("effect", "sqnr"):
            assert close(layer[figure], found[weight][figure]), (weight, figure)
        for fact in ("nodes", "op", "shape", "float_bytes", "quantized_bytes", "shared", "kept", "worst_channel"):
            assert layer[fact] == found[weight][fact], (weight, fact)
    assert close(whole["all_quantized"], parts["all_quantized"])
    assert parts["chosen"] <= everything * 0.7
    assert [layer["weight"] for layer in whole["layers"]] == [layer["weight"] for layer in parts["layers"]]


def test_tokens_decide_in_parts(polygraphy):
    model = models.decoder(hidden=128, vocabulary=997)
    feeds = models.samples(model, 2)
    words = ["--format", "int4:block=32", "--compare", "tokens:kl=0.0005,margin=1"]
    whole, parts = polygraphy(model, feeds, *words), polygraphy(model, feeds, *words, *LIMIT)
    assert [layer["kept"] for layer in whole["layers"]] == [layer["kept"] for layer in parts["layers"]]
    assert any(layer["kept"] for layer in parts["layers"])
    assert whole["answer"]["agreement"] == parts["answer"]["agreement"]
    assert whole["answer"]["target"] == "mixed model" and "of mixed model and floating point" in whole["summary"]
    assert parts["answer"]["target"] == "replaced weights" and "mixed model" not in parts["summary"]


def test_a_limit_that_the_weights_fit_forces_no_parts(polygraphy):
    model = models.chain(width=256)
    result = polygraphy(model, models.samples(model, 1), "--limit", 1, "--mem-limit", "1G", code=0)
    assert not any("parts" in note for note in result["notes"])


@pytest.mark.parametrize("words, message", [
    (["-o", "mixed.onnx"], "The mixed model needs the whole model, but its weights of 2 MiB do not fit"),
    (["--float-model", "MODEL"], "A model that is quantised already needs the whole model"),
])
def test_what_needs_the_whole_model_is_refused(polygraphy, words, message):
    path, _ = polygraphy.save(models.chain(width=256), [])
    ran = polygraphy.command(path, *[path if word == "MODEL" else word for word in words], *LIMIT)
    assert ran.returncode == 3 and message in ran.stdout + ran.stderr, ran.stdout + ran.stderr


def test_a_limit_that_no_layer_fits_is_refused(polygraphy):
    path, _ = polygraphy.save(models.chain(width=512), [])
    for limit, message in (("100M", "Engines without a model take 256 MiB, but the memory limit is 100 MiB"),
                           ("257M", "alone takes 2 MiB in an engine, but the memory limit of 257 MiB leaves 1 MiB")):
        ran = polygraphy.command(path, "--mem-limit", limit)
        assert ran.returncode == 3 and message in ran.stdout + ran.stderr, ran.stdout + ran.stderr


# Parts are copies in temporary folders, of which the user knows nothing.
@pytest.mark.parametrize("command, limit", [(["sensitivity"], LIMIT),
                                            (["locate", "--onnxrt", "--openvino"], ["--mem-limit", "260M"])])
def test_damaged_external_data_has_the_name_of_the_users_file(tmp_path, command, limit):
    model, data = tmp_path / "m.onnx", tmp_path / "m.bin"
    onnx.save(models.chain(width=256), model, save_as_external_data=True, location=data.name)
    whole = data.stat().st_size
    for damage, message in ((lambda: os.truncate(data, whole // 2), f"that file has only {whole // 2}"),
                            (data.unlink, "cannot be opened")):
        damage()
        ran = subprocess.run([conftest.PROGRAM, "debug", command[0], model, *command[1:], *limit],
                             capture_output=True, text=True)
        text = ran.stdout + ran.stderr
        assert ran.returncode == 3 and message in text and str(data) in text and "/.polygraphy" not in text, text
