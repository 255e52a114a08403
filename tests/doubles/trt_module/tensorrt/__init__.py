"""A double of NVIDIA's Python module `tensorrt`, which needs a GPU, with the parts that the Python
package and the scripts of tests call.

It prints each call in a line, so that a script run with the original and with this package prints
the same if both make the same calls in the same order; it does not print calls that only read.
Variables of the environment:

    PG_TENSORRT_DOUBLE_VERSION  the version, by default 10.9.0: names that it lacks are missing
    PG_TENSORRT_DOUBLE_RECORD   a file that gets these lines instead of the standard output
    PG_TENSORRT_DOUBLE_BUILD    a command with {model} and {plan}: it makes the plan of a network
                                from the ONNX model that computes the same, for another double

This file: types, logging, networks with their layers and tensors, profiles, engine inspection,
and the interfaces that scripts derive from. `adding` adds layers, `building` and `running` have
the rest.
"""

import builtins
import enum
import os
import types

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
CalibrationAlgoType = enumeration(
    "CalibrationAlgoType",
    "LEGACY_CALIBRATION ENTROPY_CALIBRATION ENTROPY_CALIBRATION_2 MINMAX_CALIBRATION",
)
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


# Interfaces that scripts derive from. Those of the extension cannot be used before their own
# constructor ran.


class ILogger:
    INTERNAL_ERROR, ERROR, WARNING, INFO, VERBOSE = Severity = enumeration(
        "Severity", "INTERNAL_ERROR ERROR WARNING INFO VERBOSE"
    )

    def __init__(self):
        self.constructed = True


class Logger(ILogger):
    def __init__(self, min_severity=ILogger.WARNING):
        super().__init__()
        self.min_severity = min_severity

    def log(self, severity, msg):
        record(f"logger: {severity} {msg}")


class IStreamReader:
    def __init__(self):
        self.constructed = True


class IStreamReaderV2:
    def __init__(self):
        self.constructed = True


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


class IInt8Calibrator:
    def __init__(self):
        self.constructed = True

    def get_algorithm(self):
        return self.algorithm


class IInt8LegacyCalibrator(IInt8Calibrator):
    algorithm = CalibrationAlgoType.LEGACY_CALIBRATION


class IInt8EntropyCalibrator(IInt8Calibrator):
    algorithm = CalibrationAlgoType.ENTROPY_CALIBRATION


class IInt8EntropyCalibrator2(IInt8Calibrator):
    algorithm = CalibrationAlgoType.ENTROPY_CALIBRATION_2


class IInt8MinMaxCalibrator(IInt8Calibrator):
    algorithm = CalibrationAlgoType.MINMAX_CALIBRATION


class IAlgorithmSelector:
    def __init__(self):
        self.constructed = True


class IAlgorithmIOInfo:
    def __init__(self, dtype, strides, vectorized_dim=-1, components_per_element=1):
        self.dtype = dtype
        self.strides = strides
        self.vectorized_dim = vectorized_dim
        self.components_per_element = components_per_element
        self.tensor_format = TensorFormat.LINEAR


class IAlgorithmVariant:
    def __init__(self, implementation, tactic):
        self.implementation = implementation
        self.tactic = tactic


class IAlgorithm:
    """`infos`: those of the inputs, then those of the outputs."""

    def __init__(self, implementation, tactic, infos, timing_msec=1.0, workspace_size=0):
        self.algorithm_variant = IAlgorithmVariant(implementation, tactic)
        self.infos = infos
        self.timing_msec = timing_msec
        self.workspace_size = workspace_size

    def get_algorithm_io_info(self, index):
        return self.infos[index]


class IAlgorithmContext:
    def __init__(self, name, num_inputs, num_outputs):
        self.name = name
        self.num_inputs = num_inputs
        self.num_outputs = num_outputs


if _VERSION >= (11, 0):
    # Names that this version removed.
    for _name in (
        "CalibrationAlgoType IInt8Calibrator IInt8LegacyCalibrator IInt8EntropyCalibrator "
        "IInt8EntropyCalibrator2 IInt8MinMaxCalibrator IAlgorithmSelector IAlgorithm "
        "IAlgorithmContext IAlgorithmIOInfo IAlgorithmVariant IStreamReader"
    ).split():
        del globals()[_name]
elif _VERSION < (10, 5):
    del IStreamReaderV2
if _VERSION < (10, 0):
    del IStreamReader


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


class ILayer:
    """A layer as the network lends it: its class is generic until a script assigns `__class__`.
    `more`: values of the attributes that the class of its type has."""

    # `dir()` of a layer shows what its class has, as with the extension's objects.
    __slots__ = ("_state",)

    def __init__(self, name, type, inputs=(), outputs=(), /, **more):
        self._state = types.SimpleNamespace(
            name=name,
            type=type,
            inputs=list(inputs),
            outputs=list(outputs),
            more=more,
            precision=None,
            output_types={},
            nodes=None,  # of the ONNX model: a function of the layer
        )

    def seen_as(self, kind):
        """Another object for the same layer."""
        other = object.__new__(kind)
        other._state = self._state
        return other

    @property
    def name(self):
        return self._state.name

    @name.setter
    def name(self, value):
        record(f"layer {self.name}.name = {value}")
        self._state.name = value

    @property
    def type(self):
        return self._state.type

    metadata = ""

    @property
    def num_inputs(self):
        return len(self._state.inputs)

    @property
    def num_outputs(self):
        return len(self._state.outputs)

    def get_input(self, index):
        return self._state.inputs[index]

    def get_output(self, index):
        return self._state.outputs[index]

    def set_input(self, index, tensor):
        record(f"layer {self.name}.set_input({index}, {tensor.name})")
        self._state.inputs[index] = tensor

    if _VERSION < (11, 0):

        @property
        def precision(self):
            return self._state.precision or DataType.FLOAT

        @precision.setter
        def precision(self, value):
            record(f"layer {self.name}.precision = {value}")
            self._state.precision = value

        @property
        def precision_is_set(self):
            return self._state.precision is not None

        def reset_precision(self):
            self._state.precision = None

        def set_output_type(self, index, dtype):
            record(f"layer {self.name}.set_output_type({index}, {dtype})")
            self._state.output_types[index] = dtype

        def get_output_type(self, index):
            return self._state.output_types.get(index, self.get_output(index).dtype)

        def output_type_is_set(self, index):
            return index in self._state.output_types

        def reset_output_type(self, index):
            self._state.output_types.pop(index, None)


def _attribute(name):
    def read(self):
        value = self._state.more[name]
        if isinstance(value, Exception):
            raise value
        return value

    def write(self, value):
        record(f"layer {self.name}.{name} = {value}")
        self._state.more[name] = value

    return property(read, write)


def layer_class(name, *attributes, **methods):
    """A class of layers of one type, which reads its attributes from what the layer was made of."""
    body = {attribute: _attribute(attribute) for attribute in attributes}
    return type(name, (ILayer,), {"__slots__": (), "__module__": "tensorrt", **body, **methods})


IConvolutionLayer = layer_class(
    "IConvolutionLayer",
    *"num_output_maps num_groups kernel bias kernel_size_nd stride_nd padding_mode".split(),
)
IActivationLayer = layer_class("IActivationLayer", "type", "alpha", "beta")
IElementWiseLayer = layer_class("IElementWiseLayer", "op")
IConstantLayer = layer_class("IConstantLayer", "weights", "shape")
IShapeLayer = layer_class("IShapeLayer")
ISoftMaxLayer = layer_class("ISoftMaxLayer", "axes")
IShuffleLayer = layer_class(
    "IShuffleLayer",
    *"first_transpose reshape_dims second_transpose zero_is_placeholder".split(),
)
IQuantizeLayer = layer_class("IQuantizeLayer", "axis")
IDequantizeLayer = layer_class("IDequantizeLayer", "axis")
IConcatenationLayer = layer_class("IConcatenationLayer", "axis")
IMatrixMultiplyLayer = layer_class("IMatrixMultiplyLayer", "op0", "op1")
IUnaryLayer = layer_class("IUnaryLayer", "op")


class ILoop:
    name = "loop"


ITripLimitLayer = layer_class("ITripLimitLayer", "kind", "loop")
IRecurrenceLayer = layer_class("IRecurrenceLayer", "loop")
IIteratorLayer = layer_class("IIteratorLayer", "axis", "reverse", "loop")
ILoopOutputLayer = layer_class("ILoopOutputLayer", "axis", "kind", "loop")
# Of the other types, tests need no attributes.
for _name in (
    "Pooling LRN Scale Deconvolution Plugin Padding Reduce TopK Gather RaggedSoftMax Identity "
    "PluginV2 PluginV3 Slice ParametricReLU Resize Select Fill Condition IfConditionalInput "
    "IfConditionalOutput Assertion Scatter Einsum GridSample OneHot NonZero NMS ReverseSequence "
    "Normalization Cast Squeeze Unsqueeze Cumulative DynamicQuantize"
).split():
    globals()[f"I{_name}Layer"] = layer_class(f"I{_name}Layer")


class IAttention:
    """An attention; its first layer gives it."""

    def __init__(self, name):
        self._name = name
        self._decomposable = False

    @property
    def decomposable(self):
        return self._decomposable

    @decomposable.setter
    def decomposable(self, value):
        record(f"attention {self._name}.decomposable = {value}")
        self._decomposable = value


if _VERSION >= (10, 9):
    IAttentionInputLayer = layer_class("IAttentionInputLayer", "attention")
    IAttentionOutputLayer = layer_class("IAttentionOutputLayer", "attention")


# After what it builds on.
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
