"""The element types of the packages against the table of the native libraries and against ONNX."""

import pickle
import subprocess
import sys

import numpy as np
import onnx
import pytest
from polygraphy.datatype import DataType
from polygraphy_native import _native

from onnx_graphsurgeon import _element_types

ROWS = {name: facts for _, name, *facts in _native.data_types()}
# Attributes of the original's class.
WRITTEN = [name for name in vars(DataType) if name.isupper() and not name.startswith("_")]


@pytest.mark.parametrize("attribute", WRITTEN)
def test_types_of_the_original_are_those_of_the_table(attribute):
    entry = getattr(DataType, attribute)
    _, _, kind, bits = ROWS[entry.name]
    assert (entry.name.upper(), entry.itemsize * 8) == (attribute, bits)
    assert entry.is_floating == (kind == "float")
    assert entry.is_integral == (kind in ("signed", "unsigned"))


def test_further_types_are_attributes():
    assert str(DataType.UINT4) == "uint4" and DataType.UINT4.itemsize == 0.5
    assert DataType.UINT4 is DataType.UINT4 and DataType.UINT4.is_integral
    assert DataType.FLOAT6E2M3.itemsize == 0.75
    assert pickle.loads(pickle.dumps(DataType.UINT4)) is DataType.UINT4
    for name in ("NO_SUCH_TYPE", "uint4", "_UINT4", "COMPLEX64"):
        with pytest.raises(AttributeError):
            getattr(DataType, name)


def test_each_type_is_one_object_in_derived_classes_and_threads():
    code = """
import sys, threading
from polygraphy.datatype import DataType
class Mine(DataType): pass
sys.setswitchinterval(1e-6)
found = [Mine.UINT2]
threads = [threading.Thread(target=lambda: found.append(DataType.UINT2)) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(found) == 17 and all(each is DataType.UINT2 for each in found)
assert Mine.UINT2.onnx() == 25
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_on_the_command_line_do_not_depend_on_earlier_calls():
    code = """
from polygraphy.tools.args.util import util
assert str(util.datatype_from_str("uint4")) == "uint4"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numbers_are_those_of_onnx():
    for number, name, onnx_name, *_ in _native.data_types():
        if hasattr(onnx.TensorProto, onnx_name):
            assert getattr(onnx.TensorProto, onnx_name) == number
        if name.startswith("complex"):
            continue
        entry = getattr(DataType, name.upper())
        assert entry.onnx() == number and DataType.from_dtype(number, "onnx") is entry


def test_names_are_those_of_onnx_runtime():
    assert DataType.FLOAT32.onnxruntime() == "tensor(float)"
    assert DataType.from_dtype("tensor(float8e4m3fnuz)") is DataType.FLOAT8E4M3FNUZ


def test_sizes_in_graphs():
    numbers = {"BFLOAT16": 2, "FLOAT8E5M2": 1, "INT4": 0.5, "FLOAT": 4, "BOOL": 1}
    for name, size in numbers.items():
        assert _element_types.get_itemsize(getattr(onnx.TensorProto, name)) == size


def test_types_of_other_byte_orders_have_no_number():
    with pytest.raises(ValueError):
        _element_types.dtype_to_onnx(np.dtype(">f4"))
