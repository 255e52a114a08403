"""polygraphy_native.Model: looking into models, changing them, their values, where they go."""

import copy
import pickle
import sys

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import polygraphy_native as pn
from api_models import FLATTEN, MAGIKA, proto


@pytest.fixture
def model():
    return pn.Model.from_proto(proto())


def op_types(model):
    return [node.op_type for node in model.nodes]


def test_what_there_is(model):
    assert model.inputs == (("x", "float32", (2, 3), "tensor"),)
    assert [output.name for output in model.outputs] == ["z"]
    assert len(model.nodes) == 3 and op_types(model) == ["Add", "Relu", "Mul"]
    assert model.nodes[0] == ("", "Add", "", ("x", "c"), ("y",)) and model.nodes[-1].outputs == ("z",)
    assert [node.op_type for node in model.nodes[1:]] == ["Relu", "Mul"]
    assert dict(model.initializers) == {"c": ("float32", (3,), 12)}
    assert (model.opsets, model.ir_version, model.producer, model.name) == ({"": 17}, 8, ("tests", ""), "g")
    with pytest.raises(IndexError):
        model.nodes[3]
    with pytest.raises(KeyError):
        model.initializers["nothing"]
    assert "c" in model.initializers and 5 not in model.initializers


def test_unknown_types_and_shapes_are_none():
    message = proto("""<ir_version: 8, opset_import: ["" : 17]>
        g (float[N, ?] x, seq(float[3]) s) => (y) { y = Relu (x) }""")
    model = pn.Model.from_proto(message)
    assert [(each.dtype, each.shape, each.kind) for each in (*model.inputs, *model.outputs)] == [
        ("float32", ("N", None), "tensor"), (None, None, "sequence"), (None, None, "tensor")]


def test_a_model_from_a_file():
    model = pn.load(MAGIKA)
    assert model.path == str(MAGIKA) and model.inputs[0].shape[1] == 2048
    message = onnx.load(MAGIKA)
    assert len(model.nodes) == len(message.graph.node)
    for tensor in message.graph.initializer:
        ours = model.array(tensor.name)
        assert np.array_equal(ours, numpy_helper.to_array(tensor)) and ours.flags.aligned
        assert not ours.flags.writeable
    assert model.to_bytes() == MAGIKA.read_bytes()


def test_values_are_views_where_they_are_aligned():
    values = np.arange(1000, dtype=np.uint8)
    message = helper.make_model(helper.make_graph(
        [helper.make_node("Identity", ["c"], ["y"])], "g", [], [helper.make_empty_tensor_value_info("y")],
        [numpy_helper.from_array(values, "c")]))
    data = message.SerializeToString()
    begin = np.frombuffer(data, np.uint8).__array_interface__["data"][0]
    address = pn.Model.from_bytes(data).array("c").__array_interface__["data"][0]
    assert begin < address < begin + len(data)


def test_views_outlive_the_model(model):
    array = model.array("c")
    del model
    assert array.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 5


@pytest.mark.parametrize("array", [
    np.array(7.5), np.zeros((0, 3), np.int64), np.array([True, False]), np.array([1 + 2j], np.complex64),
    np.array([[1, -8, 7]], ml_dtypes.int4), np.array([1, 3, 2], ml_dtypes.uint2),
    np.array([0.5, -6, 3], ml_dtypes.float4_e2m1fn), np.array([1.5, -2], ml_dtypes.bfloat16),
    np.array([1, 448], ml_dtypes.float8_e4m3fn), np.array(["ä", "b"], object), np.arange(6).reshape(2, 3).T,
    np.array([1, 2], ">i4")], ids=lambda array: f"{array.dtype}{list(array.shape)}")
def test_values_of_every_type_come_back(model, array):
    model.set_array("c", array)
    again = model.array("c")
    assert again.shape == array.shape and again.tolist() == array.tolist()
    assert again.dtype == array.dtype.newbyteorder("=")
    whole = pn.Model.from_bytes(model.to_bytes())
    assert whole.array("c").tolist() == array.tolist()
    assert whole.initializers["c"].shape == array.shape


def test_given_values_are_not_copied(model):
    values = np.float32([4, 5, 6])
    references = sys.getrefcount(values)
    model.set_array("c", values)
    assert sys.getrefcount(values) > references
    values[0] = 40
    assert model.array("c").tolist() == [40, 5, 6]
    onnx.checker.check_model(model.to_proto(), full_check=True)
    model.set_array("c", np.float32([0, 0, 0]))
    del model
    assert sys.getrefcount(values) == references


def test_values_of_constant_nodes():
    model = pn.Model.from_proto(proto("""<ir_version: 8, opset_import: ["" : 17]>
        g (float[2] x) => (float[2] y) { c = Constant <value_floats = [1.0, 2.0]> ()  y = Add (x, c) }"""))
    assert model.array("c").tolist() == [1, 2]
    with pytest.raises(pn.Error, match="no initializer 'c'"):
        model.set_array("c", np.float32([1]))


def test_wrong_names_and_arrays(model):
    with pytest.raises(pn.Error, match="no constant 'y'") as error:
        model.array("y")
    assert error.value.hint and error.value.hint in str(error.value)
    with pytest.raises(pn.Error, match="float128|longdouble"):
        model.set_array("c", np.zeros(2, np.longdouble))
    with pytest.raises(pn.Error, match="texts"):
        model.set_array("c", np.array([object()]))


def test_errors_can_be_sent_to_other_processes():
    error = pickle.loads(pickle.dumps(pn.Error("what", "do that")))
    assert (error.message, error.hint, str(error)) == ("what", "do that", "what\ndo that")


def test_folding():
    model = pn.Model.from_proto(proto(FLATTEN))
    model.fold()
    assert op_types(model) == ["Reshape"]
    assert [model.array(name).tolist() for name in model.initializers] == [[6]]


def test_folding_within_limits():
    text = """<ir_version: 8, opset_import: ["" : 17]>
        g () => (float[N] y) <int64[1] n = {100000}> { c = ConstantOfShape (n)  y = Sin (c) }"""
    model = pn.Model.from_proto(proto(text))
    model.fold(max_growth=10)
    assert "Sin" in op_types(model)
    model.fold(max_growth=None, mem_limit=1000)
    assert "Sin" in op_types(model)
    model.fold(skip_rules=["constant-of-shape"], max_growth=None)
    assert op_types(model) == []
    with pytest.raises(pn.Error, match="no partitioning 'x'"):
        model.fold(partitioning="x")


def test_cleanup_sorting_and_shapes(model):
    message = proto()
    message.graph.node.reverse()
    message.graph.node.append(helper.make_node("Neg", ["x"], ["unused"]))
    model = pn.Model.from_proto(message)
    model.cleanup()
    model.toposort()
    assert op_types(model) == ["Add", "Relu", "Mul"]
    model.infer_shapes()
    assert {info.name for info in model.to_proto().graph.value_info} == {"y", "w"}


def test_float16(model):
    model.to_fp16()
    assert model.initializers["c"].dtype == "float16"
    onnx.checker.check_model(model.to_proto(), full_check=True)


def test_sanitizing_in_place():
    model = pn.Model.from_proto(proto(FLATTEN))
    result = model.sanitize(fold_constants=True, cleanup=True, toposort=True, verify=True)
    assert result == pn.Verification("same", ()) and op_types(model) == ["Reshape"]
    model.sanitize(override_input_shapes={"x": [4, 3]})
    assert model.inputs[0].shape == (4, 3)
    assert model.sanitize(outputs=["z"]) is None


def test_what_fails_leaves_the_model_as_it_was(model):
    before = model.to_bytes()
    with pytest.raises(pn.Error, match="nothing"):
        model.sanitize(cleanup=True, override_input_shapes={"nothing": [1]})
    assert model.to_bytes() == before


def test_extracting(model):
    part = model.extract(inputs={"y": ["N", 3]}, outputs=["w"])
    assert op_types(part) == ["Relu"] and part.inputs[0].shape == ("N", 3)
    assert len(model.nodes) == 3
    with pytest.raises(pn.Error, match="nothing"):
        model.extract(inputs=["nothing"])


def test_copies_are_apart(model):
    other = copy.deepcopy(model)
    other.set_array("c", np.float32([0]))
    other.to_fp16()
    assert model.array("c").tolist() == [1, 2, 3] and len(model.nodes) == 3


def test_saving(model, tmp_path):
    path = tmp_path / "new" / "model.onnx"
    model.save(path, external_data="values.bin", size_threshold=0)
    assert (tmp_path / "new" / "values.bin").stat().st_size == 12
    again = pn.load(path)
    assert again.array("c").tolist() == [1, 2, 3]
    assert pn.diff(model, again).equal
    assert numpy_helper.to_array(again.to_proto().graph.initializer[0]).tolist() == [1, 2, 3]
    (tmp_path / "new" / "values.bin").unlink()
    with pytest.raises(pn.Error, match="values.bin"):
        pn.load(path).array("c")


def test_a_file_may_be_replaced_by_its_own_model(tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(proto(), path)
    model = pn.load(path)
    for _ in range(3):
        model.cleanup()
        model.set_array("c", model.array("c") + 1)
        model.save(path)
        assert pn.load(path).array("c").tolist() == model.array("c").tolist()
    assert model.array("c").tolist() == [4, 5, 6]


@pytest.mark.parametrize("data", [b"", b"no model"])
def test_damaged_models_are_errors(data, tmp_path):
    with pytest.raises(pn.Error):
        pn.Model.from_bytes(data)
    (tmp_path / "m.onnx").write_bytes(data)
    with pytest.raises(pn.Error, match="m.onnx"):
        pn.load(tmp_path / "m.onnx")


def test_bytes_that_may_change_are_copied():
    data = bytearray(proto().SerializeToString())
    model = pn.Model.from_bytes(data)
    data[:] = bytes(len(data))
    assert model.array("c").tolist() == [1, 2, 3]


def test_graphs_for_editing(model):
    graph = model.to_graph()
    assert "_model" in vars(graph)  # nothing has looked into it
    graph.nodes[1].op = "Neg"
    edited = pn.Model.from_graph(graph)
    assert op_types(edited) == ["Add", "Neg", "Mul"] and op_types(model) == ["Add", "Relu", "Mul"]
    assert graph.nodes[0].inputs[1].values.tolist() == [1, 2, 3]


def test_models_are_made_by_functions():
    with pytest.raises(TypeError):
        pn.Model()
    with pytest.raises(AttributeError):
        pn.nothing
    assert {"Model", "run", "compare"} <= set(dir(pn))
