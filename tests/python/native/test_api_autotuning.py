"""polygraphy_native.autotune(): a plugin whose node costs nothing in place of nodes that cost something."""

import onnx.helper
import pytest

import polygraphy_native as pn
from api_models import tensorrt_double

SIZE = 256


@pytest.fixture
def model():
    """Twelve multiplications of matrices, one after the other."""
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    nodes = [helper.make_node("MatMul", [f"x{i}", f"x{i}"], [f"x{i + 1}"]) for i in range(12)]
    ends = [helper.make_tensor_value_info(name, kind, [SIZE, SIZE]) for name in ("x0", "x12")]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:])
    return pn.Model.from_proto(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8))


@pytest.fixture
def plugins(tmp_path):
    folder = tmp_path / "plugins" / "short"
    folder.mkdir(parents=True)
    (folder / "pattern.py").write_text('''
def get_matching_subgraphs(graph):
    return [{"inputs": ["x0"], "outputs": ["x11"]}]


def get_plugin_metadata():
    return {"name": "short", "op": "Relu"}
''', encoding="utf-8")
    return tmp_path / "plugins"


@pytest.mark.parametrize("mode", ["greedy", "exhaustive"])
def test_a_faster_model_is_saved(model, plugins, tmp_path, mode):
    report = pn.autotune(model, plugins, tmp_path / "fast.onnx", runner="onnxrt", mode=mode,
                         save_report=tmp_path / "report.txt")
    assert report.found == report.kept == ("short 0 (x0 -> x11)",) and report.output == str(tmp_path / "fast.onnx")
    (attempt,) = report.attempts
    assert attempt.replacements == "short 0" and attempt.duel.faster and not attempt.refusal
    assert report.result.candidate < report.result.best
    assert report.text == (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert [node.op_type for node in pn.load(report.output).nodes] == ["Relu", "MatMul"]
    assert len(model.nodes) == 12


def test_on_tensorrt(model, plugins, tmp_path):
    cache = tmp_path / "cache"
    try:
        pn.autotune(model, plugins, tmp_path / "fast.onnx", runner=tensorrt_double("10"), runs=2, timing_cache=cache)
    except pn.Error as error:
        assert "faster" in error.message  # the double's time is its own
    assert cache.stat().st_size > 0


def test_nothing_is_faster(model, plugins, tmp_path):
    unknown = pn.PluginMatches("short", "NoSuchOperator", (pn.PluginInstance(("x0",), ("x11",), {}),))
    with pytest.raises(pn.Error, match="failed to run on onnxrt"):
        pn.autotune(model, plugins, tmp_path / "fast.onnx", runner="onnxrt", config=[unknown])
    with pytest.raises(pn.Error, match="no replacements to try"):
        pn.autotune(model, plugins, tmp_path / "fast.onnx", runner="onnxrt", config=[])
    assert not (tmp_path / "fast.onnx").exists()


@pytest.mark.parametrize("options, message", [
    ({"mode": "all"}, "mode 'all'"), ({"runs": 0}, "runs"), ({"max_combinations": 0}, "max_combinations"),
    ({"threshold": -1}, "threshold")])
def test_arguments_that_make_no_sense(model, plugins, tmp_path, options, message):
    with pytest.raises(pn.Error, match=message):
        pn.autotune(model, plugins, tmp_path / "fast.onnx", **options)
