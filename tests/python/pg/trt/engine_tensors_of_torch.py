"""Tensors of torch in and out, in host memory."""

import numpy as np
import onnx.parser
import tensorrt as trt
import torch
from polygraphy import cuda
from polygraphy.backend.trt import *
from polygraphy.common import FormattedArray
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = {"": G_LOGGER.WARNING, "cuda": 40, "util": 40}
F = trt.TensorFormat


def build(text, output_format=F.LINEAR, **options):
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]>\n' + text)
    with G_LOGGER.verbosity():
        made = network_from_onnx_bytes(model.SerializeToString())
        vars(made[1].get_input(made[1].num_inputs - 1))["is_shape_tensor"] = "Reshape" in text
        set_tensor_formats(made, {"y": [output_format]})
        return engine_from_network(made, CreateConfig(tf32=True, **options))


def describe(array):
    if isinstance(array, FormattedArray):
        return ["formatted", describe(array.array), list(array.shape)]
    if isinstance(array, cuda.DeviceView):
        return [type(array).__name__, list(array.shape), array.nbytes]
    return [type(array).__name__, array.dtype, list(array.shape), array.tolist()]


def show(runner, feed_dict, **options):
    outputs = runner.infer(feed_dict, **options)
    print({name: describe(output) for name, output in outputs.items()})


x = np.arange(6, dtype=np.float32).reshape(2, 3)
t = torch.from_numpy(x.copy())
profiles = [Profile().add("x", (0, 3), (2, 3), (4, 3))]
DYNAMIC = "g (float[N,3] x) => (float[N,3] y) { y = Add (x, x) }"
with TrtRunner(build(DYNAMIC, profiles=profiles), name="r") as runner:
    for array in (t, x, t + 1, t[:0], t[:, :1].repeat(1, 3), t.T.contiguous().T):
        show(runner, {"x": array})
    show(runner, {"x": t}, copy_outputs_to_host=False)
    show(runner, {"x": t}, return_raw_buffers=True)
    show(runner, {"x": t}, copy_outputs_to_host=False, return_raw_buffers=True)
    show(runner, {"x": FormattedArray(t, (2, 3))}, check_inputs=False)
    print(runner.output_allocator.use_torch, runner.host_output_buffers["y"].dtype)
with TrtRunner(build("g (float[2,3] x) => (bfloat16[2,3] y) { y = Cast <to = 16> (x) }")) as runner:
    show(runner, {"x": t})
images = torch.arange(6.0).reshape(1, 3, 1, 2)
NEG = "g (float[1,3,1,2] x) => (float[1,3,1,2] y) { y = Neg (x) }"
with TrtRunner(build(NEG, F.HWC)) as runner:
    show(runner, {"x": images})
with TrtRunner(build(NEG, F.CHW32)) as runner:
    vectors = runner.infer({"x": images})["y"]
    # The padding of vectors is undefined.
    print(type(vectors.array).__name__, vectors.array.shape, vectors.shape)
profiles = [Profile().add("x", (0,), (6,), (8,)).add("s", (0, 0), (2, 3), (4, 4))]
RESHAPE = "g (float[N] x, int64[2] s) => (float[a,b] y) { y = Reshape (x, s) }"
with TrtRunner(build(RESHAPE, profiles=profiles), name="r") as runner:
    show(runner, {"x": t.reshape(-1), "s": torch.tensor([3, 2])})
    show(runner, {"x": x.reshape(-1), "s": torch.tensor([1, 6])})
    show(runner, {"x": t.reshape(-1), "s": np.array([6, 1])})
