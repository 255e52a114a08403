"""top1 and topk."""
import json
import os
import threading

import numpy as np
import onnx
import pytest
from conftest import save_model

CLASSES, ROWS, ITERATIONS = 10, 4, 60
INPUTS = ["--iterations", ITERATIONS, "--val-range", "[-1,1]"]


@pytest.fixture
def models(tmp_path):
    """A classifier, and the same with coarse weights."""
    weights = np.random.default_rng(1).standard_normal((8, CLASSES)).astype(np.float32)
    for name, values in (("fine", weights), ("coarse", np.round(weights * 2) / 2)):
        save_model(tmp_path / (name + ".onnx"), [onnx.helper.make_node("MatMul", ["x", "w"], ["y"])],
                   [("x", "float32", [ROWS, 8])], [("y", "float32", [ROWS, CLASSES])], {"w": values.astype(np.float32)})
    return tmp_path / "fine.onnx", tmp_path / "coarse.onnx"


def share_of_right(outputs, labels, k):
    scores = np.concatenate([one["y"] for one in outputs])
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return (best == labels[:, None]).any(axis=1).mean()


@pytest.mark.parametrize("metric, k", [("top1", 1), ("topk:3", 3)])
def test_shares_are_those_of_numpy(polygraphy, outputs_of, models, tmp_path, metric, k):
    (fine, a), (coarse, b) = (outputs_of(model, *INPUTS) for model in models)
    labels = np.concatenate([one["y"] for one in a]).argsort(axis=1)[:, -1]
    wrong = np.random.default_rng(2).random(len(labels)) < 0.2
    labels[wrong] = (labels[wrong] + 1) % CLASSES
    np.save(tmp_path / "labels.npy", labels)
    done = polygraphy("run", "--load-outputs", fine, coarse, "--metric", metric, "--labels", "labels.npy",
                      "--metric-confidence", "100%", "-v")
    expected = share_of_right(a, labels, k), share_of_right(b, labels, k)
    assert done.figures() == pytest.approx(expected, rel=1e-12)
    assert done.code == (expected[0] - expected[1] > 0.005)
    # The same while a runner runs; and the labels in their other forms.
    (tmp_path / "labels.json").write_text(json.dumps(labels.reshape(ITERATIONS, ROWS).tolist()))
    (tmp_path / "labels.txt").write_text("".join("%d\n" % label for label in labels))
    for file in ("labels.json", "labels.txt"):
        done = polygraphy("run", models[0], "--onnxrt", "--load-outputs", coarse, *INPUTS, "--metric", metric,
                          "--labels", file, "--metric-confidence", "100%", "-v")
        assert done.figures() == pytest.approx(expected[::-1], rel=1e-12)  # saved outputs are the reference
        assert done.code == 0


@pytest.mark.parametrize("command", [
    ["run", "{}", "--onnxrt", "--openvino"],
    ["debug", "locate", "{}", "--onnxrt", "--openvino", "--remedy"],
    ["debug", "sensitivity", "{}"],
    ["debug", "reduce", "{}", "-o", "reduced.onnx", "--check-run", "onnxrt", "openvino"]])
def test_mistakes_are_errors_of_every_command(polygraphy, models, tmp_path, command):
    np.save(tmp_path / "labels.npy", np.zeros(ROWS, np.int64))
    words = [word.format(models[0]) for word in command]
    done = polygraphy(*words, "--metric", "top1", "--labels", "labels.npy", "--metric-output", "z")
    assert done.code not in (0, None) and "[!] There is no output 'z'" in done.text, done.text
    assert "Outputs: y." in done.text and not (tmp_path / "reduced.onnx").exists()
    done = polygraphy(*words, "--metric", "top1", "--labels", "missing.npy")
    assert done.code not in (0, None) and "[!] cannot open 'missing.npy'" in done.text, done.text


def test_a_task_metric_judges_the_remedy_alone(polygraphy, models, tmp_path):
    """Labels come through a pipe, which can be read once."""
    os.mkfifo(tmp_path / "labels.txt")
    labels = threading.Thread(target=(tmp_path / "labels.txt").write_text, args=["1\n" * ROWS], daemon=True)
    labels.start()
    done = polygraphy("debug", "locate", models[0], "--onnxrt", "--openvino", "--openvino-precision", "bf16",
                      "--remedy", "--metric", "top1", "--labels", "labels.txt", "--metric-drop", "100%",
                      "--atol", 1e-9)
    labels.join(timeout=10)
    assert done.code == 0 and "[!]" not in done.text and "[E]" not in done.text, done.text
    assert "[W] Option: --atol has no effect with --metric" in done.text, done.text
    assert "1 output of openvino-runner-N0 and onnxrt-runner-N0 agrees within 3× the" in done.text, done.text
    # Processors without bfloat16 compute in float32.
    assert ("No remedy needed: the outputs agree by top1" in done.text
            or "No remedy: the target already computes in float32" in done.text), done.text


def test_the_headline_has_the_scores_and_the_drop(polygraphy, outputs_of, models, tmp_path):
    (fine, a), (coarse, b) = (outputs_of(model, *INPUTS) for model in models)
    labels = np.concatenate([one["y"] for one in a]).argmax(axis=1)
    np.save(tmp_path / "labels.npy", labels)
    share = share_of_right(b, labels, 1)
    drop = 1 - share
    run = ["run", "--load-outputs", fine, coarse, "--metric", "top1", "--labels", "labels.npy"]
    done = polygraphy(*run, "--metric-drop", drop + 0.001, "--metric-confidence", "100%")
    assert done.code == 0
    assert ("240 samples of onnxrt-runner-N0 and onnxrt-runner-N0_2 agree by top1 (drop of at most" in done.text
            or "240 samples of" in done.text), done.text
    assert "%.4g%% instead of 100%%, a drop of %.4g%%" % (100 * share, 100 * drop) in done.text, done.text
    assert polygraphy(*run, "--metric-drop", drop - 0.001, "--metric-confidence", "100%").code == 1


def test_a_clear_answer_needs_few_samples(polygraphy, tmp_path):
    """Identical runners agree, and a broken one differs, long before the end."""
    rows = 2000
    save_model(tmp_path / "same.onnx", [onnx.helper.make_node("Identity", ["x"], ["y"])],
               [("x", "float32", [1, CLASSES])], [("y", "float32", [1, CLASSES])])
    save_model(tmp_path / "broken.onnx", [onnx.helper.make_node("Neg", ["x"], ["y"])],
               [("x", "float32", [1, CLASSES])], [("y", "float32", [1, CLASSES])])
    np.save(tmp_path / "labels.npy", np.zeros(rows, np.int64))
    run = ["run", "same.onnx", "--onnxrt", "--iterations", rows, "--metric", "top1", "--labels", "labels.npy"]
    agrees = polygraphy(*run, "--openvino", "--metric-drop", "2%")
    assert agrees.code == 0, agrees.text
    assert "others were not compared" in agrees.text and "with 95% confidence" in agrees.text, agrees.text
    # The labels are the classes of the reference.
    polygraphy("run", "same.onnx", "--onnxrt", "--iterations", rows, "--save-outputs", "same.npz")
    with np.load(tmp_path / "same.npz") as file:
        labels = [int(file["%d/0/y" % i].argmax()) for i in range(rows)]
    np.save(tmp_path / "labels.npy", labels)
    differs = polygraphy("run", "broken.onnx", *run[2:], "--load-outputs", "same.npz")
    assert differs.code == 1, differs.text
    used = int(differs.headline().split(" samples of")[0].split()[-1])
    assert used < 30, differs.headline()


@pytest.mark.parametrize("labels, text", [
    (np.arange(100) % CLASSES, "has 100 labels, but 60 iterations of 4 rows need 240"),
    (np.full(240, CLASSES), "is class 10, but output 'y' has the classes 0 to 9"),
    (np.full(240, 0.5), "is not a whole number: 0.5"),
])
def test_wrong_labels_are_refused(polygraphy, models, tmp_path, labels, text):
    np.save(tmp_path / "labels.npy", labels)
    done = polygraphy("run", models[0], "--onnxrt", "--openvino", *INPUTS, "--metric", "top1", "--labels",
                      "labels.npy")
    assert done.code == 1 and text in done.text, done.text
    assert "agree" not in done.text


@pytest.mark.parametrize("count", [190, 500])
@pytest.mark.parametrize("sides", [["--onnxrt", "--openvino"], ["--onnxrt", "--load-outputs", "saved.npz"],
                                   ["--load-outputs", "saved.npz", "saved.npz"]])
def test_labels_of_another_data_set_are_no_verdict(polygraphy, tmp_path, sides, count):
    """Although those of all samples up to the last 10 are right, and so the answer is clear before."""
    run = echo(tmp_path, [1] * 200)
    saved = polygraphy("run", "echo.onnx", "--onnxrt", "--load-inputs", "inputs.json", "--save-outputs", "saved.npz")
    assert saved.code == 0, saved.text
    labels = np.load(tmp_path / "labels.npy")
    np.save(tmp_path / "labels.npy", np.resize(labels, count))
    model, inputs = (["echo.onnx"], ["--load-inputs", "inputs.json"]) if "--onnxrt" in sides else ([], [])
    done = polygraphy("run", *model, *sides, *inputs, *run[4:], "--metric-drop", "2%")
    assert done.code == 1 and "has %d labels, but" % count in done.text and " agree " not in done.text, done.text


@pytest.mark.parametrize("options, text", [
    (["--metric", "top1"], "--labels"),
    (["--metric", "top7", "--labels", "l.txt"], "Unknown metric 'top7'"),
    (["--metric", "topk", "--labels", "l.txt"], "topk needs the number of classes"),
    (["--metric", "top1:3", "--labels", "l.txt"], "does not support the argument '3'"),
    (["--metric", "top1", "--labels", "l.txt", "--compare", "l2"], "--metric and --compare exclude each other"),
    (["--metric", "top1", "--labels", "l.txt", "--noise-floor"], "--metric and --noise-floor exclude each other"),
    (["--metric", "top1", "--labels", "l.txt", "--on", "local:1"], "--metric and --on exclude each other"),
    (["--metric", "top1", "--labels", "l.txt", "--save-task", "t"], "--metric and --save-task exclude each other"),
    (["--metric", "top1", "--labels", "l.txt", "--metric-drop", "half"], "--metric-drop half"),
    (["--metric", "top1", "--labels", "l.txt", "--metric-output", "z"], "There is no output 'z'"),
    (["--metric-drop", "1%"], "--metric"),
])
def test_wrong_options_are_refused(polygraphy, models, tmp_path, options, text):
    (tmp_path / "l.txt").write_text("1\n" * 240)
    done = polygraphy("run", models[0], "--onnxrt", "--openvino", *INPUTS, *options)
    assert done.code == 1 and text in done.text, done.text


def test_samples_have_their_labels(polygraphy, models, outputs_of, tmp_path):
    """--samples 20..39 have the labels 80 to 159."""
    _, a = outputs_of(models[0], *INPUTS)
    labels = np.concatenate([one["y"] for one in a]).argmax(axis=1)
    labels[:80] = labels[160:] = 0
    np.save(tmp_path / "labels.npy", labels)
    done = polygraphy("run", models[0], "--onnxrt", "--openvino", *INPUTS[2:], "--samples", "20..39", "--metric",
                      "top1", "--labels", "labels.npy", "-v")
    assert done.code == 0 and done.figures() == (1, 1), done.text


def test_nans_of_the_target_are_wrong(polygraphy, models, outputs_of, tmp_path):
    fine, a = outputs_of(models[0], *INPUTS)
    labels = np.concatenate([one["y"] for one in a]).argmax(axis=1)
    np.save(tmp_path / "labels.npy", labels)
    save_model(tmp_path / "nan.onnx", [onnx.helper.make_node("Sqrt", ["x"], ["s"]),
                                       onnx.helper.make_node("MatMul", ["s", "w"], ["y"])],
               [("x", "float32", [ROWS, 8])], [("y", "float32", [ROWS, CLASSES])],
               {"w": np.ones((8, CLASSES), np.float32)})
    broken, _ = outputs_of(tmp_path / "nan.onnx", *INPUTS)
    done = polygraphy("run", "--load-outputs", fine, broken, "--metric", "top1", "--labels", "labels.npy", "-v")
    assert done.code == 1 and done.figures()[0] == 1, done.text


def echo(tmp_path, rows):
    save_model(tmp_path / "echo.onnx", [onnx.helper.make_node("Identity", ["x"], ["y"])],
               [("x", "float32", ["rows", CLASSES])], [("y", "float32", ["rows", CLASSES])])
    scores = np.random.default_rng(7).random((sum(rows), CLASSES)).astype(np.float32)
    cuts = np.split(scores, np.cumsum(rows)[:-1])
    (tmp_path / "inputs.json").write_text(json.dumps([{"x": part.tolist()} for part in cuts]))
    for i, part in enumerate(cuts):
        (tmp_path / "samples" / ("test_data_set_%d" % i)).mkdir(parents=True)
        np.save(tmp_path / "samples" / ("test_data_set_%d" % i) / "x.npy", part)
        (tmp_path / "files").mkdir(exist_ok=True)
        (tmp_path / "files" / ("%03d.json" % i)).write_text(json.dumps([{"x": part.tolist()}]))
    np.save(tmp_path / "labels.npy", scores.argmax(axis=1))
    return ["run", "echo.onnx", "--onnxrt", "--openvino", "--metric", "top1", "--labels", "labels.npy", "-v"]


@pytest.mark.parametrize("rows", [[1] * 50, [4] * 10 + [3]])
@pytest.mark.parametrize("inputs", ["inputs.json", "samples", "files"])
def test_labels_follow_inputs_in_random_order(polygraphy, tmp_path, rows, inputs):
    run = [*echo(tmp_path, rows), "--load-inputs", inputs]
    for options in ([], ["--metric-order", "given"], ["--metric-confidence", "100%"]):
        done = polygraphy(*run, *options)
        assert done.code == 0 and done.figures() == (1, 1), done.text
    # Half of the labels are wrong: in the first half of the inputs. In random order, both halves are drawn.
    labels = np.load(tmp_path / "labels.npy")
    labels[:len(labels) // 2] += 1
    np.save(tmp_path / "labels.npy", labels % CLASSES)
    few = ["--metric-drop", "60%"]
    assert polygraphy(*run, *few, "--metric-order", "given").figures() == (0, 0)
    assert 0.1 < polygraphy(*run, *few).figures()[0] < 0.9


def test_batches_of_several_sizes_keep_their_order(polygraphy, tmp_path):
    run = [*echo(tmp_path, [3, 1, 3, 1, 3]), "--load-inputs", "inputs.json"]
    done = polygraphy(*run)
    assert done.code == 1 and "5 iterations of 3 rows need 15" in done.text and "--metric-order given" in done.text
    done = polygraphy(*run, "--metric-order", "given")
    assert done.code == 0 and done.figures() == (1, 1), done.text
    assert "11 samples of" in done.text
    np.save(tmp_path / "labels.npy", np.load(tmp_path / "labels.npy")[:9])
    done = polygraphy(*run, "--metric-order", "given")
    assert done.code == 1 and "has 9 labels, but there are more samples" in done.text, done.text


def test_one_runner_is_not_enough(polygraphy, tmp_path):
    run = echo(tmp_path, [1] * 5)
    run.remove("--openvino")
    done = polygraphy(*run, "--load-inputs", "inputs.json")
    assert done.code == 1 and "there is only one run" in done.text, done.text


def test_the_report_has_the_verdict(polygraphy, tmp_path):
    done = polygraphy(*echo(tmp_path, [1] * 50), "--load-inputs", "inputs.json", "--output-dir", "out", "--report",
                      "out/page.html")
    assert done.code == 0, done.text
    answer = json.loads((tmp_path / "out" / "report.json").read_text())["answer"]
    assert answer["agreement"] == "agrees" and answer["unit"] == "sample" and answer["total"] == 50, answer
    assert answer["measure"] == "top1 (drop of at most 0.5%)" and answer["excess"] == 0
    assert "by top1 (drop of at most 0.5%)" in (tmp_path / "out" / "page.html").read_text()


def test_answers_are_compared_where_there_are_no_scores(polygraphy, tmp_path):
    echo(tmp_path, [1] * 40)
    scores = ("x", "float32", ["rows", CLASSES])
    best = onnx.helper.make_node("ArgMax", ["x"], ["best"], axis=1, keepdims=0)
    save_model(tmp_path / "best.onnx", [best], [scores], [("best", "int64", ["rows"])])
    save_model(tmp_path / "both.onnx", [best, onnx.helper.make_node("Neg", ["x"], ["worst"])], [scores],
               [("best", "int64", ["rows"]), ("worst", "float32", ["rows", CLASSES])])
    run = ["--onnxrt", "--openvino", "--load-inputs", "inputs.json", "--labels", "labels.npy", "-v"]
    assert polygraphy("run", "best.onnx", *run, "--metric", "top1").figures() == (1, 1)
    assert polygraphy("run", "both.onnx", *run, "--metric", "top1").figures() == (0, 0)
    assert polygraphy("run", "both.onnx", *run, "--metric", "top1", "--metric-output", "best").figures() == (1, 1)
    done = polygraphy("run", "best.onnx", *run, "--metric", "topk:2")
    assert done.code == 1 and "No output may be scores [rows, classes]: best int64 [1]" in done.text, done.text
