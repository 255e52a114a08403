"""Inputs and outputs in other formats than arrays have."""

import numpy as np
import onnx.parser
import tensorrt as trt
from polygraphy import cuda
from polygraphy.backend.trt import *
from polygraphy.common import FormattedArray
from polygraphy.logger import G_LOGGER

# The order of imports is different; ours does not warn of data types that the script does not use.
G_LOGGER.module_severity = {"": G_LOGGER.VERBOSE, "mod": 30, "cuda": 40, "util": 40}
F = trt.TensorFormat


def build(text, input_format, output_format, **options):
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]>\n' + text)
    with G_LOGGER.verbosity():
        made = network_from_onnx_bytes(model.SerializeToString())
        set_tensor_formats(made, {"x": [input_format], "y": [output_format]})
        return engine_from_network(made, CreateConfig(tf32=True, **options))


def describe(array):
    if isinstance(array, FormattedArray):
        return ["formatted", describe(array.array), list(array.shape)]
    if isinstance(array, cuda.DeviceView):
        return [type(array).__name__, list(array.shape), array.nbytes]
    return [array.dtype.name, array.shape, array.strides, array.tolist()]


def show(runner, array, **options):
    try:
        print("=", describe(runner.infer({"x": array}, **options)["y"]))
    except Exception as err:
        print(f"= {type(err).__name__}: {err}")


def ways(runner, array, check_inputs=True):
    show(runner, array, check_inputs=check_inputs)
    show(runner, array, check_inputs=check_inputs, copy_outputs_to_host=False)


ADD = "g (float[1,3,2,2] x) => (float[1,3,2,2] y) { y = Add (x, x) }"
x = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)
hwc = np.ascontiguousarray(np.moveaxis(x, 1, 3))

for kind in F:
    print("\n== output", kind)
    with TrtRunner(build(ADD, F.LINEAR, kind), name="r") as runner:
        ways(runner, x)
        if kind != F.CHW16:
            show(runner, x, return_raw_buffers=True)
            show(runner, x, return_raw_buffers=True, copy_outputs_to_host=False)

for kind in F:
    print("\n== input", kind)
    with TrtRunner(build(ADD, kind, F.LINEAR), name="r") as runner:
        print(runner.get_input_metadata(use_numpy_dtypes=False))
        if kind == F.HWC:
            for array in (hwc, np.moveaxis(x, 1, 3), hwc[:, ::-1]):
                ways(runner, array)
            show(runner, x)
        elif kind == F.CHW16:
            ways(runner, x)
        else:
            # As it lies in memory; of most formats, as much as is needed.
            vectors = np.zeros((1, 1, 2, 2, 32), np.float32)
            vectors.reshape(-1)[:12] = x.reshape(-1)
            ways(runner, FormattedArray(vectors, (1, 3, 2, 2)), check_inputs=False)
            bytes_of = vectors.view(np.uint8).reshape(-1)
            ways(runner, FormattedArray(bytes_of, (1, 3, 2, 2)), check_inputs=False)

print("\n== both")
for kind in (F.HWC, F.CHW16):
    with TrtRunner(build(ADD, kind, kind), name="r") as runner:
        ways(runner, hwc if kind == F.HWC else x)

print("\n== dynamic shapes")
DYNAMIC = "g (float[1,C,H,W] x) => (float[1,C,H,W] y) { y = Add (x, x) }"
profiles = [Profile().add("x", (1, 1, 1, 1), (1, 3, 2, 2), (1, 20, 4, 4))]
for kinds in ((F.HWC, F.LINEAR), (F.LINEAR, F.HWC), (F.HWC, F.HWC), (F.LINEAR, F.CHW16)):
    print(*kinds)
    with TrtRunner(build(DYNAMIC, *kinds, profiles=profiles), name="r") as runner:
        print(runner.get_input_metadata(use_numpy_dtypes=False))
        for shape in ((1, 2, 1, 4), (1, 4, 2, 1), (1, 1, 1, 1)):
            ways(runner, np.arange(8, dtype=np.float32)[: np.prod(shape)].reshape(shape))
with TrtRunner(build(DYNAMIC, F.HWC, F.HWC, profiles=profiles), name="r") as runner:
    for shape in ((1, 3, 2, 2), (1, 2, 2, 3)):
        show(runner, FormattedArray(hwc, shape), check_inputs=False)
    show(runner, cuda.DeviceArray((1, 2, 2, 3), np.float32).copy_from(hwc))

print("\n== fewer axes")
for text in ("float[2,3]", "float[3,2,2]", "float[6]"):
    model = f"g ({text} x) => ({text} y) {{ y = Add (x, x) }}"
    shape = [int(size) for size in text[6:-1].split(",")]
    for kinds in ((F.LINEAR, F.CHW32), (F.LINEAR, F.LINEAR)):
        if len(shape) > 1:
            with TrtRunner(build(model, *kinds), name="r") as runner:
                ways(runner, np.ones(shape, np.float32))
