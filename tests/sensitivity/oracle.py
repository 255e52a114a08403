"""Brute force: a quantised model and a session for each layer, with arithmetic of NumPy."""

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper


EXPERTS = 1, 2  # Axes of a weight of experts, who lie side by side on axis 0.


def roles(model):
    """[(node names, weight name, axis of channels, axis of blocks)], in the order of the nodes."""
    constants = {i.name: i for i in model.graph.initializer if i.data_type == 1}
    found = {}
    for node in model.graph.node:
        if node.op_type == "MoE":
            for weight in (node.input[2], node.input[4]):
                found.setdefault((weight, *EXPERTS), []).append(node.name)
            continue
        if len(node.input) < 2 or node.input[1] not in constants:
            continue
        rank = len(constants[node.input[1]].dims)
        transposed = any(a.name == "transB" and a.i for a in node.attribute)
        axes = {"MatMul": (rank - 1, rank - 2), "Gemm": (0, 1) if transposed else (1, 0), "Conv": (0, 1),
                "ConvTranspose": (1, 0)}.get(node.op_type)
        if axes is None or rank < 2:
            continue
        found.setdefault((node.input[1], *axes), []).append(node.name)
    return [(nodes, *key) for key, nodes in found.items()]


def rounded(w, form, channel, reduced):
    """The weight as the format has it, in float32, and the bytes that it takes."""
    if (channel, reduced) == EXPERTS:
        each = [rounded(expert, form, 0, 1) for expert in w]
        return np.stack([value for value, _ in each]), sum(size for _, size in each)
    if form in ("bf16", "fp16"):
        kind = ml_dtypes.bfloat16 if form == "bf16" else np.float16
        return w.astype(kind).astype(np.float32), w.size * 2
    if form in ("int8", "int8:weights-only", "fp8"):
        axes = tuple(i for i in range(w.ndim) if i != channel)
        scale = np.abs(w).max(axes, keepdims=True) / np.float32(448 if form == "fp8" else 127)
        scale = np.where(scale == 0, np.float32(1), scale).astype(np.float32)
        code = w / scale
        code = code.astype(ml_dtypes.float8_e4m3fn).astype(np.float32) if form == "fp8" else np.rint(code)
        return (code * scale).astype(np.float32), w.size + 4 * w.shape[channel]
    block = int(form.split("block=")[1].split(",")[0]) if "block=" in form else 32 if form.startswith("int4") else 16
    moved = np.moveaxis(w, reduced, 0)
    length = moved.shape[0]
    blocks = -(-length // block)
    result = np.empty_like(moved)
    for b in range(blocks):
        part = moved[b * block:(b + 1) * block]
        if form.startswith("fp4"):
            scale = np.abs(part).max(0) / np.float32(6)
            scale = np.where(scale == 0, np.float32(1), scale).astype(np.float32)
            result[b * block:(b + 1) * block] = (part / scale).astype(ml_dtypes.float4_e2m1fn).astype(np.float32) * scale
        elif "asymmetric" in form:
            low, high = np.minimum(part.min(0), 0), np.maximum(part.max(0), 0)
            scale = ((high - low) / np.float32(15)).astype(np.float32)
            scale = np.where(scale == 0, np.float32(1), scale)
            zero = np.clip(np.rint(-low / scale), 0, 15)
            result[b * block:(b + 1) * block] = (np.clip(np.rint(part / scale) + zero, 0, 15) - zero) * scale
        else:
            low, high = np.minimum(part.min(0), 0), np.maximum(part.max(0), 0)
            scale = (np.where(high > -low, high, low) / np.float32(-8)).astype(np.float32)
            scale = np.where(scale == 0, np.float32(1), scale)
            result[b * block:(b + 1) * block] = np.clip(np.rint(part / scale), -8, 7) * scale
    scales = blocks * (w.size // length)
    zeros = (scales + 1) // 2 if "asymmetric" in form else 0
    return np.moveaxis(result, 0, reduced), (w.size + 1) // 2 + 4 * scales + zeros


def session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run(model, feeds):
    one = session(model)
    names = [o.name for o in one.get_outputs()]
    return [dict(zip(names, one.run(None, feed))) for feed in feeds]


def relative_error(expected, observed):
    worst = 0.0
    for name, value in expected[0].items():
        if not np.issubdtype(value.dtype, np.floating):
            continue
        noise = sum(np.sum((o[name].astype(np.float64) - e[name]) ** 2) for e, o in zip(expected, observed))
        signal = sum(np.sum(e[name].astype(np.float64) ** 2) for e in expected)
        worst = max(worst, float(np.sqrt(noise / signal)))
    return worst


def activation_ranges(model, feeds):
    """The scale and zero point of each tensor that a layer reads."""
    marked = onnx.ModelProto()
    marked.CopyFrom(model)
    layers = {name for nodes, _, *axes in roles(model) if tuple(axes) != EXPERTS for name in nodes}
    tensors = sorted({n.input[0] for n in model.graph.node if n.name in layers})
    inputs = {i.name for i in model.graph.input}
    outputs = {o.name for o in model.graph.output}
    marked.graph.output.extend(onnx.ValueInfoProto(name=t) for t in tensors if t not in inputs | outputs)
    results = run(marked, feeds)
    ranges = {}
    for name in tensors:
        values = [feed[name] if name in feed else result[name] for feed, result in zip(feeds, results)]
        low, high = min(0.0, *(v.min() for v in values)), max(0.0, *(v.max() for v in values))
        scale = np.float32((float(high) - float(low)) / 255) or np.float32(1)
        ranges[name] = scale, np.int8(np.clip(np.rint(-128 - low / scale), -128, 127))
    return ranges


def quantized(model, chosen, form, ranges=None):
    """A copy of the model with these roles quantised."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    graph = copy.graph
    weights = {i.name: i for i in graph.initializer}
    nodes = {n.name: n for n in graph.node}
    added, known = [], {}
    for names, weight, channel, reduced in chosen:
        value = rounded(numpy_helper.to_array(weights[weight]), form, channel, reduced)[0]
        graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value), weight + "/rounded"))
        for name in names:
            node = nodes[name]
            node.input[list(node.input).index(weight)] = weight + "/rounded"
            if ranges is None or (channel, reduced) == EXPERTS:
                continue
            tensor = node.input[0]
            if tensor not in known:
                scale, zero = ranges[tensor]
                graph.initializer.append(numpy_helper.from_array(np.asarray(scale), tensor + "/s"))
                graph.initializer.append(numpy_helper.from_array(np.asarray(zero), tensor + "/z"))
                pair = [tensor + "/s", tensor + "/z"]
                added += [(tensor, helper.make_node("QuantizeLinear", [tensor, *pair], [tensor + "/q"])),
                          (tensor, helper.make_node("DequantizeLinear", [tensor + "/q", *pair], [tensor + "/d"]))]
                known[tensor] = tensor + "/d"
            node.input[0] = known[tensor]
    ordered, pending = [], {}
    for tensor, node in added:
        pending.setdefault(tensor, []).append(node)
    for value in graph.input:
        ordered += pending.pop(value.name, [])
    for node in graph.node:
        ordered.append(node)
        for output in node.output:
            ordered += pending.pop(output, [])
    nodes = [onnx.NodeProto.FromString(n.SerializeToString()) for n in ordered]
    del graph.node[:]
    graph.node.extend(nodes)
    return copy


def effects(model, feeds, form):
    """{names of a layer's nodes: error of the model's worst output}."""
    ranges = activation_ranges(model, feeds) if form == "int8" else None
    expected = run(model, feeds)
    return {tuple(role[0]): relative_error(expected, run(quantized(model, [role], form, ranges), feeds))
            for role in roles(model)}


def spearman(one, other):
    def ranks(values):
        order = np.argsort(values, kind="stable")
        result = np.empty(len(values))
        result[order] = np.arange(len(values))
        return result
    return float(np.corrcoef(ranks(np.asarray(one)), ranks(np.asarray(other)))[0, 1])
