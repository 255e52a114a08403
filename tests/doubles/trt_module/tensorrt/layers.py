"""Layers of the double's networks."""

import types

from tensorrt import _VERSION, DataType, record


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
