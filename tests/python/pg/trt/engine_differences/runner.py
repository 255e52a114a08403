"""Intended differences of the runner from the original; and properties that a script cannot compare."""

import gc
import threading

import cudart_double
import numpy as np
import onnx.parser
import tensorrt as trt
from polygraphy import cuda
from polygraphy.backend.trt import *
from polygraphy.common import FormattedArray
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.CRITICAL
VERSION = tuple(int(part) for part in trt.__version__.split("."))
F = trt.TensorFormat


def build(text, input_format=F.LINEAR, output_format=F.LINEAR, **options):
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]>\n' + text)
    made = network_from_onnx_bytes(model.SerializeToString())
    set_tensor_formats(made, {"x": [input_format], "y": [output_format]})
    return engine_from_network(made, CreateConfig(**options))


def raises(text, f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except PolygraphyException as err:
        assert text in str(err), str(err)
    else:
        raise AssertionError(f"Nothing was raised that says: {text}")


def live():
    gc.collect()
    return cudart_double.live()


x = np.arange(6, dtype=np.float32).reshape(2, 3)
DYNAMIC = "g (float[N,3] x) => (float[N,3] y) { y = Add (x, x) }"
profiles = [Profile().add("x", (1, 3), (2, 3), (100, 3))]
engine = build(DYNAMIC, profiles=profiles)
cuda.wrapper()
assert live() == (0, 0)

# Every activation gives back what it took.
for options in ({}, {"allocation_strategy": "profile"}, {"optimization_profile": 0}):
    if VERSION < (10,) and "allocation_strategy" in options:
        continue
    runner = TrtRunner(engine, **options)
    before = vars(runner).copy()
    for _ in range(2):
        with runner:
            for size in (2, 50, 0):
                runner.infer({"x": np.ones((size, 3), np.float32)})
            assert live()[1] == 1
        assert live() == (0, 0)
    assert vars(runner) == before

# A context that lives on does not keep memory.
context = engine.create_execution_context()
for _ in range(2):
    with TrtRunner(context) as runner:
        assert runner.infer({"x": x})["y"].tolist() == (2 * x).tolist()
    assert live() == (0, 0)

# Outputs on the device live as long as a reference to them.
with TrtRunner(engine) as runner:
    view = runner.infer({"x": x}, copy_outputs_to_host=False)["y"]
assert live() == (1, 0) and view.numpy().tolist() == (2 * x).tolist()
del view
assert live() == (0, 0)
with TrtRunner(engine) as runner:
    raw = runner.infer({"x": x}, copy_outputs_to_host=False, return_raw_buffers=True)["y"]
    del runner
assert raw.array.numpy().view(np.float32).tolist() == (2 * x).reshape(-1).tolist()
del raw
assert live() == (0, 0)

# The same while the runner is active: a larger output has another place.
with TrtRunner(engine) as runner:
    small = runner.infer({"x": x}, copy_outputs_to_host=False)["y"]
    assert live()[0] == 2
    large = runner.infer({"x": np.ones((50, 3), np.float32)}, copy_outputs_to_host=False)["y"]
    assert live()[0] == 3 and small.numpy().tolist() == (2 * x).tolist()
    del small
    assert live()[0] == 2
    assert runner.infer({"x": x}, copy_outputs_to_host=False)["y"].ptr == large.ptr
del large

# Outputs in host memory are overwritten, but never freed: a larger output has another place.
with TrtRunner(engine) as runner:
    small = runner.infer({"x": x})["y"]
    assert runner.infer({"x": x + 1})["y"].tolist() == small.tolist() == (2 * x + 2).tolist()
    large = runner.infer({"x": np.full((50, 3), 8, np.float32)})["y"]
    assert not np.shares_memory(small, large) and small.tolist() == (2 * x + 2).tolist()
    assert np.shares_memory(large, runner.infer({"x": x})["y"])

# An activation that fails leaves nothing behind.
runner = TrtRunner(engine, optimization_profile=5)
before = vars(runner).copy()
raises("Failed to set optimization profile", runner.activate)
assert vars(runner) == before and live() == (0, 0)
cudart_double.fail_next(2)
raises("CUDA Error: 2", TrtRunner(engine).activate)
assert live() == (0, 0)

# Errors that say what is wrong
with TrtRunner(engine) as runner:
    raises("Input tensor: x | No data was provided", runner.infer, {}, check_inputs=False)
for options in (
    {"weight_streaming_budget": -3},
    {"weight_streaming_percent": 101},
    {"weight_streaming_percent": -1},
):
    raises("The weight streaming", TrtRunner(engine, **options).activate)
if VERSION < (10,):
    unavailable = {"weight_streaming_budget": 5}, {"allocation_strategy": "profile"}
    for options in unavailable:
        raises("not available on TensorRT", TrtRunner(engine, **options).activate)
    with TrtRunner(engine) as runner:
        raises("not available on TensorRT", runner.set_debug_listener, None)

# Vectorised inputs, in all forms of arguments
images = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)
vectors = np.zeros((1, 1, 2, 2, 16), np.float32)
vectors[0, 0, :, :, :3] = images[0].transpose(1, 2, 0)
shapes = [Profile().add("x", (1, 1, 1, 1), (1, 3, 2, 2), (1, 20, 4, 4))]
IMAGES = "g (float[1,C,H,W] x) => (float[1,C,H,W] y) { y = Add (x, x) }"
on_device = cuda.DeviceArray(images.shape, np.float32).copy_from(images)
vectors_on_device = cuda.DeviceArray(vectors.shape, np.float32).copy_from(vectors)
with TrtRunner(build(IMAGES, F.CHW16, F.LINEAR, profiles=shapes)) as runner:
    for given in (
        images,
        on_device,
        FormattedArray(vectors, images.shape),
        FormattedArray(vectors.view(np.uint8).reshape(-1), images.shape),
        FormattedArray(vectors_on_device, images.shape),
        images,
    ):
        output = runner.infer({"x": given}, check_inputs=False)["y"]
        assert output.tolist() == (2 * images).tolist()
    many = np.arange(17, dtype=np.float32).reshape(1, 17, 1, 1)
    assert runner.infer({"x": many})["y"].tolist() == (2 * many).tolist()
with TrtRunner(build(IMAGES, F.LINEAR, F.CHW16, profiles=shapes)) as runner:
    assert runner.infer({"x": images})["y"].tolist() == (2 * images).tolist()
    raw = runner.infer({"x": images}, return_raw_buffers=True)["y"]
    assert raw.array.view(np.float32).tolist() == (2 * vectors).reshape(-1).tolist()
    assert tuple(raw.shape) == images.shape
on_device.free()
vectors_on_device.free()

# Runners of one engine, each in a thread
outputs = {}


def infer(value):
    with TrtRunner(engine) as runner:
        for size in range(1, 20):
            array = np.full((size, 3), value, np.float32)
            outputs[value] = runner.infer({"x": array})["y"].copy()
            assert outputs[value].shape == (size, 3) and (outputs[value] == 2 * value).all()


threads = [threading.Thread(target=infer, args=(value,)) for value in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert sorted(outputs) == [0, 1, 2, 3] and all(len(each) == 19 for each in outputs.values())

# Runners of one context, one after the other, with different profiles
two = build(DYNAMIC, profiles=[*profiles, Profile().add("x", (101, 3), (102, 3), (103, 3))])
context = two.create_execution_context()
for profile, size in ((0, 2), (1, 102), (0, 3)):
    with TrtRunner(context, optimization_profile=profile) as runner:
        assert context.active_optimization_profile == profile
        assert runner.infer({"x": np.ones((size, 3), np.float32)})["y"].shape == (size, 3)

# Runners that are active at once
with TrtRunner(engine) as first, TrtRunner(engine) as second:
    one = first.infer({"x": x})["y"]
    other = second.infer({"x": x + 1})["y"]
    assert one.tolist() == (2 * x).tolist() and other.tolist() == (2 * x + 2).tolist()
assert live() == (0, 0)

# Debug tensors
if VERSION >= (10, 9):
    with TrtRunner(engine) as runner:
        listener = runner._active_debug_listener
        device, kinds = trt.TensorLocation.DEVICE, ("BF16", "FP8", "INT4", "FP4", "E8M0")
        for kind in kinds:
            assert (
                listener.process_debug_tensor(1, device, trt.DataType[kind], (1,), "t", 0) is True
            )
        host, values = trt.TensorLocation.HOST, np.float32([1, 2])
        address = values.ctypes.data
        assert listener.process_debug_tensor(address, host, trt.float32, (2,), "on host", 0) is True
        assert list(listener.polygraphy_debug_tensor_outputs) == ["on host"]
        assert listener.polygraphy_debug_tensor_outputs["on host"].tolist() == [1, 2]
print("done")
