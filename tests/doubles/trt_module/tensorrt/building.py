"""Builder, configuration, timing cache, ONNX parser and plugins of the double.

A plan is JSON: the names, types, shapes and formats of the network's inputs and outputs, the
profiles, and the ONNX model, which the engine of `running` computes with onnx's own reference
implementation. (With `PG_TENSORRT_DOUBLE_BUILD`, it is what that command makes of the model.)
"""

import base64
import json
import os
import shlex
import subprocess
import tempfile

import tensorrt as trt
from tensorrt import enumeration, record
from tensorrt.adding import layer_of, of_parsed, onnx_model, type_of

_VERSION = trt._VERSION
_IS_RTX = os.environ.get("POLYGRAPHY_USE_TENSORRT_RTX", "0") != "0"
_END = (11, 0)

BuilderFlag = enumeration(
    "BuilderFlag",
    "FP16 INT8 DEBUG GPU_FALLBACK REFIT DISABLE_TIMING_CACHE TF32 SPARSE_WEIGHTS SAFETY_SCOPE "
    "OBEY_PRECISION_CONSTRAINTS PREFER_PRECISION_CONSTRAINTS DIRECT_IO REJECT_EMPTY_ALGORITHMS "
    "VERSION_COMPATIBLE EXCLUDE_LEAN_RUNTIME FP8 ERROR_ON_TIMING_CACHE_MISS BF16 "
    "DISABLE_COMPILATION_CACHE STRIP_PLAN REFIT_IDENTICAL WEIGHT_STREAMING INT4 REFIT_INDIVIDUAL "
    "STRICT_NANS MONITOR_MEMORY FP4 EDITABLE_TIMING_CACHE",
    since={
        "ERROR_ON_TIMING_CACHE_MISS": (9, 0),
        "BF16": (9, 0),
        "DISABLE_COMPILATION_CACHE": (9, 0),
        "STRIP_PLAN": (10, 0),
        "REFIT_IDENTICAL": (10, 0),
        "WEIGHT_STREAMING": (10, 0),
        "INT4": (10, 0),
        "REFIT_INDIVIDUAL": (10, 1),
        "STRICT_NANS": (10, 2),
        "MONITOR_MEMORY": (10, 3),
        "FP4": (10, 8),
        "EDITABLE_TIMING_CACHE": (10, 8),
    },
    until=dict.fromkeys(
        "FP16 INT8 FP8 BF16 INT4 FP4 OBEY_PRECISION_CONSTRAINTS PREFER_PRECISION_CONSTRAINTS "
        "REJECT_EMPTY_ALGORITHMS".split(),
        _END,
    ),
)
MemoryPoolType = enumeration(
    "MemoryPoolType",
    "WORKSPACE DLA_MANAGED_SRAM DLA_LOCAL_DRAM DLA_GLOBAL_DRAM TACTIC_DRAM TACTIC_SHARED_MEMORY",
    since={"TACTIC_DRAM": (8, 6), "TACTIC_SHARED_MEMORY": (9, 0)},
)
TacticSource = enumeration(
    "TacticSource",
    "CUBLAS CUBLAS_LT CUDNN EDGE_MASK_CONVOLUTIONS JIT_CONVOLUTIONS",
    until=dict.fromkeys("CUBLAS CUBLAS_LT CUDNN".split(), _END),
)
PreviewFeature = enumeration(
    "PreviewFeature",
    "FASTER_DYNAMIC_SHAPES_0805 DISABLE_EXTERNAL_TACTIC_SOURCES_FOR_CORE_0805 "
    "PROFILE_SHARING_0806 ALIASED_PLUGIN_IO_10_03 RUNTIME_ACTIVATION_RESIZE_10_10",
    since={"ALIASED_PLUGIN_IO_10_03": (10, 3), "RUNTIME_ACTIVATION_RESIZE_10_10": (10, 10)},
    until={
        "FASTER_DYNAMIC_SHAPES_0805": (10, 0),
        "DISABLE_EXTERNAL_TACTIC_SOURCES_FOR_CORE_0805": (10, 0),
        "PROFILE_SHARING_0806": _END,
    },
)
EngineCapability = enumeration("EngineCapability", "STANDARD SAFETY DLA_STANDALONE")
DeviceType = enumeration("DeviceType", "GPU DLA")
ProfilingVerbosity = enumeration("ProfilingVerbosity", "LAYER_NAMES_ONLY NONE DETAILED")
HardwareCompatibilityLevel = enumeration(
    "HardwareCompatibilityLevel",
    "NONE AMPERE_PLUS SAME_COMPUTE_CAPABILITY",
    since={"SAME_COMPUTE_CAPABILITY": (10, 6)},
)
OnnxParserFlag = enumeration(
    "OnnxParserFlag",
    "NATIVE_INSTANCENORM ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA REPORT_CAPABILITY_DLA",
    since={
        "ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA": (10, 9),
        "REPORT_CAPABILITY_DLA": (10, 9),
    },
)
if _VERSION < _END:
    QuantizationFlag = enumeration("QuantizationFlag", "CALIBRATE_BEFORE_FUSION")
if _VERSION >= (10, 5):
    RuntimePlatform = enumeration("RuntimePlatform", "SAME_AS_BUILD WINDOWS_AMD64")
if _VERSION >= (10, 8):
    TilingOptimizationLevel = enumeration("TilingOptimizationLevel", "NONE FAST MODERATE FULL")
if _IS_RTX:
    ComputeCapability = enumeration("ComputeCapability", "NONE CURRENT SM75 SM80 SM86 SM89 SM120")
if _VERSION >= (10, 0):

    class IProgressMonitor:
        def __init__(self):
            self.constructed = True


class Dims(tuple):
    """Sizes of dimensions."""


class Permutation(tuple):
    """An order of dimensions."""


class IHostMemory(trt.Context, bytearray):
    """Bytes that the library owns: `bytes(memory)` copies them."""

    @property
    def nbytes(self):
        return len(self)


class TimingCache:
    """The recorded timings: lines, one for each build."""

    def __init__(self, data):
        self.lines = bytes(data).decode().splitlines()

    def serialize(self):
        return IHostMemory("\n".join(self.lines).encode())

    def combine(self, input_cache, ignore_mismatch):
        record(f"cache.combine({input_cache.lines}, {ignore_mismatch})")
        self.lines += [line for line in input_cache.lines if line not in self.lines]
        return True

    def __str__(self):
        return f"TimingCache{self.lines}"


ITimingCache = TimingCache


def _show(value):
    """A value in a record: objects of this module as their class, unless they say more."""
    if type(value).__str__ is object.__str__ and type(value).__repr__ is object.__repr__:
        return type(value).__name__
    return str(value)


class IBuilderConfig:
    """A configuration. Attributes that its version lacks can neither be read nor set."""

    _DEFAULTS = {
        "profiling_verbosity": ProfilingVerbosity.LAYER_NAMES_ONLY,
        "engine_capability": EngineCapability.STANDARD,
        "default_device_type": DeviceType.GPU,
        "DLA_core": -1,
        "flags": 1 << int(BuilderFlag.TF32),
        "builder_optimization_level": 3,
        "hardware_compatibility_level": HardwareCompatibilityLevel.NONE,
        "max_aux_streams": -1,
        "avg_timing_iterations": 1,
        **({"algorithm_selector": None, "int8_calibrator": None} if _VERSION < _END else {}),
        **({"quantization_flags": 0} if _VERSION < _END else {}),
        **({"progress_monitor": None} if _VERSION >= (10, 0) else {}),
        **({"runtime_platform": RuntimePlatform.SAME_AS_BUILD} if _VERSION >= (10, 5) else {}),
        **(
            {"tiling_optimization_level": TilingOptimizationLevel.NONE}
            if _VERSION >= (10, 8)
            else {}
        ),
        **({"num_compute_capabilities": 1} if _IS_RTX else {}),
    }

    def __init__(self):
        vars(self).update(self._DEFAULTS)
        vars(self)["_profiles"] = []
        vars(self)["_calibration_profile"] = None
        vars(self)["_pools"] = {pool: 1 << 30 for pool in MemoryPoolType}
        vars(self)["_sources"] = sum(1 << int(source) for source in TacticSource)
        vars(self)["_features"] = {feature: False for feature in PreviewFeature}
        vars(self)["_cache"] = None

    def __setattr__(self, name, value):
        if name not in self._DEFAULTS:
            raise AttributeError(f"'IBuilderConfig' object has no attribute '{name}'")
        record(f"config.{name} = {_show(value)}")
        vars(self)[name] = value

    def _flag(self, kind, flag, name):
        if not isinstance(flag, kind):
            raise TypeError(f"{name}(): incompatible function arguments: {flag}")
        record(f"config.{name}({flag})")
        return 1 << int(flag)

    def set_flag(self, flag):
        vars(self)["flags"] |= self._flag(BuilderFlag, flag, "set_flag")

    def clear_flag(self, flag):
        vars(self)["flags"] &= ~self._flag(BuilderFlag, flag, "clear_flag")

    def get_flag(self, flag):
        return bool(self.flags & (1 << int(flag)))

    if _VERSION < _END:

        def set_quantization_flag(self, flag):
            bit = self._flag(QuantizationFlag, flag, "set_quantization_flag")
            vars(self)["quantization_flags"] |= bit

        def clear_quantization_flag(self, flag):
            bit = self._flag(QuantizationFlag, flag, "clear_quantization_flag")
            vars(self)["quantization_flags"] &= ~bit

        def get_quantization_flag(self, flag):
            return bool(self.quantization_flags & (1 << int(flag)))

        def set_calibration_profile(self, profile):
            record(f"config.set_calibration_profile({profile.shapes})")
            vars(self)["_calibration_profile"] = profile
            return True

        def get_calibration_profile(self):
            return self._calibration_profile

    if _IS_RTX:

        def set_compute_capability(self, compute_capability, index):
            record(f"config.set_compute_capability({compute_capability}, {index})")
            return index < self.num_compute_capabilities

    @property
    def num_optimization_profiles(self):
        return len(self._profiles)

    def add_optimization_profile(self, profile):
        record(f"config.add_optimization_profile({profile.shapes}, {profile.shape_inputs})")
        self._profiles.append(profile)
        return len(self._profiles) - 1

    def set_memory_pool_limit(self, pool, pool_size):
        record(f"config.set_memory_pool_limit({pool}, {pool_size})")
        self._pools[pool] = pool_size

    def get_memory_pool_limit(self, pool):
        return self._pools[pool]

    def set_tactic_sources(self, tactic_sources):
        record(f"config.set_tactic_sources({tactic_sources})")
        vars(self)["_sources"] = tactic_sources
        return True

    def get_tactic_sources(self):
        return self._sources

    def set_preview_feature(self, feature, enable):
        record(f"config.set_preview_feature({feature}, {enable})")
        self._features[feature] = enable

    def get_preview_feature(self, feature):
        return self._features[feature]

    def create_timing_cache(self, serialized_timing_cache):
        record(f"config.create_timing_cache({bytes(serialized_timing_cache)})")
        return TimingCache(serialized_timing_cache)

    def set_timing_cache(self, cache, ignore_mismatch):
        record(f"config.set_timing_cache({cache}, {ignore_mismatch})")
        vars(self)["_cache"] = cache
        return True

    def get_timing_cache(self):
        return self._cache


class ParserError:
    def __init__(self, text):
        self.text = text

    def desc(self):
        return self.text

    def __str__(self):
        return self.text


class OnnxParser(trt.Context):
    """Reads a model with the package `onnx`; a file that is not a model is one error."""

    def __init__(self, network, logger):
        self.network = network
        self.errors = []
        vars(self)["flags"] = 1 << int(OnnxParserFlag.NATIVE_INSTANCENORM)

    def __setattr__(self, name, value):
        if name == "flags":
            record(f"parser.flags = {value}")
        object.__setattr__(self, name, value)

    def set_flag(self, flag):
        record(f"parser.set_flag({flag})")
        vars(self)["flags"] |= 1 << int(flag)

    def clear_flag(self, flag):
        record(f"parser.clear_flag({flag})")
        vars(self)["flags"] &= ~(1 << int(flag))

    def get_flag(self, flag):
        return bool(self.flags & (1 << int(flag)))

    if _VERSION >= (10, 9):

        def set_builder_config(self, config):
            record("parser.set_builder_config(config)")
            return True

    @property
    def num_errors(self):
        return len(self.errors)

    def get_error(self, index):
        return self.errors[index]

    def clear_errors(self):
        self.errors.clear()

    def parse(self, model, path=None):
        record(f"parser.parse({len(model)} bytes)")
        return self._parse(bytes(model))

    def parse_from_file(self, model):
        record(f"parser.parse_from_file({os.path.basename(model)})")
        if not os.path.exists(model):
            return False
        with open(model, "rb") as file:
            return self._parse(file.read())

    def _parse(self, data):
        import onnx

        try:
            model = onnx.shape_inference.infer_shapes(onnx.ModelProto.FromString(data))
        except Exception:
            self.errors += [ParserError("In parse: Assertion failed: a model"), ParserError("more")]
            return False
        fill_network(self.network, model)
        return True


def fill_network(network, model):
    """Makes tensors and layers of a model, one layer for each node."""
    import onnx

    tensors = {}

    def tensor(name):
        if name not in tensors:
            tensors[name] = trt.ITensor(name)
        return tensors[name]

    graph = model.graph
    for info in [*graph.input, *graph.output, *graph.value_info]:
        tensors[info.name] = trt.ITensor(info.name, *type_of(info))
    for node in graph.node:
        kind, more = layer_of(node.op_type)
        layer = trt.ILayer(
            node.name or node.output[0],
            trt.LayerType[kind],
            [tensor(name) for name in node.input],
            [tensor(name) for name in node.output],
            **more,
        )
        layer._state.nodes = of_parsed(node)
        network.layers.append(layer)
    weights = {weight.name for weight in graph.initializer}
    for info in graph.input:
        if info.name not in weights:
            vars(tensor(info.name))["is_network_input"] = True
            network.inputs.append(tensor(info.name))
    for info in graph.output:
        vars(tensor(info.name))["is_network_output"] = True
        network.outputs.append(tensor(info.name))
    network.model = model


def _described(tensor):
    return {
        "name": tensor.name,
        "dtype": tensor.dtype.name,
        "shape": list(tensor.shape),
        "formats": tensor.allowed_formats,
        "is_shape": tensor.is_shape_tensor,
    }


def _plan_of_another_double(model, config):
    """None if its build fails."""
    options = []
    for profile in config._profiles:
        for index, kind in enumerate(("min", "opt", "max")):
            options.append(f"--trt-{kind}-shapes")
            for name, shapes in profile.shapes.items():
                options.append(f"{name}:[{','.join(map(str, shapes[index]))}]")
    with tempfile.TemporaryDirectory() as folder:
        paths = {"model": f"{folder}/model.onnx", "plan": f"{folder}/plan"}
        with open(paths["model"], "wb") as file:
            file.write(model.SerializeToString())
        command = shlex.split(os.environ["PG_TENSORRT_DOUBLE_BUILD"].format(**paths))
        if subprocess.run([*command, *options], stdout=subprocess.DEVNULL).returncode != 0:
            return None
        with open(paths["plan"], "rb") as file:
            return IHostMemory(file.read())


class Builder(trt.Context):
    """Makes networks, configurations, and plans of them."""

    # How many DLA cores the machine has.
    num_DLA_cores = int(os.environ.get("PG_TENSORRT_DOUBLE_DLA_CORES", "0"))
    platform_has_fast_fp16 = True

    def __init__(self, logger):
        if not hasattr(logger, "constructed"):
            raise TypeError("Builder needs a logger whose constructor ran")
        self.logger = logger

    def create_network(self, flags=0):
        record(f"builder.create_network({flags})")
        return trt.INetworkDefinition(flags)

    def create_builder_config(self):
        record("builder.create_builder_config()")
        return IBuilderConfig()

    def create_optimization_profile(self):
        return trt.IOptimizationProfile()

    def build_serialized_network(self, network, config):
        record(f"builder.build_serialized_network({network.name!r})")
        if not network.outputs:
            self.logger.log(trt.ILogger.ERROR, "The network has no outputs")
            return None
        self._calibrate(network, config)
        if config.get_timing_cache() is not None:
            config.get_timing_cache().lines.append(f"built {network.name or 'a network'}")
        model = onnx_model(network)
        if "PG_TENSORRT_DOUBLE_BUILD" in os.environ:
            return _plan_of_another_double(model, config)
        plan = {
            "name": network.name,
            "inputs": [_described(tensor) for tensor in network.inputs],
            "outputs": [_described(tensor) for tensor in network.outputs],
            "debug": network.debug_tensors,
            "layers": [layer.name for layer in network.layers],
            "profiles": [
                {"shapes": profile.shapes, "values": profile.shape_inputs}
                for profile in config._profiles
            ],
            "refittable": config.get_flag(BuilderFlag.REFIT),
            "model": model and base64.b64encode(model.SerializeToString()).decode(),
        }
        return IHostMemory(json.dumps(plan).encode())

    @staticmethod
    def _calibrate(network, config):
        calibrator = getattr(config, "int8_calibrator", None)
        if calibrator is None:
            return
        batches = 0
        while calibrator.get_batch([tensor.name for tensor in network.inputs]) is not None:
            batches += 1
        record(f"builder calibrated with {batches} batches")


def init_libnvinfer_plugins(logger, namespace):
    record(f"init_libnvinfer_plugins({type(logger).__name__}, {namespace!r})")
    return True
