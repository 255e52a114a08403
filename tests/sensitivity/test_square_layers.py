"""The operator says how a packed weight lies. Values do not: a square one fits both ways round."""

import numpy as np
import pytest

import models
import oracle
from models import helper, numpy_helper

WIDTH, BLOCK = 32, 16


def floats(gemm=False):
    """Four square layers; `gemm`: Gemm with transB, whose weights lie [N, K]."""
    rng = np.random.default_rng(5)
    nodes, weights, at = [], [], "x"
    for i in range(4):
        weights.append(numpy_helper.from_array(models.weight(rng, WIDTH, WIDTH), f"w{i}"))
        attributes = {"transB": 1} if gemm else {}
        nodes.append(helper.make_node("Gemm" if gemm else "MatMul", [at, f"w{i}"], [f"m{i}"], f"layer{i}", **attributes))
        nodes.append(helper.make_node("Tanh", [f"m{i}"], [f"t{i}"], f"tanh{i}"))
        at = f"t{i}"
    value = [helper.make_tensor_value_info(name, models.TensorProto.FLOAT, ["N", WIDTH]) for name in ("x", at)]
    graph = helper.make_graph(nodes, "squares", value[:1], value[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def right_hand(model):
    """The [K, N] matrix of each layer."""
    turned = model.graph.node[0].op_type == "Gemm"
    return {i.name: numpy_helper.to_array(i).T if turned else numpy_helper.to_array(i) for i in model.graph.initializer}


FAULTS = {
    "healthy": lambda w, other: w,
    "transposed": lambda w, other: w.T,
    "rolled": lambda w, other: np.roll(w, 1, 1),
    "of its neighbour": lambda w, other: other,
}


class Writer:
    """The nodes of one form of quantisation, for a [K, N] matrix."""

    def __init__(self, form):
        self.form, self.nodes, self.weights = form, [], []

    def constant(self, name, values):
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, op, inputs, output, name, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output], name, **attributes))
        return output

    def layer(self, i, at, w):
        if self.form == "nbits":
            blocks = w.T.reshape(WIDTH, -1, BLOCK)
            scales = np.abs(blocks).max(-1, keepdims=True) / 7
            codes = (np.rint(blocks / scales) + 8).astype(np.uint8)
            packed = self.constant(f"w{i}_Q4", codes[..., ::2] | codes[..., 1::2] << 4)
            scale = self.constant(f"w{i}_scales", scales.reshape(-1).astype(np.float32))
            return self.node("MatMulNBits", [at, packed, scale], f"m{i}", f"layer{i}_Q4", domain="com.microsoft", K=WIDTH,
                             N=WIDTH, bits=4, block_size=BLOCK)
        scales = (np.abs(w).max(0) / 127).astype(np.float32)
        codes = np.rint(w / scales).astype(np.int8)
        if self.form == "dynamic":
            # The reduced range: without VNNI, products of uint8 and int8 beyond 64 overflow in ONNX Runtime's kernels.
            scale = self.constant(f"w{i}_scale", scales[:1] * 0 + np.abs(w).max() / np.float32(64))
            codes = np.rint(w / np.abs(w).max() * 64).astype(np.int8)
            packed, zero = self.constant(f"w{i}_quantized", codes), self.constant(f"w{i}_zero_point", np.zeros(1, np.int8))
            self.nodes.append(helper.make_node("DynamicQuantizeLinear", [at], [f"q{i}", f"s{i}", f"z{i}"], f"quantize{i}"))
            product = self.node("MatMulInteger", [f"q{i}", packed, f"z{i}", zero], f"i{i}", f"layer{i}_quant")
            cast = self.node("Cast", [product], f"c{i}", f"cast{i}", to=1)
            both = self.node("Mul", [f"s{i}", scale], f"b{i}", f"scales{i}")
            return self.node("Mul", [cast, both], f"m{i}", f"scaled{i}")
        if self.form == "blocks":
            w = w.reshape(-1, BLOCK, WIDTH)
            scales = (np.abs(w).max(1) / 127).astype(np.float32)
            codes = np.rint(w / scales[:, None]).astype(np.int8).reshape(WIDTH, WIDTH)
        attributes = {"axis": 0, "block_size": BLOCK} if self.form == "blocks" else {"axis": 1}
        if self.form in ("turned", "gemm"):
            codes, attributes = codes.T, {"axis": 0}
        inputs = [self.constant(f"w{i}_quantized", codes), self.constant(f"w{i}_scale", scales)]
        weight = self.node("DequantizeLinear", inputs, f"d{i}", f"dequantize{i}", **attributes)
        if self.form == "turned":
            weight = self.node("Transpose", [weight], f"r{i}", f"turn{i}", perm=[1, 0])
        if self.form == "gemm":
            return self.node("Gemm", [at, weight], f"m{i}", f"layer{i}", transB=1)
        return self.node("MatMul", [at, weight], f"m{i}", f"layer{i}")


FORMS = ["nbits", "dynamic", "axis", "blocks", "turned", "gemm"]


def quantised(model, form, fault):
    """Layer 1 has the fault."""
    weights, writer, at = right_hand(model), Writer(form), "x"
    for i in range(4):
        w = weights[f"w{i}"]
        at = writer.layer(i, at, FAULTS[fault](w, weights["w3"]) if i == 1 else w)
        at = writer.node("Tanh", [at], f"t{i}", f"tanh{i}")
    graph = helper.make_graph(writer.nodes, "quantised", model.graph.input, model.graph.output, writer.weights)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


@pytest.mark.parametrize("gemm", [False, True], ids=["of MatMul", "of Gemm"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_square_layer_is_judged_as_it_lies(polygraphy, tmp_path, fault, form, gemm):
    model = floats(gemm)
    feeds = models.samples(model, 1)
    source, output = tmp_path / "float.onnx", tmp_path / "mixed.onnx"
    models.onnx.save(model, source)
    made = quantised(model, form, fault)
    result = polygraphy(made, feeds, "--float-model", source, "--limit", 0.3, "-o", output)
    assert len(result["layers"]) == 4, result["notes"]
    expected = oracle.run(model, feeds)
    as_it_is = oracle.relative_error(expected, oracle.run(made, feeds))
    # An engine may round activations of such a layer, too.
    assert result["all_quantized"] == pytest.approx(as_it_is, rel=0.05, abs=0.005)
    kept = [layer["nodes"] for layer in result["layers"] if layer["kept"]]
    sqnr = {layer["nodes"][0]: layer["sqnr"] for layer in result["layers"]}
    assert min(value for name, value in sqnr.items() if name != "layer1") > 15
    if fault == "healthy":
        assert not kept and sqnr["layer1"] > 15
    else:
        assert kept == [["layer1"]] and sqnr["layer1"] < 3
    error = oracle.relative_error(expected, oracle.run(models.onnx.load(output), feeds))
    assert error == pytest.approx(result["proved"], rel=0.02) and error < 0.3
    everything = tmp_path / "everything.onnx"
    polygraphy(made, feeds, "--float-model", source, "--limit", 0, "-o", everything)
    assert oracle.relative_error(expected, oracle.run(models.onnx.load(everything), feeds)) < 1e-6
