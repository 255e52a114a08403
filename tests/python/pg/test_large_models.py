"""Models with many bytes of values, which are read and written value by value. The limits are small
here, so that small models take that way."""

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper, numpy_helper

from polygraphy.backend.onnx import OnnxFromPath, SaveOnnx, _large_models


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    monkeypatch.setattr(_large_models, "LEAST_MODEL_BYTES", 1)
    monkeypatch.setattr(_large_models, "LEAST_VALUE_BYTES", 8)


@pytest.fixture
def model():
    model = onnx.parser.parse_model("""
    <ir_version: 10, opset_import: ["" : 21], producer_name: "me", doc_string: "told">
    g (float[4] x) => (float[4] z) { y = Add (x, large)  z = Add (y, small) }""")
    values = {
        "large": np.arange(4, dtype="f4"),
        "small": np.float32(1),
        "unused": np.zeros((3, 5), "i8"),
        "half": np.ones(9, "f2"),
    }
    for name, array in values.items():
        tensor = numpy_helper.from_array(np.asarray(array), name)
        tensor.doc_string = f"of {name}"
        model.graph.initializer.append(tensor)
    model.graph.initializer.append(helper.make_tensor("listed", TensorProto.FLOAT, [4], [1, 2, 3, 4]))
    model.graph.initializer.append(
        helper.make_tensor("packed", TensorProto.INT4, [17], bytes(range(9)), raw=True)
    )
    return model


def test_the_file_is_the_message(model, tmp_path):
    path = str(tmp_path / "model.onnx")
    assert SaveOnnx(model, path)() is model
    assert (tmp_path / "model.onnx").read_bytes() == model.SerializeToString()
    assert OnnxFromPath(path)() == model
    assert [each.name for each in tmp_path.iterdir()] == ["model.onnx"]


def test_types_that_nobody_knows_yet_are_written(model, tmp_path):
    model.graph.initializer[0].data_type = 77
    path = tmp_path / "model.onnx"
    SaveOnnx(model, str(path))()
    assert path.read_bytes() == model.SerializeToString()


def test_values_in_other_files_are_read(model, tmp_path):
    path = str(tmp_path / "model.onnx")
    expected = onnx.ModelProto.FromString(model.SerializeToString())
    onnx.save(model, path, save_as_external_data=True, location="data", size_threshold=0)
    onnx.external_data_helper.load_external_data_for_model(model, str(tmp_path))
    loaded = OnnxFromPath(path)()
    for mine, theirs in zip(loaded.graph.initializer, expected.graph.initializer):
        assert np.array_equal(numpy_helper.to_array(mine), numpy_helper.to_array(theirs))
        assert not mine.external_data


def test_a_tensor_of_the_wrong_size_is_written_as_it_is(model, tmp_path):
    model.graph.initializer[0].raw_data = bytes(12)
    path = tmp_path / "model.onnx"
    SaveOnnx(model, str(path))()
    assert path.read_bytes() == model.SerializeToString()


@pytest.mark.parametrize("name", ["model.json", "model.textproto"])
def test_other_formats_stay_what_they_are(model, tmp_path, name):
    path = tmp_path / name
    SaveOnnx(model, str(path))()
    assert OnnxFromPath(str(path))() == model
    assert b"producer" in path.read_bytes()


def test_a_file_that_is_cut_short_is_an_error(model, tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString()[:-20])
    with pytest.raises(Exception, match="(?i)pars|decod"):
        OnnxFromPath(str(path))()


def test_the_size_is_that_of_the_message(model):
    assert abs(_large_models.byte_size(model) - model.ByteSize()) < 50
