"""polygraphy_native.benchmark(), on real engines."""

import json

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import LAYERS, MAGIKA, need, proto

ONES = {"x": np.ones((2, 4), np.float32)}


@pytest.fixture
def model():
    return pn.Model.from_proto(proto(LAYERS))


def test_measurements(model, tmp_path):
    need("openvino")
    report = pn.benchmark(model, ["onnxrt", "openvino --name=other"], warm_up=1, runs=12, batches=[1, 8], nodes=2,
                          save=tmp_path / "figures.json", save_plot=tmp_path / "figures.svg")
    assert report and report.passed and "p90" in report.text
    assert report.runners[1].name == "other" and all(each.load_seconds > 0 for each in report.runners)
    assert [case.batch for case in report.cases] == [1, 8]
    assert report.cases[1].inputs == "x:[8,4]" and [each.runner for each in report.cases[1].results] == [
        each.name for each in report.runners]
    figures = report.cases[1].results[0]
    assert len(figures.runs_seconds) == 12 and figures.latency.min <= figures.latency.p50 <= figures.latency.max
    assert figures.samples_per_second == pytest.approx(8 * figures.runs_per_second)
    assert figures.nodes and figures.nodes[0].microseconds > 0 and figures.nodes[0].op_type
    saved = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert len(saved["cases"]) == 2 and (tmp_path / "figures.svg").exists()


def test_measurements_of_given_inputs():
    (case,) = pn.benchmark(MAGIKA, "onnxrt", runs=3, inputs={"bytes": np.zeros((2, 2048), np.int32)}).cases
    assert case.inputs == "bytes:[2,2048]" and case.batch == 2 and case.results[0].latency.mean > 0
    shapes = [{"bytes": [1, 2048]}, {"bytes": [3, 2048]}]
    assert len(pn.benchmark(MAGIKA, "onnxrt", runs=3, shapes=shapes).cases) == 2


def test_a_runner_that_fails_is_reported():
    report = pn.benchmark(MAGIKA, ["onnxrt", "onnxrt --timeout=0.0001"], runs=2)
    assert not report and report.runners[1].failure and not report.runners[0].failure
    assert "No inputs" in pn.benchmark(MAGIKA, "onnxrt", inputs=[]).cases[0].results[0].failure


@pytest.mark.parametrize("options, message", [
    ({"runs": 0}, "runs must be at least 1"), ({"batches": [0]}, "batch size must be at least 1"),
    ({"inputs": ONES, "batches": [1]}, "inputs are given"), ({"runners": []}, "no runners")])
def test_options_of_benchmark_that_make_no_sense(model, options, message):
    with pytest.raises(pn.Error, match=message):
        pn.benchmark(**{"model": model, "runners": "onnxrt", **options})


def test_nothing_is_printed(model, capfd):
    pn.benchmark(model, "onnxrt", runs=2)
    assert capfd.readouterr() == ("", "")
