"""polygraphy_native.zoo(), on real engines."""

import json

import onnx
import pytest

import polygraphy_native as pn
from api_models import LAYERS, need, proto


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "zoo").mkdir()
    onnx.save(proto(LAYERS), tmp_path / "zoo" / "good.onnx")
    (tmp_path / "zoo" / "broken.onnx").write_bytes(b"broken")
    return tmp_path / "zoo"


def test_models_of_a_folder(folder):
    need("openvino")
    report = pn.zoo(folder, ["onnxrt", "openvino"])
    assert not report and not report.passed and not report.answer
    broken, good = report.models
    assert broken.outcome == "not loaded" and broken.problem and broken.engines == ()
    assert report.failed == (broken,)
    assert good.outcome == "passed" and good.reference == "onnxrt" and good.nodes > 1
    assert [each.engine for each in good.engines] == ["onnxrt", "openvino"]
    for engine in good.engines:
        assert engine.stage == "done" and engine.guilty == () and engine.reduced is None
        assert engine.load_seconds > 0 and engine.run_seconds > 0 and engine.peak_bytes > 1 << 20
        assert report.versions[engine.engine]
    assert "broken.onnx" in report.text and json.loads(report.results)["polygraphy_zoo"] == 1


def test_models_that_pass(folder):
    report = pn.zoo([folder / "good.onnx"], "onnxrt", locate=False, reduce_timeout=None)
    assert report and report.failed == () and "models=" not in repr(report)


def test_what_cannot_begin_is_an_error(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(pn.Error, match="no model"):
        pn.zoo(tmp_path / "empty", "onnxrt")
    with pytest.raises(pn.Error, match="No engine"):
        pn.zoo(folder, [])
    with pytest.raises(pn.Error, match="1 noise run"):
        pn.zoo(folder, "onnxrt", noise_runs=1)


def test_inputs_are_for_models_that_have_them(folder):
    onnx.save(proto('<ir_version: 8, opset_import: ["" : 17]> g (float[N, L] ids) => (float[N, L] y) { y = Neg (ids) }'),
              folder / "open.onnx")
    report = pn.zoo(folder / "open.onnx", "onnxrt", input_shapes={"ids": (2, 5)}, val_range={"ids": (1, 2)})
    assert report and report.models[0].inputs == ("ids:[2,5]",)
    assert pn.zoo(folder / "open.onnx", "onnxrt").models[0].inputs == ("ids:[1,1]",)
    with pytest.raises(pn.Error, match="No model has an input 'idz'"):
        pn.zoo(folder, "onnxrt", val_range={"idz": (1, 2)})
