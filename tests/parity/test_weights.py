"""`inspect sparsity`, `surgeon prune`, `weight-strip` and `weight-reconstruct`: the same lines, the same models."""
import os
import re

import numpy as np
import onnx
import onnx_graphsurgeon  # noqa: F401: once for all runs of the original
import pytest
from differences import expect
from harness import both, run_original, run_ours
from onnx import TensorProto as T
from onnx import helper, numpy_helper

# Its pattern matcher prints every step.
CHATTER = re.compile(
    r"^\[\w+\] \t*(Start a subgraph matching\.\.\.|Checking node: .*|No match because: .*|Single node is matched: .*"
    r"|Found a matched subgraph!|colored module is not installed.*)\n", re.M)


def answers(args, cwd):
    ours, original = both(args, cwd)
    original.stdout = CHATTER.sub("", original.stdout)
    return ours, original


def changed(command, model, cwd, *options):
    """(our model, its model) after a surgeon command whose lines are equal."""
    args = ["surgeon", command, model, "-o", "out.onnx", *options]
    ours, original = answers(args, cwd)
    assert (ours.code, ours.stdout) == (original.code, original.stdout), args
    return results(args, cwd)


def results(args, cwd):
    models = []
    for run in (run_ours, run_original):
        assert run([str(a) for a in args], str(cwd)).code == 0, args
        models.append(onnx.load(os.path.join(str(cwd), "out.onnx")))
    return models


def save(path, nodes, weights, opsets=(("", 17),), inputs=(("x", T.FLOAT, ["a", "b"]),), **model):
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(*i) for i in inputs], [helper.make_tensor_value_info("y", T.FLOAT, ["c", "d"])],
        initializer=[w if isinstance(w, onnx.TensorProto) else numpy_helper.from_array(w[1], w[0]) for w in weights])
    imports = [helper.make_opsetid(*o) for o in opsets]
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=imports, **model), str(path))
    return str(path)


def node(op, inputs, outputs, **attributes):
    attributes.setdefault("name", "n_" + outputs.split()[0])
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def random(*shape, dtype=np.float32):
    return np.random.RandomState(7).randn(*shape).astype(dtype)


def sparse(*shape, axis):
    values = np.moveaxis(random(*shape), axis, -1).copy()
    values[..., 0::4] = values[..., 3::4] = 0
    return np.ascontiguousarray(np.moveaxis(values, -1, axis))


def matrices(path):
    """Every way to a weight that the walk knows, and every reason to leave one out."""
    nodes = [
        node("MatMul", "x a", "m1"), node("MatMul", "b x", "m2"), node("Gemm", "x c", "g1"),
        node("Gemm", "d e bias", "g2", transA=1, transB=1), node("Conv", "x f", "c1"),
        node("Transpose", "h", "ht", perm=[1, 0]), node("MatMul", "x ht", "m3"),
        node("Cast", "i", "ic", to=T.FLOAT), node("MatMul", "x ic", "m4"),
        node("QuantizeLinear", "j s", "jq"), node("DequantizeLinear", "jq s", "jd"), node("MatMul", "x jd", "m5"),
        node("Reshape", "k shape", "kr"), node("MatMul", "x kr", "m6"),
        node("Exp", "l", "le"), node("MatMul", "x le", "m7"),
        node("Transpose", "m", "mt"), node("MatMul", "x mt", "m8"),
        node("MatMul", "integers x", "m9"), node("MatMul", "x odd", "m10"), node("MatMul", "a x", "m11"),
        node("Sum", "m1 m2 m3", "y"),
    ]
    weights = [
        ("a", sparse(8, 4, axis=1)), ("b", random(4, 8)), ("c", sparse(4, 8, axis=0)), ("d", random(8, 4)), ("e", random(4, 8)),
        ("bias", random(4)), ("f", sparse(8, 4, 3, 3, axis=1)), ("h", random(8, 12)), ("i", random(4, 4, dtype=np.float16)),
        ("j", random(4, 4)), ("s", np.float32(0.1)), ("k", random(4, 4)), ("shape", np.array([8, 2], np.int64)), ("l", random(4, 4)),
        ("m", random(4, 4)), ("integers", np.ones((4, 4), np.int64)), ("odd", random(6, 4)),
    ]
    return save(path, nodes, weights)


def test_sparsity(tmp_path):
    ours, original = answers(["inspect", "sparsity", matrices(tmp_path / "m.onnx"), "-v"], tmp_path)
    assert (ours.code, [l for l in ours.stdout.splitlines() if "Loaded Module" not in l]) == (
        original.code, [l for l in original.stdout.splitlines() if "Loaded Module" not in l and "Model: " not in l])
    assert "Found sparse tensor: f" in ours.stdout and "Found non-sparse tensor: a" not in ours.stdout


def test_prune(tmp_path):
    ours, original = changed("prune", matrices(tmp_path / "m.onnx"), tmp_path)
    assert ours == original


def test_prune_order_among_equals(tmp_path):
    values = np.random.RandomState(3).randint(-2, 3, (16, 64)).astype(np.float32)
    model = save(tmp_path / "m.onnx", [node("MatMul", "x w", "h"), node("Gemm", "h v", "y", transB=1)], [("w", values), ("v", values)])
    ours, original = changed("prune", model, tmp_path)
    assert ours == original


def test_prune_keeps_the_rest_of_the_model(tmp_path):
    weight = numpy_helper.from_array(random(4, 4), "w")
    weight.doc_string = "from the paper"
    function = helper.make_function("mine", "f", ["a"], ["r"], [helper.make_node("Neg", ["a"], ["r"])], [helper.make_opsetid("", 17)])
    model = save(tmp_path / "m.onnx", [node("MatMul", "x w", "h"), node("f", "h", "y", domain="mine")], [weight],
                 opsets=(("", 17), ("mine", 1)), functions=[function], doc_string="about")
    ours, original = results(["surgeon", "prune", model, "-o", "out.onnx"], tmp_path)
    assert numpy_helper.to_array(ours.graph.initializer[0]).tolist() == numpy_helper.to_array(original.graph.initializer[0]).tolist()
    expect("prune-keeps-the-model", str(ours), str(original))


def test_bfloat16_is_pruned_by_magnitude(tmp_path):
    weight = helper.make_tensor("w", T.BFLOAT16, [4, 1], [1.0, 2.0, 3.0, 4.0])
    weight.CopyFrom(T(name="w", data_type=T.BFLOAT16, dims=[4, 1], raw_data=bytes.fromhex("803f004040408040")))
    model = save(tmp_path / "m.onnx", [node("MatMul", "x w", "y")], [weight])
    ours, original = changed("prune", model, tmp_path)
    expect("prune-bfloat16", *[m.graph.initializer[0].raw_data.hex() for m in (ours, original)])


def test_an_axis_that_a_weight_does_not_have(tmp_path):
    model = save(tmp_path / "m.onnx", [node("MatMul", "w x", "y")], [("w", random(4))])
    ours, original = answers(["inspect", "sparsity", model], tmp_path)
    assert (ours.code, original.code) == (0, 1)
    expect("sparsity-without-the-axis", ours.stdout, original.stderr)


def quantized(path, conv=()):
    nodes = [
        node("Gemm", "x p bias", "g1"), node("Conv", "g1 q", "c1"), node("ConvTranspose", "c1 r cb", "c2"),
        node("QuantizeLinear", "t s z", "tq"), node("DequantizeLinear", "tq s z", "td"), node("MatMul", "c2 td", "m1"),
        node("QuantizeLinear", "u s", "uq"), node("DequantizeLinear", "uq s", "ud"), node("Gemm", "m1 ud", "m2"),
        node("Transpose", "v", "vt"), node("Gemm", "m2 vt", "m3"),
        node("Transpose", "shared", "sht"), node("MatMul", "m3 sht", "m4"), node("MatMul", "sht m4", "m5"),
        node("Gather", "big indices", "ga"), node("Gather", "small indices", "gb"),
        node("Slice", "sliced starts starts starts", "sl"), node("DequantizeLinear", "w8 s", "wd"), node("MatMul", "m5 wd", "m6"),
        node("Custom", "m6 data bytes", "pl", domain="mine"), node("Add", "pl kept", "y"), *conv,
    ]
    weights = [(name, random(4, 4)) for name in "p q r t u v shared data kept".split()] + [
        ("bias", random(4)), ("cb", random(4)), ("s", np.float32(0.1)), ("z", np.int8(0)), ("big", random(16, 64)), ("small", random(16, 63)),
        ("indices", np.array([1, 2], np.int64)), ("sliced", random(2, 512)), ("starts", np.zeros(2000, np.int64)),
        ("w8", np.ones((4, 4), np.int8)), ("bytes", np.ones(4, np.uint8)), ("ck", random(4, 4, 1, 1)),
    ]
    return save(path, nodes, weights, opsets=(("", 17), ("mine", 1)), doc_string="mine")


def test_strip(tmp_path):
    (tmp_path / "keep.txt").write_text("r  \nv\nkept\nnobody\n")
    ours, original = changed("weight-strip", quantized(tmp_path / "m.onnx"), tmp_path, "--exclude-list", "keep.txt")
    assert ours == original
    stripped = [t.name for t in ours.graph.initializer if t.doc_string]
    assert stripped == ["p", "q", "t", "u", "data", "bias", "cb", "big", "sliced"]


def test_strip_marks_what_was_sparse(tmp_path):
    ours, original = changed("weight-strip", matrices(tmp_path / "m.onnx"), tmp_path)
    assert ours == original
    assert {t.doc_string for t in ours.graph.initializer} == {"", "TRT_WEIGHTLESS/", "TRT_WEIGHTLESS/SPARSE_2_4"}


def test_strip_looks_behind_quantization_of_convolutions(tmp_path):
    model = quantized(tmp_path / "m.onnx", conv=[
        node("QuantizeLinear", "ck s", "ckq"), node("DequantizeLinear", "ckq s", "ckd"), node("Conv", "x ckd", "unused")])
    args = ["surgeon", "weight-strip", model, "-o", "out.onnx"]
    expect("strip-behind-quantized-convolutions", *[str([t.name for t in m.graph.initializer if t.doc_string]) for m in results(args, tmp_path)])


def test_strip_keeps_an_excluded_weight_wherever_it_is_used(tmp_path):
    model = save(tmp_path / "m.onnx", [node("MatMul", "x w", "h"), node("MatMul", "h w", "y")], [("w", random(4, 4))])
    (tmp_path / "keep.txt").write_text("w\n")
    args = ["surgeon", "weight-strip", model, "-o", "out.onnx", "--exclude-list", "keep.txt"]
    expect("strip-excluded-weights", *[str(m.graph.initializer[0].doc_string) for m in results(args, tmp_path)])


def test_strip_empties_typed_fields(tmp_path):
    weight = helper.make_tensor("w", T.FLOAT, [2], [1.0, 2.0])
    model = save(tmp_path / "m.onnx", [node("MatMul", "x w", "y")], [weight])
    ours, original = changed("weight-strip", model, tmp_path)
    expect("strip-typed-fields", str(ours.graph.initializer[0]), str(original.graph.initializer[0]))


LIGHT = ["squeezenet", "resnet50", "densenet121"]


@pytest.mark.parametrize("name", LIGHT)
def test_light_models(testdata, tmp_path, name):
    model = os.path.join(testdata, "light", f"light_{name}.onnx")
    ours, original = answers(["inspect", "sparsity", model], tmp_path)
    assert (ours.code, ours.stdout) == (original.code, original.stdout)
    ours, original = changed("weight-strip", model, tmp_path, "-qqq")  # its matcher takes a minute to talk
    assert ours == original


def test_operator_models(testdata, tmp_path):
    names = ["test_gemm_all_attributes", "test_Linear", "test_Conv2d", "test_ConvTranspose2d", "test_Embedding", "test_shrink",
             "test_strnorm_model_monday_casesensintive_lower"]
    found = 0
    for folder in ("node", "pytorch-converted", "pytorch-operator", "simple"):
        for name in names:
            model = os.path.join(testdata, folder, name, "model.onnx")
            if not os.path.exists(model):
                continue
            found += 1
            for command in ("prune", "weight-strip"):
                ours, original = changed(command, model, tmp_path, "-qqq")
                assert ours == original, (command, model)
    assert found >= 5


@pytest.fixture(params=[("ours", "original"), ("original", "ours")], ids=["ours-to-original", "original-to-ours"])
def pair(request):
    runs = {"ours": run_ours, "original": run_original}
    return runs[request.param[0]], runs[request.param[1]]


def test_what_one_strips_the_other_reconstructs(tmp_path, pair):
    strip, reconstruct = pair
    model = matrices(tmp_path / "m.onnx")
    assert strip(["surgeon", "weight-strip", model, "-o", "s.onnx"], tmp_path).code == 0
    assert reconstruct(["surgeon", "weight-reconstruct", "s.onnx", "-o", "r.onnx"], tmp_path).code == 0
    before, after = onnx.load(model), onnx.load(str(tmp_path / "r.onnx"))
    assert [(t.name, t.data_type, list(t.dims)) for t in before.graph.initializer] == [
        (t.name, t.data_type, list(t.dims)) for t in after.graph.initializer]
    for t in after.graph.initializer:
        numpy_helper.to_array(t)
    checked = run_ours(["inspect", "sparsity", "r.onnx"], tmp_path).stdout
    assert re.findall(r"Found sparse tensor: (\w)", checked) == ["a", "c", "f"]


def test_reconstructed_numbers(tmp_path):
    """The original is unseeded; with a seed it draws what we draw."""
    assert run_ours(["surgeon", "weight-strip", matrices(tmp_path / "m.onnx"), "-o", "s.onnx"], tmp_path).code == 0
    for seed, options in ((1, []), (42, ["--seed", "42"])):
        models = []
        for run, arguments in ((run_ours, options), (run_original, [])):
            np.random.seed(seed)  # the original runs in a fork of this process
            assert run(["surgeon", "weight-reconstruct", "s.onnx", "-o", "r.onnx", *arguments], tmp_path).code == 0
            models.append(onnx.load(str(tmp_path / "r.onnx")))
        for a, b in zip(*[m.graph.initializer for m in models]):
            assert (a.name, a.raw_data) == (b.name, b.raw_data)
