"""`template shard-hints` and `multi-device shard`: hints, sharded models, and what those compute."""
import json
import os
import re
import subprocess
import sys

import numpy as np
import onnx
import pytest
from differences import expect
from harness import Result, mask, run_original, run_ours
from onnx import helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))


def value_infos(values):
    return [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in values]


def make_model(nodes, inputs, outputs, weights=(), opset=13):
    """Nodes: (op, inputs, outputs, name, attributes)."""
    rng = np.random.default_rng(1)
    inits = [numpy_helper.from_array(w if isinstance(w, np.ndarray) else rng.standard_normal(w).astype(np.float32), name) for name, w in weights]
    graph = helper.make_graph([helper.make_node(op, i.split(), o.split(), name=name, **attrs) for op, i, o, name, attrs in nodes],
                              "g", value_infos(inputs), value_infos(outputs), inits)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


CORE = [("MatMul", "q k", "s", "qk", {}), ("Softmax", "s", "p", "softmax", {"axis": -1}), ("MatMul", "p v", "o", "pv", {})]
QKV = [("q", [2, 4, 8]), ("k", [2, 8, 4]), ("v", [2, 4, 8])]


def bare(outputs=(("o", [2, 4, 8]),), inputs=QKV, extra=()):
    return make_model([*CORE, *extra], inputs, outputs)


def self_attention(layers=1, mask=None, dims=("batch", "seq_len", 8)):
    """Projections, scores, context, output projection and a residual sum; queries and keys are scaled before."""
    nodes, weights, x = [], [], "x"
    inputs = [("x", list(dims))]
    for n in range(layers):
        y = f"y{n}" if n < layers - 1 else "y"
        scores = f"s{n}"
        weights += [(f"w{part}{n}", (8, 8)) for part in "qkvo"]
        nodes += [("MatMul", f"{x} wq{n}", f"q{n}", f"mq{n}", {}), ("MatMul", f"{x} wk{n}", f"kk{n}", f"mk{n}", {}),
                  ("Transpose", f"kk{n}", f"k{n}", f"tk{n}", {"perm": [0, 2, 1]}), ("MatMul", f"{x} wv{n}", f"v{n}", f"mv{n}", {}),
                  ("MatMul", f"q{n} k{n}", scores, f"qk{n}", {})]
        if mask:
            nodes += [("Div", f"{scores} root", f"d{n}", f"div{n}", {}), ("Add", f"d{n} mask", f"m{n}", f"add{n}", {})]
            scores = f"m{n}"
        nodes += [("Softmax", scores, f"p{n}", f"softmax{n}", {"axis": -1}), ("MatMul", f"p{n} v{n}", f"o{n}", f"pv{n}", {}),
                  ("MatMul", f"o{n} wo{n}", f"z{n}", f"mo{n}", {}), ("Add", f"{x} z{n}", y, f"sum{n}", {})]
        x = y
    if mask:
        weights.append(("root", np.array(2.8, np.float32)))
        if mask == "input":
            inputs.append(("mask", [1, dims[1], "keys"]))
        else:
            weights.append(("mask", (1, 8, 8)))
    return make_model(nodes, inputs, [("y", list(dims))], weights)


def grouped_queries():
    """Four heads of queries, two of keys and values, which are repeated by Expand."""
    ints = lambda *numbers: np.array(numbers, np.int64)  # noqa: E731
    nodes = [("MatMul", "x wq", "q0", "mq", {}), ("Reshape", "q0 q_shape", "q1", "rq", {}), ("Transpose", "q1", "q", "tq", {"perm": [0, 2, 1, 3]})]
    for part, perm in (("k", [0, 2, 4, 3, 1]), ("v", [0, 2, 4, 1, 3])):
        nodes += [("MatMul", f"x w{part}", f"{part}0", f"m{part}", {}), ("Reshape", f"{part}0 kv_shape", f"{part}1", f"r{part}", {}),
                  ("Expand", f"{part}1 repeat", f"{part}2", f"e{part}", {}),
                  # batch, sequence, heads, size, repetition: to batch, heads, repetition and a matrix
                  ("Transpose", f"{part}2", f"{part}3", f"t{part}", {"perm": perm}),
                  ("Reshape", f"{part}3 {part}_heads", part, f"h{part}", {})]
    nodes += CORE + [("Transpose", "o", "o1", "to", {"perm": [0, 2, 1, 3]}), ("Reshape", "o1 o_shape", "o2", "ro", {}), ("MatMul", "o2 wo", "y", "mo", {})]
    weights = [("wq", (8, 16)), ("wk", (8, 8)), ("wv", (8, 8)), ("wo", (16, 8)), ("q_shape", ints(0, -1, 4, 4)), ("kv_shape", ints(0, -1, 2, 4, 1)),
               ("repeat", ints(1, 1, 1, 1, 2)), ("k_heads", ints(0, 4, 4, -1)), ("v_heads", ints(0, 4, -1, 4)), ("o_shape", ints(0, -1, 16))]
    return make_model(nodes, [("x", ["batch", "seq_len", 8])], [("y", ["batch", "seq_len", 8])], weights)


def scaled():
    """As PyTorch exports it for --attention-pattern 1."""
    nodes = [("Shape", "q", "qs", "shape", {}), ("Slice", "qs start end", "ql", "slice", {}), ("Cast", "ql", "qf", "cast1", {"to": 1}), ("Sqrt", "qf", "root", "sqrt1", {}),
             ("Cast", "root", "croot", "cast2", {"to": 1}), ("Div", "one croot", "scale", "div", {}), ("Cast", "scale", "cscale", "cast3", {"to": 1}),
             ("Sqrt", "cscale", "qscale", "sqrt2", {}), ("Mul", "q qscale", "qq", "mul1", {}), ("Sqrt", "cscale", "kscale", "sqrt3", {}), ("Mul", "k kscale", "kk", "mul2", {}),
             ("MatMul", "qq kk", "s", "qk", {}), ("Softmax", "s", "p", "softmax", {"axis": -1}), ("MatMul", "p v", "o", "pv", {})]
    inputs = [("q", ["batch", "seq_len", 8]), ("k", ["batch", 8, "seq_len"]), ("v", ["batch", "seq_len", 8])]
    weights = [("start", np.array([-1], np.int64)), ("end", np.array([2**62], np.int64)), ("one", np.array([1], np.float32))]
    return make_model(nodes, inputs, [("o", ["batch", "seq_len", 8])], weights)


def decoder(layers=1, bias=False, reshapes=False, packed=False):
    """Attention by a plugin with a cache, and a gated block behind it; sums with what went in."""
    nodes, weights, x = [], [], "x"
    inputs, outputs = [("x", ["batch", "seq_len", 8]), ("len", ["batch"]), ("rope", ["batch", 4]), ("start", ["batch"])], []
    for n in range(layers):
        q = "q"
        nodes += [("MatMul", f"{x} wq{n}", f"q{n}", f"mq{n}", {}), ("MatMul", f"{x} wk{n}", f"k{n}", f"mk{n}", {}), ("MatMul", f"{x} wv{n}", f"v{n}", f"mv{n}", {})]
        weights += [(f"wq{n}", (8, 16)), (f"wk{n}", (8, 8)), (f"wv{n}", (8, 8)), (f"wo{n}", (16, 8)), (f"wg{n}", (8, 32)), (f"wu{n}", (8, 32)), (f"wd{n}", (32, 8))]
        if bias:
            nodes.append(("Add", f"q{n} b{n}", f"qb{n}", f"bias{n}", {}))
            weights.append((f"b{n}", (16,)))
            q = "qb"
        if reshapes:
            nodes += [("Reshape", f"{q}{n} heads", f"qh{n}", f"to_heads{n}", {}), ("Mul", f"qh{n} norm", f"qn{n}", f"norm{n}", {}),
                      ("Reshape", f"qn{n} row", f"qr{n}", f"to_row{n}", {})]
            q = "qr"
        if packed:
            nodes.append(("Concat", f"{q}{n} k{n} v{n}", f"qkv{n}", f"concat{n}", {"axis": -1}))
        sources = f"qkv{n} past{n} len rope start len" if packed else f"{q}{n} k{n} v{n} past{n} len rope start"
        nodes += [("AttentionPlugin", sources, f"a{n} present{n}", f"attention{n}",
                   {"num_q_heads": 4, "num_kv_heads": 2, "head_size": 4, "enable_tree_attention": 0}),
                  ("MatMul", f"a{n} wo{n}", f"o{n}", f"mo{n}", {}), ("Add", f"{x} o{n}", f"x{n}", f"sum{n}", {}),
                  ("MatMul", f"x{n} wg{n}", f"g{n}", f"gate{n}", {}), ("MatMul", f"x{n} wu{n}", f"u{n}", f"up{n}", {}),
                  ("Sigmoid", f"g{n}", f"sg{n}", f"sigmoid{n}", {}), ("Mul", f"g{n} sg{n}", f"gs{n}", f"silu{n}", {}), ("Mul", f"gs{n} u{n}", f"h{n}", f"mul{n}", {}),
                  ("MatMul", f"h{n} wd{n}", f"d{n}", f"down{n}", {}), ("Add", f"x{n} d{n}", f"y{n}", f"sum_d{n}", {})]
        inputs.append((f"past{n}", ["batch", 2, 2, "past", 4]))
        outputs.append((f"present{n}", ["batch", 2, 2, "present", 4]))
        x = f"y{n}"
    if reshapes:
        weights += [("heads", np.array([0, 0, 4, 4], np.int64)), ("norm", (4,)), ("row", np.array([0, 0, 16], np.int64))]
    return make_model(nodes, inputs, [(x, ["batch", "seq_len", 8]), *outputs], weights)


# --- both

GRAPHSURGEON = re.compile(r"Checking node|Single node is|No match because|subgraph|colored module")


def messages(result):
    """In the order of the original's sets, which changes; numbers of new tensors follow it."""
    lines = [re.sub(r"shard_\d+", "shard_N", line) for line in result.stdout.splitlines() if not GRAPHSURGEON.search(line)]
    lines = [re.sub(r"(Loading model: ).*/", r"\1", line) for line in lines]
    return sorted(re.sub(r"<_io.TextIOWrapper name='(.*?)' mode=.*>", r"\1", line) for line in lines)


def hints_of(text):
    """Inputs and outputs in the order of their names: the original's is that of a set."""
    hints = json.loads(text)
    for key in ("inputs", "outputs"):
        hints[key].sort(key=lambda tensor: tensor["name"])
    return json.dumps(hints, indent=4)


def formula(model):
    """The expression of each output, without the names of new tensors and the order of nodes."""
    graph = model.graph
    made = {name: (node, i) for node in graph.node for i, name in enumerate(node.output) if name}
    known = {init.name: f"{init.name}{list(init.dims)}" for init in graph.initializer} | {i.name: i.name for i in graph.input}

    def of(name):
        if name not in known:
            node, i = made[name]
            attrs = sorted((a.name, str(helper.get_attribute_value(a))) for a in node.attribute)
            known[name] = f"{node.op_type}{attrs}({', '.join(of(n) for n in node.input)})[{i}]"
        return known[name]

    return [of(output.name) for output in graph.output]


def both_in(folder, args, **models):
    """Each in a separate folder, with the models."""
    results = []
    for who, run in (("ours", run_ours), ("original", run_original)):
        (folder / who).mkdir(exist_ok=True)
        for name, model in models.items():
            onnx.save(model, folder / who / f"{name}.onnx")
        done = run(args, str(folder / who))
        results.append(Result(done.code, mask(done.stdout), mask(done.stderr)))
    return results


MODELS = {
    "bare": bare(),
    "self-attention": self_attention(),
    "two-layers": self_attention(2),
    "no-attention": make_model([("Relu", "x", "y", "relu", {})], [("x", [1])], [("y", [1])]),
    "masked": self_attention(mask="input"),
    "grouped": grouped_queries(),
    "no-shapes": bare(inputs=[("q", None), ("k", None), ("v", None)], outputs=[("o", None)]),
    "rank-of-v": bare(inputs=[("q", None), ("k", []), ("v", [2, 4, 8, 9])]),
    "output-inside": bare(extra=[("Add", "o z", "y", "add", {}), ("Relu", "y", "yy", "relu", {})], inputs=[*QKV, ("z", [2, 4, 8])],
                          outputs=[("yy", [2, 4, 8]), ("y", [2, 4, 8])]),
    "branches": bare(extra=[("Relu", "o", "a", "r1", {}), ("Relu", "o", "b", "r2", {}), ("Relu", "b", "c", "r3", {}), ("Relu", "q", "d", "r4", {})],
                     outputs=[("a", [2, 4, 8]), ("c", [2, 4, 8]), ("d", [2, 4, 8])]),
    "two-names": bare(inputs=[("q", ["seq_len", "sequence_length", 8]), ("k", ["Seq_len", 8, 4]), ("v", [2, "past_seq_len", 8])]),
    "unnamed": make_model([(op, i, o, "", a) for op, i, o, _, a in CORE], QKV, [("o", [2, 4, 8])]),
    "constant-keys": make_model(CORE, [QKV[0], QKV[2]], [("o", [2, 4, 8])], [("k", (2, 8, 4))]),
}
OPTIONS = [
    [],
    ["--i-idx", "1", "--o-idx", "2", "--k-idx", "-1", "--v-idx", "7", "--i-rank", "4", "--o-rank", "3", "--kv-rank", "2"],
    ["--cp-type", "fused", "--is-causal", "--q-shuffle", "0", "1", "2", "--k-shuffle", "--nb-rank", "2"],
    ["--parallelism", "TP", "--root", "1", "--gpus", "4", "--groups", "0", "1", "--reduce-op", "avg", "--no-suggest-io"],
]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("options", OPTIONS, ids=["plain", "axes", "fused", "collectives"])
def test_hints(tmp_path, name, options):
    ours, original = both_in(tmp_path, ["template", "shard-hints", "m.onnx", "-o", "h.json", *options], m=MODELS[name])
    assert ours.code == original.code
    assert messages(ours) == messages(original)
    if ours.code:
        assert ours.stderr.splitlines()[0] == original.stderr.splitlines()[0]
        return
    texts = [(tmp_path / who / "h.json").read_text() for who in ("ours", "original")]
    assert hints_of(texts[0]) == hints_of(texts[1])
    if max(len(json.loads(texts[0])[key]) for key in ("inputs", "outputs")) < 2:
        assert texts[0] == texts[1]


SHARDS = [
    ("bare", []),
    ("bare", ["--k-idx", "2", "--v-idx", "1", "--i-idx", "1", "--o-idx", "1"]),
    ("bare", ["--groups", "0", "1", "--gpus", "2", "--root", "1", "--nb-rank", "2", "--reduce-op", "sum"]),
    ("self-attention", ["--k-idx", "2", "--v-idx", "1", "--kv-rank", "3"]),
    ("self-attention", ["--k-idx", "2", "--v-idx", "1", "--shape-inference"]),
    ("self-attention", ["--cp-type", "fused", "--k-shuffle", "0", "2", "1", "--is-causal", "--nb-rank", "2"]),
    ("self-attention", ["--no-suggest-io"]),
    ("two-layers", ["--k-idx", "2", "--v-idx", "1", "--kv-rank", "3"]),
    ("grouped", ["--k-idx", "3", "--v-idx", "2", "--kv-rank", "4"]),
    ("branches", []),
    ("no-attention", []),
    ("no-shapes", ["--i-rank", "3", "--i-idx", "1", "--o-rank", "3"]),
    ("constant-keys", []),
    ("unnamed", []),
    # errors
    ("self-attention", ["--k-idx", "2"]),
    ("bare", ["--i-idx", "7"]),
    ("bare", ["--k-idx", "3"]),
    ("no-shapes", ["--o-idx", "1"]),
]


@pytest.mark.parametrize("name, options", SHARDS, ids=lambda value: value if isinstance(value, str) else "_".join(value).replace("--", ""))
def test_shard(tmp_path, name, options):
    ours, original = both_in(tmp_path, ["multi-device", "shard", "m.onnx", "--one-shot", "-o", "o.onnx", *options], m=MODELS[name])
    assert ours.code == original.code, ours.stderr
    if ours.code:
        # The original names the first tensor of a set.
        first = [re.sub(r"tensor \w+", "tensor", r.stderr.splitlines()[0]) for r in (ours, original)]
        assert first[0] == first[1]
        return
    ours_only = ("[W] Attention layer", "[W] The hints have no attention layers, inputs or outputs")
    assert [line for line in messages(ours) if not line.startswith(ours_only)] == messages(original)
    models = [onnx.load(tmp_path / who / "o.onnx") for who in ("ours", "original")]
    assert formula(models[0]) == formula(models[1])
    assert len(models[0].graph.output) == 1 or sorted(formula(models[0])) == sorted(formula(models[1]))


def initializers(model):
    return sorted((init.name, numpy_helper.to_array(init).tolist()) for init in model.graph.initializer)


def ports(model):
    return [(v.name, [d.dim_value or d.dim_param for d in v.type.tensor_type.shape.dim]) for v in model.graph.input]


@pytest.mark.parametrize("devices", [1, 2])
@pytest.mark.parametrize("model", [decoder(), decoder(2), decoder(packed=True), bare()], ids=["one", "two", "packed", "nothing-to-split"])
def test_tensor_parallelism(tmp_path, model, devices):
    args = ["multi-device", "shard", "m.onnx", "--one-shot", "--parallelism", "TP", "--nb-rank", str(devices), "-o", "o.onnx"]
    ours, original = both_in(tmp_path, args, m=model)
    assert (ours.code, original.code) == (0, 0), ours.stderr
    assert [line for line in messages(ours) if not line.startswith("[W] The model cannot be split")] == messages(original)
    for rank in range(devices):
        parts = [onnx.load(tmp_path / who / f"o_tp{devices}_rank{rank}.onnx") for who in ("ours", "original")]
        assert formula(parts[0]) == formula(parts[1])
        assert initializers(parts[0]) == initializers(parts[1])
        assert ports(parts[0]) == ports(parts[1])
    assert not (tmp_path / "ours" / "o.onnx").exists()


def test_weights_of_devices_lie_beside_them(tmp_path):
    args = ["multi-device", "shard", "m.onnx", "--one-shot", "--parallelism", "TP", "--nb-rank", "2", "-o", "o.onnx",
            "--external-data-size-threshold", "1"]
    ours, original = both_in(tmp_path, args, m=decoder())
    assert (ours.code, original.code) == (0, 0), ours.stderr
    assert messages(ours) == messages(original)
    files = [sorted(os.listdir(tmp_path / who)) for who in ("ours", "original")]
    assert files[0] == files[1]
    assert "o_tp2_rank1.onnx.data" in files[0]


@pytest.mark.parametrize("devices", [3, 4])
def test_uneven_weights_and_heads(tmp_path, devices):
    args = ["multi-device", "shard", "m.onnx", "--one-shot", "--parallelism", "TP", "--nb-rank", str(devices), "-o", "o.onnx"]
    ours, original = both_in(tmp_path, args, m=decoder())
    assert (ours.code, original.code) == (1, 1)
    assert ours.stderr.splitlines()[0] == original.stderr.splitlines()[0]
    assert os.listdir(tmp_path / "ours") == ["m.onnx"]


def test_hints_file(tmp_path):
    """Hints of one, read by the other."""
    both_in(tmp_path, ["template", "shard-hints", "m.onnx", "-o", "h.json", "--k-idx", "2", "--v-idx", "1", "--kv-rank", "3"], m=MODELS["self-attention"])
    os.rename(tmp_path / "ours" / "h.json", tmp_path / "h.json")
    os.replace(tmp_path / "original" / "h.json", tmp_path / "ours" / "h.json")
    os.replace(tmp_path / "h.json", tmp_path / "original" / "h.json")
    ours, original = both_in(tmp_path, ["multi-device", "shard", "m.onnx", "-s", "h.json", "-o", "o.onnx"])
    assert (ours.code, original.code) == (0, 0)
    assert messages(ours) == messages(original)
    assert formula(onnx.load(tmp_path / "ours" / "o.onnx")) == formula(onnx.load(tmp_path / "original" / "o.onnx"))


# --- what sharded models compute


def simulate(folder, devices, whole, shards, dims):
    env = os.environ | {"PYTHONPATH": os.pathsep.join(os.path.abspath(p) for p in sys.path)}
    done = subprocess.run([sys.executable, os.path.join(HERE, "shard_simulator.py"), str(devices), whole, *shards, "--dim", *dims],
                          capture_output=True, cwd=folder, env=env, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


COMPUTED = {
    "self-attention": (MODELS["self-attention"], ["--k-idx", "2", "--v-idx", "1", "--kv-rank", "3"]),
    "static": (self_attention(dims=(2, 8, 8)), ["--i-idx", "1", "--o-idx", "1", "--k-idx", "2", "--v-idx", "1", "--shape-inference"]),
    "three-layers": (self_attention(3), ["--k-idx", "2", "--v-idx", "1", "--kv-rank", "3"]),
    "masked": (self_attention(2, mask="input"), ["--k-idx", "2", "--v-idx", "1", "--kv-rank", "3", "--attention-pattern", "2"]),
    "grouped": (grouped_queries(), ["--k-idx", "3", "--v-idx", "2", "--kv-rank", "4"]),
    "scaled": (scaled(), ["--k-idx", "2", "--v-idx", "1", "--attention-pattern", "1"]),
}


@pytest.mark.parametrize("devices", [1, 2, 4])
@pytest.mark.parametrize("name", COMPUTED)
def test_computes_the_same(tmp_path, name, devices):
    model, options = COMPUTED[name]
    onnx.save(model, tmp_path / "m.onnx")
    for more in ([], ["--keep-output-names"]):
        done = run_ours(["multi-device", "shard", "m.onnx", "--one-shot", "-o", "o.onnx", "--nb-rank", str(devices), *options, *more], tmp_path)
        assert done.code == 0, done.stderr
        simulate(tmp_path, devices, "m.onnx", ["o.onnx"], ["batch=2", "seq_len=8", "keys=8"])
    assert [o.name for o in onnx.load(tmp_path / "o.onnx").graph.output] == [o.name for o in model.graph.output]


@pytest.mark.parametrize("devices", [1, 2])
@pytest.mark.parametrize("model", [decoder(), decoder(2, bias=True), decoder(reshapes=True), decoder(bias=True, reshapes=True),
                                   decoder(2, bias=True, packed=True)],
                         ids=["plain", "two-layers-bias", "reshapes", "bias-reshapes", "packed"])
def test_split_weights_compute_the_same(tmp_path, model, devices):
    onnx.save(model, tmp_path / "m.onnx")
    done = run_ours(["multi-device", "shard", "m.onnx", "--one-shot", "--parallelism", "TP", "--nb-rank", str(devices), "-o", "o.onnx"], tmp_path)
    assert done.code == 0, done.stderr
    parts = [f"o_tp{devices}_rank{rank}.onnx" for rank in range(devices)]
    simulate(tmp_path, devices, "m.onnx", parts, ["batch=2", "seq_len=6", "past=3"])


@pytest.mark.parametrize("devices", [1, 2, 4])
def test_split_gated_block_computes_the_same(tmp_path, devices):
    nodes = [("MatMul", "x wg", "g", "gate", {}), ("MatMul", "x wu", "u", "up", {}), ("Sigmoid", "g", "sg", "sigmoid", {}), ("Mul", "g sg", "gs", "silu", {}),
             ("Mul", "gs u", "h", "mul", {}), ("MatMul", "h wd", "d", "down", {}), ("Add", "x d", "y", "sum", {})]
    onnx.save(make_model(nodes, [("x", ["batch", 8])], [("y", ["batch", 8]), ("d", ["batch", 8])], [("wg", (8, 16)), ("wu", (8, 16)), ("wd", (16, 8))]), tmp_path / "m.onnx")
    done = run_ours(["multi-device", "shard", "m.onnx", "--one-shot", "--parallelism", "TP", "--nb-rank", str(devices), "-o", "o.onnx", "--keep-output-names"], tmp_path)
    assert done.code == 0, done.stderr
    simulate(tmp_path, devices, "m.onnx", [f"o_tp{devices}_rank{rank}.onnx" for rank in range(devices)], ["batch=3"])


# --- differences


def text(result):
    return "\n".join(messages(result)) + "\n" + result.stderr


SHARED = make_model([("Relu", "x", "q", "relu", {}), *CORE, ("MatMul", "o k", "s2", "qk2", {}), ("Softmax", "s2", "p2", "softmax2", {}), ("MatMul", "p2 v", "y", "pv2", {})],
                    [("x", [2, "seq_len", 8]), ("k", [2, 8, "seq_len"]), ("v", [2, "seq_len", 8])], [("y", [2, "seq_len", 8]), ("o", [2, "seq_len", 8])])


def test_shared_keys_and_outputs_inside(tmp_path):
    args = ["multi-device", "shard", "m.onnx", "--one-shot", "-o", "o.onnx", "--k-idx", "2", "--v-idx", "1", "--nb-rank", "2", "--kv-rank", "3"]
    ours, original = both_in(tmp_path, args, m=SHARED)
    assert (ours.code, original.code) == (0, 0)
    counts = [sum(node.op_type == "DistCollective" for node in onnx.load(tmp_path / who / "o.onnx").graph.node) for who in ("ours", "original")]
    assert counts == [7, 9]

    def queries_of_second(who):
        graph = onnx.load(tmp_path / who / "o.onnx").graph
        second, = [node for node in graph.node if node.name == "qk2"]
        return "MatMul:" + ("part" if second.input[0] in [n.output[0] for n in graph.node if n.name == "pv"] else "whole")

    expect("shard-gathers-for-the-caller", queries_of_second("ours"), queries_of_second("original"))
    simulate(tmp_path, 2, "ours/m.onnx", ["ours/o.onnx"], ["seq_len=8"])


def test_shared_keys_are_gathered_once(tmp_path):
    """Along the first axis, so that a second collective of the original stands behind the first."""
    nodes = [*CORE, ("Relu", "o", "r", "relu", {}), ("MatMul", "r k", "s2", "qk2", {}), ("Softmax", "s2", "p2", "softmax2", {}), ("MatMul", "p2 v", "y", "pv2", {})]
    ours, original = both_in(tmp_path, ["multi-device", "shard", "m.onnx", "--one-shot", "-o", "o.onnx"], m=make_model(nodes, QKV, [("y", [2, 4, 8])]))
    assert (ours.code, original.code) == (0, 0)
    expect("shard-gathers-once", ours.stdout, original.stdout)


def test_scaled_attention(tmp_path):
    ours, original = both_in(tmp_path, ["template", "shard-hints", "m.onnx", "-o", "h.json", "--attention-pattern", "1"], m=scaled())
    assert (ours.code, original.code) == (0, 0)
    expect("scaled-attention", text(ours), text(original))


def set_in(*path_and_value):
    *path, value = path_and_value

    def change(hints):
        for key in path[:-1]:
            hints = hints[key]
        hints[path[-1]] = value

    return change


@pytest.mark.parametrize("id, change", [
    ("traceback-shard-hints", set_in("inputs", 0, "name", "nosuch")),
    ("traceback-shard-hints", set_in("outputs", 0, "name", "nosuch")),
    ("traceback-shard-hints", set_in("attention_layers", 0, "q", "nosuch")),
    ("shard-ranks-that-differ", set_in("inputs", 0, "rank", 5)),
    ("shard-axes-count-from-0", set_in("inputs", 0, "seq_len_idx", -1)),
])
def test_hints_that_do_not_fit(tmp_path, id, change):
    model = MODELS["self-attention"]
    both_in(tmp_path, ["template", "shard-hints", "m.onnx", "-o", "h.json"], m=model)
    for who in ("ours", "original"):
        hints = json.loads((tmp_path / who / "h.json").read_text())
        change(hints)
        (tmp_path / who / "h.json").write_text(json.dumps(hints))
    ours, original = both_in(tmp_path, ["multi-device", "shard", "m.onnx", "-s", "h.json", "-o", "o.onnx"])
    expect(id, text(ours), text(original))
    assert ours.code == 1
    assert not (tmp_path / "ours" / "o.onnx").exists()


def test_hints_of_049(tmp_path):
    hints = {"parallelism": "CP", "group_size": 2, "root": 1, "groups": [0, 1], "k_seq_len_idx": 0, "v_seq_len_idx": 0, "kv_rank": None,
             "attention_layers": [{"q": "q", "gather_kv": True, "gather_q": False, "polygraphy_class": "AttentionLayerHint"}],
             "inputs": [{"name": "q", "seq_len_idx": 0, "rank": 3, "polygraphy_class": "ShardTensor"}], "outputs": [], "reduce_scatter_reduce_op": "max",
             "polygraphy_class": "ShardHints"}
    for who in ("ours", "original"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "h.json").write_text(json.dumps(hints))
    ours, original = both_in(tmp_path, ["multi-device", "shard", "m.onnx", "-s", "h.json", "-o", "o.onnx"], m=bare())
    expect("shard-hints-of-0.49", text(ours), text(original))
    assert ours.code == 0


def test_what_hints_do_not_say(tmp_path):
    """Options beside a file of hints, and ranks that neither it nor the model has."""
    onnx.save(MODELS["no-shapes"], tmp_path / "m.onnx")
    made = run_ours(["template", "shard-hints", "m.onnx", "--i-idx", "1", "-o", "h.json"], str(tmp_path))
    assert made.code == 0, made.stderr
    r = run_ours(["multi-device", "shard", "m.onnx", "-s", "h.json", "--nb-rank", "4", "--gpus", "7", "--kv-rank", "3",
                  "--attention-pattern", "0", "-o", "o.onnx"], str(tmp_path))
    unused = re.findall(r"\[W\] Option: (\S+) has no effect with --hint", r.stdout)
    assert sorted(unused) == ["--gpus", "--kv-rank", "--nb-rank"], r.stdout
    assert r.code == 1 and "Infer them with --shape-inference." in r.stderr, r.stderr
