"""perplexity and wer."""
import json

import numpy as np
import onnx
import pytest
from conftest import save_model

VOCABULARY, TOKENS, ROWS, ITERATIONS = 11, 7, 2, 20
INPUTS = ["--iterations", ITERATIONS, "--val-range", "input_ids:[0,%d]" % (VOCABULARY - 1), "attention_mask:[0,1]"]
ALL = ["--metric-confidence", "100%", "-v"]


@pytest.fixture
def models(tmp_path):
    """A bigram model, and the same with coarse weights; one with a mask as second input."""
    table = (3 * np.random.default_rng(3).standard_normal((VOCABULARY, VOCABULARY))).astype(np.float32)
    ids = ("input_ids", "int64", [ROWS, TOKENS])
    logits = [("logits", "float32", [ROWS, TOKENS, VOCABULARY])]
    gather = onnx.helper.make_node("Gather", ["table", "input_ids"], ["logits"])
    save_model(tmp_path / "fine.onnx", [gather], [ids], logits, {"table": table})
    save_model(tmp_path / "coarse.onnx", [gather], [ids], logits, {"table": np.round(table)})
    masked = [onnx.helper.make_node("Cast", ["attention_mask"], ["m"], to=onnx.TensorProto.FLOAT),
              onnx.helper.make_node("ReduceSum", ["m"], ["s"], keepdims=0),
              onnx.helper.make_node("Gather", ["table", "input_ids"], ["l"]),
              onnx.helper.make_node("Add", ["l", "s"], ["logits"])]
    save_model(tmp_path / "masked.onnx", masked, [ids, ("attention_mask", "int64", [ROWS, TOKENS])], logits,
               {"table": table})
    return tmp_path / "fine.onnx", tmp_path / "coarse.onnx", tmp_path / "masked.onnx"


def inputs_of(polygraphy, tmp_path, model):
    assert polygraphy("run", model, "--onnxrt", "--save-inputs", "inputs.npz", *INPUTS).code == 0
    with np.load(tmp_path / "inputs.npz") as file:
        return [{name: file["%d/%s" % (i, name)] for name in ("input_ids", "attention_mask")
                 if "%d/%s" % (i, name) in file.files} for i in range(ITERATIONS)]


def perplexity(logits, following):
    logits = np.concatenate(logits).astype(np.float64).reshape(-1, VOCABULARY)
    following = np.concatenate(following).reshape(-1)
    kept = following != -100
    chances = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return np.exp(-chances[kept, following[kept]].mean())


def following_of(inputs):
    ids = inputs["input_ids"]
    following = np.full_like(ids, -100)
    following[:, :-1] = ids[:, 1:]
    if "attention_mask" in inputs:
        mask = inputs["attention_mask"]
        following[:, :-1][(mask[:, 1:] == 0) | (mask[:, :-1] == 0)] = -100
    return following


def test_perplexity_is_that_of_numpy(polygraphy, outputs_of, models, tmp_path):
    (fine, a), (coarse, b) = (outputs_of(model, *INPUTS) for model in models[:2])
    following = [following_of(one) for one in inputs_of(polygraphy, tmp_path, models[0])]
    expected = [perplexity([one["logits"] for one in side], following) for side in (a, b)]
    # The next tokens of the inputs are right, of random inputs and of saved ones.
    for inputs in (INPUTS, ["--load-inputs", "inputs.npz"]):
        done = polygraphy("run", models[0], "--onnxrt", *inputs, "--load-outputs", coarse, "--metric", "perplexity", *ALL)
        assert done.figures() == pytest.approx(expected[::-1], rel=1e-12), done.text
        assert done.code == (expected[0] > 1.005 * expected[1])
    # Next tokens of a file, of which some are left out.
    following = np.stack(following)
    following[:, :, 3] = -100
    np.save(tmp_path / "next.npy", following)
    expected = [perplexity([one["logits"] for one in side], following) for side in (a, b)]
    rise = expected[1] / expected[0] - 1
    for limit, code in ((rise * 1.01, 0), (rise / 1.01, 1)):
        done = polygraphy("run", "--load-outputs", fine, coarse, "--metric", "perplexity", "--labels", "next.npy",
                          "--metric-drop", limit, *ALL)
        assert done.figures() == pytest.approx(expected, rel=1e-12), done.text
        assert done.code == code, done.text
        assert "perplexity (rise of at most" in done.text


def test_masked_tokens_are_left_out(polygraphy, outputs_of, models, tmp_path):
    _, a = outputs_of(models[2], *INPUTS)
    following = [following_of(one) for one in inputs_of(polygraphy, tmp_path, models[2])]
    assert (np.stack(following)[:, :, :-1] == -100).any()
    expected = perplexity([one["logits"] for one in a], following)
    done = polygraphy("run", models[2], "--onnxrt", "--openvino", *INPUTS, "--metric", "perplexity", *ALL)
    assert done.figures() == pytest.approx((expected, expected), rel=1e-5), done.text
    assert done.figures()[0] == pytest.approx(expected, rel=1e-12)


def test_perplexity_of_files_needs_labels(polygraphy, outputs_of, models):
    fine, _ = outputs_of(models[0], *INPUTS)
    done = polygraphy("run", "--load-outputs", fine, fine, "--metric", "perplexity")
    assert done.code == 1 and "needs the inputs of the results, or labels" in done.text, done.text


def edits(found, right):
    """By the recursion as it is in textbooks."""
    table = np.zeros((len(found) + 1, len(right) + 1), int)
    table[:, 0], table[0] = np.arange(len(found) + 1), np.arange(len(right) + 1)
    for i in range(len(found)):
        for k in range(len(right)):
            table[i + 1, k + 1] = min(table[i, k] + (found[i] != right[k]), table[i, k + 1] + 1, table[i + 1, k] + 1)
    return table[-1, -1]


def ctc(tokens, blank):
    return [token for i, token in enumerate(tokens) if token != blank and (i == 0 or tokens[i - 1] != token)]


@pytest.mark.parametrize("metric, read", [
    ("wer", list), ("wer:ctc", lambda tokens: ctc(tokens, 0)), ("wer:ctc=4", lambda tokens: ctc(tokens, 4))])
def test_word_errors_are_those_of_the_recursion(polygraphy, outputs_of, models, tmp_path, metric, read):
    (fine, a), (coarse, b) = (outputs_of(model, *INPUTS) for model in models[:2])
    random = np.random.default_rng(4)
    best = [one["logits"].argmax(axis=2) for one in a]
    right = [[int(token) for token in read(row.tolist()) if random.random() > 0.1] + [1] for one in best for row in one]
    (tmp_path / "labels.json").write_text(json.dumps(right))
    (tmp_path / "labels.txt").write_text("\n".join(" ".join(map(str, row)) for row in right) + "\n")
    words = sum(map(len, right))
    expected = [sum(edits(read(row.tolist()), label) for row, label in
                    zip((row for one in side for row in one["logits"].argmax(axis=2)), right)) / words
                for side in (a, b)]
    for labels in ("labels.json", "labels.txt"):
        done = polygraphy("run", "--load-outputs", fine, coarse, "--metric", metric, "--labels", labels, *ALL)
        assert done.figures() == pytest.approx(expected, rel=1e-12), done.text
        assert done.code == (expected[1] - expected[0] > 0.005)


def test_texts_are_compared_by_words(polygraphy, tmp_path):
    """The model returns its input, which is read from a file."""
    save_model(tmp_path / "echo.onnx", [onnx.helper.make_node("Identity", ["x"], ["y"])],
               [("x", "object", [2])], [("y", "object", [2])])
    for name, texts in (("heard", ["the cat sat", "on a hat"]), ("right", ["the cat sat", "on the mat"])):
        (tmp_path / (name + ".json")).write_text(json.dumps([{"x": texts}]))
        done = polygraphy("run", "echo.onnx", "--onnxrt", "--load-inputs", name + ".json", "--save-outputs",
                          name + ".out.json")
        assert done.code == 0, done.text
    (tmp_path / "labels.txt").write_text("the cat sat\non the mat\n")
    done = polygraphy("run", "--load-outputs", "right.out.json", "heard.out.json", "--metric", "wer", "--labels",
                      "labels.txt", *ALL)
    assert done.code == 1 and done.figures() == (0, 2 / 6), done.text
    assert "33.33% instead of 0%, a rise of 33.33%" in done.text
