"""Conversion of data types from and to other modules."""

from polygraphy.datatype import DataType, DataTypeEntry
import polygraphy.datatype as D, polygraphy.datatype.datatype as dd
from polygraphy.logger import G_LOGGER
import numpy as np, onnx

names = [k for k in vars(DataType) if k.isupper() and not k.startswith("_")]
print([k for k in vars(DataType) if not k.startswith("__")])


def T(f, *a, **k):
    try:
        return repr(f(*a, **k))
    except BaseException as e:
        return type(e).__name__ + ": " + str(e)


FURTHER = ("FLOAT4", "FLOAT8E8M0")
for n in names:
    e = getattr(DataType, n)
    print(
        n,
        repr(e),
        str(e),
        e.name,
        e.itemsize,
        e.is_floating,
        e.is_integral,
        # Ours converts FLOAT4 and FLOAT8E8M0 to ONNX's types, too.
        [T(getattr(e, m)) for m in ("numpy", "onnx", "onnxruntime")[: 1 if n in FURTHER else 3]],
    )
print([m for m in dir(DataTypeEntry) if not m.startswith("__")], vars(DataType.FLOAT32))
import inspect

for x in [
    np.float32,
    np.dtype("int8"),
    "float32",
    "f4",
    "int",
    int,
    float,
    bool,
    str,
    object,
    1,
    2,
    10,
    16,
    17,
    18,
    19,
    20,
    22,
    0,
    30,
    "tensor(float)",
    "tensor(bfloat16)",
    "tensor(xx)",
    "nope",
    None,
    np.str_,
    np.dtype("<U3"),
    np.complex64,
    onnx.TensorProto.FLOAT,
    np.zeros(2).dtype,
    DataType.INT8,
    np.dtype(">f4"),
    np.dtype("bool"),
    np.bool_,
    True,
    2.5,
    np.dtype("S3"),
    "U",
    np.object_,
    bytes,
    "<f2",
]:
    print(repr(x)[:40], "=>", T(DataType.from_dtype, x))
for m in ["numpy", "onnx", "onnxruntime", "tensorrt", "torch", "zz"]:
    for x in [np.float32, 1, "tensor(float)", None, "float32"]:
        print(m, x, T(DataType.from_dtype, x, m))
    for x in [DataType.FLOAT32, DataType.BFLOAT16, 5, None, "x"]:
        print(m, x, T(DataType.to_dtype, x, m))
import copy, pickle

for f in ["from_numpy", "from_onnx", "from_onnxrt", "from_tensorrt", "from_torch", "from_datatype"]:
    g = getattr(D, f)
    print(
        f,
        inspect.signature(g),
        g.__module__,
        T(g, np.float32),
        T(g, 1),
        T(g, DataType.INT8),
        T(g, "zz"),
        T(g, None),
    )
print(
    type(DataType._IMPORTER_FUNCS), DataType._IMPORTER_FUNCS.keys(), DataType._EXPORTER_FUNCS.keys()
)
print(T(D.register_dtype_importer), T(lambda: DataType()))


@D.register_dtype_importer("my")
def from_my(x):
    return {"q": DataType.INT8}.get(x)


@D.register_dtype_exporter("my")
def to_my(self):
    return {DataType.INT8: "q"}.get(self)


print(
    T(DataType.from_dtype, "q"),
    T(DataType.from_dtype, "q", "my"),
    T(DataType.from_dtype, "zz", "my"),
    T(DataType.INT8.my),
    T(DataType.INT4.my),
    T(from_my, "zz"),
    T(to_my, DataType.INT8),
)
print(dd._DataTypeKind.__members__, dd._SkipImporterException.__mro__)

print(DataType.__members__)
print([name for name, value in DataType.__members__.items() if value is not getattr(DataType, name)])
