"""The logger, helpers, and types."""

import subprocess
import sys

import numpy as np
import pytest

import onnx_graphsurgeon as gs
from onnx_graphsurgeon.exporters.onnx_exporter import dtype_to_onnx
from onnx_graphsurgeon.importers.onnx_importer import get_itemsize
from onnx_graphsurgeon.logger.logger import Logger
from onnx_graphsurgeon.util import misc


def test_logger_prints_as_in_the_original(same):
    same("""
from onnx_graphsurgeon.logger.logger import Logger
log = Logger(colors=False)
for severity in Logger.SEVERITY_LETTER_MAPPING:
    log.severity = -10
    log.log("two\\nlines", severity)
log.letter = False
log.info("no letter")
log.letter = True
log.info(lambda: "called")
with log.indent():
    log.info("in\\ndented")
    with log.indent(2):
        log.info("more")
    log.info("less")
with log.suppress():
    log.error("not shown")
with log.suppress(log.INFO):
    log.error("shown")
    log.debug("not shown")
for _ in range(2):
    log.info("once", mode=LogMode.ONCE)
log.severity = 40
log.info("hidden once", mode=LogMode.ONCE)
log.severity = 0
log.info("hidden once", mode=LogMode.ONCE)
log.register_callback(lambda severity: print("severity", severity))
log.severity = 10
log.severity = 10
log.info(5)
log.info(None)
try:
    try:
        1 / 0
    except Exception:
        log.critical("fatal")
except Exception as error:
    print(repr(error), error.__cause__, error.__suppress_context__)
print(Logger.SEVERITY_COLOR_MAPPING, list(vars(log)))
""")


def test_the_line_of_the_caller_is_shown(capsys):
    log = Logger(colors=False, line_info=True)
    log.info("here")
    line = sys._getframe().f_lineno - 1
    assert capsys.readouterr().out == f"[I] [test_gs_helpers.py:{line}] here\n"


def test_methods_of_the_exporter_that_a_program_replaces(same):
    """As Model-Optimizer does to write weights of 4 bits."""
    same("""
import numpy as np, onnx
from onnx_graphsurgeon.exporters.onnx_exporter import OnnxExporter

def tensor_proto(tensor):
    made = tensor_proto.before(tensor)
    made.doc_string = f"{tensor.name} of {tensor.shape}"
    if tensor.name == "packed":
        made = onnx.helper.make_tensor(tensor.name, onnx.TensorProto.INT4, tensor.shape, [1, 2])
    return made

def value_info(tensor, do_type_check):
    made = value_info.before(tensor, do_type_check) if tensor.dtype else onnx.ValueInfoProto(name=tensor.name)
    made.doc_string = f"{tensor.name} checked: {do_type_check}"
    return made

def one_node(node):
    made = one_node.before(node)
    made.doc_string = "of " + node.name
    return made

def attributes(attrs):
    return [onnx.helper.make_attribute(name + "_", type(value).__name__) for name, value in attrs.items()]

def graph():
    x, y, inner, end = (gs.Variable(name, np.float32, [2]) for name in ("x", "y", "inner", "end"))
    weight = gs.Constant("weight", np.ones(2, np.float32))
    packed = gs.Constant("packed", np.int8([1, 2]))
    branch = gs.Graph([gs.Node("Add", "add", {}, [x, gs.Constant("two", np.float32([2]))], [inner])], [], [inner])
    return gs.Graph([
        gs.Node("Own", "own", {"alpha": 1.5, "value": gs.Constant("held", np.ones(1))}, [x, weight, packed], [y]),
        gs.Node("If", "if", {"then_branch": branch, "else_branch": branch}, [y], [end]),
    ], [x], [end], opset=21)

for name, function in (("export_tensor_proto", tensor_proto), ("export_value_info_proto", value_info),
                       ("export_node", one_node), ("export_attributes", attributes)):
    function.before = getattr(OnnxExporter, name)
    setattr(OnnxExporter, name, staticmethod(function))
    for check in (True, False):
        model = gs.export_onnx(graph(), do_type_check=check)
        model.ClearField("ir_version")
        print(name, model)
    print(OnnxExporter.export_graph(graph()))
    setattr(OnnxExporter, name, staticmethod(function.before))
    print("doc_string" in str(gs.export_onnx(graph())))
""")


def test_a_package_for_colors_is_missed_once(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "colored", None)
    log = Logger()
    log.info("a")
    log.info("b")
    lines = capsys.readouterr().out.splitlines()
    assert [line[:3] for line in lines] == ["[W]", "[I]", "[I]"]


def test_the_exception_has_the_text_of_a_lazy_message():
    with pytest.raises(gs.OnnxGraphSurgeonException, match="^lazy$"):
        Logger(colors=False).critical(lambda: "lazy")


def test_helpers_return_as_in_the_original(same):
    same("""
import numpy as np
from typing import List
from onnx_graphsurgeon.util import misc
for dim in (1, -1, 0, "N", "", None, 1.0, np.int64(3), True):
    show(repr(dim), lambda: misc.is_dynamic_dimension(dim))
for shape in ([1, 2, 3], [], 5, (2, "N"), None):
    show(repr(shape), lambda: misc.volume(shape))
    show(repr(shape), lambda: misc.is_dynamic_shape(shape))
show("combine", lambda: misc.combine_dicts({1: 2, 3: 4}, {3: 5, 6: 7}))
show("default", lambda: (misc.default_value(None, 3), misc.default_value(0, 3)))
for kind in (float, int, str, gs.Tensor, gs.Graph, List[float], List[int], List[str], List[gs.Tensor],
             List[gs.Graph], np.float32, np.int64, np.uint8, bool, list, np.bool_, 5, object):
    show(str(kind), lambda: misc.convert_to_onnx_attr_type(kind))
for number in range(-1, 16):
    show(str(number), lambda: misc.convert_from_onnx_attr_type(number))
""")


def test_types_are_converted_as_in_the_original(same):
    same("""
import numpy as np
import ml_dtypes
import onnx
from onnx_graphsurgeon.importers import onnx_importer
from onnx_graphsurgeon.exporters.onnx_exporter import dtype_to_onnx
for number in range(-1, 29):
    show(f"name {number}", lambda: onnx_importer.get_dtype_name(number))
    show(f"type {number}", lambda: onnx_importer.get_numpy_type(number))
    if number not in (21, 22, 23, 25, 26, 27, 28):  # less than a byte: see below
        show(f"size {number}", lambda: onnx_importer.get_itemsize(number))
names = [name for name in dir(ml_dtypes) if name[0] in "bfiu" and name not in ("finfo", "iinfo")]
for dtype in [*(getattr(ml_dtypes, name) for name in names if name != "float8_e4m3fnuz"), np.float32,
              "float32", None, float, object, bool, int, str, np.longdouble, np.dtype("U5"), 1, 99]:
    show(str(dtype), lambda: dtype_to_onnx(dtype))
print(onnx_importer.ONNX_PYTHON_ATTR_MAPPING, onnx_importer.ATTR_TYPE_MAPPING)
""")


def test_small_types_share_bytes():
    import ml_dtypes
    import onnx

    assert get_itemsize(onnx.TensorProto.FLOAT4E2M1) == get_itemsize(ml_dtypes.int4) == 0.5
    values = gs.ir.tensor.LazyValues(onnx.helper.make_tensor("t", 22, [3], [1, 2, 3]))
    assert values.nbytes == 2


def test_types_have_their_own_numbers():
    import ml_dtypes
    import onnx

    assert dtype_to_onnx(ml_dtypes.float8_e4m3fnuz) == onnx.TensorProto.FLOAT8E4M3FNUZ


def test_a_type_that_onnx_lacks_is_named(monkeypatch):
    import ml_dtypes
    import onnx

    class Older:
        """TensorProto before ONNX 1.18."""

    monkeypatch.setattr(onnx, "TensorProto", Older)
    with pytest.raises(RuntimeError, match="FLOAT4E2M1"):
        dtype_to_onnx(ml_dtypes.float4_e2m1fn)


def test_lists_of_builtin_types_are_types_too():
    assert misc.convert_to_onnx_attr_type(list[float]) == 6


def test_protos_become_tensors_as_in_the_original(same):
    same("""
import numpy as np
import onnx, onnx.helper as oh
from onnx_graphsurgeon.importers import onnx_importer
from onnx_graphsurgeon.ir.tensor import LazyValues
G_LOGGER.severity = G_LOGGER.VERBOSE
protos = [onnx.numpy_helper.from_array(np.ones((2, 3), np.float32), "a"),
          oh.make_tensor("b", onnx.TensorProto.BFLOAT16, [3], [1, 2, 3]),
          oh.make_tensor("f8", onnx.TensorProto.FLOAT8E4M3FN, [3], [1, 2, 3]),
          oh.make_tensor("s", onnx.TensorProto.STRING, [2], ["a", "bb"]),
          oh.make_tensor("scalar", onnx.TensorProto.INT64, [], [5])]
for proto in protos:
    constant = onnx_importer.OnnxImporter.import_tensor(proto)
    print(repr(constant), vars(constant), vars(constant._values).keys(), constant._values.nbytes)
    show("values", lambda: constant.values)
    print(constant.dtype, constant.shape, constant.export_dtype, vars(constant))
for proto in [oh.make_tensor_value_info("v", 1, [1, "N", None]), oh.make_tensor_value_info("v", 1, None),
              oh.make_tensor_value_info("v", 16, ["", 0]), oh.make_tensor_sequence_value_info("q", 1, [1]),
              oh.make_value_info("o", oh.make_optional_type_proto(oh.make_tensor_type_proto(1, [2]))),
              oh.make_sparse_tensor_value_info("s", 1, [2, 3])]:
    print(vars(onnx_importer.OnnxImporter.import_tensor(proto)))
    print(onnx_importer.get_onnx_tensor_type(proto), onnx_importer.get_onnx_tensor_shape(proto))
model = oh.make_model(oh.make_graph([], "g", [], []), opset_imports=[oh.make_opsetid("zz", 3)])
show("opset", lambda: onnx_importer.OnnxImporter.get_opset(model))
show("domains", lambda: onnx_importer.OnnxImporter.get_import_domains(model))
show("no model", lambda: gs.import_onnx(None))
show("bytes", lambda: gs.import_onnx(b"abc"))
""")


def test_loaded_values_can_be_written():
    import onnx

    values = gs.ir.tensor.LazyValues(onnx.numpy_helper.from_array(np.zeros(3), "a"))
    constant = gs.Constant("a", values)
    constant.values[0] = -1
    assert constant.values.tolist() == [-1, 0, 0]


def test_importing_the_package_imports_neither_numpy_nor_onnx():
    code = (
        "import sys, onnx_graphsurgeon as gs; g = gs.Graph(); g.layer(op='A', inputs=['x']);"
        "assert not {'numpy', 'onnx', 'ml_dtypes', 'google.protobuf'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
