"""Specs of runners through the Python API; tests/runners runs them through C++ and the command line."""

from pathlib import Path

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import REPOSITORY, proto

TWICE = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) { y = Add (x, x) }"""
FEED = {"x": np.float32([1, 2])}


@pytest.fixture
def path(tmp_path):
    pn.Model.from_proto(proto(TWICE)).save(tmp_path / "twice.onnx")
    return tmp_path / "twice.onnx"


@pytest.fixture
def program(tmp_path):
    script = tmp_path / "twice.sh"
    script.write_text("#!/bin/sh\necho '{\"y\": [2.0, 4.0]}'\n", encoding="utf-8")
    script.chmod(0o700)
    return str(script)


def doubled(model, runner, **options):
    (result,) = pn.run(model, backend=runner, inputs=FEED, **options)
    return result.outputs["y"].tolist() == [2, 4]


@pytest.mark.parametrize("runner", [
    "onnxrt", "onnxrt graph_optimization_level=ORT_DISABLE_ALL", {"backend": "onnxrt"},
    {"backend": "onnxrt", "options": [["graph_optimization_level", ["ORT_DISABLE_ALL"]]]},
    pn.Backend("onnxrt", options={"graph_optimization_level": "ORT_DISABLE_ALL"})], ids=str)
def test_in_a_session(path, runner):
    assert doubled(path, runner)


@pytest.mark.parametrize("runner", [
    "onnxrt --isolated", "onnxrt --timeout=60", {"backend": "onnxrt", "isolated": True},
    {"backend": "onnxrt", "timeout": 60}], ids=str)
def test_in_a_process_of_its_own(path, runner):
    assert doubled(path, runner)
    with pytest.raises(pn.Error, match="polygraphy-native, which is missing"), pytest.MonkeyPatch.context() as patch:
        patch.setattr("polygraphy_native._running._program", lambda: "")
        pn.run(path, backend=runner, inputs=FEED)


def test_libraries_that_clash_get_processes_of_their_own(path, caplog):
    library = next(Path(REPOSITORY, ".deps", "openvino").rglob("libopenvino_c.so*"), None)
    if library is None:
        pytest.skip("set-up has not brought OpenVINO")
    other = f"{library.parent}/./{library.name}"  # counts as another library
    with caplog.at_level("INFO", "polygraphy_native"):
        assert pn.compare(path, backends=[f"openvino --library={library}", f"openvino --library={other}"], inputs=FEED)
    assert any("Running each runner in a separate process: two versions" in record.getMessage()
               for record in caplog.records)


def test_of_a_program(path, program):
    assert doubled(path, program) and doubled(path, {"program": program}) and doubled(path, program, timeout=60)
    assert pn.compare(path, backends=["onnxrt", program], inputs=FEED)


def test_of_a_model_in_memory(program):
    model = pn.Model.from_proto(proto(TWICE))
    assert all(doubled(model, runner) for runner in ("onnxrt", "onnxrt --isolated", program))


def test_names(path):
    (result,) = pn.run(path, backend="onnxrt --name=mine", inputs=FEED)
    assert result.backend == "mine"


def test_limits_of_a_spec_precede_those_of_the_call(path):
    assert doubled(path, "onnxrt --timeout=60", timeout=0.0001)


@pytest.mark.parametrize("runner, message", [
    ("", "without a back end"), ("onxrt", "'onxrt'"), ("onnxrt --color=red", "'--color=red'"),
    ({}, '"backend" or a "program"'), ({"backend": "onnxrt", "color": "red"}, '"color"')], ids=str)
def test_errors_name_the_runner(path, runner, message):
    with pytest.raises(pn.Error, match=message):
        pn.run(path, backend=runner, inputs=FEED)


def test_a_runner_of_another_type(path):
    with pytest.raises(TypeError, match="text, a Backend or a dict, not int"):
        pn.run(path, backend=3)
