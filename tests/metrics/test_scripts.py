"""Metrics that are functions of the user's."""
import numpy as np
import onnx
import pytest
from conftest import save_model

SCRIPT = """
def closeness(outputs, label):
    return 1 / (1 + abs(outputs["y"].sum() - label))

def words(outputs, label):
    assert isinstance(label, str), label
    return float(len(label) == 2)

def percent(outputs, label):
    return 50
"""
INPUTS = ["--iterations", 40]


@pytest.fixture
def models(tmp_path):
    (tmp_path / "score.py").write_text(SCRIPT)
    for name, factor in (("fine", 1), ("coarse", 1.3)):
        save_model(tmp_path / (name + ".onnx"), [onnx.helper.make_node("Mul", ["x", "f"], ["y"])],
                   [("x", "float32", [3])], [("y", "float32", [3])], {"f": np.array(factor, np.float32)})
    return tmp_path / "fine.onnx", tmp_path / "coarse.onnx"


def test_scores_are_those_of_the_function(polygraphy, outputs_of, models, tmp_path):
    (fine, a), (coarse, b) = (outputs_of(model, *INPUTS) for model in models)
    labels = np.random.default_rng(6).random(40) * 3
    np.save(tmp_path / "labels.npy", labels)
    expected = [np.mean([1 / (1 + abs(one["y"].sum() - label)) for one, label in zip(side, labels)])
                for side in (a, b)]
    done = polygraphy("run", models[0], "--onnxrt", "--load-outputs", coarse, *INPUTS, "--metric",
                      "score.py:closeness", "--labels", "labels.npy", "--metric-confidence", "100%", "-v")
    assert done.figures() == pytest.approx(expected[::-1], rel=1e-12), done.text
    assert done.code == (expected[1] - expected[0] > 0.005)
    (tmp_path / "labels.txt").write_text("ab\n" * 39 + "abc\n")
    done = polygraphy("run", "--load-outputs", fine, coarse, "--metric", "score.py:words", "--labels", "labels.txt",
                      "--metric-confidence", "100%", "-v")
    assert done.code == 0 and done.figures() == (39 / 40, 39 / 40), done.text


@pytest.mark.parametrize("function, text", [
    ("percent", "percent() returned 50 for Label 0"), ("none", "has no attribute 'none'")])
def test_wrong_functions_are_refused(polygraphy, models, tmp_path, function, text):
    np.save(tmp_path / "labels.npy", np.zeros(40))
    done = polygraphy("run", models[0], "--onnxrt", "--openvino", *INPUTS, "--metric", "score.py:" + function,
                      "--labels", "labels.npy")
    assert done.code == 1 and text in done.text, done.text
