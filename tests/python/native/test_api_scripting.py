"""polygraphy_native.run_script(): scripts for the original, run with the package of that name."""

import subprocess
import sys

import pytest

import polygraphy_native as pn
from api_models import LAYERS, proto


@pytest.fixture
def path(tmp_path):
    pn.Model.from_proto(proto(LAYERS)).save(tmp_path / "layers.onnx")
    return tmp_path / "layers.onnx"


def execute(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)


def test_a_script_runs(path):
    script = pn.run_script(path, ["onnxrt", "onnxrt graph_optimization_level=ORT_DISABLE_ALL"], seed=3, iterations=2,
                           input_shapes={"x": [2, 4]}, val_range=(0, 2), atol=1e-4, validate=True)
    compile(script, "script.py", "exec")
    assert f"# This script compares {path} between ONNX-Runtime and ONNX-Runtime." in script
    assert "# Generation Command: polygraphy_native.run_script(" in script
    assert "DataLoader(seed=3, iterations=2, input_metadata=TensorMetadata().add('x', None, [2, 4])" in script
    assert "atol={'': 0.0001}" in script and "check_nan=True" in script and "ORT_DISABLE_ALL" in script
    done = execute(script)
    assert done.returncode == 0 and "PASSED" in done.stdout + done.stderr, done.stderr


def test_averages_are_checked_as_in_runs(path):
    with pytest.raises(pn.Error, match="check_error_stat='elemwise'"):
        pn.run_script(path, ["onnxrt", "onnxrt"], check_average=True)


def test_a_script_that_finds_a_difference_fails(path, tmp_path):
    saved = tmp_path / "outputs.json"
    assert execute(pn.run_script(path, "onnxrt", seed=1, save_outputs=saved)).returncode == 0
    again = execute(pn.run_script(path, "onnxrt", seed=2, load_outputs=saved))
    assert again.returncode != 0 and "FAILED" in again.stdout + again.stderr


def test_parts_of_scripts():
    script = pn.run_script("model.onnx", "pluginref", inputs="inputs.json", outputs="mark all", warm_up=2, sequential=True,
                           use_subprocess=True, metric=["l2", "cosine_similarity"], l2_threshold=0.5, postprocess="top-3",
                           fail_fast=True)
    for part in ("PluginRefRunner", "StreamingDataLoader(['inputs.json']", "constants.MARK_ALL", "warm_up=2",
                 "use_subprocess=True", "L2CompareFunc", "0.5", "CosineSimilarityCompareFunc", "TopKPostprocessFunc({'': 3})"):
        assert part in script, (part, script)
    compile(script, "script.py", "exec")


def test_other_runners():
    script = pn.run_script("model.onnx", "tensorrt", input_shapes={"x": [1, 4]})
    assert "TrtRunner" in script and "Profile().add('x', min=[1, 4], opt=[1, 4], max=[1, 4])" in script
    assert "EngineFromBytes" in pn.run_script("model.engine", "tensorrt")
    assert "TfRunner" in pn.run_script("model.pb", ["tensorflow", "onnxrt"])
    assert "runners = []" in pn.run_script("model.onnx", [], load_outputs=["a.json", "b.json"])


@pytest.mark.parametrize("runner, message", [
    ("openvino", "no such runner"), ("onnxrt --isolated", "separate processes"), ("tensorrt fp16", "fp16"),
    ("onnxrt --library=libonnxruntime.so", "libraries"), ("onxrt", "no such runner")])
def test_what_the_original_lacks(runner, message):
    with pytest.raises(pn.Error, match=message):
        pn.run_script("model.onnx", runner)


def test_arguments_that_make_no_sense():
    with pytest.raises(pn.Error, match="type engine"):
        pn.run_script("model.engine", "onnxrt")
    with pytest.raises(pn.Error, match="'nothing'"):
        pn.run_script("model.onnx", "onnxrt", metric="nothing")
    with pytest.raises(pn.Error, match="post-processing"):
        pn.run_script("model.onnx", "onnxrt", postprocess="nothing")
    with pytest.raises(pn.Error, match="warm_up needs"):
        pn.run_script("model.onnx", "onnxrt", warm_up=1)
    with pytest.raises(TypeError):
        pn.run_script(pn.Model.from_proto(proto(LAYERS)), "onnxrt")
