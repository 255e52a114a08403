"""polygraphy.backend.onnx where it does otherwise than the original, and with large models."""

import contextlib
import os
import resource
import signal
import subprocess
import sys

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import TensorProto, helper, numpy_helper

from polygraphy.backend.onnx import (
    convert_to_fp16,
    extract_subgraph,
    fold_constants,
    gs_from_onnx,
    infer_shapes,
    modify_outputs,
    onnx_from_path,
    save_onnx,
    set_upper_bound,
)
from polygraphy.backend.onnx import _core
from polygraphy.backend.onnx import util as onnx_util
from polygraphy.common import TensorMetadata
from polygraphy.exception import PolygraphyException

TEXT = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x) => (float[2, 3] z) <float[3] c = {1, 2, 3}> {
  y = Add (x, c)
  w = Relu (y)
  z = Mul (w, c)
}"""


@pytest.fixture
def model():
    return onnx.parser.parse_model(TEXT)


@pytest.fixture
def large():
    """A model with values that do not cross into the native code when shapes are inferred."""
    model = onnx.parser.parse_model(TEXT)
    values = np.arange(3 << 16, dtype=np.float32).reshape(3, 1 << 16)
    model.graph.initializer.append(numpy_helper.from_array(values, "m"))
    model.graph.initializer[-1].doc_string = "kept"
    model.graph.node.append(helper.make_node("MatMul", ["z", "m"], ["p"]))
    model.graph.output.append(helper.make_empty_tensor_value_info("p"))
    return model


def sizes(tensor):
    return [dim.dim_value for dim in tensor.type.tensor_type.shape.dim]


def by_name(tensors):
    return {tensor.name: tensor for tensor in tensors}


def test_shapes_of_a_large_model(large):
    before = large.SerializeToString()
    inferred = infer_shapes(large)
    assert sizes(by_name(inferred.graph.output)["p"]) == [2, 1 << 16]
    assert list(inferred.graph.initializer) == list(large.graph.initializer)
    assert large.SerializeToString() == before
    onnx.checker.check_model(inferred, full_check=True)


def test_shapes_of_a_model_whose_values_are_not_there(large, tmp_path):
    path = str(tmp_path / "model.onnx")
    save_onnx(large, path, external_data_path="values.bin")
    os.remove(tmp_path / "values.bin")
    inferred = infer_shapes(onnx_from_path(path, ignore_external_data=True))
    assert sizes(by_name(inferred.graph.output)["p"]) == [2, 1 << 16]
    assert by_name(inferred.graph.initializer)["m"].data_location == TensorProto.EXTERNAL


def test_shapes_of_a_file_with_external_data(large, tmp_path):
    path = str(tmp_path / "model.onnx")
    save_onnx(large, path, external_data_path="values.bin")
    inferred = infer_shapes(path)
    assert numpy_helper.to_array(by_name(inferred.graph.initializer)["m"])[2, 5] == (2 << 16) + 5


def test_a_model_that_cannot_be_read_is_returned_or_an_error(capsys):
    model = onnx.ModelProto(ir_version=8)  # without a graph
    assert infer_shapes(model) is model
    assert "ONNX shape inference exited with an error" in capsys.readouterr().out
    with pytest.raises(Exception, match="the model"):
        infer_shapes(model, error_ok=False)


def test_outputs_keep_their_types(model):
    inferred = infer_shapes(model)
    modify_outputs(inferred, ["x", "z", "w"])
    assert [sizes(output) for output in inferred.graph.output] == [[2, 3]] * 3
    modify_outputs(inferred, ["w"])
    modify_outputs(inferred, ["z"])
    (output,) = inferred.graph.output
    assert output.type.tensor_type.elem_type == TensorProto.FLOAT and sizes(output) == [2, 3]


def test_names_with_the_characters_of_patterns_are_names(model):
    model.graph.node[1].output[0] = model.graph.node[2].input[0] = "w[0]"
    modify_outputs(model, ["w[0]"])
    assert [output.name for output in model.graph.output] == ["w[0]"]


def test_outputs_of_constants_can_be_unmarked(model):
    model.graph.node.append(helper.make_node("Constant", [], ["k"], value_int=1))
    model.graph.output.append(helper.make_tensor_value_info("k", TensorProto.INT64, []))
    modify_outputs(model, exclude_outputs=["k"])
    assert [output.name for output in model.graph.output] == ["z"]
    with pytest.raises(PolygraphyException, match="'nothing'"):
        modify_outputs(model, exclude_outputs=["nothing"])
    with pytest.raises(PolygraphyException, match="'nothing'"):
        modify_outputs(model, ["nothing"])


def test_operators_of_any_case_are_marked(model):
    model.graph.node.append(helper.make_node("relu", ["x"], ["own"], domain="own"))
    modify_outputs(model, mark_types=["RELU"])
    assert [output.name for output in model.graph.output] == ["w", "own"]


def test_float16(model):
    before = model.SerializeToString()
    converted = convert_to_fp16(model)
    assert converted.graph.initializer[0].data_type == TensorProto.FLOAT16
    types = [each.type.tensor_type.elem_type for each in converted.graph.input]
    types += [each.type.tensor_type.elem_type for each in converted.graph.output]
    assert types == [TensorProto.FLOAT] * 2
    assert model.SerializeToString() == before


def test_models_are_described_by_a_linked_package(tmp_path):
    import polygraphy_native

    package = os.path.dirname(polygraphy_native.__file__)
    (tmp_path / "polygraphy_native").symlink_to(package)
    program = "import polygraphy_native as p; print(p.tree()); from polygraphy_native import _places; print(_places.executable())"
    search = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, env={**os.environ, "PYTHONPATH": search}, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    tree, executable = found.stdout.split()
    assert os.path.isdir(os.path.join(tree, "lib", "polygraphy")) and os.access(executable, os.X_OK)


@pytest.fixture
def wide():
    """A model with a weight beyond float16, which is cut while the model is encoded."""
    node = helper.make_node("Mul", ["x", "w"], ["y"])
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy")
    weight = numpy_helper.from_array(np.array([1e6], np.float32), "w")
    return helper.make_model(
        helper.make_graph([node], "g", [x], [y], [weight]),
        opset_imports=[helper.make_opsetid("", 13)],
        ir_version=8,
    )


def test_messages_while_a_model_is_encoded(wide, capfd):
    converted = convert_to_fp16(wide)
    assert numpy_helper.to_array(converted.graph.initializer[0]) == [10000]
    assert "Numbers of 'w' are too large for float16 and were cut to 10000" in capfd.readouterr().out


def test_a_log_that_raises_while_a_model_is_encoded(wide):
    texts = []

    def log(severity, module, text):
        texts.append(text)
        if "too large" in text:
            raise LookupError(text)

    with pytest.raises(LookupError, match="too large for float16"):
        _core.convert_to_fp16(wide, log)
    assert sum("too large" in text for text in texts) == 1


def test_a_saved_model_keeps_its_values(large, tmp_path):
    before = large.SerializeToString()
    path = tmp_path / "model.onnx"
    assert save_onnx(large, str(path), external_data_path="") is large
    assert large.SerializeToString() == before
    assert sorted(os.listdir(tmp_path)) == ["model.onnx", "model.onnx.data"]
    again = onnx_from_path(str(path))
    assert [numpy_helper.to_array(t).tobytes() for t in again.graph.initializer] == [
        numpy_helper.to_array(t).tobytes() for t in large.graph.initializer
    ]


def test_external_data_is_replaced(large, tmp_path):
    path = str(tmp_path / "model.onnx")
    for _ in range(2):
        save_onnx(large, path, external_data_path="values.bin", size_threshold=1024)
    assert os.path.getsize(tmp_path / "values.bin") < 2 * 12 << 16
    assert sorted(os.listdir(tmp_path)) == ["model.onnx", "values.bin"]


@pytest.mark.parametrize("values", [None, "values.bin"])
def test_files_behind_links(large, tmp_path, values):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "model.onnx").write_bytes(b"before")
    link = tmp_path / "model.onnx"
    link.symlink_to("other/model.onnx")
    save_onnx(large, str(link), external_data_path=values)
    again = onnx_from_path(str(link))
    assert numpy_helper.to_array(by_name(again.graph.initializer)["m"])[0, 7] == 7


def test_a_file_that_cannot_be_written_stays_as_it_was(model, tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"before")
    values = model.graph.initializer[0]
    values.CopyFrom(numpy_helper.from_array(np.ones(3, np.float32), "c"))
    values.data_location = TensorProto.EXTERNAL
    values.external_data.add(key="location", value="../outside")
    with pytest.raises(Exception):
        save_onnx(model, str(path))
    assert path.read_bytes() == b"before" and os.listdir(tmp_path) == ["model.onnx"]


RANGE = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[N] x, float from, float step) => (float[M] r) {
  top = ReduceMax <keepdims = 0> (x)
  r = Range (from, top, step)
}"""


def test_bounds_have_the_type_of_what_they_bound():
    model = infer_shapes(onnx.parser.parse_model(RANGE))
    bounded = set_upper_bound(model, 5)
    assert [node.op_type for node in bounded.graph.node] == ["ReduceMax", "Min", "Range"]
    (limit,) = bounded.graph.initializer
    assert limit.data_type == TensorProto.FLOAT and numpy_helper.to_array(limit) == 5
    onnx.checker.check_model(bounded, full_check=True)


def test_inputs_cannot_be_bounded():
    model = infer_shapes(onnx.parser.parse_model(RANGE))
    with pytest.raises(PolygraphyException, match="x cannot have an upper bound"):
        set_upper_bound(model, {"x": 5})


def test_unbounded_tensors_of_inputs_without_shapes():
    model = onnx.parser.parse_model(RANGE)
    model.graph.input[0].type.tensor_type.ClearField("shape")
    graph = gs_from_onnx(model)
    assert [tensor.name for tensor in onnx_util.get_unbounded_dds_tensors(graph)] == ["top"]


def test_errors_of_folding_are_raised_if_wanted(model):
    model.graph.initializer.append(numpy_helper.from_array(np.array([7]), "seven"))
    model.graph.node.append(helper.make_node("Reshape", ["c", "seven"], ["r"]))
    model.graph.output.append(helper.make_empty_tensor_value_info("r"))
    assert "Reshape" in [node.op_type for node in fold_constants(model).graph.node]
    with pytest.raises(Exception, match="cannot be reshaped"):
        fold_constants(model, error_ok=False)


def test_a_part_is_a_model_of_its_own(model):
    part = extract_subgraph(
        infer_shapes(model),
        TensorMetadata().add("y", None, None),
        TensorMetadata().add("w", None, None),
    )
    assert [node.op_type for node in part.graph.node] == ["Relu"]
    onnx.checker.check_model(part, full_check=True)


def test_a_model_as_text(model):
    text = onnx_util.str_from_onnx(model, show_layers=True, show_attrs=True, show_weights=True)
    assert text.startswith("Name: g | ONNX Opset: 17\n\n---- 1 Graph Input(s) ----\n")
    assert "Initializer | c [dtype=float32, shape=[3]] | Values:\n    [1. 2. 3.]" in text
    assert "Node 1    |  [Op: Relu]\n    {y}\n     -> {w}\n" in text
    assert "Relu" not in onnx_util.str_from_onnx(model)
    with pytest.raises(PolygraphyException, match="cannot be described"):
        onnx_util.str_from_onnx(onnx.ModelProto())


def everything_in(folder):
    return {name: (folder / name).read_bytes() for name in os.listdir(folder)}


@contextlib.contextmanager
def small_files():
    """Files of more than 64 KiB cannot be written, as on a full disk.

    Only inside of the block: pytest writes its own report while the fixtures of a test still stand.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("by_onnx", [False, True])
@pytest.mark.parametrize("external_data", [None, "", "values.bin"])
def test_files_on_a_full_disk_stay(large, tmp_path, external_data, by_onnx, monkeypatch):
    if by_onnx:
        monkeypatch.setattr(_core, "save_with_external_data", lambda *_: False)
        large.graph.initializer[0].data_location = TensorProto.DEFAULT
        external_data = external_data or None
    path = str(tmp_path / "model.onnx")
    save_onnx(large, path, external_data_path=external_data)
    loaded = onnx.load(path)
    before = everything_in(tmp_path)
    with small_files(), pytest.raises(OSError):
        save_onnx(loaded, path, external_data_path=external_data)
    assert everything_in(tmp_path) == before


@pytest.mark.parametrize("one_file", [False, True])
@pytest.mark.parametrize("location", ["values.bin", "folder/values.bin"])
def test_values_that_onnx_saves_are_replaced(large, tmp_path, monkeypatch, location, one_file):
    monkeypatch.setattr(_core, "save_with_external_data", lambda *_: False)
    path = str(tmp_path / "model.onnx")
    (tmp_path / "folder").mkdir()
    for _ in range(2):
        save_onnx(large, path, external_data_path=location, all_tensors_to_one_file=one_file)
        large = onnx.load(path)
    values = numpy_helper.to_array(by_name(large.graph.initializer)["m"])
    assert values.tolist() == np.arange(3 << 16, dtype=np.float32).reshape(3, 1 << 16).tolist()
    sizes = [file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()]
    assert sum(sizes) < (3 << 18) + 10000
    assert not list(tmp_path.glob(".*"))


def test_values_beside_those_that_stay_elsewhere_are_kept(large, tmp_path):
    path = str(tmp_path / "model.onnx")
    save_onnx(large, path, external_data_path="values.bin")
    model = onnx.load(path, load_external_data=False)
    more = numpy_helper.from_array(np.full(1 << 12, 7, np.float32), "more")
    model.graph.initializer.append(more)
    save_onnx(model, path, external_data_path="values.bin")
    again = by_name(onnx.load(path).graph.initializer)
    assert numpy_helper.to_array(again["more"]).tolist() == [7] * (1 << 12)
    assert numpy_helper.to_array(again["m"])[2, -1] == (3 << 16) - 1
