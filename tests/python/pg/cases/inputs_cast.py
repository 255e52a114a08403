"""Inputs in other data types than the model's, and messages about numbers that do not fit."""

import warnings

import numpy as np
from polygraphy.comparator import IterationResult, TopKPostprocessFunc
from polygraphy.comparator.data_loader import coerce_buffer
from polygraphy.datatype import DataType

np.seterr(all="ignore")
warnings.simplefilter("ignore")  # NumPy's, about imaginary parts
VALUES = {
    "f4": [1.0, -2.0],
    "f8": [1e300, -np.inf],
    "f2": [60000.0, 1.0],
    "i8": [70000, -1],
    "u1": [255, 0],
    "?": [True, False],
    "u8": [2**63, 1],
    "c16": [300 + 2j, -1],
}
TYPES = [np.float16, np.float32, np.float64, np.int8, np.uint8, np.int32, np.int64, bool]
for source, values in VALUES.items():
    for dtype in TYPES:
        print(source, dtype.__name__)
        cast = coerce_buffer(np.array(values, source), "x", DataType.from_dtype(dtype), (2,))
        print(cast.dtype, cast.tolist() if cast.dtype.kind in "fb" else "")

for k in (0, 1, {"x": 0}, {"": 1}):
    print(k, dict(TopKPostprocessFunc(k)(IterationResult({"x": np.array([3.0, 5.0])}))))
