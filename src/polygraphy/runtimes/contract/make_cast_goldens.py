#!/usr/bin/env python3
"""Writes cast_goldens.txt: casts by ml_dtypes and NumPy of float32 values to each element type, and of each type's
codes to float32. One line per type: `to TYPE float32:code …` and `from TYPE code:float32 …`, all in hexadecimal.

Only values on which ONNX' Cast and ml_dtypes agree: inside the type's range (beyond it Cast saturates), for
float8e8m0, which Cast rounds up, powers of two, and for integers below 8 bits, which engines round, whole numbers. Run with numpy and ml_dtypes on the path; read the diff.
"""

import pathlib

import ml_dtypes
import numpy as np

TYPES = {
    "float32": "float32", "uint8": "uint8", "int8": "int8", "uint16": "uint16", "int16": "int16",
    "int32": "int32", "int64": "int64", "bool": "bool", "float16": "float16", "float64": "float64",
    "uint32": "uint32", "uint64": "uint64", "bfloat16": ml_dtypes.bfloat16,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn, "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2, "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "uint4": ml_dtypes.uint4, "int4": ml_dtypes.int4, "float4": ml_dtypes.float4_e2m1fn,
    "float8e8m0": ml_dtypes.float8_e8m0fnu, "uint2": ml_dtypes.uint2, "int2": ml_dtypes.int2,
    "float6e2m3": ml_dtypes.float6_e2m3fn, "float6e3m2": ml_dtypes.float6_e3m2fn,
}
SMALL = {"uint4": 4, "int4": 4, "float4": 4, "uint2": 2, "int2": 2, "float6e2m3": 6, "float6e3m2": 6}
VALUES = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, 0.25, 1.5, 2.5, -3.5, 0.1, -0.3, 1.0625, 1.1875, 1.15625, 5.3, 6.0, 6.9,
          -7.0, 11.0, 17.0, 100.7, -100.7, 209.0, 0.015625, 0.001953125, 1e-3, 1000.5, 30000.25, 1e6, -1e6, 3e9]
POWERS_OF_TWO = [2.0**e for e in range(-30, 31, 4)]


def limits(dtype):
    if dtype == bool:
        return 0, 1e30
    if dtype.kind in "iu" or str(dtype) in ("int4", "uint4", "int2", "uint2"):
        info = ml_dtypes.iinfo(dtype)
        return int(info.min), int(info.max)
    info = ml_dtypes.finfo(dtype)
    return float(info.min), float(info.max)


def code(array):
    return int.from_bytes(array.tobytes(), "little")


def main():
    lines = [f"# Written by make_goldens.py: numpy {np.__version__}, ml_dtypes {ml_dtypes.__version__}"]
    for name, kind in TYPES.items():
        dtype = np.dtype(kind)
        low, high = limits(dtype)
        bits = SMALL.get(name, dtype.itemsize * 8)
        mask = (1 << bits) - 1
        values = POWERS_OF_TWO if name == "float8e8m0" else [v for v in VALUES if low <= np.trunc(v) <= high and
                                                             (v >= low and v <= high or dtype.kind in "iu")]
        if name in ("uint4", "int4", "uint2", "int2"):
            values = [float(v) for v in range(low, high + 1)]
        pairs = []
        for value in values:
            wide = np.float32(value)
            narrow = np.asarray(wide).astype(dtype)
            pairs.append(f"{code(wide):08x}:{code(narrow) & mask:0{(bits + 3) // 4}x}")
        lines.append(f"to {name} " + " ".join(pairs))

        if bits <= 8 and dtype != bool:
            codes = range(1 << bits)
        elif dtype == bool:
            codes = [0, 1]
        else:
            codes = sorted({code(np.asarray(np.float32(v)).astype(dtype)) for v in values})
        pairs = []
        for each in codes:
            if name in ("int4", "int2"):
                narrow = np.int8(each - (1 << bits) if each >> (bits - 1) else each).astype(dtype)
            else:
                narrow = np.frombuffer(each.to_bytes(dtype.itemsize, "little"), dtype)[0]
            wide = np.asarray(narrow).astype(np.float32)
            if np.isnan(wide):
                pairs.append(f"{each:0{(bits + 3) // 4}x}:nan")
            else:
                pairs.append(f"{each:0{(bits + 3) // 4}x}:{code(wide):08x}")
        lines.append(f"from {name} " + " ".join(pairs))
    (pathlib.Path(__file__).parent / "cast_goldens.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
