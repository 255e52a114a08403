"""Runs sharded models on ONNX Runtime, with the collectives done here, and compares with the whole model.

  shard_simulator.py DEVICES WHOLE SHARD [SHARD…] [--dim NAME=SIZE…]

One shard stands for the model that all devices run, else there is one for each. Exits with 1 when an output differs. In a
separate process: the threads of a session would not survive the forks of the other tests.
"""
import argparse

import numpy as np
import onnx
import onnxruntime


def session(nodes, inits, opsets, feeds, outputs):
    used = {name for node in nodes for name in node.input if name}
    made = {name for node in nodes for name in node.output if name}
    inputs = [onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), None)
              for name, value in feeds.items() if name in used and name not in made]
    graph = onnx.helper.make_graph(nodes, "segment", inputs, [onnx.ValueInfoProto(name=name) for name in outputs],
                                   [init for init in inits if init.name in used])
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    done = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [i.name for i in inputs]
    return dict(zip(outputs, done.run(outputs, {name: feeds[name] for name in names})))


def attributes(node):
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


def collective(node, values):
    """The result of each device."""
    what = attributes(node)
    kind, reduce_op = what["collective_operation"].decode(), what["reduce_op"].decode()
    if kind == "all_gather":
        return [np.concatenate(values, axis=0)] * len(values)
    stacked = np.stack(values)
    reduced = {"sum": stacked.sum, "prod": stacked.prod, "min": stacked.min, "max": stacked.max, "avg": stacked.mean}[reduce_op](axis=0)
    reduced = reduced.astype(values[0].dtype)
    if kind == "all_reduce":
        return [reduced] * len(values)
    assert kind == "reduce_scatter", kind
    assert reduced.shape[0] % len(values) == 0, f"{node.input[0]}: {reduced.shape} among {len(values)}"
    return np.split(reduced, len(values), axis=0)


def attention_plugin(node, values):
    """Of grouped queries, without what the cache holds; the cache is what goes into it."""
    what = attributes(node)
    heads, kv_heads, size = what["num_q_heads"], what["num_kv_heads"], what["head_size"]
    if len(values) == 6:  # side by side
        q, k, v = np.split(values[0], [heads * size, (heads + kv_heads) * size], axis=-1)
    else:
        q, k, v = values[:3]
    split = lambda x, n: x.reshape(*x.shape[:2], n, -1).transpose(0, 2, 1, 3)  # noqa: E731
    q, k, v = split(q, heads), split(k, kv_heads), split(v, kv_heads)
    assert q.shape[-1] == k.shape[-1] == size, (q.shape, k.shape)
    present = np.stack([k, v], axis=1)
    k, v = (np.repeat(x, heads // kv_heads, axis=1) for x in (k, v))
    scores = q @ k.transpose(0, 1, 3, 2)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    context = (weights / weights.sum(axis=-1, keepdims=True)) @ v
    return [context.transpose(0, 2, 1, 3).reshape(*context.shape[::2], -1), present]


def run(models, feeds):
    """Outputs of each device, in the order of the graph."""
    values = [dict(f) for f in feeds]
    left = [list(m.graph.node) for m in models]
    inits = [list(m.graph.initializer) for m in models]
    known = [{i.name for i in ii} for ii in inits]
    while left[0]:
        progress = False
        for rank, model in enumerate(models):
            ready, have = [], set(values[rank]) | known[rank]
            for node in left[rank]:
                if node.op_type not in ("DistCollective", "AttentionPlugin") and all(not n or n in have for n in node.input):
                    ready.append(node)
                    have |= set(node.output)
            outputs = [n for node in ready for n in node.output if n]
            if ready:
                values[rank].update(session(ready, inits[rank], model.opset_import, values[rank], outputs))
            left[rank] = [node for node in left[rank] if node not in ready]
            for node in [node for node in left[rank] if node.op_type == "AttentionPlugin" and node.input[0] in values[rank] and node.input[2] in values[rank]]:
                values[rank].update(zip(node.output, attention_plugin(node, [values[rank].get(name) for name in node.input])))
                left[rank].remove(node)
                progress = True
        at = [[node for node in nodes if node.op_type == "DistCollective" and node.input[0] in values[rank]]
              for rank, nodes in enumerate(left)]
        assert not left[0] or at[0] or progress, "no order: " + ", ".join(node.name for node in left[0])
        for nodes in zip(*at):
            assert len({node.name for node in nodes}) == 1, "devices meet at different collectives"
            results = collective(nodes[0], [values[rank][node.input[0]] for rank, node in enumerate(nodes)])
            for rank, node in enumerate(nodes):
                values[rank][node.output[0]] = results[rank]
        left = [[node for node in nodes if node not in at[rank]] for rank, nodes in enumerate(left)]
    return [[values[rank][o.name] for o in model.graph.output] for rank, model in enumerate(models)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("devices", type=int)
    parser.add_argument("whole")
    parser.add_argument("shards", nargs="+")
    parser.add_argument("--dim", nargs="*", default=[])
    args = parser.parse_args()
    dims = {name: int(size) for name, size in (d.split("=") for d in args.dim)}
    whole = onnx.load(args.whole)
    shards = [onnx.load(path) for path in args.shards]
    for shard in shards:  # each node behind what it needs
        made = {i.name for i in shard.graph.input} | {i.name for i in shard.graph.initializer} | {""}
        for node in shard.graph.node:
            assert set(node.input) <= made, f"{node.name} stands before what it needs"
            made |= set(node.output)
    shards = shards if len(shards) > 1 else shards * args.devices
    assert len(shards) == args.devices
    rng = np.random.default_rng(0)
    feeds = {}
    for value in whole.graph.input:
        shape = [d.dim_value or dims[d.dim_param] for d in value.type.tensor_type.shape.dim]
        feeds[value.name] = rng.standard_normal(shape).astype(onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type))
    expected = run([whole], [feeds])[0]
    for rank, outputs in enumerate(run(shards, [feeds] * args.devices)):
        for value, got, wanted in zip(whole.graph.output, outputs, expected):
            if value.name.startswith("present") and len(args.shards) > 1:  # each device has its heads
                wanted = np.split(wanted, args.devices, axis=2)[rank]
            assert got.shape == wanted.shape, f"device {rank}, {value.name}: {got.shape} instead of {wanted.shape}"
            assert np.allclose(got, wanted, rtol=1e-4, atol=1e-5), f"device {rank}, {value.name}: {np.abs(got - wanted).max()}"
    print(f"{args.devices} devices: {len(expected)} outputs are the same")


if __name__ == "__main__":
    main()
