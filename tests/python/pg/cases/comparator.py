"""Running runners, streams, data loaders."""

import numpy as np
from polygraphy.comparator import *
from polygraphy.comparator import data_loader as dl
from polygraphy.common import TensorMetadata
from polygraphy.backend.base import BaseRunner
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = 10
import inspect


def T(f, *a, **k):
    try:
        r = f(*a, **k)
        print(repr(r))
    except BaseException as e:
        print(type(e).__name__, str(e)[:600])


m = (
    TensorMetadata()
    .add("x", np.float32, ("N", 3), min_shape=(2, 3), max_shape=(4, 3))
    .add("y", np.int32, (2,))
)


class R(BaseRunner):
    def __init__(s, name, mult=1, meta=m):
        super().__init__(name=name, prefix="rr")
        s.mult = mult
        s.m = meta

    def get_input_metadata_impl(s):
        return s.m

    def infer_impl(s, fd):
        s.inference_time = 0.25
        return {"o": fd["x"] * s.mult}


d = DataLoader(iterations=2)
rr = Comparator.run([R("a"), R("b", 2)], data_loader=d, warm_up=1)
print([(n, len(i), i[0]["o"].shape, i[0].runtime) for n, i in rr.items()])
rr = Comparator.run([R("a")], save_inputs_path="in.json")
print(open("in.json").read())
rr = Comparator.run([R("a")], data_loader=StreamingDataLoader("in.json"))
print(rr["a"][0]["o"])
print(repr(StreamingDataLoader("in.json")))
rr = Comparator.run(
    [R("a")], data_loader=[{"x": np.zeros((2, 3), np.float64), "Y": np.array([1, 2], np.int64)}]
)
T(
    lambda: Comparator.run(
        [R("a")], data_loader=[{"x": np.zeros((3, 2), np.float32), "y": np.array([[1], [2**40]])}]
    )
)
T(
    lambda: Comparator.run(
        [R("a")], data_loader=[{"x": np.zeros((3, 5), np.float32), "y": np.array([1, 2])}]
    )
)
T(lambda: Comparator.run([R("a")], data_loader=[5]))
T(lambda: Comparator.run([R("a")], data_loader=RunResults([("q", [])])))
T(lambda: Comparator.run([]))
T(lambda: Comparator.run([R("a")], data_loader=[{"zz": np.zeros(2)}]))
st = Comparator.run(
    [R("a"), R("b", 2)], data_loader=d, streaming=True, save_outputs_path="sout.json"
)
print(type(st))
l = list(st)
print([type(x) for x in l], [list(x.keys()) for x in l])
ar = Comparator.compare_accuracy(
    Comparator.run([R("a"), R("b", 2)], data_loader=d, streaming=True), compare_func=L2CompareFunc()
)
print(bool(ar), ar[0].stats())
T(lambda: Comparator.run([R("a")], streaming=True, warm_up=1))
T(lambda: list(Comparator.run([], streaming=True)))
T(lambda: Comparator.run([R("a")], save_inputs_path="both", save_outputs_path="both"))
T(lambda: list(Comparator.postprocess(rr, TopKPostprocessFunc(2)).keys()))
T(lambda: Comparator.postprocess(rr, lambda x: x))


def pp(r):
    return r


Comparator.postprocess(rr, pp)
st = Comparator.postprocess(
    Comparator.run([R("a")], data_loader=d, streaming=True), TopKPostprocessFunc(1)
)
print([x["a"][0]["o"].shape for x in st])
st = Comparator.validate(Comparator.run([R("a", np.nan)], data_loader=d, streaming=True))
print(type(st))
T(lambda: list(st))
T(
    lambda: Comparator.validate(
        RunResults([("x", [IterationResult({"o": np.array([1, np.nan, np.inf])})] * 2)]),
        check_inf=True,
        fail_fast=True,
    )
)
T(lambda: Comparator.default_comparisons(rr))
T(lambda: Comparator.compare_accuracy([rr.split(), rr.split()]) if 0 else 0)
T(lambda: Comparator.compare_accuracy(rr, comparisons=[(0, 0)], fail_fast=True))
# subprocess
rr = Comparator.run([R("a")], use_subprocess=True)
print(rr["a"][0]["o"])


class Bad(R):
    def infer_impl(s, fd):
        raise ValueError("bad")


T(lambda: Comparator.run([Bad("a")]))
# data loader
mm = (
    TensorMetadata()
    .add("x", np.float32, ("N", 3))
    .add("sh", np.int32, (2,))
    .add("y", np.float32, (2, 2))
)
d = DataLoader(
    input_metadata=TensorMetadata()
    .add("x", np.float16, (5, 3))
    .add("sh", None, (7, 8))
    .add("zz", None, (1,))
    .add("y", None, (-1, 2))
)
d.input_metadata = mm
T(lambda: {k: (v.shape, v.dtype) for k, v in d[0].items()})
d = DataLoader(input_metadata=TensorMetadata().add("*", None, (5, 3)))
d.input_metadata = mm
T(lambda: {k: v.shape for k, v in d[0].items()})
c = dl.DataLoaderCache(DataLoader(iterations=2))
c.set_input_metadata(mm)
print(len(c), c.cache[0].keys(), vars(c).keys())
T(lambda: {k: v.shape for k, v in c[0].items()})
T(lambda: c[2])
T(lambda: dl.check_feed_dict(5))
T(lambda: dl.check_feed_dict({"a": np.zeros(1)}))
T(lambda: dl.check_feed_dict(RunResults()))
s = dl.ArraySampler("numpy", 3)
from polygraphy.datatype import DataType

T(lambda: s.sample_integer((3,), DataType.INT8, 0, 5))
T(lambda: s.sample_float((2,), DataType.FLOAT16, 1, 2))
T(lambda: s.constant_array((2,), DataType.INT64))
T(lambda: dl.ArraySampler("zz", 1))
T(lambda: s.sample_integer((3,), DataType.UINT64, 0, 2**63))
T(lambda: s.sample_integer((3,), DataType.BOOL, False, True))
