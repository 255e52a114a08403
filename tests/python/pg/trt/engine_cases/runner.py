"""Engines run: inputs and outputs of all kinds, profiles, memory, weights, debug tensors."""

import re

import cudart_double
import numpy as np
import onnx.parser
import tensorrt as trt
from polygraphy import cuda
from polygraphy.backend.trt import *
from polygraphy.common import FormattedArray
from polygraphy.comparator import Comparator
from polygraphy.logger import G_LOGGER

# The order of imports is different; ours does not warn of data types that the script does not use.
G_LOGGER.module_severity = {"": G_LOGGER.VERBOSE, "mod": 30, "cuda": 40, "util": 40}
VERSION = tuple(int(part) for part in trt.__version__.split(".")[:2])
kept = []  # so that addresses do not come again


def encode(text):
    text = '<ir_version: 8, opset_import: ["" : 17]>\n' + text
    return onnx.parser.parse_model(text).SerializeToString()


def show(f, *args, **kwargs):
    result = None
    try:
        result = f(*args, **kwargs)
        print("=", describe(result))
    except Exception as err:
        print(f"= {type(err).__name__}: {err}")
        cudart_double.calls()  # how far it came does not matter
    copies()
    return result


def describe(result):
    if isinstance(result, dict):
        return {key: describe(value) for key, value in result.items()}
    if isinstance(result, np.ndarray):
        strides = result.strides if result.size else None
        return result.dtype.name, result.shape, strides, result.tolist()
    if isinstance(result, FormattedArray):
        return "formatted", describe(result.array), tuple(result.shape)
    if isinstance(result, cuda.DeviceView):
        # Not its data type, which may be one that NumPy lacks.
        return type(result).__name__, tuple(result.shape), result.nbytes
    return result


def copies():
    """The copies to and from the device, and the waits for them."""
    calls = [re.sub(r"#-?\d+, ", "", call) for call in cudart_double.calls()]
    print("   ", [call for call in calls if re.search("Memcpy|Synchronize", call)])


def title(text):
    print(f"\n== {text}")


def build(model, change=lambda network: None, **options):
    with G_LOGGER.verbosity():
        builder, network, parser = network_from_onnx_bytes(encode(model))
        change(network)
        return engine_from_network((builder, network, parser), CreateConfig(tf32=True, **options))


STATIC = "g (float[2,3] x) => (float[2,3] y) { y = Add (x, x) }"
DYNAMIC = "g (float[N,3] x) => (float[N,3] y) { y = Add (x, x) }"
x = np.arange(6, dtype=np.float32).reshape(2, 3)
static = build(STATIC)
profiles = [Profile().add("x", (n, 3), (n + 1, 3), (n + 3, 3)) for n in (1, 5)]
dynamic = build(DYNAMIC, profiles=profiles)

title("the least")
runner = TrtRunner(static, name="r")
show(runner.set_profile, 0)
show(runner.set_debug_listener, None)
show(runner.infer, {"x": x})
show(runner.get_input_metadata)
print(TrtRunner(static).name[:13], TrtRunner(static).name[:13])
show(runner.activate)
print(runner.engine is static, type(runner.context).__name__, type(runner.stream).__name__)
show(lambda: str(runner.get_input_metadata(use_numpy_dtypes=False)))
show(lambda: str(runner.get_input_metadata()))
for array in (x, x + 1, np.asfortranarray(x), x[:, ::-1]):
    show(runner.infer, {"x": array})
show(runner.infer, {"x": x}, copy_outputs_to_host=False)
show(runner.infer, {"x": x}, return_raw_buffers=True)
show(runner.infer, {"x": x}, copy_outputs_to_host=False, return_raw_buffers=True)
show(runner.infer, {"x": x}, True, False)
show(runner.infer, feed_dict={"x": x}, check_inputs=False, copy_outputs_to_host=None)
first = runner.infer({"x": x})["y"]
second = runner.infer({"x": x + 1})["y"]
print(np.shares_memory(first, second), first.tolist() == second.tolist())
print(list(runner.device_input_buffers), list(runner.host_output_buffers))
print(list(runner.input_tensor_addresses), runner.context_memory_buffer)
print(type(runner.last_inference_time()).__name__)
for wrong in ({"x": x.astype(np.float64)}, {"x": x[:1]}, {}, {"x": x, "y": x}, {"x": x.tolist()}):
    show(runner.infer, wrong)
show(runner.infer, {"x": x[:1]}, check_inputs=False)
show(runner.infer, {"x": x[0]}, check_inputs=False)
show(runner.infer, {"x": x, "not an input": 5}, check_inputs=False)
show(runner.infer_impl, {"x": x})
runner.deactivate()
print(
    [name for name in ("engine", "context", "stream", "output_allocator") if hasattr(runner, name)]
)
show(runner.infer, {"x": x})
runner.deactivate()

title("what is run")
for engine in (static, lambda: static, static.create_execution_context, None, "an engine"):
    runner = TrtRunner(engine, name="r")
    show(runner.activate)
    if runner.is_active:
        show(runner.infer, {"x": x})
        runner.deactivate()
for strategy in (None, "static"):
    with TrtRunner(static.create_execution_context(), "r", allocation_strategy=strategy) as runner:
        show(runner.infer, {"x": x})
static.plan["out_of_memory"] = True
show(TrtRunner(static, "r").activate)
del static.plan["out_of_memory"]
show(TrtRunner(static, "r", allocation_strategy="another").activate)

title("dynamic shapes, profiles and empty arrays")
with TrtRunner(dynamic, name="r") as runner:
    show(lambda: str(runner.get_input_metadata(use_numpy_dtypes=False)))
    for size in (2, 1, 0, 4, 4):
        show(runner.infer, {"x": np.full((size, 3), size, np.float32)})
        show(runner.infer, {"x": np.full((size, 3), size, np.float32)}, return_raw_buffers=True)
    show(runner.set_profile, 1)
    show(runner.infer, {"x": np.ones((7, 3), np.float32)})
    show(runner.infer, {"x": np.ones((2, 3), np.float32)}, copy_outputs_to_host=False)
    show(runner.set_profile, 2)
    show(runner.set_profile, -1)
for profile in (0, 1):
    with TrtRunner(dynamic, "r", optimization_profile=profile) as runner:
        show(runner.infer, {"x": np.ones((1 + 4 * profile, 3), np.float32)})
for profile in (2, -1):
    show(TrtRunner(dynamic, "r", optimization_profile=profile).activate)

title("inputs on the device")
array = cuda.DeviceArray((2, 3), np.float32).copy_from(x)
with TrtRunner(dynamic, name="r") as runner:
    show(runner.infer, {"x": array})
    show(runner.infer, {"x": array.view()})
    show(runner.infer, {"x": x + 1})
    show(runner.infer, {"x": array}, copy_outputs_to_host=False)
    show(runner.infer, {"x": FormattedArray(x, (2, 3))}, check_inputs=False)
    show(runner.infer, {"x": FormattedArray(array, (1, 3))}, check_inputs=False)

title("shape tensors")


def make_shape_tensor(network):
    vars(network.get_input(1))["is_shape_tensor"] = True


reshape = build(
    "g (float[N] x, int64[2] s) => (float[a,b] y) { y = Reshape (x, s) }",
    make_shape_tensor,
    profiles=[Profile().add("x", (0,), (6,), (8,)).add("s", (0, 0), (2, 3), (4, 4))],
)
index_type = np.int64 if hasattr(trt, "int64") else np.int32
with TrtRunner(reshape, name="r") as runner:
    show(lambda: str(runner.get_input_metadata(use_numpy_dtypes=False)))
    for values, shape in ((x.reshape(-1), (2, 3)), (x.reshape(-1), (6, 1)), (x[:0, 0], (0, 5))):
        kept.append(np.array(shape, index_type))
        show(runner.infer, {"x": values, "s": kept[-1]})
    show(runner.infer, {"x": x.reshape(-1), "s": np.array([2, 3], np.int16)})
    on_device = cuda.DeviceArray((2,), index_type).copy_from(np.array([2, 3], index_type))
    show(runner.infer, {"x": x.reshape(-1), "s": on_device})
    print(list(runner.device_input_buffers), list(runner.input_tensor_addresses))

title("outputs in their order, of other types")
several = build("""g (float[2,3] x) => (int32[2,3] i, float16[2,3] h, bool[2,3] b, int64[2,2] n) {
  i = Cast <to = 6> (x)
  h = Cast <to = 10> (x)
  b = Cast <to = 9> (x)
  two = Constant <value = float {4.5}> ()
  large = Greater (x, two)
  n = NonZero (b)
}""") if hasattr(trt, "int64") else None
if several:
    with TrtRunner(several, name="r") as runner:
        show(runner.infer, {"x": x - 4})
        # Fewer than the shape in the model says.
        show(runner.infer, {"x": x * 0})
if hasattr(trt, "bfloat16"):
    half = build("g (float[2,3] x) => (bfloat16[2,3] y) { y = Cast <to = 16> (x) }")
    with TrtRunner(half, name="r") as runner:
        show(runner.infer, {"x": x})
        show(runner.infer, {"x": x}, copy_outputs_to_host=False)
        show(runner.infer, {"x": x}, return_raw_buffers=True)

if VERSION >= (10, 0):
    title("memory for the engine's work")
    for strategy in ("static", "profile", "runtime"):
        for profile in (None, 1):
            print(strategy, profile)
            with TrtRunner(dynamic, "r", profile, strategy) as runner:
                for size in (7, 1, 7):
                    show(runner.infer, {"x": np.ones((size, 3), np.float32)})
                runner.set_profile(1)
                show(runner.infer, {"x": np.ones((5, 3), np.float32)})
                buffer = runner.context_memory_buffer
                print(buffer and (buffer.shape, buffer.allocated_nbytes))
    context = dynamic.create_execution_context(trt.ExecutionContextAllocationStrategy.USER_MANAGED)
    with TrtRunner(context, "r", allocation_strategy="profile") as runner:
        show(runner.infer, {"x": x})

    title("weights")
    static.plan.update(streamable=100, minimum=10)
    for budget in (None, -2, -1, 0, 5, 100, 101):
        with TrtRunner(static, "r", weight_streaming_budget=budget):
            pass
    for percent in (0, 33.3, 50, 100):
        with TrtRunner(static, "r", weight_streaming_percent=percent):
            pass
    with TrtRunner(static, "r", weight_streaming_budget=7, weight_streaming_percent=50):
        pass
    static.plan["budget"] = 3
    for budget in (7, -1, 3):
        runner = TrtRunner(static, "r", weight_streaming_budget=budget)
        show(runner.activate)
        if runner.is_active:
            runner.deactivate()
    del static.plan["streamable"], static.plan["budget"]

    title("debug tensors")
    debug = build(
        """g (float[2,3] x) => (float[2,3] y) {
          a = Add (x, x)
          b = Cast <to = 10> (a)
          y = Mul (a, a)
        }""",
        lambda network: network.debug_tensors.extend("ab"),
    )
    with TrtRunner(debug, name="r") as runner:
        show(runner.infer, {"x": x})
        show(runner.infer, {"x": x + 1}, copy_outputs_to_host=False)
        show(runner.infer, {"x": x}, return_raw_buffers=True)
        debug.plan["debug"] = ["b"]
        show(runner.infer, {"x": x})

        class Listener(trt.IDebugListener):
            def process_debug_tensor(self, addr, location, type, shape, name, stream):
                print("a debug tensor:", location, type, shape, name, stream == runner.stream.ptr)
                return True

        show(runner.set_debug_listener, Listener())
        show(runner.infer, {"x": x})
        show(runner.set_debug_listener, None)
        show(runner.infer, {"x": x})
    runner = TrtRunner(debug, "r", debug_listener=Listener())
    for _ in range(2):
        with runner:
            show(runner.infer, {"x": x})

    def empty(network):
        network.debug_tensors.append("x")

    with TrtRunner(build(DYNAMIC, empty, profiles=profiles[:1]), name="r") as runner:
        show(runner.infer, {"x": x[:0]})

if VERSION >= (10, 3):
    title("outputs in the memory of inputs")
    static.plan["aliases"] = {"y": "x"}
    with TrtRunner(static, name="r") as runner:
        show(runner.infer, {"x": x})
        show(runner.infer, {"x": x}, copy_outputs_to_host=False)
        show(runner.infer, {"x": array})
        print(array.numpy().tolist(), list(runner.output_allocator.buffers))
    del static.plan["aliases"]

title("refusals")


def refusing(**methods):
    return type("Context", (trt.IExecutionContext,), methods)


no = lambda self, *args: False
shape = lambda self, name: (5, 5)
for methods in (
    {"execute_async_v3": no},
    {"set_output_allocator": no},
    {"set_input_shape": no, "get_tensor_shape": shape},
):
    with TrtRunner(refusing(**methods)(static), name="r") as runner:
        show(runner.infer, {"x": x})
if VERSION >= (10, 0):
    show(TrtRunner(refusing(set_debug_listener=no)(static), name="r").activate)
    with TrtRunner(refusing(set_all_tensors_debug_state=no)(static), name="r") as runner:
        show(runner.infer, {"x": x})

title("in the comparator")
with G_LOGGER.verbosity(G_LOGGER.WARNING):
    results = Comparator.run([TrtRunner(static, name="first"), TrtRunner(static, name="second")])
    print(bool(Comparator.compare_accuracy(results)))
print(results["first"][0]["y"].tolist())
