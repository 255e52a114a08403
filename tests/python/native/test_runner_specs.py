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


SAVED_MODEL = REPOSITORY / "backends" / "tensorflow" / "testdata" / "saved_model"
ONES = {"x": np.ones((1, 3), np.float32)}


def test_of_a_saved_model(monkeypatch):
    packages = REPOSITORY / ".deps" / "tensorflow" / "site-packages"
    if not packages.is_dir():
        pytest.skip("scripts/setup.sh ci brings TensorFlow")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    library = packages / "tensorflow" / "libtensorflow_cc.so.2"
    for runner in (f"tensorflow --library={library}", "onnxrt", "onnxrt --isolated"):
        (result,) = pn.run(SAVED_MODEL, backend=runner, inputs=ONES)
        assert result.outputs["scaled"].tolist() == [[1, 2, 3]] and result.outputs["total"].tolist() == [6]
    assert pn.check_consistency(SAVED_MODEL, "onnxrt", inputs=ONES, only=["repeat"])


def test_of_a_saved_model_without_tensorflow(tmp_path, monkeypatch):
    (tmp_path / "tensorflow.py").write_text("raise ModuleNotFoundError('', name='tensorflow')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{REPOSITORY / '.deps' / 'parity'}")
    with pytest.raises(pn.Error, match="lacks the module tensorflow") as raised:
        pn.run(SAVED_MODEL, backend="onnxrt", inputs=ONES)
    assert "pip install tensorflow" in raised.value.hint


def test_formats_that_a_runner_does_not_take(tmp_path):
    (tmp_path / "model.engine").write_bytes(b"")
    with pytest.raises(pn.Error, match="it is a model of type engine"):
        pn.run(tmp_path / "model.engine", backend="onnxrt")


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
