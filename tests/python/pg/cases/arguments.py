"""Calls change their arguments where the original does, and nowhere else."""

import copy

import numpy as np
import onnx
import onnx.parser

from polygraphy.backend import onnx as backend
from polygraphy.backend.onnx import util as onnx_util
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.common import TensorMetadata
from polygraphy.comparator import (
    Comparator,
    CompareFunc,
    DataLoader,
    IterationResult,
    PostprocessFunc,
    RunResults,
)
from polygraphy.constants import MARK_ALL
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.CRITICAL

TEXT = """
<ir_version: 8, opset_import: ["" : 17]>
g (float[2, 3] x) => (float[2, 3] z) <float[3] c = {1, 2, 3}> {
  k = Identity (c)
  y = Add (x, k)
  w = Relu (y)
  z = Mul (w, c)
}"""


def encoded(model):
    return model.SerializeToString(deterministic=True)


def look_at_models(label, call):
    """Whether a call changes a model, and whether it returns another one."""
    model = onnx.parser.parse_model(TEXT)
    before = encoded(model)
    result = call(model)
    print(label, "| unchanged:", encoded(model) == before, "| same object:", result is model)


LOADERS = {
    "fold": lambda m, **how: backend.fold_constants(m, **how),
    "modify outputs": lambda m, **how: backend.modify_outputs(m, outputs=["w"], **how),
    "mark all": lambda m, **how: backend.modify_outputs(m, outputs=MARK_ALL, **how),
    "upper bound": lambda m, **how: backend.set_upper_bound(m, {"w": 3}, **how),
}
for name, load in LOADERS.items():
    for how in ({}, {"copy": True}, {"copy": False}):
        look_at_models(f"{name} {how}", lambda model: load(model, **how))
look_at_models(
    "extract",
    lambda m: backend.extract_subgraph(
        m, TensorMetadata().add("x", np.float32, (2, 3)), TensorMetadata().add("w", np.float32, None)
    ),
)
look_at_models("extract all", backend.extract_subgraph)
look_at_models("bytes", backend.bytes_from_onnx)
look_at_models("gs", backend.gs_from_onnx)
look_at_models("save", lambda m: backend.save_onnx(m, "m.onnx"))
look_at_models("text", onnx_util.str_from_onnx)
look_at_models("inputs", lambda m: onnx_util.get_input_metadata(m.graph))
look_at_models("outputs", lambda m: onnx_util.get_output_metadata(m.graph))
look_at_models("nodes", onnx_util.get_num_nodes)
look_at_models("tensors", onnx_util.all_tensor_names)
look_at_models("unbounded", lambda m: onnx_util.get_unbounded_dds_tensors(backend.gs_from_onnx(m)))
look_at_models("upper-bound shapes", lambda m: onnx_util.get_shape(m.graph.input[0]))

data = backend.bytes_from_onnx(onnx.parser.parse_model(TEXT))


def results():
    made = [IterationResult({"z": np.full((2, 3), i, np.float32)}, 0.1, "r") for i in range(2)]
    return RunResults([("a", made), ("b", copy.deepcopy(made))])


def shown(value):
    if isinstance(value, IterationResult):
        return repr((value.runtime, value.runner_name, {k: v.tolist() for k, v in value.items()}))
    if isinstance(value, RunResults):
        return repr([(name, list(map(shown, each))) for name, each in value.items()])
    return list(map(shown, value)) if isinstance(value, list) else repr(value)


def look_at(label, argument, call):
    before = shown(argument)
    call(argument)
    print(label, "| unchanged:", shown(argument) == before)


look_at("compare_accuracy", results(), Comparator.compare_accuracy)
look_at("compare in place", results(), lambda r: Comparator.compare_accuracy(r, fail_fast=True))
look_at("validate", results(), Comparator.validate)
look_at(
    "compare with post-processing",
    results(),
    lambda r: Comparator.compare_accuracy(Comparator.postprocess(copy.deepcopy(r), PostprocessFunc.top_k(k=1))),
)
look_at("post-process", results(), lambda r: Comparator.postprocess(r, PostprocessFunc.top_k(k=1)))
look_at("save results", results(), lambda r: r.save("results.json"))
look_at("add", results(), lambda r: r.add([{"z": np.zeros(2, np.float32)}], runner_name="c"))
for make in (CompareFunc.simple, CompareFunc.indices):
    pair = [results()[0][1][0], results()[1][1][0]]
    look_at(make.__name__, pair, lambda pair: make()(*pair))
options = {"rtol": {"z": 1e-3}, "atol": {"": 1e-3}}
look_at("tolerances", options, lambda o: CompareFunc.simple(**o)(*(r[1][0] for r in results())))

feed = {"x": np.ones((2, 3), np.float32)}
with OnnxrtRunner(SessionFromOnnx(data)) as runner:
    look_at("infer", feed, runner.infer)
    look_at("infer with metadata", runner.get_input_metadata(), lambda _: runner.infer(feed))
feeds = [feed, feed]
look_at("run", feeds, lambda f: Comparator.run([OnnxrtRunner(SessionFromOnnx(data))], data_loader=f))
runners = [OnnxrtRunner(SessionFromOnnx(data), name="r")]
Comparator.run(runners, data_loader=feeds)
print(len(runners), runners[0].is_active)

metadata = TensorMetadata().add("x", np.float32, (2, None))
look_at("data loader", metadata, lambda m: list(DataLoader(input_metadata=m, iterations=1)))
ranges = {"x": (0, 1)}
look_at("ranges", ranges, lambda r: list(DataLoader(input_metadata=metadata, val_range=r)))
