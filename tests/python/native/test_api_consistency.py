"""polygraphy_native.check_consistency(), on real engines."""

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import LAYERS, MAGIKA, need, proto


@pytest.fixture
def model():
    return pn.Model.from_proto(proto(LAYERS))


def test_consistent_engines(model):
    need("openvino")
    report = pn.check_consistency(model, ["onnxrt", "openvino"], batch_size=3, skip=["optimization", "reload"])
    assert report and report.consistent and report.compared and report.text
    assert len({row.engine for row in report.rows}) == 2
    verdicts = {(row.check, row.verdict) for row in report.rows}
    assert {check for check, _ in verdicts} >= {"repeat", "rows", "batch", "permuted", "threads", "process"}
    assert ("repeat", "identical") in verdicts


def test_inconsistent_rows():
    text = LAYERS.replace("Tanh (a)", "Softmax <axis = 0> (a)")
    report = pn.check_consistency(pn.Model.from_proto(proto(text)), "onnxrt", only=["batch"])
    (row,) = report.rows
    assert not report and row.verdict == "differs" and row.comparison
    assert row.worst.output == "y" and row.worst.beyond_tolerance > 0 and row.worst.largest_absolute > 0.01
    assert len(row.worst.index) == 2 and float(row.worst.expected) != float(row.worst.observed)
    assert any("Softmax" in note for note in row.notes)
    assert pn.check_consistency(pn.Model.from_proto(proto(text)), "onnxrt", only=["batch"], atol={"y": 100})


def test_consistency_on_given_inputs(model):
    feeds = ({"x": np.full((2, 4), i, np.float32)} for i in range(3))
    assert pn.check_consistency(model, {"backend": "onnxrt"}, inputs=feeds, only=["repeat"])


def test_an_engine_that_cannot_run_is_a_row():
    report = pn.check_consistency(MAGIKA, "onnxrt --timeout=0.0001")
    (row,) = report.rows
    assert row.verdict == "failed" and row.notes
    assert not report and not report.compared and report.answer.agreement == "failed"
    assert report.text == "Could not be compared: 1 could not be run"


@pytest.mark.parametrize("options, message", [
    ({"only": ["nothing"]}, "nothing"), ({"batch_size": 1}, "batch of 1"), ({"batch_inputs": ["z"]}, "z")])
def test_options_of_check_consistency_that_make_no_sense(model, options, message):
    with pytest.raises(pn.Error, match=message):
        pn.check_consistency(model, "onnxrt", **options)
    with pytest.raises(pn.Error, match="engine"):
        pn.check_consistency(model, [])


def test_nothing_is_printed(model, capfd):
    pn.check_consistency(model, "onnxrt", only=["repeat"])
    assert capfd.readouterr() == ("", "")
