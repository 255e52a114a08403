"""Networks made, changed and looked at; engines built, loaded and saved."""

import io
import os
import re

import numpy as np
import onnx
import onnx.parser
import tensorrt as trt
from polygraphy import constants, func
from polygraphy.backend.common import BytesFromPath
from polygraphy.backend.trt import *
from polygraphy.logger import G_LOGGER

# The order of imports is different, and so are the stacks of calls.
G_LOGGER.module_severity = {"": G_LOGGER.VERBOSE, "mod": G_LOGGER.WARNING}
G_LOGGER.backtrace = lambda *args, **kwargs: print("(the stack)")
TF32 = CreateConfig(tf32=True)


def show(f, *args, **kwargs):
    try:
        result = f(*args, **kwargs)
        print("=", describe(result))
        return result
    except Exception as err:
        print(f"= {type(err).__name__}: {err}")


def describe(result):
    if isinstance(result, (tuple, list)):
        return [describe(each) for each in result]
    return result if isinstance(result, (str, int, bytes, type(None))) else type(result).__name__


def title(text):
    print(f"\n== {text}")


def encode(text):
    text = '<ir_version: 8, opset_import: ["" : 17]>\n' + text
    return onnx.parser.parse_model(text).SerializeToString()


MODEL = encode("""g (float[N,3] x, float[N,3] z) => (float[N,3] y, float[N,3] w) {
  a = Add (x, z)
  b = Relu (a)
  y = Mul (a, b)
  w = Neg (b)
}""")
with open("model.onnx", "wb") as file:
    file.write(MODEL)


def network():
    with G_LOGGER.verbosity():
        made = network_from_onnx_bytes(MODEL)
    for layer in made[1].layers:
        layer._state.more.update(op=1, type=1, alpha=1, beta=1)
    return made


title("empty networks")
for options in (
    {},
    {"explicit_batch": True},
    {"explicit_batch": False},
    {"strongly_typed": True},
    {"mark_unfused_tensors_as_debug_tensors": True},
    {"explicit_batch": True, "strongly_typed": True},
):
    show(create_network, **options)


class Builder(trt.Builder):
    """Makes networks and plans only on request."""

    network = plan = None

    def create_network(self, flags=0):
        return self.network

    def build_serialized_network(self, network, config):
        return self.plan


real_builder, trt.Builder = trt.Builder, Builder
show(create_network)
trt.Builder = real_builder

title("networks of ONNX models")
show(network_from_onnx_bytes, MODEL)
show(network_from_onnx_bytes, lambda: MODEL)
show(NetworkFromOnnxBytes(MODEL))
show(network_from_onnx_bytes, b"not a model")
show(network_from_onnx_path, "model.onnx")
show(NetworkFromOnnxPath(lambda: "model.onnx"))
show(network_from_onnx_path, "nothing.onnx")
show(network_from_onnx_path, "model.onnx", strongly_typed=True)
show(network_from_onnx_path, "model.onnx", mark_unfused_tensors_as_debug_tensors=True)
show(network_from_onnx_path, "model.onnx", plugin_instancenorm=True)
for flag in trt.OnnxParserFlag:
    show(network_from_onnx_path, "model.onnx", flags=[flag], plugin_instancenorm=True)
show(network_from_onnx_path, "model.onnx", flags=list(trt.OnnxParserFlag))
show(network_from_onnx_path, "model.onnx", flags=[])
for given in (None, list(trt.OnnxParserFlag), [trt.OnnxParserFlag.NATIVE_INSTANCENORM]):
    for wanted in (True, False):
        loader = show(
            NetworkFromOnnxBytes,
            MODEL,
            given,
            enable_uint8_asymmetric_quantization_dla=wanted,
        )
        if loader:
            print(loader.flags)
            show(loader)
show(network_from_onnx_bytes, MODEL, config=TF32)
show(network_from_onnx_path, "model.onnx", plugin_instancenorm=True, config=TF32)
show(
    network_from_onnx_path,
    "model.onnx",
    flags=[trt.OnnxParserFlag.NATIVE_INSTANCENORM],
    config=real_builder(get_trt_logger()).create_builder_config(),
)
if hasattr(trt.OnnxParser, "set_builder_config"):
    trt.OnnxParser.set_builder_config = lambda self, config: False
    show(network_from_onnx_bytes, MODEL, config=TF32)

title("functions of the user's")


def rename(network):
    network.name = "renamed"
    return "ignored"


made = network()
show(postprocess_network, made, rename)
show(postprocess_network, made[:2], rename, name="another name")
show(PostprocessNetwork(lambda: made, lambda network: print(network.name)))
show(PostprocessNetwork, made, "no function")
show(PostprocessNetwork(made, lambda other_name: None))


@func.extend(NetworkFromOnnxBytes(MODEL))
def extended(builder, network, parser):
    network.name = "extended"


show(extended)


@func.extend(CreateNetwork())
def by_hand(builder, network):
    network.add_input("x", trt.float32, (1, 2))


show(by_hand)


@func.extend(CreateConfig(tf32=True))
def load_config(config):
    config.set_flag(trt.BuilderFlag.REFIT)


title("outputs")
for options in (
    {},
    {"outputs": ["a"]},
    {"outputs": ["a", "b", "x"]},
    {"outputs": ["nothing"]},
    {"outputs": []},
    {"outputs": ["[ab]", "y"]},
    {"outputs": constants.MARK_ALL},
    {"outputs": constants.MARK_ALL, "exclude_outputs": ["a", "w"]},
    {"exclude_outputs": ["y"]},
    {"exclude_outputs": ["nothing"]},
    {"mark_layer_types": ["elementwise"]},
    {"mark_layer_types": ["ACTIVATION", "IDENTITY"], "exclude_outputs": ["w"]},
    {"outputs": ["y"], "mark_layer_types": ["ACTIVATION"]},
    {"mark_layer_types": ["nothing"]},
):
    made = network()
    print(options)
    show(modify_network_outputs, made, **options)
    print(sorted(output.name for output in made[1].outputs))
show(ModifyNetworkOutputs(lambda: network()[:2], ["a"]))

title("precisions, types and formats")
F = trt.TensorFormat
show(set_layer_precisions, network(), {"a": trt.float16, "nothing": trt.int8})
show(set_layer_precisions, network()[:2], {})
show(set_tensor_datatypes, network(), {"x": trt.float16, "y": trt.int8})
show(set_tensor_datatypes, network(), trt.float16)
show(set_tensor_formats, network(), {"x": [F.LINEAR, F.CHW32], "w": [F.HWC]})
show(set_tensor_formats, network(), [F.LINEAR])
show(mark_debug, network(), ["x", "a"])
show(mark_debug, network(), [])

title("attentions")
if hasattr(trt, "IAttentionInputLayer"):
    made = network()
    show(set_decomposable_attentions, made)
    attention = trt.IAttention("attention")
    layer = trt.ILayer("in", trt.LayerType.ATTENTION_INPUT, [], [], attention=attention)
    made[1].layers.append(layer)
    made[1].layers.append(trt.ILayer("out", trt.LayerType.ATTENTION_OUTPUT))
    show(set_decomposable_attentions, made)
    print(type(layer).__name__, attention.decomposable)

title("builds")
plan = show(engine_bytes_from_network, network(), config=TF32)
show(EngineBytesFromNetwork(network))
show(engine_bytes_from_network, network(), config=load_config)
config = TF32(*network()[:2])
show(engine_bytes_from_network, network()[:2], config)
if "STRONGLY_TYPED" in trt.NetworkDefinitionCreationFlag.__members__:
    made = network()
    weights = {"weights": np.arange(3, dtype=np.float32), "shape": (3,)}
    made[1].layers.append(trt.ILayer("constant", trt.LayerType.CONSTANT, **weights))
    with G_LOGGER.verbosity(G_LOGGER.SUPER_VERBOSE):
        show(engine_bytes_from_network, made, config)
    with G_LOGGER.verbosity(G_LOGGER.ULTRA_VERBOSE):
        show(engine_bytes_from_network, made, config)
for failing in (None, b""):
    builder = Builder(get_trt_logger())
    builder.plan = failing
    show(engine_bytes_from_network, (builder, network()[1]), config)
show(engine_bytes_from_network, None, config)
show(engine_bytes_from_network, lambda: (builder,), config)
made = network()
made[1].outputs = []
show(engine_bytes_from_network, made, config)
show(engine_from_network, network(), config)
show(engine_from_network, network(), config, runtime=trt.Runtime(get_trt_logger()))
print({key: describe(value) for key, value in vars(EngineFromNetwork(1, 2, 3, 4, 5)).items()})

title("timing caches")
for before in (None, b"", b"measured before"):
    for path in ("folder.cache", open("object.cache", "wb+")):
        if before is not None and path == "folder.cache":
            open(path, "wb").write(before)
        elif before is not None:
            path.write(before)
            path.seek(0)
        print(before, re.sub("<.*", "a file", str(path)))
        # A cache that the configuration had before would be filled, too.
        with G_LOGGER.verbosity(G_LOGGER.WARNING):
            show(engine_bytes_from_network, extended, TF32, save_timing_cache=path)
        if path == "folder.cache":
            print(open(path).read(), sorted(os.listdir(".")))
            os.remove(path)
        else:
            path.seek(0)
            print(path.read())
            path.close()
show(engine_bytes_from_network, network(), TF32, save_timing_cache="a.cache")
show(engine_bytes_from_network, network(), TF32, save_timing_cache="a.cache")


class OldCache(trt.TimingCache):
    def combine(self, input_cache, ignore_mismatch):
        return False


config.set_timing_cache(OldCache(b"new"), False)
show(engine_bytes_from_network, network(), config, save_timing_cache="a.cache")
print(open("a.cache").read())

title("engines")
engine = show(engine_from_bytes, plan)
show(engine_from_bytes, bytes(plan))
show(engine_from_bytes, lambda: plan)
show(engine_from_bytes, b"no plan")
runtime = trt.Runtime(get_trt_logger())
for given in (runtime, lambda: runtime):
    show(engine_from_bytes, plan, given)
    show(EngineFromBytes(plan, runtime=given))
for strategy in getattr(trt, "DLAWorkspaceAllocationStrategy", ["no such thing"]):
    show(engine_from_bytes, plan, dla_workspace_allocation_strategy=strategy)
    show(engine_from_network, network(), config, dla_workspace_allocation_strategy=strategy)
show(save_engine, engine, "made/here.engine")
show(SaveEngine(lambda: engine, path="here.engine"))
file = io.BytesIO()
print(sorted(os.listdir("made")), bytes(plan) == open("here.engine", "rb").read())
print(bytes_from_engine(engine) == bytes(buffer_from_engine(lambda: engine)) == bytes(plan))
show(bytes_from_engine, lambda: engine) and None
show(BufferFromEngine(engine))
show(EngineFromBytes(BytesFromPath("here.engine")))
if hasattr(trt, "IStreamReader") or hasattr(trt, "IStreamReaderV2"):
    for path in ("here.engine", lambda: "here.engine", "nothing.engine", "model.onnx"):
        show(engine_from_path, path)
    show(engine_from_path, "here.engine", runtime)
show(load_runtime, "libnvinfer_lean.so")
show(EngineFromBytes(plan, LoadRuntime("libnvinfer_lean.so")))

title("plugins")
show(load_plugins, ["libm.so.6", "libc.so.6"])
show(load_plugins, obj="an object")
show(load_plugins, ["libm.so.6"], lambda *args, **kwargs: (args, sorted(kwargs)))
show(LoadPlugins(["libm.so.6"], lambda *args, **kwargs: [*args, *kwargs]), 1, 2, third=3)
show(LoadPlugins(obj=NetworkFromOnnxPath("model.onnx")))

title("something like ONNX")


def like_onnx(network):
    with G_LOGGER.verbosity(G_LOGGER.ERROR):
        model = onnx_like_from_network(network)
    print(onnx.printer.to_text(model))
    print([[(a.name, a.type) for a in node.attribute] for node in model.graph.node])


like_onnx(network())
made = network()
made[1].name = "a name"


def add(name, kind, inputs, outputs, /, **attributes):
    kind = trt.LayerType[kind]
    made[1].layers.append(trt.ILayer(name, kind, inputs, outputs, **attributes))


one, two = trt.ITensor("one", trt.float16, (2,)), trt.ITensor("two", trt.int32, (-1, 3))
three, four = trt.ITensor("three", trt.int8, (1,)), trt.ITensor("four", trt.bool, ())
add("constant", "CONSTANT", [], [one], weights=np.arange(2, dtype=np.float32), shape=(2,))
add(
    "shuffle",
    "SHUFFLE",
    [one],
    [two],
    first_transpose=(0, 1),
    reshape_dims=(),
    second_transpose=[],
    zero_is_placeholder=True,
)
add(
    "convolution",
    "CONVOLUTION",
    [two],
    [three],
    num_output_maps=3,
    num_groups=2.5,
    kernel=np.zeros(0),
    bias=None,
    kernel_size_nd=range(2),
    stride_nd=np.arange(2),
    padding_mode=trt.PaddingMode.EXPLICIT_ROUND_UP,
)
add("", "SOFTMAX", [three], [four], axes=np.int64(3))
add("", "QUANTIZE", [], [], axis="text")
add("", "DEQUANTIZE", [], [], axis=["some", "text"])
add("", "ELEMENTWISE", [], [], op={"a": "dictionary"})
add("loop", "TRIP_LIMIT", [None, one], [], kind=trt.TripLimit.COUNT, loop=trt.ILoop())
add("activation", "ACTIVATION", [], [], type=1, alpha=1.5, beta=AttributeError("not there"))
like_onnx(made)
like_onnx(lambda: network()[:2])

title("calls that are not meant")
for loader in (CreateNetwork(), EngineFromBytes(plan), LoadPlugins(), BytesFromEngine(engine)):
    show(loader.call_impl)
