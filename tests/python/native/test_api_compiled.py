"""Engines, networks and capabilities through polygraphy_native, on the double of TensorRT and on TensorFlow."""

import numpy as np
import pytest

import polygraphy_native as pn
from api_models import REPOSITORY, need, proto, tensorrt_double

SUM = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N, 4] x) => (float[N, 4] y) <float[1] one = {1}> { a = Add (x, one) y = Relu (a) }"""
# The third node is not taken.
IN_PARTS = """<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
g (float[4] x) => (float[4] y) <float[4] b> {
  a1 = Relu (x) a2 = Tanh (a1) [odd] b = my.Unknown (a2) c1 = Relu (b) y = Neg (c1) }"""


@pytest.fixture(params=["10", "11", "rtx"])
def tensorrt(request):
    return tensorrt_double(request.param)


@pytest.fixture
def tensorrt_10():
    return tensorrt_double("10")


@pytest.fixture
def model():
    return pn.Model.from_proto(proto(SUM))


@pytest.fixture(params=["in memory", "in a file"])
def given(request, model, tmp_path):
    """A model in both forms."""
    if request.param == "in memory":
        return model
    model.save(tmp_path / "model.onnx")
    return tmp_path / "model.onnx"


def with_options(runner, **options):
    return {**runner, "options": [*runner["options"], *([key, [str(each) for each in values]]
                                                         for key, values in options.items())]}


def test_an_engine_is_built_described_and_run(given, tensorrt, tmp_path):
    path = tmp_path / "built.engine"
    profile = {"trt_min_shapes": ["x:[1,4]"], "trt_opt_shapes": ["x:[2,4]"], "trt_max_shapes": ["x:[8,4]"]}
    pn.build_engine(given, path, runner=with_options(tensorrt, **profile))
    engine = pn.describe_engine(path, runner=tensorrt, show=["layers", "attrs"])
    assert engine.inputs[0].name == "x" and engine.inputs[0].dtype == "float32" and engine.inputs[0].shape == (None, 4)
    assert [each.name for each in engine.outputs] == ["y"] and engine.device_memory > 0
    assert engine.profiles == ((pn.EngineRange("x", (1, 4), (2, 4), (8, 4)),),)
    ((first, second),) = engine.layers
    assert first.type == "ELEMENTWISE" and second.type == "ACTIVATION" and first.tactic.startswith("0x")
    assert "linear" in first.inputs[0].format
    assert engine.text.startswith("==== TensorRT Engine ====") and "Tactic" in engine.text
    assert "Layer 0" not in pn.describe_engine(path, runner=tensorrt).text
    (result,) = pn.run(path, backend=tensorrt, inputs={"x": np.full((2, 4), -3, np.float32)})
    assert not result.outputs["y"].any()


def test_networks(given, tensorrt):
    network = pn.describe_network(given, runner=tensorrt, show=["layers", "attrs"])
    assert [each.type for each in network.layers] == ["ELEMENTWISE", "ACTIVATION"]
    assert network.layers[0].attributes["op"] == "ElementWiseOperation.SUM"
    assert network.inputs == (pn.LayerTensor("x", "float32", (None, 4)),) and network.outputs[0].name == "y"
    assert network.layers[1].outputs[0].name == "y" and network.layers[1].executed
    assert "ElementWiseOperation.SUM" in network.text and network.text.startswith("==== TensorRT Network ====")
    assert "ElementWise" not in pn.describe_network(given, runner=tensorrt).text


def test_capabilities(model, tensorrt_10):
    found = pn.find_capability(model, runner=tensorrt_10)
    assert found and found.supported and not found.refused and not found.text
    found = pn.find_capability(pn.Model.from_proto(proto(IN_PARTS)), runner=tensorrt_10)
    (refused,) = found.refused
    assert not found and refused.node == 2 and refused.name == "odd" and refused.op_type == "Unknown" and refused.reason
    assert "Summary" in found.text and refused.reason in found.text
    assert [each.nodes for each in found.parts] == [(0, 1), (3, 4)]


def test_int8_is_calibrated_with_the_inputs(model, tensorrt_10, tmp_path):
    seen = []

    def samples():
        for number in range(2):
            seen.append(number)
            yield {"x": np.full((1, 4), number, np.float32)}

    int8 = with_options(tensorrt_10, int8=[], calibration_cache=[tmp_path / "scales"])
    pn.build_engine(model, tmp_path / "built.engine", runner=int8, inputs=samples())
    assert seen == [0, 1] and (tmp_path / "scales").stat().st_size > 0
    with pytest.raises(pn.Error, match="sample 1"):
        pn.build_engine(model, tmp_path / "other.engine", runner=with_options(tensorrt_10, int8=[]),
                        inputs={"x": np.zeros((1, 5), np.float32)})


def test_a_crash_of_the_library_is_an_error(model, tensorrt_10, tmp_path, monkeypatch):
    monkeypatch.setenv("PG_TENSORRT_DOUBLE_FAIL", "crash")
    with pytest.raises(pn.Error, match="SIG"):
        pn.build_engine(model, tmp_path / "built.engine", runner=tensorrt_10)
    assert not (tmp_path / "built.engine").exists()


def test_a_graph_of_tensorflow():
    need("tensorflow")
    frozen = REPOSITORY / "backends" / "tensorflow" / "testdata" / "frozen.pb"
    graph = pn.describe_network(frozen, runner="tensorflow", show=["layers"])
    assert graph.inputs[0].name == "x:0" and len(graph.layers) == 6 and "product [Op: MatMul]" in graph.text


def test_arguments_that_make_no_sense(model, tmp_path):
    model.save(tmp_path / "model.onnx")
    engine = tmp_path / "model.engine"
    for runner, message in (("onnxrt", "onnxrt"), ("./program.sh", "compiles no models"), ("tensorflw", "'tensorflw'")):
        with pytest.raises(pn.Error, match=message):
            pn.build_engine(model, engine, runner=runner)
    with pytest.raises(pn.Error, match="overwrite its model"):
        pn.build_engine(tmp_path / "model.onnx", tmp_path / "." / "model.onnx")
    with pytest.raises(pn.Error, match="detail 'colors'"):
        pn.describe_network(model, show=["colors"])
    with pytest.raises(TypeError):
        pn.describe_engine(model)
    assert not engine.exists()


def test_files_that_are_not_engines(model, tensorrt_10, tmp_path):
    model.save(tmp_path / "model.onnx")
    for name in ("model.onnx", "nowhere.engine"):
        with pytest.raises(pn.Error, match=name):
            pn.describe_engine(tmp_path / name, runner=tensorrt_10)


def test_nothing_is_printed(model, tensorrt_10, tmp_path, capfd):
    pn.build_engine(model, tmp_path / "built.engine", runner=tensorrt_10)
    assert capfd.readouterr() == ("", "")
