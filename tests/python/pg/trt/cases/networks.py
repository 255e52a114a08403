"""Networks as text, their tensors and outputs, on a double of TensorRT."""

import numpy as np
import tensorrt as trt
from polygraphy.backend.trt import util
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.ULTRA_VERBOSE
KIND = trt.LayerType


def show(f):
    try:
        result = f()
        print(result if isinstance(result, str) else repr(result))
    except Exception as err:
        print(f"{type(err).__name__}: {err}")


def tensor(name, dtype=trt.float32, shape=(1, 2), is_shape=False):
    return trt.ITensor(name, dtype, shape, is_shape)


# The logger
logger = util.get_trt_logger()
show(lambda: (type(logger).__mro__[1:], logger is util.get_trt_logger() is util.TRT_LOGGER))
for severity in [*trt.ILogger.Severity, trt.ILogger.WARNING, 17]:
    logger.log(severity, f"two\nlines, severity {severity}")
logger.log(trt.ILogger.ERROR, b"bytes")


# Errors of the parser
class Parser:
    def __init__(self, *errors):
        self.errors = errors
        self.num_errors = len(errors)

    def get_error(self, index):
        return self.errors[index]


show(lambda: util.check_onnx_parser_errors(Parser(), True))
show(lambda: util.check_onnx_parser_errors(Parser(), False))
show(lambda: util.check_onnx_parser_errors(Parser("first", "second"), True))


def network():
    net = trt.INetworkDefinition()
    x, w, a = tensor("x", shape=(-1, 4)), tensor("w", shape=(4, 4)), tensor("a", shape=(-1, 4))
    b, s = tensor("b", trt.float16, (-1, 4)), tensor("s", trt.int32, (2,), True)
    net.inputs, net.outputs = [x], [b]
    weights = np.arange(2000, dtype=np.float32)
    net.layers = [
        trt.ILayer("const", KIND.CONSTANT, [], [w], weights=weights.reshape(4, 500), shape=(4, 4)),
        trt.ILayer("add", KIND.ELEMENTWISE, [x, w], [a], op=trt.ElementWiseOperation.SUM),
        trt.ILayer("shape of", KIND.SHAPE, [x], [s]),
        trt.ILayer(
            "relu",
            KIND.ACTIVATION,
            [a, None],
            [b],
            type=trt.ActivationType.RELU,
            alpha=np.float32(2),
            beta=RuntimeError("there is no beta"),
        ),
        trt.ILayer("trips", KIND.TRIP_LIMIT, [s], [], kind=trt.TripLimit.COUNT, loop="a\nloop"),
        trt.ILayer("end", KIND.LOOP_OUTPUT, [b], [None], kind=None, loop=None, axis=0),
        trt.ILayer(
            "conv",
            KIND.CONVOLUTION,
            [b],
            [tensor("c", trt.int8, ())],
            num_output_maps=3,
            num_groups=[1, {2: 3}],
            kernel=np.ones((2, 2), np.float32),
            bias=np.array([], np.float32),
            kernel_size_nd=(3, 3),
            stride_nd=(1, 1),
            padding_mode=trt.PaddingMode.SAME_UPPER,
        ),
    ]
    return net


# Names and metadata
net = network()
show(lambda: util.get_network_input_names_meta(net))
show(lambda: util.get_network_output_names_meta(net))
for index, layer in enumerate(net):
    show(lambda: util.get_layer_input_names_meta(layer))
    show(lambda: util.get_layer_output_names_meta(layer))
    show(lambda: util.str_from_layer(layer, index))
    show(lambda: (util.get_layer_attribute_names(layer), type(layer).__name__))
    layer.__class__ = util.get_layer_class_mapping()[layer.type]
    show(lambda: (util.get_layer_attribute_names(layer), type(layer).__name__))
show(lambda: {k: v.name for k, v in sorted(util.get_all_tensors(net).items())})
show(lambda: {k: v.name for k, v in sorted(util.get_all_io_tensors(net).items())})
for is_shape in (True, False):
    show(lambda: util.str_from_tensor(net.get_input(0), is_shape))

# Text
for flags in ({}, {"show_layers": True}, {"show_attrs": True, "show_weights": True}):
    show(lambda: util.str_from_network(network(), **flags))
show(lambda: util.str_from_network(network(), show_layers=True, show_attrs=True))
show(lambda: util.str_from_network(network(), True, True, True))
show(lambda: util.str_from_network(trt.INetworkDefinition(3), True, True, True))
net = trt.INetworkDefinition()
net.name = "named"
net.has_implicit_batch_dimension = True
show(lambda: util.str_from_network(net))


# Outputs
def network():
    net = trt.INetworkDefinition()
    i = net.add_input("in", trt.float32, (1, 2))
    w, a, b, last = (tensor(name) for name in ("w", "a", "b", "last"))
    y1, y2, in_loop, after = (tensor(name) for name in ("y1", "y2", "in_loop", "after"))
    st = tensor("st", trt.int32, (), True)
    net.layers = [
        trt.ILayer("const", KIND.CONSTANT, [], [w]),
        trt.ILayer("add", KIND.ELEMENTWISE, [i, w], [a]),
        trt.ILayer("shape", KIND.SHAPE, [a], [st]),
        trt.ILayer("soft", KIND.SOFTMAX, [a, None], [b]),
        trt.ILayer("trip", KIND.TRIP_LIMIT, [st], []),
        trt.ILayer("in_loop", KIND.IDENTITY, [b], [in_loop]),
        trt.ILayer("loop_end", KIND.LOOP_OUTPUT, [in_loop], [after]),
        trt.ILayer("split", KIND.IDENTITY, [after], [y1, y2]),
        trt.ILayer("none", KIND.IDENTITY, [y1], [None]),
        trt.ILayer("last", KIND.SOFTMAX, [y2], [last]),
    ]
    net.mark_output(last)
    return net


def change(function, *args):
    net = network()
    print(function.__name__, args)
    try:
        print(function(net, *args))
    except Exception as err:
        print(f"{type(err).__name__}: {err}")
    print([output.name for output in net.outputs])


with G_LOGGER.verbosity({"": G_LOGGER.ULTRA_VERBOSE}):
    for names in (["b"], ("b", "a"), ["b", "a", "b"], ["last"], ["w", "st", "in"], ["?1", "b"]):
        change(util.mark_outputs, names)
        change(util.unmark_outputs, names)
    for names in ([], ["q*"], ["Y1*"], ["y[2]", "q*"], ["l*"], "a"):
        change(util.mark_outputs, names)
        change(util.unmark_outputs, names)
    # Messages have the names in the order of sets.
    net = trt.INetworkDefinition()
    net.layers = [trt.ILayer("only", KIND.IDENTITY, [], [tensor("made")])]
    show(lambda: util.mark_outputs(net, ["nope"]))
    show(lambda: util.unmark_outputs(net, ["nope"]))
    change(util.mark_layerwise)
    for kinds in (
        ["softmax"],
        ["SoftMax", "identity", "softmax"],
        ("trip_limit",),
        ["constant", "shape"],
        [],
        ["nope"],
        ["ISoftMaxLayer"],
        ["squeze"],
        ["softmax", "soft*"],
        ["LayerType.SOFTMAX"],
    ):
        change(util.mark_by_layer_type, kinds)

    # Where loops begin and end
    for kinds in (
        "IDENTITY TRIP_LIMIT IDENTITY LOOP_OUTPUT IDENTITY",
        "RECURRENCE IDENTITY LOOP_OUTPUT",
        "ITERATOR IDENTITY LOOP_OUTPUT IDENTITY LOOP_OUTPUT",
        "TRIP_LIMIT IDENTITY TRIP_LIMIT IDENTITY LOOP_OUTPUT IDENTITY LOOP_OUTPUT",
        "LOOP_OUTPUT IDENTITY",
        "TRIP_LIMIT IDENTITY",
        "CONDITION IDENTITY CONDITIONAL_INPUT IDENTITY CONDITIONAL_OUTPUT",
        "SHAPE CONSTANT QUANTIZE DEQUANTIZE ASSERTION",
        "",
    ):
        net = trt.INetworkDefinition()
        net.layers = [
            trt.ILayer(str(i), KIND[kind], [], [tensor(f"t{i}")])
            for i, kind in enumerate(kinds.split())
        ]
        print(kinds)
        show(lambda: util.mark_layerwise(net))
