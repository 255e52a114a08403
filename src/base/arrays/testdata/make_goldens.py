#!/usr/bin/env python3
"""Writes results of NumPy, ml_dtypes and Python, for the tests of base to compare with:

    conversions.txt   every pair of element types over the inputs of conversion_inputs()
    small_floats.txt  the values of all codes, and the codes of values at the edges
    numpy_text.txt    str(array) for hand-picked and for random arrays and print options
    reprs.txt         repr() of floats and texts, %g
    patterns.txt      fnmatch.fnmatchcase() for random patterns and names

Long results are kept as CRC-32. The inputs are not kept: golden_inputs.h makes the same ones from the same
random numbers. Run with the versions named at the top of the files (scripts/setup_parity.sh brings NumPy and
ml_dtypes); read the diff.
"""

import fnmatch
import pathlib
import re
import struct
import sys
import warnings
import zlib

import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
MASK = (1 << 64) - 1

# Our name -> NumPy type, in ONNX order. Strings have no conversions.
TYPES = {
    "float32": np.dtype("float32"),
    "uint8": np.dtype("uint8"),
    "int8": np.dtype("int8"),
    "uint16": np.dtype("uint16"),
    "int16": np.dtype("int16"),
    "int32": np.dtype("int32"),
    "int64": np.dtype("int64"),
    "bool": np.dtype("bool"),
    "float16": np.dtype("float16"),
    "float64": np.dtype("float64"),
    "uint32": np.dtype("uint32"),
    "uint64": np.dtype("uint64"),
    "complex64": np.dtype("complex64"),
    "complex128": np.dtype("complex128"),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float8e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "float8e4m3fnuz": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "float8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "float8e5m2fnuz": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "uint4": np.dtype(ml_dtypes.uint4),
    "int4": np.dtype(ml_dtypes.int4),
    "float4": np.dtype(ml_dtypes.float4_e2m1fn),
    "float8e8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
    "uint2": np.dtype(ml_dtypes.uint2),
    "int2": np.dtype(ml_dtypes.int2),
    "float6e2m3": np.dtype(ml_dtypes.float6_e2m3fn),
    "float6e3m2": np.dtype(ml_dtypes.float6_e3m2fn),
}
BITS = {"uint4": 4, "int4": 4, "float4": 4, "uint2": 2, "int2": 2, "float6e2m3": 6, "float6e3m2": 6}
SMALL_FLOATS = [name for name in TYPES if name.startswith(("float8", "float6e", "float4"))]


def bits_of(name):
    return BITS.get(name, TYPES[name].itemsize * 8)


class Random:
    """splitmix64."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


def codes(name):
    """All elements of a type of at most 16 bits."""
    bits = bits_of(name)
    if name in ("int4", "int2"):
        half = 1 << (bits - 1)
        values = list(range(half)) + list(range(-half, 0))  # in the order of their bits
        return np.array(values, "int8").astype(TYPES[name])
    count = 2 if name == "bool" else 1 << bits
    return np.arange(count).astype("uint16" if bits == 16 else "uint8").view(TYPES[name])


def float_inputs(kind, seed, count):
    """Random bits; float16, bfloat16 and float8 numbers, the middles between them, and their neighbours."""
    random = Random(seed)
    unsigned = "uint32" if kind == "float32" else "uint64"
    values = []
    for _ in range(count):
        u = random.next()
        values.append(np.array([u & (0xFFFFFFFF if kind == "float32" else MASK)], unsigned).view(kind)[0])
    exact = []
    for _ in range(count):
        u = random.next()
        # A sign, up to 12 significant bits, an exponent: middles of everything with up to 11 bits.
        digits = (u & 0xFFF) >> ((u >> 12) % 12)
        exponent = (u >> 20) % 60 - 40 if u >> 40 & 3 else (u >> 20) % 280 - 150
        exact.append((-1.0 if u >> 63 else 1.0) * float(np.ldexp(float(digits), exponent)))
    exact = np.array(exact).astype(kind)
    steps = exact.view(unsigned)
    one = np.array(1, unsigned)
    return np.concatenate([np.array(values, kind), exact, (steps + one).view(kind), (steps - one).view(kind)])


EDGE_FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -1.5, 127.0, 127.9, 128.0, -128.0, -128.9, -129.0, 255.0, 255.9, 256.0,
    32767.0, 32768.0, -32768.0, -32769.0, 65504.0, 65519.0, 65520.0, 65535.0, 65536.0, 448.0, 464.0, 465.0, 480.0,
    57344.0, 61440.0, 61441.0, 240.0, 248.0, 249.0, 2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0,
    4294967040.0, 9223371487098961920.0, 9223372036854775808.0, -9223372036854775808.0, 18446742974197923840.0,
    18446744073709551616.0, 3e38, -3e38, 1e-38, 1e-45, 6e-8, 3e-8, 2.98e-8, float("inf"), -float("inf"),
]  # fmt: skip


def conversion_inputs(name):
    bits = bits_of(name)
    if bits <= 16:
        return codes(name)
    dtype = TYPES[name]
    if dtype.kind in "iu":
        random = Random(bits)
        values = []
        for _ in range(4000):
            u = random.next()
            values.append(random.next() >> (u % 64))
        values += [(1 << k) - 1 for k in range(65)] + [(1 << k) & MASK for k in range(64)]
        values += [(-(1 << k)) & MASK for k in range(64)] + [((1 << k) + 1) & MASK for k in range(64)]
        return np.array(values, "uint64").astype(dtype)
    kind = "float32" if name in ("float32", "complex64") else "float64"
    reals = np.concatenate([float_inputs(kind, bits, 6000), np.array(EDGE_FLOATS).astype(kind)])
    if dtype.kind == "f":
        return reals
    result = np.empty(len(reals), dtype)
    result.real = reals
    result.imag = reals[::-1]
    return result


def result_bytes(result, to_name):
    bits = bits_of(to_name)
    if bits < 8:
        return (result.view("uint8") & np.uint8((1 << bits) - 1)).tobytes()
    return result.tobytes()


def conversions():
    for source in TYPES:
        inputs = conversion_inputs(source)
        yield f"inputs {source} {len(inputs)} {zlib.crc32(result_bytes(inputs, source)):08x}"
        for target in TYPES:
            if source == target:
                continue
            try:
                result = inputs.astype(TYPES[target])
            except TypeError:
                continue  # ml_dtypes registers no such cast
            if target == "uint32" and TYPES[source].kind in "fcV" and bits_of(source) >= 16:
                # Out of range, NumPy's answer depends on the processor and on the length of the array.
                real = inputs.real if TYPES[source].kind == "c" else inputs
                wide = real.astype("float64")
                result = np.where((wide > -(2.0**31)) & (wide < 2.0**32), result, np.uint32(0))
            yield f"{source} {target} {zlib.crc32(result_bytes(result, target)):08x}"


def hex_float(value):
    return f"{struct.unpack('<I', struct.pack('<f', value))[0]:08x}"


def small_floats():
    for name in SMALL_FLOATS:
        values = codes(name).astype("float32").view("uint32")
        yield f"values {name} " + " ".join(f"{v:08x}" for v in values)
    for name in SMALL_FLOATS:
        values = codes(name).astype("float32")
        finite = np.unique(np.abs(values[np.isfinite(values)]))
        smallest, largest = finite[finite > 0][0], finite[-1]
        below = finite[-2]
        step = largest - below
        edges = [np.float32(0), np.float32(-0.0), np.float32(np.inf), np.float32(-np.inf), np.float32(np.nan)]
        edges.append(np.array([0xFFC00000], "uint32").view("float32")[0])
        for middle in (smallest / 2, smallest * np.float32(1.5), (largest + below) / 2, largest + step / 2):
            for value in (np.nextafter(middle, np.float32(0)), middle, np.nextafter(middle, np.float32(np.inf))):
                edges += [value, -value]
        edges += [largest + step, -(largest + step), np.float32(3.4e38), np.float32(1e-45)]
        inputs = np.array(edges, "float32")
        results = inputs.astype(TYPES[name]).view("uint8")
        yield f"codes {name} " + " ".join(f"{i:08x}:{r:02x}" for i, r in zip(inputs.view("uint32"), results))


# ---- Text ------------------------------------------------------------------------------------------------

STRINGS = ["a", "b\u00e9\n", "it's", '","q"', "\x7f\u200b", "\u65e5\u672c\u8a9e", "x" * 30, "'\"", "tab\t", "\\", ""]


def random_doubles(random, count, kind, specials):
    values = []
    constant = random.next()
    for _ in range(count):
        u = random.next()
        if kind == 0:
            value = struct.unpack("<d", struct.pack("<Q", u))[0]
        elif kind == 1:
            value = (u >> 11) * 2.0**-53
        elif kind == 2:
            value = (u % 145 - 72) / 8
        elif kind == 3:
            value = float(u % 2000001 - 1000000) * 10.0 ** ((u >> 32) % 13) / 10.0 ** ((u >> 40) % 13)
        elif kind == 4:
            value = float(np.ldexp(-1.0 if u >> 63 else 1.0, u % 61 - 30))
        elif kind == 5:
            value = float(np.ldexp(1.0, u % 297 - 148))
        elif kind == 6:
            value = float(u % 2001 - 1000)
        else:
            value = float(constant % 1000003) / 1000.0
        if specials and (u >> 50) % 7 == 0:
            value = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0][(u >> 55) % 5]
        values.append(value)
    return np.array(values, "float64")


def random_array(seed):
    """The array and the print options of one random case."""
    random = Random(seed)
    names = list(TYPES) + ["string"]
    pick = random.next()
    favourites = ["float32", "float64", "float16", "complex64", "complex128"]
    name = favourites[(pick >> 8) % 5] if pick & 1 else names[(pick >> 8) % len(names)]
    largest = [5, 13, 39, 3][(pick >> 16) % 4]
    shape = [1 + random.next() % largest for _ in range((pick >> 24) % 5)]
    if (pick >> 32) % 16 == 0:
        shape = [900 + random.next() % 300]
    if (pick >> 32) % 16 == 1:
        shape = [20 + random.next() % 40, 20 + random.next() % 40]
    count = 1
    for dim in shape:
        count *= dim
    if count > 3000:
        shape, count = [7, 3], 21
    kind, specials = (pick >> 40) % 8, (pick >> 48) % 4 == 0
    if name == "string":
        array = np.array([STRINGS[random.next() % len(STRINGS)] for _ in range(count)], object)
    elif name.startswith("complex"):
        part = "float32" if name == "complex64" else "float64"
        array = np.empty(count, TYPES[name])
        array.real = random_doubles(random, count, kind, specials).astype(part)
        array.imag = random_doubles(random, count, kind, specials).astype(part)
    elif name.startswith(("float", "bfloat")):
        array = random_doubles(random, count, kind, specials).astype(TYPES[name])
    else:
        shift = random.next() % 64
        array = np.array([random.next() >> shift for _ in range(count)], "uint64")
        array = (array & np.uint64(1)).astype(bool) if name == "bool" else array.astype(TYPES[name])
    options = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75}
    choice = random.next()
    if choice & 1:
        options["precision"] = (choice >> 8) % 18
        options["threshold"] = [0, 1, 5, 20, 1000][(choice >> 16) % 5]
        options["edgeitems"] = [0, 1, 2, 3, 5][(choice >> 24) % 5]
        options["linewidth"] = [0, 1, 10, 20, 40, 75, 120, -1][(choice >> 32) % 8]
    return name, array.reshape(shape), options


def numpy_text(array, options):
    width = sys.maxsize if options["linewidth"] < 0 else options["linewidth"]
    with np.printoptions(**{**options, "linewidth": width}):
        return str(array)


HAND_PICKED = [
    ("float32", [3], [1.0, 2.5, -3.0]),
    ("float32", [2, 2], [0.417022, 0.72032449, 0.000114374816, 0.30233258]),
    ("float32", [4], [1e-4, 1.0, 0.5, 0.25]),
    ("float32", [2], [9.9999e-5, 1.0]),
    ("float32", [2], [999999.0, 1.0]),
    ("float32", [2], [999.0, 1.0]),
    ("float32", [2], [1001.0, 1.0]),
    ("float32", [1], [1e6]),
    ("float64", [1], [1e6]),
    ("float64", [2], [1e8, 1.0]),
    ("float64", [2], [1e300, 1e-300]),
    ("float64", [5], [0.1, 0.12345678912345, 1.0, float("nan"), float("-inf")]),
    ("float64", [2], [float("nan"), float("nan")]),
    ("float64", [3], [0.0, -0.0, 1.0]),
    ("float16", [3], [0.1, 65504.0, 1.0]),
    ("float16", [2], [0.1, 999.5]),
    ("bfloat16", [3], [1.5, 3.14159, 1e30]),
    ("float8e4m3fn", [4], [448.0, -0.0, 0.1, float("nan")]),
    ("float4", [3], [6.0, -0.5, 0.0]),
    ("int4", [2, 2], [-8.0, 7.0, 0.0, -1.0]),
    ("uint2", [4], [0.0, 1.0, 2.0, 3.0]),
    ("int64", [2, 3], [1.0, -20.0, 300.0, 4.0, 5.0, 6.0]),
    ("uint8", [3], [0.0, 255.0, 7.0]),
    ("bool", [2, 2], [1.0, 0.0, 0.0, 1.0]),
    ("complex64", [2], [1.5, -2.0]),
    ("float32", [1, 2, 3], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    ("float32", [0], []),
    ("float32", [0, 3], []),
    ("float32", [3, 0], []),
    ("float32", [], [0.1]),
    ("float32", [], [1e10]),
    ("float32", [], [1e-4]),
    ("float64", [], [1e-5]),
    ("float64", [], [1e15]),
    ("float64", [], [1e16]),
    ("float16", [], [1e-4]),
    ("float16", [], [1000.0]),
    ("bfloat16", [], [0.1]),
    ("complex128", [], [1.0]),
    ("int32", [], [-5.0]),
    ("bool", [], [1.0]),
]


def crc(text):
    return f"{zlib.crc32(text.encode()):08x}"


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def texts():
    default = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75}
    for name, shape, values in HAND_PICKED:
        array = np.array(values, "float64").astype(TYPES[name]).reshape(shape)
        words = " ".join(map(repr, values))
        dims = "x".join(str(d) for d in shape) or "scalar"
        yield f"values {name} {dims} {words} = {escaped(numpy_text(array, default))}"
    for first in range(1, 4001, 50):
        sums = [crc(numpy_text(array, options)) for _, array, options in map(random_array, range(first, first + 50))]
        yield f"random {first} " + " ".join(sums)


def random_floats_text(seed, write):
    random = Random(seed)
    return "\n".join(write(float(value)) for kind in range(8) for value in random_doubles(random, 500, kind, True))


def scalar_text(value, kind):
    # NumPy converts; out of range becomes an infinity, as everywhere.
    return str(np.float64(value).astype(kind))


def reprs():
    for value in [0.0, -0.0, 1.0, 100.0, 1e-5, 1e-4, 0.1, 1 / 3, 1e15, 1e16, 1.5e16, 123456789.125, 5e-324, 1.7976931348623157e308,
                  0.004616260528564453, 9007199254740993.0, float("inf"), -float("inf"), float("nan")]:  # fmt: skip
        yield f"float {value.hex()} = {value!r}"
    yield f"floats {crc(random_floats_text(1, repr))}"
    for digits in range(0, 18):
        yield f"format_g {digits} {crc(random_floats_text(2, lambda v: f'%.{digits}g' % v))}"
    yield f"halves {crc(chr(10).join(str(v) for v in np.arange(65536).astype('uint16').view('float16')))}"
    yield f"singles {crc(random_floats_text(3, lambda v: scalar_text(v, 'float32')))}"
    for text in STRINGS + ["\0\x1f\x80\u00a0\u00ad\u0378\u2028\ue000\U0001f600\U000e0001\U0010ffff", "\r\n"]:
        yield f"text {text.encode().hex() or '-'} = {repr(text)}"
    every = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    yield f"every_code_point {crc(repr(every))}"


def patterns():
    """One digit per name: 1 when it matches, 0 when not, - when Python cannot take the pattern."""
    random = Random(5)

    def letters(alphabet, longest):
        return "".join(alphabet[random.next() % len(alphabet)] for _ in range(random.next() % longest))

    for _ in range(40):
        answers = []
        for _ in range(100):
            pattern = letters("ab-*?[]![]-\u00e9c/", 10)
            names = [letters("ab-c]![\u00e9/", 6) for _ in range(5)]
            try:
                expression = re.compile(fnmatch.translate(pattern))
            except (IndexError, re.error):
                answers.append("-" * len(names))
                continue
            answers.append("".join("01"[expression.match(name) is not None] for name in names))
        yield " ".join(answers)


def write(name, lines):
    header = f"# Written by make_goldens.py: numpy {np.__version__}, ml_dtypes {ml_dtypes.__version__}, Python {sys.version.split()[0]}"
    path = FOLDER / name
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    print(f"{name}: {path.stat().st_size} bytes", file=sys.stderr)


def main():
    warnings.filterwarnings("ignore")
    np.seterr(all="ignore")
    write("conversions.txt", conversions())
    write("small_floats.txt", small_floats())
    write("numpy_text.txt", texts())
    write("reprs.txt", reprs())
    write("patterns.txt", patterns())


if __name__ == "__main__":
    main()
