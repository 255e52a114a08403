"""Checks of comparison functions and of the model's task decide, as they do in `run`."""

import itertools
import json
import os
import subprocess
import threading

import numpy as np
import onnx
import pytest

import conftest
import models
import oracle

DECODER = "int4:block=32"


def run_says(folder, model, mixed, files, *words):
    """The verdict of `run`, of the mixed model against the model's saved outputs."""
    saved, report = folder / "saved.json", folder / "report"
    onnx.save(model, folder / "float.onnx")
    for arguments in ([folder / "float.onnx", "--save-outputs", saved],
                      [mixed, "--load-outputs", saved, "--output-dir", report, *words]):
        process = subprocess.run([conftest.PROGRAM, "run", *map(str, arguments), "--onnxrt", "--load-inputs", *files],
                                 capture_output=True, text=True)
        assert process.returncode in (0, 1), process.stdout + process.stderr
    return json.loads((report / "report.json").read_text())


def judged(polygraphy, tmp_path, model, feeds, form, *words):
    mixed = tmp_path / "mixed.onnx"
    result = polygraphy(model, feeds, "--format", form, "-o", mixed, *words)
    _, files = polygraphy.save(model, feeds)
    return result, run_says(tmp_path, model, mixed, files, *words)


@pytest.mark.parametrize("form, words", [
    ("int8", ("--compare", "tokens:kl={kl},margin=9")), ("int8", ("--compare", "tokens")),
    ("int8", ("--metric", "perplexity", "--metric-drop", "0.1%")),
    (DECODER, ("--compare", "tokens:kl={kl},margin=0.2")), (DECODER, ("--compare", "tokens:margin=0.3")),
    (DECODER, ("--compare", "simple", "--atol", "0.05")),
    (DECODER, ("--metric", "perplexity", "--metric-drop", "0.1%"))])
def test_run_agrees(polygraphy, tmp_path, form, words):
    model = models.decoder()
    feeds = models.samples(model, 3)
    everything = polygraphy(model, feeds, "--format", form, "--limit", 1)["all_quantized_tokens"]["kl_mean"]
    words = [word.format(kl=everything / 2) for word in words]
    result, report = judged(polygraphy, tmp_path, model, feeds, form, *words)
    answer, theirs = result["answer"], report["answer"]
    assert result["limit"] is None and result["found"]
    assert any(layer["kept"] for layer in result["layers"]), "the case is trivial"
    for key in ("agreement", "measure", "unit", "total", "compared", "off", "samples"):
        assert answer[key] == theirs[key], key
    assert answer.get("tokens") == theirs.get("tokens")
    assert answer["headline"].rsplit(": ", 1)[-1] == theirs["headline"].rsplit(": ", 1)[-1] or not answer.get("tokens")
    assert answer["agreement"] == "agrees"


def classes(seed=0, layers=6):
    """A chain whose outputs are scores of classes, and samples in batches with the classes it finds."""
    model = models.chain(seed=seed, layers=layers, outliers=(1, 4))
    rng = np.random.default_rng(seed + 1)
    feeds = [{"x": rng.standard_normal((20, 32)).astype(np.float32)} for _ in range(5)]
    found = [next(iter(o.values())).argmax(-1) for o in oracle.run(model, feeds)]
    return model, feeds, np.concatenate(found)


def accuracy(outputs, labels):
    return float((np.concatenate([next(iter(o.values())).argmax(-1) for o in outputs]) == labels).mean())


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("drop", ["8%", "20%"])
def test_cheapest_set_by_top1(polygraphy, tmp_path, seed, drop):
    model, feeds, labels = classes(seed)
    np.save(tmp_path / "labels.npy", labels)
    words = ("--metric", "top1", "--labels", tmp_path / "labels.npy", "--metric-drop", drop)
    result = polygraphy(model, feeds, "--format", "int4:block=32", *words, code=0)
    assert result["cheapest"]
    roles = oracle.roles(model)
    best = None
    for size in range(len(roles) + 1):
        for kept in itertools.combinations(range(len(roles)), size):
            chosen = [role for i, role in enumerate(roles) if i not in kept]
            outputs = oracle.run(oracle.quantized(model, chosen, "int4:block=32"), feeds)
            if 1 - accuracy(outputs, labels) <= float(drop[:-1]) / 100 + 1e-12:
                best = size
                break
        if best is not None:
            break
    # All layers cost the same.
    assert 0 < best == sum(layer["kept"] for layer in result["layers"])
    assert "drop of at most " + drop in result["answer"]["measure"]


def test_a_function_of_a_script(polygraphy, tmp_path):
    model, feeds, labels = classes()
    np.save(tmp_path / "labels.npy", labels.reshape(5, 20))
    (tmp_path / "score.py").write_text(
        "def score(outputs, label):\n    return float((list(outputs.values())[0].argmax(-1) == label).mean())\n")
    result = polygraphy(model, feeds, "--format", "int4", "--metric", tmp_path / "score.py", "--labels",
                        tmp_path / "labels.npy", "--metric-drop", "10%", code=0)
    by_name = polygraphy(model, feeds, "--format", "int4", "--metric", "top1", "--labels", flat(tmp_path, labels),
                         "--metric-drop", "10%", code=0)
    kept = [[layer["kept"] for layer in one["layers"]] for one in (result, by_name)]
    assert kept[0] == kept[1]


def flat(folder, labels):
    np.save(folder / "flat.npy", labels)
    return folder / "flat.npy"


def test_tokens_decide_by_divergence(polygraphy):
    model = models.decoder()
    feeds = models.samples(model, 2)
    result = polygraphy(model, feeds, "--format", DECODER, "--compare", "tokens:kl=0.001,margin=9", code=0)
    kept = [layer["tokens"]["kl_mean"] for layer in result["layers"] if layer["kept"]]
    left = [layer["tokens"]["kl_mean"] for layer in result["layers"] if not layer["kept"]]
    assert kept and max(kept) == max(kept + left)
    assert result["proved_tokens"]["kl_mean"] <= 0.001


def test_labels_may_come_from_a_pipe(polygraphy, tmp_path):
    model, feeds, labels = classes()
    path, files = polygraphy.save(model, feeds)
    pipe = tmp_path / "labels"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=["".join(f"{label}\n" for label in labels)], daemon=True)
    writer.start()
    process = polygraphy.command(path, "--load-inputs", *files, "--format", "int8", "--metric", "top1", "--labels",
                                 pipe, "--metric-drop", "20%", timeout=60)
    writer.join()
    assert process.returncode == 0 and "labels" not in process.stderr, process.stdout + process.stderr


@pytest.mark.parametrize("words, text", [
    (("--metric", "top1"), "--labels"),
    (("--metric", "top9", "--labels", "x"), "Unknown metric 'top9'"),
    (("--limit", "0.1", "--compare", "tokens"), "exclude each other"),
    (("--limit", "0.1", "--metric", "perplexity"), "exclude each other"),
    (("--metric", "perplexity", "--compare", "tokens"), "exclude each other")])
def test_messages(polygraphy, words, text):
    path, files = polygraphy.save(models.decoder(), models.samples(models.decoder(), 1))
    process = polygraphy.command(path, "--load-inputs", *files, *words)
    assert process.returncode not in (0, 1) and text in process.stdout + process.stderr


def test_too_few_labels(polygraphy, tmp_path):
    model, feeds, labels = classes()
    path, files = polygraphy.save(model, feeds)
    process = polygraphy.command(path, "--load-inputs", *files, "--metric", "top1", "--labels",
                                 flat(tmp_path, labels[:60]))
    assert process.returncode not in (0, 1) and "has 60 labels" in process.stdout + process.stderr
