"""Tensors of PyTorch in files, in metadata and between runners."""

import copy
import json

import numpy as np
import torch
from polygraphy.backend.base.util import check_inputs
from polygraphy.common import FormattedArray, TensorMetadata
from polygraphy.comparator import *
from polygraphy.comparator import data_loader as dl
from polygraphy.comparator.struct import LazyArray
from polygraphy.datatype import DataType
from polygraphy.json import *
from polygraphy import config, util

torch.manual_seed(0)


def T(f):
    try:
        print(repr(f()))
    except BaseException as e:
        print(type(e).__name__, str(e).splitlines()[0][:200])


tensors = {
    "f32": torch.rand(2, 3),
    "f16": torch.rand(3).half(),
    "bf16": torch.rand(3).bfloat16(),
    "i8": torch.tensor([1, -2], dtype=torch.int8),
    "bool": torch.tensor([True, False]),
    "0d": torch.tensor(2.5),
    "empty": torch.zeros(0, 2),
    "view": torch.arange(6.0).reshape(2, 3).t(),
    "grad": torch.ones(2, requires_grad=True),
}

print("## JSON")
for name, tensor in tensors.items():
    T(lambda: sorted(json.loads(to_json(tensor))))
    T(lambda: json.loads(to_json(tensor))["polygraphy_class"])
    T(lambda: from_json(to_json(tensor)))
    T(lambda: from_json(to_json({"a": [tensor, np.ones(1)]})))
    T(lambda: from_json(to_json(LazyArray(tensor))).load())
    T(lambda: from_json(to_json(FormattedArray(tensor, (6,)))).array)
    iteration = IterationResult({"y": tensor}, runtime=0.5, runner_name="r")
    results = RunResults([("r", [iteration])])
    T(lambda: RunResults.from_json(results.to_json())["r"][0]["y"])
    T(lambda: RunResults.from_json(results.to_json()) == results)
    results.save("results.json")
    T(lambda: RunResults.load("results.json") == results)
T(lambda: from_json(to_json(torch.float32)))

print("## arrays that are swapped")
config.ARRAY_SWAP_THRESHOLD_MB = 1
large = torch.arange(1 << 19)
T(lambda: LazyArray(large).arr is None)
T(lambda: torch.equal(LazyArray(large).load(), large))
config.ARRAY_SWAP_THRESHOLD_MB = -1

print("## types")
for name in "float64 float32 float16 bfloat16 int8 int16 int32 int64 uint8 bool".split():
    T(lambda: DataType.from_dtype(getattr(torch, name)))
    T(lambda: DataType.from_dtype(getattr(torch, name), "torch"))
    T(lambda: DataType.to_dtype(getattr(DataType, name.upper()), "torch"))
    T(lambda: getattr(DataType, name.upper()).torch())
for name in "UINT16 UINT32 STRING FLOAT8E4M3FN INT4".split():
    T(lambda: getattr(DataType, name).torch())
T(lambda: DataType.from_dtype(torch.complex64))
T(lambda: DataType.from_dtype(torch.complex64, "torch"))
T(lambda: DataType.from_dtype("float32", "torch"))

print("## metadata and inputs")
feed_dict = {name: tensor for name, tensor in tensors.items()}
T(lambda: TensorMetadata.from_feed_dict(feed_dict))
metadata = TensorMetadata().add("x", np.float32, (None, 3))
for tensor in (tensors["f32"], tensors["f16"], tensors["view"], np.ones((1, 3), np.float32)):
    T(lambda: check_inputs({"x": tensor}, metadata))
    T(lambda: dl.check_feed_dict({"x": tensor}))
wanted = TensorMetadata().add("x", np.float16, (3, 2))
T(lambda: dl.coerce_feed_dict({"x": tensors["f32"]}, wanted))
T(lambda: dl.coerce_feed_dict({"x": tensors["f32"]}, metadata))
T(lambda: util.try_match_shape(tensors["f32"], (3, 2)))
T(lambda: util.try_match_shape(tensors["f32"], (6,)))
T(lambda: util.try_match_shape(torch.ones(1, 3, 2), (3, 2)))
T(lambda: util.try_match_shape(torch.arange(6.0).reshape(1, 2, 3), (1, 3, 2)))
cache = dl.DataLoaderCache([{"x": tensors["f32"]}])
cache.set_input_metadata(wanted)
T(lambda: cache[0])

print("## results")
a = IterationResult({"y": tensors["f32"]}, runner_name="a")
T(lambda: a == copy.deepcopy(a))
T(lambda: a == IterationResult({"y": tensors["f32"].numpy()}, runner_name="a"))
T(lambda: a == IterationResult({"y": tensors["f32"] + 1}, runner_name="a"))
T(lambda: [type(x).__name__ for x in a.values()])
