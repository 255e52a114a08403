"""Builder configurations: every option, with every value of its enumeration."""

import io
import os

import numpy as np
import tensorrt as trt
from polygraphy.backend.trt import *
from polygraphy.logger import G_LOGGER

# The order of imports is different, and so are the stacks of calls.
G_LOGGER.module_severity = {"": G_LOGGER.VERBOSE, "mod": G_LOGGER.WARNING}
G_LOGGER.backtrace = lambda *args, **kwargs: print("(the stack)")
builder = trt.Builder(get_trt_logger())


def make_network(dynamic=False, kinds=("ELEMENTWISE",)):
    x, y = (trt.ITensor(name, trt.float32, (-1 if dynamic else 2, 3)) for name in "xy")
    network = trt.INetworkDefinition()
    network.inputs, network.outputs = [x], [y]
    network.layers = [
        trt.ILayer(f"layer {i}", trt.LayerType[kind], [x], [y]) for i, kind in enumerate(kinds)
    ]
    return network


def show(f, *args, **kwargs):
    try:
        result = f(*args, **kwargs)
        print(f"= {type(result).__name__}")
        return result
    except Exception as err:
        print(f"= {type(err).__name__}: {err}")


def make(network=make_network(), **options):
    print(f"\n== {sorted(options)}")
    return show(lambda: CreateConfig(**options)(builder, network))


def members(name):
    return list(getattr(trt, name, []))


make()
make(None)
make(tf32=True)
print(vars(CreateConfig()))
print(vars(CreateConfig(tf32=True, load_timing_cache="path", max_aux_streams=4)))

# Switches
switches = "tf32 fp16 int8 fp8 bf16 allow_gpu_fallback sparse_weights restricted refittable "
switches += "strip_plan direct_io version_compatible exclude_lean_runtime weight_streaming "
switches += "error_on_timing_cache_miss disable_compilation_cache"
for switch in switches.split():
    make(**{"tf32": True, switch: True})
    make(**{"tf32": True, switch: False})
make(version_compatible=True, exclude_lean_runtime=True)
make(fp16=True, bf16=True, fp8=True, int8=True, refittable=True, sparse_weights=True)
show(lambda: CreateConfig(no_such_option=1))

# Values
for name, option in {
    "ProfilingVerbosity": "profiling_verbosity",
    "EngineCapability": "engine_capability",
    "HardwareCompatibilityLevel": "hardware_compatibility_level",
    "RuntimePlatform": "runtime_platform",
    "TilingOptimizationLevel": "tiling_optimization_level",
}.items():
    for member in members(name):
        make(tf32=True, **{option: member})
for name, option in {
    "TacticSource": "tactic_sources",
    "PreviewFeature": "preview_features",
    "QuantizationFlag": "quantization_flags",
}.items():
    if not members(name):
        continue  # without the enumeration, there is nothing to ask for
    make(tf32=True, **{option: []})
    make(tf32=True, **{option: members(name)})
    for member in members(name):
        make(tf32=True, **{option: [member]})
make(tf32=True, memory_pool_limits={})
for pool in members("MemoryPoolType"):
    make(tf32=True, memory_pool_limits={pool: 1 << 20})
make(tf32=True, memory_pool_limits=dict.fromkeys(members("MemoryPoolType"), 7))
for option in ("builder_optimization_level", "max_aux_streams"):
    for value in (0, 5):
        make(tf32=True, **{option: value})
# Of whatever type, where the version does not have it.
for (
    option
) in "progress_monitor algorithm_selector runtime_platform tiling_optimization_level".split():
    make(tf32=True, **{option: "anything"})
make(tf32=True, version_compatible=True, hardware_compatibility_level=1, max_aux_streams=1)

# Precisions of layers
for constraints in (None, "none", "prefer", "obey"):
    network = make_network(kinds=("SHAPE", "ELEMENTWISE", "CAST"))
    for layer in network.layers[:2]:
        layer._state.precision = trt.float16
    make(network, tf32=True, precision_constraints=constraints)
make(None, tf32=True, precision_constraints="obey", preview_features=[])

# Profiles
dynamic = make_network(dynamic=True)
one, two = (Profile().add("x", (1, 3), (2, 3), (n, 3)) for n in (4, 8))
make(dynamic, tf32=True)
make(dynamic, tf32=True, profiles=[])
make(dynamic, tf32=True, profiles=[one, two])
make(dynamic, tf32=True, profiles=[Profile().add("*", (1, 3), (2, 3), (3, 3))])
make(dynamic, tf32=True, profiles=[Profile().add("z", (1, 3), (2, 3), (3, 3))])
given = Profile()
make(dynamic, tf32=True, profiles=[given])
print(given)

# Timing caches
open("cache", "wb").write(b"measured")
open("empty", "wb").close()
for cache in ("cache", "empty", "missing", open("cache", "rb"), io.BytesIO(b"")):
    make(tf32=True, load_timing_cache=cache if isinstance(cache, str) else None)
with open("cache", "rb") as file:
    config = CreateConfig(tf32=True, load_timing_cache=file)
    show(lambda: config(builder, make_network()).get_timing_cache().lines)
    print(file.tell())
print(os.path.exists("cache.lock"))
make(tf32=True, algorithm_selector="a selector", load_timing_cache="cache")
make(tf32=True, algorithm_selector="a selector", load_timing_cache="missing")

# Calibration
make(calibrator="a calibrator")
if hasattr(trt, "IInt8EntropyCalibrator2"):

    class Counting(trt.IInt8EntropyCalibrator2):
        is_polygraphy_calibrator = True

        def set_input_metadata(self, metadata):
            print("metadata:", metadata)

    make(int8=True, calibrator=Counting())
    make(dynamic, int8=True, calibrator=Counting(), profiles=[one, two])
    make(None, int8=True, calibrator=Counting())
    for kinds in (["QUANTIZE"], ["CAST", "DEQUANTIZE"]):
        make(make_network(kinds=kinds), int8=True, calibrator=Counting())
    ours = trt.IInt8EntropyCalibrator2()
    config = make(int8=True, calibrator=ours)
    print(config.int8_calibrator is ours)

# DLA
for cores in (0, 2, None):
    for fallback in (False, True):
        print("cores:", cores, "fallback:", fallback)
        make(tf32=True, use_dla=True, allow_gpu_fallback=fallback)
    if cores == 0:
        trt.Builder.num_DLA_cores = 2
    elif cores == 2:
        del trt.Builder.num_DLA_cores
trt.Builder.num_DLA_cores = 2
make(tf32=True, use_dla=True, direct_io=True, precision_constraints="obey", fp16=True)

# The arguments of the functional form and of the user's functions
config = show(create_config, builder, make_network(), tf32=True, refittable=True)
post = lambda *args: print("post", [type(arg).__name__ for arg in args]) or "ignored"
print(show(postprocess_config, config, post, builder, make_network()) is config)
show(PostprocessConfig(lambda b, n: config, post), builder, make_network())
show(PostprocessConfig(CreateConfig(tf32=True), post), builder, make_network())
show(PostprocessConfig, config, "no function")
show(lambda: CreateConfig(tf32=True).call_impl(builder, make_network()))
