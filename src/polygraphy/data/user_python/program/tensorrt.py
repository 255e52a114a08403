"""Builds engines and describes networks with the user's own `tensorrt` module, for scripts that work on its
objects."""
import ctypes
import fcntl
import fnmatch
import importlib.util
import os
import re
import time

# Loaders whose arguments a script that makes the whole configuration, or the whole network, replaces; and what
# belongs to the tool's own builder, or is the script's business here.
NOT_HERE = {"TacticRecorder": "an algorithm selector", "TacticReplayer": "an algorithm selector",
            "Calibrator": "a calibrator", "CreateConfigRTX": "compute capabilities"}
OF_CONFIGURATION = ["CreateConfig", "Profile", *NOT_HERE]
OF_PARSING = ["NetworkFromOnnxPath"]
# Arguments of those loaders that apply to networks of scripts, too.
FOR_ANY_NETWORK = ["mark_unfused_tensors_as_debug_tensors"]


class Builder:
    """One build. `options`: lists of values by key; of keys that repeat, lists of those. `table`: the effects of all
    options, as pgb_option_spec of the C header describes them."""

    def __init__(self, trt, failure, log, request, load):
        self.trt, self.failure, self.log, self.load = trt, failure, log, load
        self.request, self.options, self.table = request, request["options"], request["table"]
        self.logger = self.make_logger()

    # ---- Options

    def has(self, key):
        return key in self.options

    def values(self, key):
        return self.options[key][-1] if key in self.options else []

    def value(self, key):
        return self.values(key)[0] if self.values(key) else None

    def named(self, kind, name):
        """The enumerator `name`, in any case, of the enumeration `kind`."""
        members = getattr(getattr(self.trt, kind, None), "__members__", None)
        if members is None:
            self.fail("tensorrt %s has no %s" % (self.trt.__version__, kind))
        for each, value in members.items():
            if each.lower() == name.lower():
                return value
        self.fail("%s has no '%s'. It has: %s" % (kind, name, ", ".join(members)))

    def flags(self, kind, names):
        return sum(1 << int(self.named(kind, name)) for name in names)

    def dtype(self, name):
        found = getattr(self.trt, name, None)
        if found is None:
            self.fail("tensorrt %s has no type '%s'" % (self.trt.__version__, name))
        return found

    def fail(self, message, hint=""):
        raise self.failure(message, hint)

    # ---- The library

    def make_logger(self):
        trt, log = self.trt, self.log
        severities = {"INTERNAL_ERROR": 40, "ERROR": 40, "WARNING": 30, "INFO": 10, "VERBOSE": 0}

        class Logger(trt.ILogger):
            def __init__(self):
                trt.ILogger.__init__(self)

            def log(self, severity, text):
                log(severities.get(str(severity).split(".")[-1], 10), text)

        return Logger()

    def call_script(self, key, *args, **kwargs):
        path, name = self.request["scripts"][key]
        return self.load(path, name)(*args, **kwargs)

    def check_made(self, key, made, classes, needed):
        """The result of a script: of these classes, with more behind them."""
        items = list(made) if isinstance(made, (tuple, list)) else [made]
        if len(items) < len(classes) or not all(map(isinstance, items, classes)):
            found = ", ".join("a " + type(each).__name__ for each in items) or "nothing"
            self.fail("Script %s: %s() returned %s, but %s" % (*self.request["scripts"][key], found, needed))

    def check_options(self):
        """Before any work. The original ignores in silence what a script replaces."""
        if "trt_config_script" in self.request["scripts"]:
            self.warn_of_replaced("configuration", OF_CONFIGURATION)
        else:
            for row in self.given(NOT_HERE):
                self.fail("%s cannot be combined with TensorRT scripts" % spelling(row["key"]),
                          "Let the script set %s." % NOT_HERE[row["loader"]])

    def given(self, loaders):
        """The rows of options that were given and are arguments of these loaders."""
        return [row for row in self.table if row["loader"] in loaders and self.has(row["key"])]

    def warn_of_replaced(self, what, loaders):
        given = [spelling(row["key"]) for row in self.given(loaders) if row["key"] not in FOR_ANY_NETWORK]
        if given:
            self.log(30, "The script makes the whole %s. Without effect: %s" % (what, ", ".join(given)))

    # ---- The network

    def network(self):
        trt = self.trt
        for path in self.values("plugins"):
            self.load_plugins(path)
        if self.request["format"] == "trt-network-script":
            self.warn_of_replaced("network", OF_PARSING)
            made = self.call_script("model")
            self.check_made("model", made, [trt.Builder, trt.INetworkDefinition], "a builder and a network are needed")
            builder, network, keep = made[0], made[1], made
        else:
            if hasattr(trt, "init_libnvinfer_plugins"):  # TensorRT-RTX has no plugins
                trt.init_libnvinfer_plugins(self.logger, "")
            builder = trt.Builder(self.logger)
            kinds = getattr(trt.NetworkDefinitionCreationFlag, "__members__", {})
            typed = self.has("strongly_typed") and "STRONGLY_TYPED" in kinds
            network = builder.create_network(1 << int(kinds["STRONGLY_TYPED"]) if typed else 0)
            parser = trt.OnnxParser(network, self.logger)
            self.set_parser_flags(parser)
            if not parser.parse_from_file(self.request["model"]):
                errors = [str(parser.get_error(i)) for i in range(parser.num_errors)]
                self.fail("Could not parse ONNX correctly: %s" % (errors[0] if errors else "TensorRT reported no reason"),
                          "\n".join(errors[1:]))
            keep = (builder, network, parser)
        for script in self.request["scripts"].get("trt_network_postprocess_script", []):
            self.load(*script)(network=network)
        self.edit(network)
        return builder, network, keep

    def set_parser_flags(self, parser):
        if self.has("onnx_flags"):
            parser.flags = self.flags("OnnxParserFlag", self.values("onnx_flags"))
        if self.has("enable_uint8_asymmetric_quantization_dla"):
            parser.set_flag(self.named("OnnxParserFlag", "ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA"))
        if self.has("plugin_instancenorm"):
            parser.clear_flag(self.trt.OnnxParserFlag.NATIVE_INSTANCENORM)

    def ports(self, network):
        inputs = [network.get_input(i) for i in range(network.num_inputs)]
        return inputs + [network.get_output(i) for i in range(network.num_outputs)]

    def layers(self, network):
        return [network.get_layer(i) for i in range(network.num_layers)]

    def outputs(self, layer):
        """Those that are not left out."""
        found = [layer.get_output(i) for i in range(layer.num_outputs)]
        return [each for each in found if each is not None]

    def tensors(self, network):
        return {each.name: each for layer in self.layers(network) for each in self.outputs(layer)}

    def edit(self, network):
        self.choose_outputs(network)
        layers = {}  # several may have one name
        for layer in self.layers(network):
            layers.setdefault(layer.name, []).append(layer)
        for name, kind in map(split_key, self.values("layer_precisions")):
            if name not in layers:
                self.log(30, "The network has no layer '%s', whose precision is given." % name)
            for layer in layers.get(name, []):
                layer.precision = self.dtype(kind)
        for position, kind in map(split_key, self.values("layer_precisions_by_position")):
            network.get_layer(int(position)).precision = self.dtype(kind)
        ports = {port.name: port for port in self.ports(network)}
        for name, kind in map(split_key, self.values("tensor_dtypes")):
            self.port(ports, name).dtype = self.dtype(kind)
        for kind in self.values("all_tensor_dtypes"):
            for port in ports.values():
                port.dtype = self.dtype(kind)
        for name, names in map(split_key, self.values("tensor_formats")):
            self.port(ports, name).allowed_formats = self.flags("TensorFormat", words_of(names))
        if self.has("all_tensor_formats"):
            for port in ports.values():
                port.allowed_formats = self.flags("TensorFormat", self.values("all_tensor_formats"))
        tensors = self.tensors(network)
        for name in self.values("mark_debug"):
            if name not in tensors:
                self.fail("--mark-debug: the network has no tensor '%s'" % name)
            network.mark_debug(tensors[name])
        if self.has("mark_unfused_tensors_as_debug_tensors"):
            network.mark_unfused_tensors_as_debug_tensors()
        if self.has("decomposable_attentions"):
            self.decompose_attentions(network)

    def decompose_attentions(self, network):
        for layer in self.layers(network):
            if kind_of(layer) == "ATTENTION_INPUT":
                layer.__class__ = self.trt.IAttentionInputLayer
                layer.attention.decomposable = True

    def port(self, ports, name):
        if name not in ports:
            self.fail("'%s' is not an input or output of the network" % name)
        return ports[name]

    def markable(self, network, types):
        """Outputs of layers of these types, or of all; a tensor inside a loop has a value per iteration."""
        found, in_loop = [], False
        for layer in self.layers(network):
            kind = kind_of(layer)
            in_loop = (in_loop or kind == "TRIP_LIMIT") and kind != "LOOP_OUTPUT"
            if not in_loop and kind not in ("SHAPE", "CONSTANT") and (not types or kind in types):
                found += self.outputs(layer)
        return found

    def choose_outputs(self, network):
        wanted, excluded = self.values("trt_outputs"), self.values("trt_exclude_outputs")
        types = [self.named("LayerType", name).name for name in self.values("trt_outputs_by_type")]
        outputs = [network.get_output(i) for i in range(network.num_outputs)]
        all_wanted = wanted in (["mark", "all"], ["*"])
        chosen = self.markable(network, types) if all_wanted or types else []
        if not all_wanted:
            tensors = self.tensors(network)
            for name in wanted:
                found = [each for each in tensors if matches(each, name)]
                if not found:
                    self.fail("The network has no tensor '%s' to be an output" % name)
                chosen += [tensors[each] for each in found]
        chosen = chosen or outputs
        if excluded:
            chosen = [each for each in chosen if not any(matches(each.name, name) for name in excluded)]
        if chosen is outputs:
            return
        for each in outputs:
            network.unmark_output(each)
        for each in {each.name: each for each in chosen}.values():
            network.mark_output(each)

    # ---- The configuration

    def config(self, builder, network):
        if "trt_config_script" in self.request["scripts"]:
            config = self.call_script("trt_config_script", builder, network)
            self.check_made("trt_config_script", [config], [self.trt.IBuilderConfig], "a builder configuration is needed")
        else:
            config = builder.create_builder_config()
            self.configure(builder, network, config)
        if "trt_config_postprocess_script" in self.request["scripts"]:
            self.call_script("trt_config_postprocess_script", builder, network, config)
        self.warn_of_calibration(network, config)
        return config

    def warn_of_calibration(self, network, config):
        quantized = any(kind_of(layer) in ("QUANTIZE", "DEQUANTIZE") for layer in self.layers(network))
        if not self.has("int8") or "trt_config_script" in self.request["scripts"] or quantized:
            return
        if getattr(config, "int8_calibrator", None) is None:
            self.log(30, "Int8 has no calibrator: inputs of data loaders and files do not reach a builder in Python.\n"
                     "Set config.int8_calibrator in a script of --trt-config-postprocess-script.")

    def configure(self, builder, network, config):
        trt = self.trt
        if not self.has("tf32") and "TF32" in trt.BuilderFlag.__members__:
            config.clear_flag(trt.BuilderFlag.TF32)
        for row in self.given(["CreateConfig"]):
            self.set(config, row)
        if not self.has("profiling_verbosity"):
            config.profiling_verbosity = self.named("ProfilingVerbosity", "detailed")
        constraints = self.value("precision_constraints")
        if constraints in ("obey", "prefer"):
            config.set_flag(self.named("BuilderFlag", constraints.upper() + "_PRECISION_CONSTRAINTS"))
        for name, size in map(split_key, self.values("pool_limit")):
            config.set_memory_pool_limit(self.named("MemoryPoolType", name), int(size))
        if self.has("tactic_sources"):
            config.set_tactic_sources(self.flags("TacticSource", self.values("tactic_sources")))
        if self.has("preview_features"):
            wanted = [self.named("PreviewFeature", name) for name in self.values("preview_features")]
            for feature in trt.PreviewFeature.__members__.values():
                config.set_preview_feature(feature, feature in wanted)
        if self.has("quantization_flags"):
            for name in self.values("quantization_flags"):
                config.set_quantization_flag(self.named("QuantizationFlag", name))
        if self.has("use_dla"):
            self.set_dla(builder, config)
        profiles = [self.add_profile(builder, network, config, profile) for profile in self.profiles()]
        self.log(20, "Configuring with profiles:[\n    %s\n]" % ",\n    ".join(
            "Profile %d:\n        {%s}" % (index, ",\n         ".join(
                "%s [min=%s, opt=%s, max=%s]" % (name, *map(list, shapes)) for name, *shapes in profile))
            for index, profile in enumerate(profiles)))
        self.load_timing_cache(config)

    def set_dla(self, builder, config):
        fallback = self.has("allow_gpu_fallback")
        if builder.num_DLA_cores == 0:
            about = "--use-dla: this machine has no DLA core"
            if not fallback:
                self.fail(about, "Add --allow-gpu-fallback to run on the GPU instead.")
            self.log(30, about + ". All layers run on the GPU.")
        config.default_device_type = self.trt.DeviceType.DLA
        config.DLA_core = 0
        flags = self.trt.BuilderFlag.__members__
        if "PREFER_PRECISION_CONSTRAINTS" in flags:
            config.set_flag(flags["PREFER_PRECISION_CONSTRAINTS"])
        if not fallback:
            config.set_flag(self.named("BuilderFlag", "DIRECT_IO"))

    def set(self, config, row):
        """An option with an individual effect: a flag, or an attribute that has its name."""
        key, kind = row["key"], row["enumeration"]
        if row["enumerator"]:
            config.set_flag(self.named(kind, row["enumerator"]))
        elif row["nargs"] == "1" and kind:
            setattr(config, key, self.named(kind, self.value(key)))
        elif row["is_number"]:
            setattr(config, key, int(self.value(key)))

    def profiles(self):
        """Of each profile, [input, least, usual, greatest shape]; an omitted shape is that before it."""
        kinds = [self.options.get("trt_%s_shapes" % kind, []) for kind in ("min", "opt", "max")]
        known = dict(self.request["shapes"])
        profiles = []
        for index in range(max(1, *map(len, kinds))):
            shapes = []
            for given in kinds:
                for name, shape in map(split_key, given[index] if index < len(given) else []):
                    known[name] = [int(size) for size in words_of(shape)]
                shapes.append({name: [1 if size < 0 else size for size in shape] for name, shape in known.items()})
            if not set(shapes[0]) == set(shapes[1]) == set(shapes[2]):
                self.fail("Profile %d has not the same inputs in its minimum, optimum and maximum shapes" % index)
            profiles.append([[name] + [each[name] for each in shapes] for name in shapes[0]])
        return profiles

    def add_profile(self, builder, network, config, wanted):
        """The ranges of all inputs, as they were added."""
        made, added = builder.create_optimization_profile(), []
        inputs = [network.get_input(index) for index in range(network.num_inputs)]
        unknown = [name for name, *_ in wanted if not any(matches(each.name, name) for each in inputs)]
        if unknown:
            self.fail("Invalid inputs were provided to the optimization profile: %s" % unknown,
                      "Inputs of the network: %s" % ", ".join(each.name for each in inputs))
        for tensor in inputs:
            ranges = next((each for each in wanted if matches(tensor.name, each[0])), None)
            shape = list(tensor.shape)
            if ranges is None:
                about = "%s (dtype=%s, shape=%s)" % (tensor.name, tensor.dtype, tuple(shape))
                if tensor.is_shape_tensor:
                    shape = [1] * (shape[0] if shape else 1)
                    self.log(30, "Input shape-tensor: %s | No values provided; Will use input values: %s for "
                             "min/opt/max in profile." % (about, tuple(shape)))
                elif -1 in shape:
                    shape = [1 if size < 0 else size for size in shape]
                    self.log(30, "Input tensor: %s | No shapes provided; Will use shape: %s for min/opt/max in profile."
                             % (about, shape))
                ranges = [tensor.name, shape, shape, shape]
            put = made.set_shape_input if tensor.is_shape_tensor else made.set_shape
            put(tensor.name, *ranges[1:])
            added.append([tensor.name, *ranges[1:]])
        if config.add_optimization_profile(made) < 0:
            self.fail("A profile is not valid for this network: %s" % wanted)
        return added

    def load_timing_cache(self, config):
        data = b""
        path = self.value("load_timing_cache")
        if path and os.path.exists(path):
            self.log(20, "Loading tactic timing cache from %s" % path)
            data = self.read(path)
        elif path:
            self.log(30, "Timing cache file %s not found, falling back to empty timing cache." % path)
        config.set_timing_cache(config.create_timing_cache(data), ignore_mismatch=True)

    # ---- The engine

    def build(self):
        self.check_options()
        builder, network, keep = self.network()
        config = self.config(builder, network)
        self.log(22, "Building engine with tensorrt %s of this Python" % self.trt.__version__)
        start = time.time()
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            self.fail("Invalid Engine. Please ensure the engine was built correctly")
        self.log(28, "Finished engine building in %.3f seconds" % (time.time() - start))
        self.write(self.request["output"], [plan])
        path = self.value("save_timing_cache")
        if path:
            self.save_timing_cache(config, path)
        del keep
        return {}

    def describe(self):
        from _polygraphy_tensorrt_network import Description
        builder, network, keep = self.network()
        described = Description(self.trt, network)
        self.write(self.request["output"], described.parts(self.request["weights"]))
        del described, network, builder, keep
        return {}

    def load_plugins(self, path):
        self.log(20, "Loading plugin library: %s" % path)
        try:
            ctypes.CDLL(path)
        except OSError as error:
            self.fail("Cannot load the plugin library: %s" % error)

    def save_timing_cache(self, config, path):
        """Keeps the entries of the file, and those that another build adds meanwhile."""
        cache = config.get_timing_cache()
        try:
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            lock = open(path + ".lock", "a")
        except OSError as error:
            self.fail("cannot write '%s': %s" % (path, error.strerror))
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.path.exists(path) and os.path.getsize(path):
                merged = config.create_timing_cache(self.read(path))
                merged.combine(cache, ignore_mismatch=True)
                cache = merged
            self.log(20, "Saving tactic timing cache to %s" % path)
            self.write(path, [cache.serialize()])

    # ---- Files

    def read(self, path):
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError as error:
            self.fail("cannot read '%s': %s" % (path, error.strerror))

    def write(self, path, pieces):
        """Whole or not at all."""
        part, written = "%s.part-%d" % (path, os.getpid()), 0
        try:
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            with open(part, "wb") as file:
                for piece in pieces:
                    written += memoryview(piece).nbytes
                    file.write(memoryview(piece))
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except OSError as error:
            self.fail("cannot write '%s' (%d bytes): %s" % (path, written, error.strerror))
        finally:
            if os.path.exists(part):
                os.unlink(part)


def spelling(key):
    return "--" + key.replace("_", "-")


def matches(name, wanted):
    """Whether a tensor's name is this one, or of this pattern."""
    return name == wanted or fnmatch.fnmatchcase(name, wanted)


def kind_of(layer):
    return layer.type.name


def split_key(text):
    name, _, value = text.rpartition(":")
    return name, value


def words_of(text):
    return [word for word in re.split(r"[\[\],\s'\"]+", text) if word]


def import_tensorrt():
    """The module of TensorRT, or that of TensorRT-RTX, which has the same classes."""
    for name in ("tensorrt", "tensorrt_rtx"):
        if importlib.util.find_spec(name):
            return importlib.import_module(name)
    return importlib.import_module("tensorrt")


def run(operation, doing, failure, describe, trace_of, log, load, request):
    """Does the request of python_scripts.h: `operation` is "build" or "describe". `load`: (path, name) -> a function of
    the user's."""
    try:
        tensorrt = import_tensorrt()
    except ImportError as error:
        raise failure("TensorRT scripts need its Python module, which is missing: %s" % describe(error),
                      "Install it in the Python that runs scripts: python3 -m pip install tensorrt.")
    try:
        return getattr(Builder(tensorrt, failure, log, request, load), operation)()
    except failure:
        raise
    except Exception as error:
        raise failure("%s in Python failed: %s" % (doing, describe(error)), trace_of(error))
