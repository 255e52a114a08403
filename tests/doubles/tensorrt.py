"""A double of NVIDIA's Python module `tensorrt`, which needs a GPU, with the parts that the original needs to read tactic
replays, and those that scripts of networks and configurations use.

Calls are appended to the file PG_TENSORRT_DOUBLE_RECORD, a line each. The plan is the one that the program
PG_TENSORRT_DOUBLE_BUILD (a command line with {model} and {plan}) makes of the model that was parsed.
"""
import enum
import os
import shlex
import subprocess

__version__ = "10.9.0"
float32, float16, int8 = "float32", "float16", "int8"


class DataType(enum.Enum):
    FLOAT = 0
    HALF = 1
    INT8 = 2

    def __str__(self):
        return "DataType." + self.name


class Logger:
    pass


def record(text):
    with open(os.environ["PG_TENSORRT_DOUBLE_RECORD"], "a") as file:
        file.write("python: %s\n" % text)


def enumeration(name, *members):
    return enum.IntEnum(name, [(member, index) for index, member in enumerate(members)])


BuilderFlag = enumeration("BuilderFlag", "FP16", "INT8", "TF32", "REFIT")
NetworkDefinitionCreationFlag = enumeration("NetworkDefinitionCreationFlag", "EXPLICIT_BATCH", "STRONGLY_TYPED")
OnnxParserFlag = enumeration("OnnxParserFlag", "NATIVE_INSTANCENORM", "ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA")
LayerType = enumeration("LayerType", "ACTIVATION", "ELEMENTWISE", "QUANTIZE", "ATTENTION_INPUT")
MemoryPoolType = enumeration("MemoryPoolType", "WORKSPACE")
ProfilingVerbosity = enumeration("ProfilingVerbosity", "LAYER_NAMES_ONLY", "NONE", "DETAILED")


class ILogger:
    pass


class TimingCache:
    def __init__(self, data):
        self.data = data

    def combine(self, other, ignore_mismatch):
        self.data += other.data

    def serialize(self):
        return self.data


class IBuilderConfig:
    int8_calibrator = None

    def __setattr__(self, name, value):
        record("config.%s = %s" % (name, value))
        object.__setattr__(self, name, value)

    def create_timing_cache(self, data):
        return TimingCache(data)

    def get_timing_cache(self):
        return TimingCache(b"timings")

    def __getattr__(self, name):
        def call(*args, **_):
            record("config.%s(%s)" % (name, ", ".join(str(each) for each in args)))
            return 0
        return call


class Profile:
    def set_shape(self, name, low, usual, high):
        record("profile %s %s %s %s" % (name, low, usual, high))


class Tensor:
    is_shape_tensor = False
    dtype = "DataType.FLOAT"

    def __init__(self, name, shape):
        self.name, self.shape = name, shape


class Layer:
    def __init__(self, name, kind, output):
        self.name, self.type, self.output = name, kind, output
        self.num_outputs = 1

    def get_output(self, _):
        return self.output


class Attention:
    decomposable = False


class IAttentionInputLayer(Layer):
    @property
    def attention(self):
        record("attention of %s" % self.name)
        return Attention()


class Network:
    def __init__(self):
        self.name, self.model = "", None
        self.inputs, self.outputs = [Tensor("x", (-1, 4))], [Tensor("y", (-1, 4))]
        self.layers = [Layer("add", LayerType.ELEMENTWISE, Tensor("a", (-1, 4))),
                       Layer("relu", LayerType.ACTIVATION, self.outputs[0])]
        self.num_inputs = self.num_outputs = 1

    @property
    def num_layers(self):
        return len(self.layers)

    def get_layer(self, index):
        return self.layers[index]

    def mark_output(self, tensor):
        record("mark_output(%s)" % tensor.name)

    def unmark_output(self, tensor):
        record("unmark_output(%s)" % tensor.name)

    def mark_unfused_tensors_as_debug_tensors(self):
        record("mark_unfused_tensors_as_debug_tensors()")

    def get_input(self, index):
        return self.inputs[index]

    def get_output(self, index):
        return self.outputs[index]


class OnnxParser:
    num_errors = 0

    def __init__(self, network, _):
        self.network = network

    def set_flag(self, flag):
        record("parser.set_flag(%s)" % flag.name)

    def parse_from_file(self, path):
        self.network.model = path
        return True


class Builder:
    def __init__(self, logger):
        self.logger = logger

    def create_network(self, flags):
        record("create_network(%d)" % flags)
        return Network()

    def create_builder_config(self):
        return IBuilderConfig()

    def create_optimization_profile(self):
        return Profile()

    def build_serialized_network(self, network, _):
        record("build of %s" % network.name)
        plan = os.environ["PG_TENSORRT_DOUBLE_RECORD"] + ".plan"
        command = os.environ["PG_TENSORRT_DOUBLE_BUILD"].format(model=network.model, plan=plan)
        if subprocess.run(shlex.split(command), stdout=subprocess.DEVNULL).returncode != 0:
            return None
        with open(plan, "rb") as file:
            return file.read()


def init_libnvinfer_plugins(*_):
    pass
