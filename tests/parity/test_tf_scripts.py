"""Scripts for TensorFlow: neither tool needs it to write them."""
import pytest
from generated_scripts import compare
from harness import run_original, run_ours


@pytest.fixture
def folder(tmp_path):
    """Models by name and form only: nothing reads them."""
    for name in ("m.pb", "m.graphdef", "m.hdf5", "m.onnx", "m.engine", "m.bin"):
        (tmp_path / name).touch()
    (tmp_path / "listed").mkdir()
    (tmp_path / "listed" / "checkpoint").touch()
    (tmp_path / "unlisted").mkdir()
    return tmp_path


OPTIONS = [
    [],
    ["--freeze-graph"],
    ["--tf-outputs", "a", "b:0"],
    ["--tf-outputs", "*"],
    ["--tf-outputs", "mark", "all"],
    ["--save-pb", "frozen.pb"],
    ["--save-tensorboard", "board"],
    ["--save-engine", "engines"],
    ["--freeze-graph", "--tf-outputs", "a", "--save-pb", "it's.pb", "--save-tensorboard", "board", "--save-engine", "engines"],
    ["--gpu-memory-fraction", "0.25"],
    ["--gpu-memory-fraction", "0"],
    ["--allow-growth"],
    ["--xla"],
    ["--gpu-memory-fraction", "1e-7", "--allow-growth", "--xla", "--save-timeline", "timeline"],
    ["--minimum-segment-size", "3", "--dynamic-op"],
    ["--opset", "13"],
    ["--seed", "3", "--warm-up", "2", "--sequential-runners", "--save-outputs", "o.json"],
    ["--tf"],
    ["--onnxrt"],
    ["--onnxrt", "--opset", "13", "--tf-outputs", "a", "--freeze-graph"],
    ["--onnxrt", "--onnx-outputs", "q", "--fp-to-fp16", "--save-onnx", "made.onnx"],
    ["--onnxrt", "--shape-inference", "--external-data-dir", "elsewhere", "--ignore-external-data"],
    ["--pluginref", "--trt", "--fp16", "--tf-outputs", "a", "--save-pb", "frozen.pb"],
    ["--trt", "--onnxrt", "--onnx-outputs", "q", "--save-engine", "out.engine", "--plugins", "p.so"],
]
MODELS = [["m.pb"], ["m.graphdef"], ["m.hdf5"], ["listed"], ["unlisted"], ["unlisted/", "--ckpt", "model"], ["m.bin", "--ckpt", "model"],
          ["m.onnx", "--model-type", "frozen"], ["missing.pb"]]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_run(folder, options):
    runners, _ = compare(["run", "m.pb", "--tf", *options], folder, "--gen-script")
    assert any(runner.startswith("TfRunner(SessionFromGraph(") for runner in runners)


@pytest.mark.parametrize("model", MODELS, ids=" ".join)
def test_models(folder, model):
    compare(["run", *model, "--tf", "--gpu-memory-fraction", "0.5"], folder, "--gen-script")


@pytest.mark.parametrize("runner", ["--onnxrt", "--pluginref", "--trt"])
@pytest.mark.parametrize("model", [["m.graphdef"], ["m.hdf5"], ["listed"], ["m.bin", "--ckpt", "model"]], ids=" ".join)
def test_other_runners_take_an_onnx_model_made_of_it(folder, runner, model):
    made = "OnnxFromTfGraph(SaveGraph(OptimizeGraph(GraphFrom"
    runners, _ = compare(["run", *model, runner, "--freeze-graph", "--save-pb", "f.pb", "--tf-outputs", "a"], folder, "--gen-script")
    assert made in runners[0]


@pytest.mark.parametrize("options", [
    ["m.graphdef"],
    ["m.hdf5", "--opset", "13", "--tf-outputs", "a", "--freeze-graph", "--onnx-outputs", "q", "--fp-to-fp16"],
    ["unlisted", "--ckpt", "model", "--trt-outputs", "y"],
], ids=" ".join)
def test_template_trt_network(folder, options):
    _, functions = compare(["template", "trt-network", *options], folder, "-o")
    assert "OnnxFromTfGraph" in functions["load_network"][0]


def test_template_trt_config(folder):
    compare(["template", "trt-config", "m.graphdef", "--input-shapes", "x:[1,4]"], folder, "-o")


@pytest.mark.parametrize("args", [
    ["run", "m.onnx", "--tf"],
    ["run", "m.engine", "--tf"],
    ["run", "m.engine", "--onnxrt"],
    ["run", "m.engine", "--pluginref"],
    ["run", "m.bin", "--model-type", "uff", "--trt"],
    ["run", "m.pb", "--tf", "--tftrt"],
    ["run", "m.graphdef", "--onnxrt", "--tftrt"],
    ["run", "m.pb", "--tf", "--opset", "x"],
    ["run", "--tf"],
], ids=" ".join)
def test_what_cannot_be(folder, args):
    assert run_original([*args, "--gen-script", "theirs.py"], str(folder)).code != 0
    ours = run_ours([*args, "--gen-script", "ours.py"], str(folder))
    assert ours.code != 0 and ("[!]" in ours.stderr or "error:" in ours.stderr)
    assert not (folder / "ours.py").exists()


def test_names_tell_frozen_graphs_without_a_runner_of_tensorflow(folder):
    """A difference: there, only with --tf."""
    args = ["run", "m.pb", "--onnxrt", "--gen-script"]
    original = run_original([*args, "theirs.py"], str(folder))
    assert "Could not automatically determine model type" in original.stdout + original.stderr
    assert run_ours([*args, "ours.py"], str(folder)).code == 0
    assert "GraphFromFrozen(" in (folder / "ours.py").read_text()
