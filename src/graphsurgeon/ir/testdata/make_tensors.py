"""Writes tensors.txt: encoded TensorProtos of every element type, in raw_data and in the typed field
(packed, unpacked and in several runs), each with the values that onnx.numpy_helper.to_array gives.

    python3 make_tensors.py > tensors.txt        # needs onnx, numpy, ml_dtypes

A line: name, ONNX type number, dimensions ("-" for a scalar), message in hex, values in hex as they
lie in memory (packed types: low bits first; strings: texts in hex, separated by commas).
"""
import struct

import numpy as np
from onnx import TensorProto, helper, numpy_helper

UNPACKED = {TensorProto.FLOAT: 4, TensorProto.DOUBLE: 10}
BITS = {TensorProto.UINT4: 4, TensorProto.INT4: 4, TensorProto.FLOAT4E2M1: 4, TensorProto.UINT2: 2,
        TensorProto.INT2: 2}
TYPES = [t for t in range(1, 27)]


def packed_bytes(array, kind):
    """The values as they lie in memory, low bits first."""
    if kind not in BITS:
        return array.tobytes()
    bits = BITS[kind]
    codes = array.reshape(-1).view(np.uint8) & ((1 << bits) - 1)
    out = bytearray((len(codes) * bits + 7) // 8)
    for i, code in enumerate(codes):
        out[i * bits // 8] |= int(code) << (i * bits % 8)
    return bytes(out)


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while True:
        out.append((value & 0x7F) | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)


def key(field, wire):
    return varint(field << 3 | wire)


def single(field, value):
    if field == 4:
        return key(4, 5) + struct.pack("<f", value)
    if field == 10:
        return key(10, 1) + struct.pack("<d", value)
    return key(field, 0) + varint(value)


def run(field, values):
    if field == 4:
        body = struct.pack(f"<{len(values)}f", *values)
    elif field == 10:
        body = struct.pack(f"<{len(values)}d", *values)
    else:
        body = b"".join(varint(v) for v in values)
    return key(field, 2) + varint(len(body)) + body


def header(kind, dims):
    t = TensorProto(dims=dims, data_type=kind)
    return t.SerializeToString()


def emit(name, message):
    t = TensorProto.FromString(message)
    array = numpy_helper.to_array(t)
    dims = ",".join(map(str, t.dims)) or "-"
    if t.data_type == TensorProto.STRING:
        values = ",".join(s.encode().hex() for s in array.reshape(-1).tolist())
    else:
        values = packed_bytes(array, t.data_type).hex()
    print(name, t.data_type, dims, message.hex(), values or "-")


def numbers(kind, count):
    """Values for the typed field, at the edges of the type's range."""
    field = helper.tensor_dtype_to_field(kind)
    if field in ("float_data", "double_data"):
        edges = [0.0, -0.0, 1.5, float("inf"), float("-inf"), float("nan"), 1e-40, 3.4e38]
        if kind in (TensorProto.COMPLEX64, TensorProto.COMPLEX128):
            count *= 2
    elif field == "int32_data":
        width = BITS.get(kind, np.dtype(helper.tensor_dtype_to_np_dtype(kind)).itemsize * 8)
        if kind == TensorProto.BOOL:
            edges = [0, 1]
        elif width < 8:
            edges = [0x00, 0x21, 0x7F, 0x80, 0xFE, 0xFF]
            count = (count * width + 7) // 8
        elif kind in (TensorProto.INT8, TensorProto.INT16, TensorProto.INT32):
            edges = [0, -1, 1, 2 ** (width - 1) - 1, -(2 ** (width - 1)), 100]
        else:
            edges = [0, 1, 2 ** width - 1, 2 ** (width - 1), 2 ** (width - 1) - 1, 0x3C]
    elif field == "int64_data":
        edges = [0, -1, 2**63 - 1, -(2**63), 300]
    else:
        edges = [0, 1, 2**32 - 1, 2**63 if kind == TensorProto.UINT64 else 2**31, 300]
    return [edges[i % len(edges)] for i in range(count)]


def typed_cases(kind):
    label = TensorProto.DataType.Name(kind).lower()
    number = {"float_data": 4, "int32_data": 5, "int64_data": 7, "double_data": 10,
              "uint64_data": 11}[helper.tensor_dtype_to_field(kind)]
    dims = [3, 3] if kind in BITS else [2, 4]
    values = numbers(kind, int(np.prod(dims)))
    start = header(kind, dims)
    emit(f"{label}/packed", start + run(number, values))
    emit(f"{label}/unpacked", start + b"".join(single(number, v) for v in values))
    emit(f"{label}/mixed", start + run(number, values[:2]) + single(number, values[2])
         + run(number, []) + run(number, values[3:]))
    emit(f"{label}/typed_scalar", header(kind, []) + run(number, numbers(kind, 1)))
    emit(f"{label}/typed_empty", header(kind, [2, 0]))


def raw_cases(kind):
    label = TensorProto.DataType.Name(kind).lower()
    dims = [3, 3] if kind in BITS else [2, 3]
    count = int(np.prod(dims))
    width = BITS.get(kind, np.dtype(helper.tensor_dtype_to_np_dtype(kind)).itemsize * 8)
    size = (count * width + 7) // 8
    rng = np.random.default_rng(kind)
    data = bytearray(rng.integers(0, 2 if kind == TensorProto.BOOL else 256, size, np.uint8).tobytes())
    if kind in BITS and count * width % 8:
        pass  # what is behind the last element stays: readers drop it
    raw = key(9, 2) + varint(size) + bytes(data)
    emit(f"{label}/raw", header(kind, dims) + raw)
    emit(f"{label}/raw_first", raw + header(kind, dims))
    emit(f"{label}/raw_empty", header(kind, [0]) + key(9, 2) + b"\0")


def string_cases():
    texts = [b"", "käse".encode(), b"a\x00b", b"x" * 200]
    body = b"".join(key(6, 2) + varint(len(t)) + t for t in texts)
    emit("string/typed", header(TensorProto.STRING, [2, 2]) + body)
    emit("string/empty", header(TensorProto.STRING, [0]))
    emit("string/scalar", header(TensorProto.STRING, []) + key(6, 2) + b"\x01z")


if __name__ == "__main__":
    for t in TYPES:
        if t == TensorProto.STRING:
            string_cases()
        else:
            raw_cases(t)
            typed_cases(t)
    # raw_data wins over a typed field.
    both = header(TensorProto.FLOAT, [1]) + run(4, [7.0]) + key(9, 2) + b"\x04" + struct.pack("<f", 3.0)
    emit("float/both", both)
    # The last of several raw_data fields counts.
    emit("float/raw_twice", header(TensorProto.FLOAT, [1]) + key(9, 2) + b"\x04" + struct.pack("<f", 3.0)
         + key(9, 2) + b"\x04" + struct.pack("<f", 4.0))
    # Dimensions packed, and in two runs.
    emit("int64/packed_dims", key(1, 2) + b"\x01\x02" + key(1, 0) + b"\x01" + key(2, 0) + b"\x07" + run(7, [5, 6]))
