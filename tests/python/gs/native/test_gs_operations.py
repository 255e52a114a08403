"""Operations on whole graphs: their changes, and the objects that stay the same."""

import copy
import pickle

import numpy as np
import onnx
import onnx.helper as oh
import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon import _core, _large_values
from onnx_graphsurgeon.ir.tensor import LazyValues, SparseValues
from onnx_graphsurgeon.logger import G_LOGGER


@pytest.fixture(autouse=True)
def quiet():
    with G_LOGGER.suppress(G_LOGGER.ERROR):
        yield


def variable(name, shape=(2,)):
    return gs.Variable(name, np.float32, list(shape))


@pytest.fixture
def chain():
    """x -> A -> B -> z in the wrong order, and a node that nothing needs."""
    x, y, z = variable("x"), variable("y"), variable("z")
    nodes = [
        gs.Node("B", "b", inputs=[y], outputs=[z]),
        gs.Node("A", "a", inputs=[x], outputs=[y]),
        gs.Node("D", "dead", inputs=[y], outputs=[variable("dead")]),
    ]
    return gs.Graph(nodes, [x], [z])


def test_objects_and_lists_outlive_operations(chain):
    b, a, dead = chain.nodes
    inputs, tensor = b.inputs, b.inputs[0]
    a.note = "kept"
    assert chain.cleanup().toposort() is chain
    assert [id(node) for node in chain.nodes] == [id(a), id(b)]
    assert b.inputs is inputs and inputs[0] is tensor and a.note == "kept"
    assert len(dead.inputs) == 0 and len(tensor.outputs) == 1


def test_a_cycle_is_an_error_that_is_logged(chain, capsys):
    b, a, _ = chain.nodes
    a.inputs.append(b.outputs[0])
    with pytest.raises(gs.OnnxGraphSurgeonException):
        chain.toposort()
    assert "[C]" in capsys.readouterr().out


def test_a_copy_has_objects_of_its_own_and_shares_values():
    weight = gs.Constant("w", np.ones(2, np.float32))
    x, y = variable("x"), variable("y")
    graph = gs.Graph([gs.Node("Add", inputs=[x, weight], outputs=[y])], [x], [y], producer_name="p")
    copied = graph.copy()
    assert copied == graph and copied.producer_name == "p"
    assert copied.nodes[0] is not graph.nodes[0] and copied.inputs[0] is not x
    assert copied.nodes[0].inputs[1].values is weight.values
    copied.nodes.clear()
    assert len(graph.nodes) == 1


def test_a_copy_takes_tensors_of_an_outer_graph():
    outer, o = variable("outer"), variable("o")
    body = gs.Graph([gs.Node("Relu", inputs=[outer], outputs=[o])], outputs=[o])
    replaced = variable("outer")
    assert body.copy({"outer": replaced}).nodes[0].inputs[0] is replaced
    assert body.copy().nodes[0].inputs[0] is not outer


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_deep_copies_share_nothing(duplicate):
    weight = gs.Constant("w", np.ones(2, np.float32))
    lazy = gs.Constant("l", LazyValues(onnx.numpy_helper.from_array(np.ones(2), "l")))
    x, y = variable("x"), variable("y")
    node = gs.Node("Op", attrs={"k": [1]}, inputs=[x, weight, lazy], outputs=[y])
    graph = gs.Graph([node], [x], [y])
    other = duplicate(graph)
    assert other == graph and other.nodes[0].inputs[0] is other.inputs[0]
    other.nodes[0].inputs[1].values[0] = 5
    other.nodes[0].attrs["k"].append(2)
    other.nodes[0].inputs.clear()
    assert weight.values[0] == 1 and node.attrs == {"k": [1]}
    assert len(x.outputs) == 1 and len(other.inputs[0].outputs) == 0


def test_a_deep_copy_of_a_node_has_edges_of_its_own():
    x = variable("x")
    copied = copy.deepcopy(gs.Node("Op", inputs=[x]))
    assert copied.inputs[0] is not x and copied.inputs[0].outputs[0] is copied
    copied.inputs.clear()
    assert len(x.outputs) == 1


def test_pickles_of_graphs_of_any_length():
    tensors = [variable(f"t{i}") for i in range(10_001)]
    nodes = [gs.Node("Relu", inputs=[a], outputs=[b]) for a, b in zip(tensors, tensors[1:])]
    graph = gs.Graph(nodes, tensors[:1], tensors[-1:])
    other = pickle.loads(pickle.dumps(graph))
    assert [node.outputs[0].name for node in other.nodes] == [each.name for each in tensors[1:]]
    assert all(node.o() is reader for node, reader in zip(other.nodes, other.nodes[1:]))
    assert other.inputs[0].outputs[0] is other.nodes[0]
    # A node has its tensors only, which are those of the other nodes in the pickle.
    for duplicate in (copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))):
        alone = duplicate(nodes[5000])
        assert alone.inputs[0].inputs == [] and alone.inputs[0].outputs[0] is alone
        first, second = duplicate(nodes[5000:5002])
        assert first.outputs[0] is second.inputs[0] and second.outputs[0].outputs == []
        assert duplicate(tensors[5000]).outputs == [] and len(tensors[5000].outputs) == 1


def test_pickles_of_branches_read_outer_tensors():
    x, condition, y, s = variable("x"), variable("c"), variable("y"), variable("s")
    branch = gs.Graph([gs.Node("Sin", inputs=[x], outputs=[s])], outputs=[s])
    node = gs.Node("If", attrs={"then_branch": branch}, inputs=[condition], outputs=[y])
    other = pickle.loads(pickle.dumps(gs.Graph([node], [condition, x], [y])))
    assert other.nodes[0].attrs["then_branch"].nodes[0].inputs[0] is other.inputs[1]


def test_functions_are_copied():
    a, b = variable("a"), variable("b")
    function = gs.Function("f", "d", [gs.Node("Relu", inputs=[a], outputs=[b])], [a], [b])
    copied = function.copy()
    assert type(copied) is gs.Function and copied == function and copied.nodes[0].inputs[0] is not a


def test_constants_are_folded_and_the_rest_is_not():
    x, y, z = variable("x"), variable("y"), variable("z")
    two = gs.Constant("two", np.full(2, 2, np.float32))
    nodes = [
        gs.Node("Mul", inputs=[two, two], outputs=[y]),
        gs.Node("Add", inputs=[y, x], outputs=[z]),
    ]
    graph = gs.Graph(nodes, [x], [z], opset=13, ir_version=8)
    assert graph.fold_constants() is graph
    assert type(y) is gs.Constant and y.shape == (2,) and y.values.tolist() == [4, 4]
    assert [node.op for node in graph.cleanup().nodes] == ["Add"]


def test_users_say_which_nodes_are_not_folded():
    y, z = variable("y"), variable("z")
    two = gs.Constant("two", np.full(2, 2, np.float32))
    nodes = [
        gs.Node("Mul", inputs=[two, two], outputs=[y]),
        gs.Node("Neg", inputs=[y], outputs=[z]),
    ]
    graph = gs.Graph(nodes, [], [z], opset=13, ir_version=8)
    asked = []
    graph.fold_constants(should_exclude_node=lambda node: asked.append(node.op) or True)
    assert type(y) is gs.Variable and "Mul" in asked
    with pytest.raises(ZeroDivisionError):
        graph.fold_constants(should_exclude_node=lambda node: 1 / 0)


def test_large_results_are_not_folded_beyond_a_threshold():
    y = variable("y", (1000,))
    c = gs.Constant("c", np.zeros(1000, np.float32))
    graph = gs.Graph([gs.Node("Neg", inputs=[c], outputs=[y])], [], [y], opset=13, ir_version=8)
    graph.fold_constants(size_threshold=100)
    assert type(y) is gs.Variable


def model_with(initializers, sparse=()):
    names = [t.name for t in initializers] + [t.values.name for t in sparse]
    node = oh.make_node("Op", names, ["y"], domain="own")
    graph = oh.make_graph([node], "g", [], [oh.make_tensor_value_info("y", 1, None)], initializers)
    graph.sparse_initializer.extend(sparse)
    return oh.make_model(graph)


@pytest.mark.parametrize("name", [n for n in onnx.TensorProto.DataType.keys() if n != "UNDEFINED"])
def test_values_of_every_type_come_and_go_unchanged(name):
    number = onnx.TensorProto.DataType.Value(name)
    values = [b"a", "é".encode(), b""] if name == "STRING" else [1, 0, 1]
    tensor = oh.make_tensor("t", number, [3], values)
    graph = gs.import_onnx(model_with([tensor]))
    constant = graph.nodes[0].inputs[0]
    assert isinstance(constant._values, LazyValues) and list(constant.shape) == [3]
    assert constant._values.tensor.data_type == number
    expected = onnx.numpy_helper.to_array(tensor)
    assert constant.values.dtype == expected.dtype and constant.values.flags.writeable
    assert constant.values.tolist() == expected.tolist()
    again = gs.export_onnx(graph).graph.initializer[0]
    assert again.data_type == number
    assert onnx.numpy_helper.to_array(again).tolist() == expected.tolist()


def test_untouched_values_stay_lazy_through_operations():
    tensor = onnx.numpy_helper.from_array(np.ones(3, np.float32), "t")
    graph = gs.import_onnx(model_with([tensor])).toposort().cleanup().fold_constants()
    gs.export_onnx(graph)
    assert isinstance(graph.nodes[0].inputs[0]._values, LazyValues)
    assert gs.export_onnx(graph).graph.initializer[0] == tensor


def sparse_tensor(indices, raw=False):
    values = np.array([1.5, 2.5], np.float32)
    proto = oh.make_tensor("s", 1, [2], values)
    if raw:
        proto = onnx.numpy_helper.from_array(values, "s")
    dims = list(np.shape(indices))
    return oh.make_sparse_tensor(proto, oh.make_tensor("i", 7, dims, np.ravel(indices)), [2, 3])


@pytest.mark.parametrize("indices", [[1, 3], [[0, 1], [1, 0]]])
@pytest.mark.parametrize("raw", [False, True])
def test_sparse_values_become_dense_of_their_type(indices, raw):
    proto = sparse_tensor(indices, raw)
    graph = gs.import_onnx(model_with([], [proto]))
    constant = graph.nodes[0].inputs[0]
    assert isinstance(constant._values, SparseValues)
    for values in (SparseValues(proto).load(), constant.values):
        assert values.dtype == np.float32 and values.tolist() == [[0, 1.5, 0], [2.5, 0, 0]]


def test_a_sparse_tensor_is_exported_as_it_came():
    proto = sparse_tensor([1, 3])
    graph = gs.import_onnx(model_with([], [proto]))
    assert gs.export_onnx(graph).graph.sparse_initializer[0] == proto


def test_sparse_indices_must_be_valid():
    proto = sparse_tensor([1, 3])
    proto.indices.data_type = 6
    with pytest.raises(gs.OnnxGraphSurgeonException, match="Unsupported index data type 6 in s"):
        SparseValues(proto).load()


def test_arrays_are_exported_in_the_type_asked_for():
    import ml_dtypes

    values = np.array([1.0, -1e6], np.float32)
    constant = gs.Constant("c", values, export_dtype=ml_dtypes.float8_e4m3fn)
    graph = gs.Graph([gs.Node("Op", inputs=[constant])])
    proto = gs.export_onnx(graph).graph.initializer[0]
    assert proto.data_type == onnx.TensorProto.FLOAT8E4M3FN
    assert onnx.numpy_helper.to_array(proto).astype(np.float32).tolist() == [1, -448]


@pytest.mark.parametrize("values", [np.zeros((2, 0)), np.arange(6).reshape(2, 3).T, np.array(5.0)])
def test_arrays_of_any_layout_are_exported(values):
    graph = gs.Graph([gs.Node("Op", inputs=[gs.Constant("c", values)])])
    exported = onnx.numpy_helper.to_array(gs.export_onnx(graph).graph.initializer[0])
    assert exported.shape == values.shape and exported.tolist() == values.tolist()


@pytest.mark.parametrize("values", [None, object(), {"a": 1}, np.array(["a", 3], object), [None]])
def test_objects_that_are_no_texts_are_not_exported_as_texts(values):
    constant = gs.Constant("c", np.zeros(1))
    constant.values = values
    with pytest.raises(TypeError, match="text"):
        gs.export_onnx(gs.Graph([gs.Node("Op", inputs=[constant])]))


@pytest.mark.parametrize("values", [np.array(["a", b"b"], object), np.array(["a", "b"]), ["a", "b"]])
def test_texts_are_exported(values):
    constant = gs.Constant("c", np.zeros(1))
    constant.values = values
    exported = gs.export_onnx(gs.Graph([gs.Node("Op", inputs=[constant])]))
    assert list(exported.graph.initializer[0].string_data) == [b"a", b"b"]


def test_edits_of_arrays_are_exported():
    values = np.zeros(2, np.float32)
    graph = gs.Graph([gs.Node("Op", inputs=[gs.Constant("c", values)])])
    gs.export_onnx(graph)
    values[0] = 5
    assert onnx.numpy_helper.to_array(gs.export_onnx(graph).graph.initializer[0])[0] == 5


def test_large_values_do_not_pass_through_the_encoded_model(monkeypatch):
    monkeypatch.setattr(_large_values, "LIMIT_OF_MODELS", 1000)
    monkeypatch.setattr(_large_values, "_BYTES_PER_NODE", 0)
    monkeypatch.setattr(_large_values, "LARGE", 800)
    large = onnx.numpy_helper.from_array(np.arange(300, dtype=np.float32), "large")
    small = onnx.numpy_helper.from_array(np.ones(3, np.float32), "small")
    model = model_with([large, small])
    graph = gs.import_onnx(model)
    constants = graph.nodes[0].inputs
    assert constants[0]._values.tensor is model.graph.initializer[0]
    assert constants[0].data_location is None and constants[0].shape == [300]
    assert "_payload" in vars(constants[1]._values)
    constants[0].name = "renamed"
    exported = gs.export_onnx(graph)
    assert [t.name for t in exported.graph.initializer] == ["renamed", "small"]
    assert exported.graph.initializer[0].raw_data == large.raw_data
    assert not exported.graph.initializer[0].external_data
    assert constants[0].values.tolist() == list(range(300))


@pytest.mark.parametrize("count, stays", [(100, True), (3 << 20, False)])
def test_importing_touches_no_values_of_large_models(count, stays):
    values = onnx.numpy_helper.from_array(np.ones(count, np.float32), "values")
    model = model_with([values, onnx.numpy_helper.from_array(np.ones(3, np.float32), "small")])
    graph = gs.import_onnx(model)
    assert ("_model" in vars(graph)) is stays
    tensor = graph.nodes[0].inputs[0]._values
    assert stays or tensor.tensor is model.graph.initializer[0]


def test_large_values_are_folded_only_where_they_are_read(monkeypatch):
    monkeypatch.setattr(_large_values, "LARGE", 800)
    protos = [onnx.numpy_helper.from_array(np.ones(300, np.float32), name) for name in "ab"]
    a, b = (gs.Constant(proto.name, LazyValues(proto)) for proto in protos)
    x, y, z, v = (variable(name, (300,)) for name in "xyzv")
    nodes = [
        gs.Node("Neg", inputs=[x], outputs=[y]),
        gs.Node("Add", inputs=[y, a], outputs=[z]),
        gs.Node("Neg", inputs=[b], outputs=[v]),
    ]
    graph = gs.Graph(nodes, [x], [z, v], opset=13, ir_version=8)
    monkeypatch.setattr(_large_values, "_stand_in", stand_in := Recorder(_large_values._stand_in))
    graph.fold_constants()
    assert [call[0].name for call in stand_in.calls] == ["a"]
    assert a._values.tensor is protos[0] and type(z) is gs.Variable
    assert type(v) is gs.Constant and v.values.tolist() == [-1] * 300


class Recorder:
    """Calls a function, and keeps the arguments."""

    def __init__(self, function):
        self.function, self.calls = function, []

    def __call__(self, *arguments):
        self.calls.append(arguments)
        return self.function(*arguments)


def test_external_data_is_kept_by_name():
    tensor = onnx.TensorProto(
        name="t",
        dims=[2],
        data_type=1,
        data_location=onnx.TensorProto.EXTERNAL,
        external_data=[onnx.StringStringEntryProto(key="location", value="weights.bin")],
    )
    graph = gs.import_onnx(model_with([tensor]))
    assert graph.nodes[0].inputs[0].data_location == onnx.TensorProto.EXTERNAL
    assert gs.export_onnx(graph).graph.initializer[0] == tensor


def test_external_data_is_read_from_the_current_folder(tmp_path, monkeypatch):
    tensor = onnx.numpy_helper.from_array(np.arange(3, dtype=np.float32), "t")
    onnx.save(
        model_with([tensor]),
        tmp_path / "model.onnx",
        save_as_external_data=True,
        location="values.bin",
        size_threshold=0,
    )
    model = onnx.load(tmp_path / "model.onnx", load_external_data=False)
    monkeypatch.chdir(tmp_path)
    constant = gs.import_onnx(model).nodes[0].inputs[0]
    assert constant.values.tolist() == [0, 1, 2] and constant.values.flags.writeable
    for contents in (b"1234", None):
        if contents is None:
            (tmp_path / "values.bin").unlink()
        else:
            (tmp_path / "values.bin").write_bytes(contents)
        with pytest.raises((ValueError, onnx.checker.ValidationError)):
            gs.import_onnx(model).nodes[0].inputs[0].values


@pytest.mark.parametrize("severity, letter", [(22, "[I]"), (28, "[I]"), (30, "[W]"), (-20, "")])
def test_messages_of_native_code_have_the_severities_of_the_package(severity, letter, capsys):
    with G_LOGGER.suppress(G_LOGGER.INFO):
        _core._log(severity, "module", "text")
    assert capsys.readouterr().out[:3] == letter


def test_a_location_is_said_of_single_tensors_only():
    constant = gs.Constant("c", np.zeros(1, np.float32), onnx.TensorProto.EXTERNAL)
    proto = gs.exporters.onnx_exporter.OnnxExporter.export_tensor_proto(constant)
    assert proto.data_location == onnx.TensorProto.EXTERNAL
    graph = gs.Graph([gs.Node("Op", inputs=[constant])])
    assert not gs.export_onnx(graph).graph.initializer[0].HasField("data_location")


class MyGraph(gs.Graph):
    """Users add methods."""


def test_graphs_of_users_classes_work():
    x = variable("x")
    graph = MyGraph([gs.Node("Op", inputs=[x])], [x])
    assert graph.toposort().cleanup() is graph
    assert gs.export_onnx(MyGraph()).graph.name == "onnx_graphsurgeon_graph"
