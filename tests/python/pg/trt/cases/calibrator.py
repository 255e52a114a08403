"""Calibration, on doubles of TensorRT and of a GPU."""

import io
import os
import re

import cudart_double
import numpy as np
import tensorrt as trt
from polygraphy import cuda
from polygraphy.backend.trt import Calibrator, calibrator
from polygraphy.common import TensorMetadata
from polygraphy.comparator import DataLoader
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.VERBOSE


def show(f):
    try:
        text = repr(f())
    except Exception as err:
        text = f"{type(err).__name__}: {err}"
    print(re.sub(r"\d{10,}", "N", text))
    print("   ", cudart_double.calls(), cudart_double.live())


# Its bases, and its properties
print(calibrator.Calibrator is Calibrator)
algorithm = trt.CalibrationAlgoType.MINMAX_CALIBRATION


class Base:
    pass


for options in (
    {},
    {"cache": "file"},
    {"BaseClass": trt.IInt8MinMaxCalibrator},
    {"BaseClass": trt.IInt8LegacyCalibrator, "quantile": 0.7, "regression_cutoff": 0.2},
    {"BaseClass": trt.IInt8LegacyCalibrator},
    {"BaseClass": trt.IInt8Calibrator},
    {"BaseClass": trt.IInt8Calibrator, "algo": algorithm},
    {"BaseClass": Base, "batch_size": 3},
):
    c = Calibrator(DataLoader(), **options)
    show(lambda: (c, type(c).__mro__[1], getattr(c, "constructed", None)))
    show(lambda: (c.is_polygraphy_calibrator, c.make_func is Calibrator, c.input_metadata))
    show(lambda: (c.batch_size, c.num_batches, c.cache_contents, c.device_buffers))
    for method in "get_batch_size get_algorithm get_quantile get_regression_cutoff".split():
        if hasattr(c, method):
            show(lambda: (method, getattr(c, method)()))
    if hasattr(c, "read_histogram_cache"):
        show(lambda: (c.read_histogram_cache(3), c.write_histogram_cache(b"a", 3)))


# Data
def data(count=2):
    return [{"x": np.full((1, 2), i, np.float32), "y": np.full(3, i)} for i in range(count)]


with Calibrator(data()) as c:
    show(lambda: len(c.get_batch(["x", "y"])))
    show(lambda: (c.device_buffers, c.num_batches))
    show(lambda: c.get_batch(["y"]) == [c.device_buffers["y"].ptr])
    show(lambda: c.device_buffers["x"].view((1, 2), np.float32).numpy())
    show(lambda: c.get_batch(["x", "y"]))
    show(lambda: c.device_buffers)
    show(lambda: c.get_batch(["x"]))
    show(lambda: c.reset())
    show(lambda: len(c.get_batch(["x"])))
show(lambda: (c.free(), c.num_batches))

with cuda.DeviceArray((2,)) as on_gpu:
    c = Calibrator([{"x": on_gpu}, {"x": on_gpu.view()}, {"x": on_gpu.ptr}, {"x": [1]}])
    for _ in range(5):
        show(lambda: c.get_batch(["x"]) == [on_gpu.ptr])


def generator():
    yield {"x": np.ones(2, np.float32)}


for source in ([], iter([]), generator(), [{"x": None}]):
    c = Calibrator(source)
    for _ in range(3):
        show(lambda: c.get_batch(["x"]) is None)
    show(lambda: (c.reset(), c.get_batch(["x"])))
show(lambda: Calibrator(7))
c = Calibrator(data())
cudart_double.fail_next(2)
show(lambda: c.get_batch(["x"]))


# Metadata
def metadata(**inputs):
    meta = TensorMetadata()
    for name, (dtype, shape) in inputs.items():
        meta.add(name, dtype, shape)
    return meta


names = "FLOAT32 FLOAT16 INT32 INT64 BOOL INT8 UINT8 FLOAT64".split()
c = Calibrator([])
show(lambda: c.set_input_metadata(metadata(**{n: (getattr(DataType, n), (1,)) for n in names})))
print(c.input_metadata)
for meta in (
    metadata(x=(np.float32, (1, 2)), y=(np.int64, (3,))),
    metadata(x=(np.float32, (-1, 2)), y=(np.int64, (3,))),
    metadata(x=(np.float32, (2, 2)), y=(np.int64, (3,))),
    metadata(x=(np.int32, (1, 2)), y=(np.int64, (3,))),
):
    with Calibrator(data()) as c:
        c.set_input_metadata(meta)
        show(lambda: c.get_batch(["x"]) is None)
# A single name in messages: with more, the order is that of sets.
c = Calibrator([{"x": np.ones(2, np.float32)}])
c.set_input_metadata(metadata(z=(np.float32, (1, 2))))
show(lambda: c.get_batch(["z"]))


class Loader:
    input_metadata = None

    def __iter__(self):
        print("iterated")
        return iter([])


loader = Loader()
c = Calibrator(loader)
show(lambda: c.set_input_metadata(metadata(x=(DataType.FLOAT16, (1,)))))
show(lambda: (loader.input_metadata, loader.input_metadata is c.input_metadata))
with Calibrator(DataLoader(iterations=2)) as c:
    c.set_input_metadata(metadata(x=(DataType.FLOAT16, (1, 2))))
    for _ in range(3):
        show(lambda: c.get_batch(["x"]) is None)


# Caches. TensorRT gives what it has as a memoryview.
def write(c, contents):
    return c.write_calibration_cache(memoryview(contents))


for cache in (None, "cache", "new_folder/cache", "/proc/none/cache", "."):
    c = Calibrator([], cache=cache)
    show(lambda: c.read_calibration_cache())
    show(lambda: write(c, b"abc"))
    show(lambda: (c.read_calibration_cache(), c.cache_contents))
    show(lambda: (c.reset(), c.read_calibration_cache()))
c = Calibrator([], cache="cache")
show(lambda: c.read_calibration_cache())
with open("cache", "wb") as file:
    file.write(b"changed")
show(lambda: c.read_calibration_cache())
show(lambda: (c.reset(), c.read_calibration_cache()))
show(lambda: (write(c, b"new"), open("cache", "rb").read()))
open("empty", "wb").close()
show(lambda: Calibrator([], cache="empty").read_calibration_cache())
for mode in ("wb+", "rb", "wb", "ab", "r"):
    with open("cache", "wb") as file:
        file.write(b"init")
    with open("cache", mode) as file:
        c = Calibrator([], cache=file)
        show(lambda: (mode, c.read_calibration_cache()))
        show(lambda: write(c, b"xyz"))
        show(lambda: c.read_calibration_cache())
    show(lambda: open("cache", "rb").read())
