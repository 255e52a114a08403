"""Functions of the extension on encoded models."""

import numpy as np
import onnx
import onnx.parser
import onnx.shape_inference
import pytest
from onnx import numpy_helper

import polygraphy_native
from polygraphy_native import _native

MODEL = onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x) => (float[M, 3] z) <float[3] c = {1, 2, 3}> {
  y = Add (x, c)
  w = Relu (y)
  z = Mul (w, c)
}""")


def types(model):
    return {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in model.graph.value_info}


def test_shapes_are_inferred():
    inferred = onnx.ModelProto.FromString(_native.infer_shapes(MODEL.SerializeToString()))
    assert types(inferred) == {"y": [2, 3], "w": [2, 3]}
    assert types(inferred) == types(onnx.shape_inference.infer_shapes(MODEL))


def test_a_subgraph_is_extracted():
    data = _native.infer_shapes(MODEL.SerializeToString())
    part = onnx.ModelProto.FromString(_native.extract_subgraph(data, ["y"], ["w"]))
    assert [node.op_type for node in part.graph.node] == ["Relu"]
    assert ([i.name for i in part.graph.input], [o.name for o in part.graph.output]) == (["y"], ["w"])
    with pytest.raises(Exception, match="no tensor 'nothing'"):
        _native.extract_subgraph(data, ["nothing"], ["w"])


def test_float16():
    messages = []
    converted = onnx.ModelProto.FromString(
        _native.convert_to_fp16(MODEL.SerializeToString(), lambda *message: messages.append(message)))
    assert converted.graph.initializer[0].data_type == onnx.TensorProto.FLOAT16
    assert any("float16" in text for _, _, text in messages)


def test_what_the_log_raises_comes_through():
    def log(*_):
        raise KeyError("of the log")

    with pytest.raises(KeyError, match="of the log"):
        _native.convert_to_fp16(MODEL.SerializeToString(), log)


def test_files_with_external_data(tmp_path):
    path = tmp_path / "model.onnx"
    _native.save_model(MODEL.SerializeToString(), str(path), "values.bin", 0, True)
    assert (tmp_path / "values.bin").stat().st_size == 12
    again = onnx.ModelProto.FromString(_native.load_model(str(path)))
    assert np.array_equal(numpy_helper.to_array(again.graph.initializer[0]), np.float32([1, 2, 3]))
    onnx.checker.check_model(again, full_check=True)


def test_bytes_that_may_change_are_copied():
    data = bytearray(MODEL.SerializeToString())
    graph = _native.infer_shapes(data)
    data[:] = bytes(len(data))
    assert onnx.ModelProto.FromString(graph).graph.name == "g"


@pytest.mark.parametrize("data", [b"", b"no model", MODEL.SerializeToString()[:-20]])
def test_damaged_models_are_errors(data):
    with pytest.raises(Exception, match="the model"):
        _native.infer_shapes(data)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(Exception, match="nowhere.onnx"):
        _native.load_model(str(tmp_path / "nowhere.onnx"))


def test_constants_are_folded_pass_by_pass():
    model = onnx.parser.parse_model("""
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x) => (float[6] z) <int64[1] one = {-1}> {
      s = Shape (x)
      n = ReduceProd (s)
      z = Reshape (x, n)
    }""")
    passes = []
    data, failure = _native.fold_model(model.SerializeToString(), None, True, None, True, True, None, False, polygraphy_native.tree(), [],
                                       lambda *numbers: passes.append(numbers), None)
    assert failure is None and passes[:2] == [(1, None, None), (1, 3, 1)]
    assert [node.op_type for node in onnx.ModelProto.FromString(data).graph.node] == ["Reshape"]
