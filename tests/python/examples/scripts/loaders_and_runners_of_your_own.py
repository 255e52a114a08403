"""A loader and a runner written in Python, in one chain with those of the package."""

import numpy as np
import onnx
import onnx.parser
from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader, BaseRunner
from polygraphy.backend.onnx import GsFromOnnx, OnnxFromPath
from polygraphy.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.common import TensorMetadata
from polygraphy.comparator import Comparator, CompareFunc
from polygraphy.logger import G_LOGGER

gs = mod.lazy_import("onnx_graphsurgeon")

onnx.save(
    onnx.parser.parse_model("""
<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 3] x) => (float[2, 3] y) <int64[2] s = {2, 3}> {
  r = Reshape (x, s) n = Neg (r) y = Neg (n) }"""),
    "model.onnx",
)


@mod.export(funcify=True)
class DropReshapes(BaseLoader):
    """Reshapes that change nothing become identities."""

    def __init__(self, graph, rename: bool = None):
        self._graph = graph
        self.rename = util.default(rename, False)

    def call_impl(self):
        graph, _ = util.invoke_if_callable(self._graph)
        for node in graph.nodes:
            if (
                node.op == "Reshape"
                and list(node.inputs[0].shape) == node.inputs[1].values.tolist()
            ):
                G_LOGGER.info(f"{node.op} into {node.outputs[0].name} changes nothing")
                node.op, node.name = "Identity", "dropped" if self.rename else node.name
                del node.inputs[1]
        return graph.cleanup()


@mod.export()
class NumpyRunner(BaseRunner):
    """Runs identities and negations."""

    def __init__(self, graph, name=None):
        super().__init__(name=name, prefix="numpy-runner")
        self._graph = graph

    @util.check_called_by("activate")
    def activate_impl(self):
        self.graph, _ = util.invoke_if_callable(self._graph)

    @util.check_called_by("get_input_metadata")
    def get_input_metadata_impl(self):
        metadata = TensorMetadata()
        for tensor in self.graph.inputs:
            metadata.add(tensor.name, tensor.dtype, tensor.shape)
        return metadata

    @util.check_called_by("infer")
    def infer_impl(self, feed_dict):
        values = dict(feed_dict)
        for node in self.graph.nodes:
            if node.op not in ("Identity", "Neg"):
                G_LOGGER.critical(f"'{node.op}' is no operator of this runner")
            value = values[node.inputs[0].name]
            values[node.outputs[0].name] = np.negative(value) if node.op == "Neg" else value
        self.inference_time = 0.5
        return {tensor.name: values[tensor.name] for tensor in self.graph.outputs}

    @util.check_called_by("deactivate")
    def deactivate_impl(self):
        del self.graph


graph = DropReshapes(GsFromOnnx(OnnxFromPath("model.onnx")), rename=True)
runners = [
    NumpyRunner(graph, name="numpy"),
    OnnxrtRunner(SessionFromOnnx("model.onnx"), name="onnxrt"),
]
results = Comparator.run(runners)
print(bool(Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(atol=0, rtol=0))))
onnx.save(
    gs.export_onnx(drop_reshapes(gs.import_onnx(onnx.load("model.onnx")))), "dropped.onnx"
)  # noqa: F821
for each in (NumpyRunner(GsFromOnnx(OnnxFromPath("model.onnx")), name="too much"),):
    with each:
        try:
            each.infer({"x": np.zeros((2, 3), np.float32)})
        except Exception as error:
            print(type(error).__name__, error)
try:
    NumpyRunner(graph, name="not active").infer({})
except Exception as error:
    print(type(error).__name__, error)
