"""Models that others have quantised, against their references."""

import numpy as np
import pytest
from onnxruntime import quantization

import models
import oracle


class Reader(quantization.CalibrationDataReader):
    def __init__(self, feeds):
        self.feeds = iter(feeds)

    def get_next(self):
        return next(self.feeds, None)


def with_nbits(model, block=32):
    """Each MatMul by a weight as MatMulNBits, packed here."""
    made = models.onnx.ModelProto.FromString(model.SerializeToString())
    weights = {i.name: i for i in made.graph.initializer}
    for node in made.graph.node:
        if node.op_type != "MatMul" or node.input[1] not in weights:
            continue
        w = models.numpy_helper.to_array(weights[node.input[1]])
        rows, columns = w.shape
        blocks = w.T.reshape(columns, rows // block, block)
        top = np.take_along_axis(blocks, np.abs(blocks).argmax(-1, keepdims=True), -1)
        codes = (np.clip(np.rint(blocks / (top / -8)), -8, 7) + 8).astype(np.uint8)
        packed = codes[..., ::2] | codes[..., 1::2] << 4
        name = node.input[1]
        made.graph.initializer.extend([models.numpy_helper.from_array(packed, name + "_Q4"),
                                       models.numpy_helper.from_array((top / -8).reshape(-1), name + "_scales")])
        node.op_type, node.domain, node.name = "MatMulNBits", "com.microsoft", node.name + "_Q4"
        node.input[1] = name + "_Q4"
        node.input.append(name + "_scales")
        for key, value in {"K": rows, "N": columns, "bits": 4, "block_size": block}.items():
            node.attribute.append(models.helper.make_attribute(key, value))
        made.graph.initializer.remove(weights[name])
    made.opset_import.append(models.helper.make_opsetid("com.microsoft", 1))
    return made


def by_tool(tool, model, feeds, folder):
    source, target = str(folder / "float.onnx"), str(folder / "quantized.onnx")
    models.onnx.save(model, source)
    if tool == "nbits":
        return source, with_nbits(model)
    if tool == "dynamic":
        quantization.quantize_dynamic(source, target)
    else:
        form = quantization.QuantFormat.QDQ if tool == "qdq" else quantization.QuantFormat.QOperator
        quantization.quantize_static(source, target, Reader(feeds), quant_format=form, per_channel=tool == "qdq")
    return source, models.onnx.load(target)


@pytest.mark.parametrize("tool", ["qdq", "qoperator", "dynamic", "nbits"])
@pytest.mark.parametrize("make", [lambda: models.chain(outliers=(3,)), models.decoder])
def test_finds_the_layers_that_suffer(polygraphy, tmp_path, make, tool):
    model = make()
    feeds = models.samples(model, 2)
    source, made = by_tool(tool, model, feeds, tmp_path)
    result = polygraphy(made, feeds, "--float-model", source)
    assert len(result["layers"]) == len(oracle.roles(model)), result["notes"]
    assert 0 < result["all_quantized"] < 1
    if tool == "nbits":
        expected = oracle.effects(model, feeds, "int4:block=32")
        found = {tuple(layer["nodes"]): layer["effect"] for layer in result["layers"]}
        names = sorted(expected)
        assert oracle.spearman([expected[n] for n in names], [found[n] for n in names]) >= 0.95


def test_names_do_not_matter(polygraphy, tmp_path):
    model = models.chain(outliers=(3,))
    feeds = models.samples(model, 1)
    source, made = by_tool("nbits", model, feeds, tmp_path)
    named = polygraphy(made, feeds, "--float-model", source)
    for i, node in enumerate(made.graph.node):
        node.name = f"node_{i}"
    assert polygraphy(made, feeds, "--float-model", source)["layers"] == named["layers"]
