"""A double of NVIDIA's Python module `tensorrt`, which needs a GPU, with the parts that the Python
package and the scripts of tests call.

It prints each call in a line, so that a script run with the original and with this package prints
the same if both make the same calls in the same order; it does not print calls that only read.
Variables of the environment:

    PG_TENSORRT_DOUBLE_VERSION  the version, by default 10.9.0: names that it lacks are missing
    PG_TENSORRT_DOUBLE_RECORD   a file that gets these lines instead of the standard output
    PG_TENSORRT_DOUBLE_BUILD    a command with {model} and {plan}: it makes the plan of a network
                                from the ONNX model that computes the same, for another double

This file: types, networks with their tensors, profiles and engine inspection. `interfaces` has the
classes that scripts derive from, `layers` those of layers; `adding` adds layers, `building` and
`running` have the rest.
"""

import builtins
import enum
import os

__version__ = os.environ.get("PG_TENSORRT_DOUBLE_VERSION", "10.9.0")
_VERSION = tuple(int(part) for part in __version__.split(".")[:2])


def record(text):
    """Prints a call. Also for what `building` and `running` do."""
    if "PG_TENSORRT_DOUBLE_RECORD" not in os.environ:
        return print(f"trt: {text}", flush=True)
    with open(os.environ["PG_TENSORRT_DOUBLE_RECORD"], "a") as file:
        file.write(f"trt: {text}\n")


class _Enum(enum.Enum):
    """Members print as those of pybind11's enumerations do, and convert to int."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __repr__(self):
        return f"<{type(self).__name__}.{self.name}: {self.value}>"

    def __int__(self):
        return self.value

    def __index__(self):
        return self.value

    def __lt__(self, other):
        return int(self) < int(other)

    def __le__(self, other):
        return int(self) <= int(other)

    def __gt__(self, other):
        return int(self) > int(other)

    def __ge__(self, other):
        return int(self) >= int(other)


# The way pybind11's enumerations list their members. (`__members__` comes with `enum`.)


def enumeration(name, members, since={}, until={}):
    """An enumeration, without the members that this version does not have.

    `since`: member -> first version (major, minor) with it; `until`: first version without it.
    """
    names = members.split()
    values = [
        (member, value)
        for value, member in enumerate(names)
        if since.get(member, (0, 0)) <= _VERSION < until.get(member, (999, 0))
    ]
    # `__module__` as that of the extension.
    return _Enum(name, values, module="tensorrt")


DataType = enumeration(
    "DataType",
    "FLOAT HALF INT8 INT32 BOOL UINT8 FP8 BF16 INT64 INT4 FP4 E8M0",
    since={
        "FP8": (8, 6),
        "BF16": (9, 0),
        "INT64": (9, 0),
        "INT4": (10, 0),
        "FP4": (10, 8),
        "E8M0": (10, 9),
    },
)
_ALIASES = {
    "float32": "FLOAT",
    "float16": "HALF",
    "int8": "INT8",
    "int32": "INT32",
    "bool": "BOOL",
    "uint8": "UINT8",
    "fp8": "FP8",
    "bfloat16": "BF16",
    "int64": "INT64",
    "int4": "INT4",
    "fp4": "FP4",
    "e8m0": "E8M0",
}
for _alias, _member in _ALIASES.items():
    if _member in DataType.__members__:
        globals()[_alias] = DataType[_member]

TensorFormat = enumeration(
    "TensorFormat",
    "LINEAR CHW2 HWC8 CHW4 CHW16 CHW32 DHWC8 CDHW32 HWC DLA_LINEAR DLA_HWC4 HWC16 DHWC",
)
TensorLocation = enumeration("TensorLocation", "DEVICE HOST")
TensorIOMode = enumeration("TensorIOMode", "NONE INPUT OUTPUT")
LayerInformationFormat = enumeration("LayerInformationFormat", "ONELINE JSON")
ActivationType = enumeration("ActivationType", "RELU SIGMOID TANH LEAKY_RELU")
ElementWiseOperation = enumeration("ElementWiseOperation", "SUM PROD MAX MIN SUB DIV POW")
UnaryOperation = enumeration("UnaryOperation", "EXP LOG SQRT RECIP ABS NEG")
MatrixOperation = enumeration("MatrixOperation", "NONE TRANSPOSE VECTOR")
PaddingMode = enumeration("PaddingMode", "EXPLICIT_ROUND_DOWN EXPLICIT_ROUND_UP SAME_UPPER")
LoopOutput = enumeration("LoopOutput", "LAST_VALUE CONCATENATE REVERSE")
TripLimit = enumeration("TripLimit", "COUNT WHILE")
LayerType = enumeration(
    "LayerType",
    "CONVOLUTION CAST ACTIVATION POOLING LRN SCALE SOFTMAX DECONVOLUTION CONCATENATION ELEMENTWISE "
    "PLUGIN UNARY PADDING SHUFFLE REDUCE TOPK GATHER MATRIX_MULTIPLY RAGGED_SOFTMAX CONSTANT "
    "IDENTITY PLUGIN_V2 SLICE SHAPE PARAMETRIC_RELU RESIZE TRIP_LIMIT RECURRENCE ITERATOR "
    "LOOP_OUTPUT SELECT FILL QUANTIZE DEQUANTIZE CONDITION CONDITIONAL_INPUT CONDITIONAL_OUTPUT "
    "SCATTER EINSUM ASSERTION ONE_HOT NON_ZERO GRID_SAMPLE NMS REVERSE_SEQUENCE NORMALIZATION "
    "PLUGIN_V3 SQUEEZE UNSQUEEZE CUMULATIVE DYNAMIC_QUANTIZE ATTENTION_INPUT ATTENTION_OUTPUT",
    since={
        "CAST": (8, 6),
        "PLUGIN_V3": (10, 0),
        "SQUEEZE": (10, 7),
        "UNSQUEEZE": (10, 7),
        "CUMULATIVE": (10, 7),
        "DYNAMIC_QUANTIZE": (10, 9),
        "ATTENTION_INPUT": (10, 9),
        "ATTENTION_OUTPUT": (10, 9),
    },
)
NetworkDefinitionCreationFlag = enumeration(
    "NetworkDefinitionCreationFlag",
    "EXPLICIT_BATCH STRONGLY_TYPED PREFER_AOT_PYTHON_PLUGINS PREFER_JIT_PYTHON_PLUGINS",
    since={
        "STRONGLY_TYPED": (9, 0),
        "PREFER_AOT_PYTHON_PLUGINS": (10, 7),
        "PREFER_JIT_PYTHON_PLUGINS": (10, 7),
    },
    until={"EXPLICIT_BATCH": (11, 0)},
)
SeekPosition = enumeration("SeekPosition", "SET CUR END")

# After what they build on.
from tensorrt.interfaces import *


class Context:
    """A thing for a `with`."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


# Networks


class ITensor:
    """A tensor of a network. `shape` has -1 for dynamic dimensions."""

    def __init__(self, name, dtype=DataType.FLOAT, shape=(), is_shape_tensor=False):
        self.name = name
        self.dtype = dtype
        self.shape = tuple(shape)
        self.is_shape_tensor = is_shape_tensor
        self.is_execution_tensor = not is_shape_tensor
        self.is_network_input = self.is_network_output = False
        self.location = TensorLocation.DEVICE
        self.allowed_formats = 1 << int(TensorFormat.LINEAR)
        self.dimension_names = {}

    def __setattr__(self, name, value):
        # Constructing is not worth a line.
        if name in vars(self):
            record(f"{self.name}.{name} = {value}")
        object.__setattr__(self, name, value)

    def get_dimension_name(self, index):
        return self.dimension_names.get(index, "")

    def set_dimension_name(self, index, name):
        self.dimension_names[index] = name

    if _VERSION < (11, 0):
        dynamic_range = None

        def set_dynamic_range(self, low, high):
            record(f"{self.name}.set_dynamic_range({low}, {high})")
            self.dynamic_range = (low, high)
            return True


# After what they build on.
from tensorrt.layers import *
from tensorrt.adding import Adding


class INetworkDefinition(Context, Adding):
    """A network. Scripts of tests may fill `layers`, `inputs` and `outputs` themselves."""

    def __init__(self, flags=0):
        self.flags = flags
        self._name = ""
        self.layers, self.inputs, self.outputs = [], [], []
        self.debug_tensors = []

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, value):
        record(f"network.name = {value}")
        self._name = value

    has_implicit_batch_dimension = False

    @property
    def num_layers(self):
        return len(self.layers)

    @property
    def num_inputs(self):
        return len(self.inputs)

    @property
    def num_outputs(self):
        return len(self.outputs)

    def __len__(self):
        return len(self.layers)

    def __getitem__(self, index):
        return self.get_layer(index)

    def get_layer(self, index):
        return self.layers[index].seen_as(ILayer)

    def get_input(self, index):
        return self.inputs[index]

    def get_output(self, index):
        return self.outputs[index]

    def get_flag(self, flag):
        return builtins.bool(self.flags & (1 << int(flag)))

    def add_input(self, name, dtype, shape):
        record(f"network.add_input({name}, {dtype}, {shape})")
        tensor = ITensor(name, dtype, shape)
        vars(tensor)["is_network_input"] = True
        self.inputs.append(tensor)
        return tensor

    def mark_output(self, tensor):
        record(f"network.mark_output({tensor.name})")
        vars(tensor)["is_network_output"] = True
        self.outputs.append(tensor)

    def unmark_output(self, tensor):
        record(f"network.unmark_output({tensor.name})")
        vars(tensor)["is_network_output"] = False
        self.outputs = [output for output in self.outputs if output is not tensor]

    def mark_debug(self, tensor):
        record(f"network.mark_debug({tensor.name})")
        self.debug_tensors.append(tensor.name)
        return True

    def mark_unfused_tensors_as_debug_tensors(self):
        record("network.mark_unfused_tensors_as_debug_tensors()")
        return True


class Weights:
    """Values of a type that NumPy may lack."""

    def __init__(self, array):
        self.array, self.size = array, array.size

    def numpy(self):
        return self.array


class IOptimizationProfile:
    """Shapes of inputs; true unless a script has set `valid` to False."""

    def __init__(self):
        self.shapes, self.shape_inputs = {}, {}
        self.valid = True

    def set_shape(self, input, min, opt, max):
        record(f"profile.set_shape({input}, {min}, {opt}, {max})")
        self.shapes[input] = (tuple(min), tuple(opt), tuple(max))

    def get_shape(self, input):
        return list(self.shapes[input])

    def set_shape_input(self, input, min, opt, max):
        record(f"profile.set_shape_input({input}, {min}, {opt}, {max})")
        self.shape_inputs[input] = (list(min), list(opt), list(max))

    def get_shape_input(self, input):
        return list(self.shape_inputs[input])

    def __bool__(self):
        return self.valid


class EngineInspector:
    """Describes an engine by the `inspection` of the test: {"Layers": [...], ...}."""

    def __init__(self, engine):
        self.engine = engine
        self.execution_context = None

    def get_engine_information(self, format):
        import json

        return json.dumps(self.engine.inspection)

    def get_layer_information(self, index, format):
        import json

        return json.dumps(self.engine.inspection["Layers"][index])


# After what they build on.
from tensorrt.building import *
from tensorrt.running import *
