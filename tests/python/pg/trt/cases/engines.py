"""Engines as text, their tensors, and layouts of vectorized formats, on a double of TensorRT."""

import numpy as np
import tensorrt as trt
from polygraphy.backend.trt import util
from polygraphy.common import FormattedArray
from polygraphy.comparator import IterationResult, RunResults
from polygraphy.json import save_json
from polygraphy.logger import G_LOGGER

if not hasattr(trt, "ProfilingVerbosity"):
    trt.ProfilingVerbosity = trt.enumeration("ProfilingVerbosity", "LAYER_NAMES_ONLY NONE DETAILED")
MODE, FORMAT, VERBOSITY = trt.TensorIOMode, trt.TensorFormat, trt.ProfilingVerbosity


def show(f):
    try:
        result = f()
        print(result if isinstance(result, str) else repr(result))
    except Exception as err:
        print(f"{type(err).__name__}: {err}")


class Engine:
    """Says what it was made with."""

    name = "an engine"
    num_optimization_profiles = 2
    device_memory_size = 1024
    refittable = True
    profiling_verbosity = VERBOSITY.DETAILED

    def __init__(self, layers=(), **more):
        self.tensors = {
            "x": (MODE.INPUT, (-1, 3, 4, 5), trt.float32, FORMAT.LINEAR),
            "hwc": (MODE.INPUT, (-1, 3, 4, 5), trt.float16, FORMAT.HWC),
            "shape": (MODE.INPUT, (2,), trt.int32, FORMAT.LINEAR),
            "a longer name": (MODE.OUTPUT, (2, 3, 4), trt.int8, FORMAT.HWC),
            "z": (MODE.OUTPUT, (7,), trt.int8, FORMAT.CHW32),
        }
        self.inspection = {"Layers": list(layers)}
        vars(self).update(more)

    num_layers = property(lambda self: len(self.inspection["Layers"]))
    num_io_tensors = property(lambda self: len(self.tensors))

    def get_tensor_name(self, index):
        return list(self.tensors)[index]

    def get_tensor_mode(self, name):
        return self.tensors[name][0]

    def get_tensor_shape(self, name):
        return self.tensors[name][1]

    def get_tensor_dtype(self, name):
        return self.tensors[name][2]

    def get_tensor_format(self, name, profile):
        print(f"get_tensor_format({name}, {profile})")
        return self.tensors[name][3]

    def get_tensor_profile_shape(self, name, profile):
        return [(1 + profile, 3), (2, 3), (9, 3)]

    def get_tensor_vectorized_dim(self, name):
        return 1

    def get_tensor_components_per_element(self, name):
        return 16

    def create_engine_inspector(self):
        print("create_engine_inspector()")
        return Inspector(self)


class Inspector(trt.EngineInspector):
    def __setattr__(self, name, value):
        print("inspector.", name, type(value).__name__)
        object.__setattr__(self, name, value)

    def get_layer_information(self, index, format):
        print(f"get_layer_information({index}, {format})")
        return super().get_layer_information(index, format)


class Context:
    active_optimization_profile = 1

    def __init__(self, engine, shape=()):
        self.engine, self.shape = engine, shape

    def get_tensor_shape(self, name):
        return self.shape


def tensor(name, dims, format="Row major linear FP32", **more):
    return {"Name": name, "Dimensions": dims, "Format/Datatype": format, **more}


def layer(name, inputs=(), outputs=(), **more):
    return {"Name": name, "LayerType": "Kind", "Inputs": inputs, "Outputs": outputs, **more}


def text(engine, **options):
    show(lambda: util.str_from_engine(engine, Context(engine), **options))


engine = Engine()
context = Context(engine)
for mode in (MODE.INPUT, MODE.OUTPUT):
    show(lambda: util.get_metadata_from_engine(engine, context, mode))
show(lambda: util.get_tensor_format(engine, context, "z"))

# Text
conv = layer(
    "conv",
    [tensor("x", [1, 3, 4, 5], Location="Device")],
    [tensor("t", [1, 2], "Channel major FP16 format where channel % 4 == 0"), tensor("u", [])],
    TacticName="a_tactic",
    Metadata="[ONNX Layer: a]",
    Kernel=[3, 3],
)
of_first = [conv, layer("other", Origin="CAST", TacticValue="0x1", TacticName="b")]
of_second = [layer("conv [profile 1]"), layer("other [profile 1]")]
two = Engine(of_first + of_second)
text(two)
for options in ({"show_layers": True}, {"show_attrs": True}):
    text(two, **options)
text(two, show_layers=True, show_attrs=True)
text(Engine(of_first, num_optimization_profiles=1, refittable=False, name=""), show_layers=True)
text(Engine([], device_memory_size_v2=2048), show_layers=True)
text(Engine(of_first + of_second[:1], num_optimization_profiles=3), show_layers=True)
names_only = Engine(
    ["the only one"],
    num_optimization_profiles=1,
    profiling_verbosity=VERBOSITY.LAYER_NAMES_ONLY,
)
text(names_only)
text(names_only, show_layers=True)
for incomplete in ({}, {"Name": "n"}, {"LayerType": "T", "Inputs": []}):
    text(Engine([incomplete], num_optimization_profiles=1), show_layers=True, show_attrs=True)
split = [
    {"Name": "a", "Dimensions": [1], "Format": "Row major", "Datatype": "Half"},
    {"Name": "b", "Dimensions": [2], "Datatype": "Int32"},
    {"Name": "c", "Dimensions": [3], "Format": "F"},
]
text(Engine([layer("l", split)], num_optimization_profiles=1), show_layers=True)

# Data types
formats = "Half|HALF|Float|FLOAT4|BFloat16|bfloat16|Int64|INT64|int32|Int16|INT8|int4|Bool|FP16|x|"
inputs = [tensor(format, [1], format) for format in formats.split("|")]
inputs.append(tensor("n", [-1], "N/A due to dynamic shapes"))
text(Engine([layer("l", inputs)], num_optimization_profiles=1), show_layers=True)

# Values of saved outputs
of_first_runner = {
    "x": np.arange(4, dtype=np.float32),
    "t": np.array([True, False]),
    "n": np.array([1, 2, 4]),
}
results = RunResults()
results.append(("first", [IterationResult(of_first_runner), IterationResult({"u": np.ones(1)})]))
results.append(("second", [IterationResult({"x": np.ones(9), "u": np.ones(9)})]))
results.save("results.json")
statistics = util.TensorInfo("results.json")
show(lambda: (statistics.tensors, [statistics.get_tensor_statistics(n) for n in "xtnu?"]))
show(lambda: (util.TensorInfo().tensors, util.TensorInfo(None).get_tensor_statistics("x")))
later = util.TensorInfo()
show(lambda: (later.load_json("results.json"), list(later.tensors)))
save_json([{"x": np.ones(2)}], "inputs.json")
RunResults([("first", [])]).save("empty.json")
RunResults().save("nothing.json")
for path in ("inputs.json", "empty.json", "nothing.json", "missing.json"):
    show(lambda: util.TensorInfo(path).tensors)
one = Engine([conv], num_optimization_profiles=1)
text(one, show_layers=True, combine_tensor_info="results.json")
text(one, combine_tensor_info="results.json")


# An engine of a TensorRT without inspector
class Uninspected(Engine):
    create_engine_inspector = None

    def __getattribute__(self, name):
        if name == "create_engine_inspector":
            raise AttributeError(name)
        return super().__getattribute__(name)


text(Uninspected([conv]), show_layers=True)

# Vectorized formats
for shape in ((1, 3, 2, 2), (2, 17, 1, 2), (1, 16, 1, 1)):
    for dtype in (np.int8,):
        context = Context(engine, shape)
        array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
        there = util.convert_linear_to_vectorized_format(context, "z", array)
        show(lambda: (type(there) is FormattedArray, there.shape, there.array.shape))
        show(lambda: (there.array.dtype, there.array.ravel().tolist()))
        raw = np.ascontiguousarray(there.array).view(np.uint8).ravel()
        back = util.convert_vectorized_to_linear_format(context, "z", raw)
        show(lambda: (back.dtype, back.shape, np.array_equal(back, array)))
