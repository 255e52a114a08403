"""Where loaders and configurations do otherwise than the original, on purpose."""

import os

import numpy as np
import onnx.parser
import tensorrt as trt
from polygraphy.backend.trt import *
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.CRITICAL
MODEL = onnx.parser.parse_model(
    '<ir_version: 8, opset_import: ["" : 17]> g (float[2,3] x) => (float[2,3] y) { y = Relu (x) }'
)
onnx.save(MODEL, "model.onnx")
VERSION = tuple(int(part) for part in trt.__version__.split("."))
made = network_from_onnx_path("model.onnx")
builder, network, parser = made


def raises(text, f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except PolygraphyException as err:
        assert text in str(err), str(err)
    else:
        raise AssertionError(f"Nothing was raised that says: {text}")


# An error names the feature that this version lacks.
if VERSION < (9,):
    raises("not available", EngineFromNetwork(made, CreateConfig(bf16=True)))
if VERSION >= (11,):
    del trt.PreviewFeature
    raises("preview_features in CreateConfig is not", CreateConfig(preview_features=[]), *made[:2])
    raises(
        "quantization_flag in CreateConfig is not", CreateConfig(quantization_flags=[]), *made[:2]
    )
    raises("not available", SetLayerPrecisions(made, {"y": trt.float16}))
for name, loader in {
    "mark_unfused_tensors_as_debug_tensors": CreateNetwork(
        mark_unfused_tensors_as_debug_tensors=True
    ),
    "mark_debug": MarkDebug(made, ["x"]),
}.items():
    method = getattr(trt.INetworkDefinition, name)
    delattr(trt.INetworkDefinition, name)
    raises("not available", loader)
    setattr(trt.INetworkDefinition, name, method)
if VERSION < (10,):
    made[1].layers.append(trt.ILayer("attention", None))
    raises("not available", SetDecomposableAttentions(made))
    made[1].layers.pop()


class ReadOnly(trt.ITensor):
    """A tensor of TensorRT 11, whose type is what the network says."""

    dtype = property(lambda self: trt.float32)

    def __init__(self, name):
        vars(self).update(name=name)


typed = trt.INetworkDefinition()
typed.inputs, typed.outputs = [ReadOnly("x")], []
raises("tensor datatype", SetTensorDatatypes((builder, typed), {"x": trt.float16}))

# Nothing is changed if something cannot be found.
for loader in (
    SetTensorDatatypes(made, {"x": trt.int8, "nothing": trt.int8}),
    SetTensorFormats(made, {"x": [trt.TensorFormat.HWC], "nothing": []}),
    MarkDebug(made, ["x", "nothing"]),
):
    raises("{'nothing'}", loader)
assert network.get_input(0).dtype == trt.float32 and network.debug_tensors == []
assert network.get_input(0).allowed_formats == 1

# Callables for loaders may return None.
raises("(builder, network) tuple", PostprocessNetwork(lambda: None, print))
raises("(builder, network) tuple", OnnxLikeFromNetwork((builder,)))
raises("No builder configuration", EngineFromNetwork(made, lambda builder, network: None))
plan = engine_bytes_from_network(made)
raises("No TensorRT runtime", EngineFromBytes(plan, runtime=lambda: None))
for loader in (BytesFromEngine, BufferFromEngine, lambda engine: SaveEngine(engine, "not.engine")):
    raises("Invalid Engine", loader(lambda: None))
assert not os.path.exists("not.engine")
trt.Runtime.load_runtime = lambda self, path: None
raises("Could not load TensorRT runtime from: lean.so", LoadRuntime("lean.so"))
raises("Could not load plugin library: nothing.so", LoadPlugins(["nothing.so"]))

# TensorRT is imported on first use.
del trt.NetworkDefinitionCreationFlag
CreateNetwork(explicit_batch=True), NetworkFromOnnxBytes(b"", strongly_typed=True)
raises("explicit_batch", CreateNetwork(explicit_batch=True))
trt.NetworkDefinitionCreationFlag = type("None", (), {})

# Configurations for the parser come from callables with any names of parameters.
given = []
if VERSION >= (10,):
    network_from_onnx_path("model.onnx", config=lambda b, n: given.append((type(b), n)) or 1)
    assert given == [(trt.Builder, None)]

# A TensorRT without plugins
del trt.init_libnvinfer_plugins
assert isinstance(engine_from_bytes(plan), trt.ICudaEngine)

# Engines in files, whether TensorRT can read streams or not
engine = save_engine(engine_from_bytes(plan), "made.engine")
assert engine_from_path("made.engine").plan == engine.plan

# By the path of what they are made of
if VERSION >= (10,):
    assert Engine("made.engine")().plan == Engine("model.onnx")().plan == engine.plan

# Calibration without profiles
if VERSION < (11,):
    calibrator = trt.IInt8EntropyCalibrator2()
    config = create_config(builder, network, int8=True, calibrator=calibrator, profiles=[])
    assert config.num_optimization_profiles == 0 and config.int8_calibrator is calibrator
    assert list(config.get_calibration_profile().shapes) == ["x"]

# Timing caches in folders that do not exist yet
engine_bytes_from_network(made, save_timing_cache="folder/timing.cache")
assert os.path.exists("folder/timing.cache")
create_config(builder, network, load_timing_cache="another/timing.cache")

# Attributes of layers that attributes of ONNX cannot hold
for value, expected in (
    (np.zeros((2, 2)), b"[[0. 0.]\n [0. 0.]]"),
    (np.array(3), 3),
    (["a", 1], b"['a', 1]"),
    (np.array([True]), [1]),
    ([trt.float32], b"[<DataType.FLOAT: 0>]"),
):
    network.layers[:] = [trt.ILayer("l", trt.LayerType.ELEMENTWISE, op=value)]
    (node,) = onnx_like_from_network(made).graph.node
    assert onnx.helper.get_attribute_value(node.attribute[0]) == expected

print("done")
