#!/usr/bin/env python3
"""Writes comparisons.txt: what the original prints when it compares arrays made by formula.

Needs polygraphy 0.53.6 and NumPy 2.4 on PYTHONPATH (make set-up for the parity tests brings both). Each block of the file
is headed by a line that says how to make the two arrays and which options hold; golden_comparisons_test.cpp makes the
same arrays from it and compares the text. Cases in which the original is wrong (integers that wrap around, quantiles of
bool) are left out: docs/differences/fixed.md names them.
"""

import contextlib
import io
import pathlib
from collections import OrderedDict

import numpy as np
from polygraphy.comparator import Comparator, CompareFunc, RunResults
from polygraphy.logger import G_LOGGER

LEVELS = {"info": G_LOGGER.INFO, "verbose": G_LOGGER.VERBOSE, "super": G_LOGGER.SUPER_VERBOSE}


def fractions(count, seed):
    """Numbers in [0, 1) that every language can make: multiplicative hashing of the index."""
    index = np.arange(count, dtype=np.uint64) + np.uint64(seed)
    return ((index * np.uint64(2654435761)) % np.uint64(2**32)).astype(np.float64) / 2.0**32


def values(dtype, count, seed, scale):
    spread = (fractions(count, seed) - 0.25) * scale
    if dtype == "bool":
        return spread > 0.1 * scale
    if dtype.startswith("uint"):
        spread = np.abs(spread)
    return spread.astype(dtype)


def arrays(dtype, shape, relation, scale):
    count = int(np.prod(shape))
    a = values(dtype, count, 1, scale)
    if relation == "equal":
        b = a
    elif relation == "close":
        b = (a.astype(np.float64) * (1.0 + 1e-4 * (fractions(count, 7) - 0.5))).astype(dtype)
    elif relation == "other":
        b = values(dtype, count, 1000003, scale)
    elif relation == "special":
        a, b = a.copy(), values(dtype, count, 1, scale).copy()
        a[1 % count], b[1 % count] = np.inf, np.inf
        a[2 % count], b[3 % count] = np.nan, -np.inf
        a[4 % count], b[4 % count] = np.inf, np.inf
        b[5 % count] = 0
    return a.reshape(shape), b.reshape(shape)


def compare(name, dtype, shape, relation, scale, level, stat, atol, rtol, inf):
    a, b = arrays(dtype, shape, relation, scale)
    results = RunResults()
    results.add([OrderedDict([(name, a)])], runner_name="R0")
    results.add([OrderedDict([(name, b)])], runner_name="R1")
    G_LOGGER.module_severity = LEVELS[level]
    function = CompareFunc.simple(
        check_error_stat=stat, atol=atol, rtol=rtol, infinities_compare_equal=inf, error_quantile=0.9
    )
    text = io.StringIO()
    with contextlib.redirect_stdout(text), np.errstate(all="ignore"):
        Comparator.compare_accuracy(results, compare_func=function)
    return text.getvalue()


CASES = []


def add(dtypes, shape, relation, scale=10.0, level="info", stat="elemwise", atol=1e-05, rtol=1e-05, inf=False):
    for dtype in dtypes.split():
        CASES.append((dtype, shape, relation, scale, level, stat, atol, rtol, inf))


FLOATS = "float16 float32 float64"
INTEGERS = "int8 uint8 int16 uint16 int32 uint32 int64"
add(FLOATS, (2, 3, 4), "close", level="super")
add(FLOATS, (1500,), "other", scale=100.0)
add("float32 float64", (40, 50), "close", scale=0.01, atol=1e-09)
add(FLOATS, (7,), "special", level="verbose")
# With --infinities-compare-equal the original sometimes goes on in float64, which only shows in single values.
add("float32 float64", (150,), "special", inf=True)
add(FLOATS, (5,), "equal", level="verbose")
add(FLOATS, (), "other")
add(FLOATS, (0, 3), "equal", level="verbose")
add(INTEGERS + " bool", (3, 5), "other", scale=60.0, level="verbose")
add("int16 int64 bool", (1200,), "other", scale=60.0)
add("uint8 bool", (4,), "equal")
for stat in ("max", "mean", "median"):
    add("float16 float32 int32 bool", (9, 13), "other", stat=stat, atol=2.0, rtol=0.5)
add("float16 float32 float64 int32", (9, 13), "other", stat="quantile", atol=2.0, rtol=0.5)
add("float32", (0,), "equal", stat="mean")
add("float32", (0,), "equal", stat="quantile")
add("float32", (30000,), "other", scale=1e30, level="super")


def main():
    lines = []
    for index, case in enumerate(CASES):
        dtype, shape, relation, scale, level, stat, atol, rtol, inf = case
        lines.append(
            f"=== y{index} {dtype} {','.join(map(str, shape)) or '-'} {relation} {scale!r} {level} {stat} {atol!r} {rtol!r} {int(inf)}"
        )
        # A name of its own for each output, because some messages appear once only.
        text = compare(f"y{index}", *case)
        # What the original says about its own modules.
        noise = ("'colored' module", "Loaded Module")
        lines += [line for line in text.rstrip("\n").split("\n") if not any(word in line for word in noise)]
    path = pathlib.Path(__file__).with_name("comparisons.txt")
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
