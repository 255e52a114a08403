"""`surgeon` writes the models of the original, and prints its messages.

Models are compared field by field after loading. Our files hold more than the original's, which loses the rest: see
"surgeon" in docs/differences/fixed.md.
"""
import glob
import os
import re
import subprocess
import sys

import numpy
import onnx
import pytest
from differences import expect
from harness import Result, mask, run_original, run_ours
from onnx import TensorProto as T
from onnx import helper, numpy_helper, parser


def both_in(folder, args):
    """Runs both, each in a separate folder; (ours, original) with masked texts."""
    results = []
    for name, run in (("ours", run_ours), ("original", run_original)):
        where = folder / name
        where.mkdir(exist_ok=True)
        r = run([str(a) for a in args], str(where))
        results.append(Result(r.code, mask_surgeon(mask(r.stdout)), mask(r.stderr)))
    return tuple(results)


def mask_surgeon(text):
    # The original infers shapes with another tool first, and through a temporary file.
    text = re.sub(r"\[W\] Falling back to `onnx.shape_inference`.*\n(    .*\n)*", "", text)
    text = re.sub(r"Loading model: .*", "Loading model: <path>", text)
    # A set's order changes from run to run.
    text = re.sub(r"(?<=upper bounds: \{)[^}]*", lambda m: ", ".join(sorted(m[0].split(", "))), text)
    return text.replace(", shape=()]", "]")  # an unknown rank, as the original prints it


def tensor(t):
    return t.name, t.data_type, tuple(t.dims), numpy_helper.to_array(t).tobytes()


def graph_fields(graph):
    io = {i.name for i in (*graph.input, *graph.output)}
    weights = {t.name for t in graph.initializer}
    return {
        "name": graph.name,
        "nodes": [node_fields(n) for n in graph.node],
        "inputs": [(i.name, i.type.SerializeToString(deterministic=True)) for i in graph.input
                   if i.name not in weights],  # the original drops those of old models
        "outputs": [(o.name, o.type.SerializeToString(deterministic=True)) for o in graph.output],
        "initializers": sorted(tensor(t) for t in graph.initializer),
        # For inputs and outputs, value_info can only repeat their declarations.
        "value_info": sorted((v.name, v.type.SerializeToString(deterministic=True)) for v in graph.value_info if v.name not in io),
    }


def attribute_fields(a):
    if a.type == onnx.AttributeProto.GRAPH:
        return a.name, a.type, graph_fields(a.g)
    if a.type == onnx.AttributeProto.TENSOR:
        return a.name, a.type, tensor(a.t)[1:]
    return a.name, a.type, helper.get_attribute_value(a)


def node_fields(n):
    return n.op_type, n.name, n.domain, list(n.input), list(n.output), [attribute_fields(a) for a in n.attribute]


def model_fields(path):
    model = onnx.load(str(path))
    fields = graph_fields(model.graph)
    fields["ir_version"] = model.ir_version
    fields["opsets"] = sorted((o.domain, o.version) for o in model.opset_import)
    fields["functions"] = [(f.name, f.domain, [node_fields(n) for n in f.node]) for f in model.functions]
    return fields


def compare(folder, args, texts=True, ignore=()):
    ours, original = both_in(folder, [*args, "-o", "out.onnx"])
    assert (ours.code, original.code) == (0, 0), ours.stderr + original.stderr
    if texts:
        assert ours.stdout == original.stdout
        assert ours.stderr == original.stderr
    fields = [model_fields(folder / name / "out.onnx") for name in ("ours", "original")]
    for name in fields[0]:
        if name not in ignore:
            assert fields[0][name] == fields[1][name], name
    return ours, original


def save(text, path):
    onnx.save(parser.parse_model(text), str(path))
    return path


CONV = """<ir_version: 10, opset_import: ["" : 17]>
g (float[N,3,8,8] x) => (float[N,4,8,8] y, float[N,4,8,8] z) <float[4,1,1] b = {1, 2, 3, 4}, float[4,3,1,1] w = {1,2,3,4,5,6,7,8,9,10,11,12}> {
  [conv] c = Conv (x, w)
  [relu] r = Relu (c)
  [add] s = Add (r, b)
  [sig] y = Sigmoid (s)
  [tanh] z = Tanh (r)
}"""


@pytest.fixture()
def conv(tmp_path):
    return save(CONV, tmp_path / "conv.onnx")


@pytest.mark.parametrize("args", [
    ["--inputs", "r:auto:auto", "--outputs", "y:auto"],
    ["--inputs", "r:[1,4,8,8]:float32", "--outputs", "s:auto"],
    ["--inputs", "r:[-1,4,H,8]:float32"],
    ["--inputs", "r:[1,4,8,8]:float32", "--outputs", "z:float32"],
    ["--inputs", "s:auto:auto", "r:auto:float32"],
    ["--inputs", "r:auto:auto", "--outputs", "r:auto"],
    ["--inputs", "--outputs", "w:auto"],
    ["--outputs", "c:float32", "--shape-inference"],
    ["--force-fallback-shape-inference", "--inputs", "r:auto:auto"],
    ["--force-fallback-shape-inference", "--inputs", "r:auto:auto", "--model-inputs", "x:[2,3,8,8]", "--seed", "3"],
    ["--inputs", "r:[1,4,8,8]:float32", "--outputs", "c:float32"],
    ["--inputs", "r:[1,4,8,8]:float32", "--outputs", "x:auto"],
    [],
])
def test_extract(conv, tmp_path, args):
    compare(tmp_path, ["surgeon", "extract", conv, *args])


@pytest.mark.parametrize("args", [["--inputs", "q:auto:auto"], ["--outputs", "q:auto"]])
def test_extract_unknown_names(conv, tmp_path, args):
    ours, original = both_in(tmp_path, ["surgeon", "extract", conv, *args, "-o", "out.onnx"])
    assert (ours.code, ours.stdout) == (original.code, original.stdout)
    assert ours.stderr.startswith(original.stderr.splitlines()[0])
    assert not (tmp_path / "ours" / "out.onnx").exists()


def real_models(testdata):
    light = sorted(glob.glob(os.path.join(testdata, "light", "*.onnx")))[:6]
    return [*light, *sorted(glob.glob(os.path.join(testdata, "pytorch-*", "*", "model.onnx")))[::25]]


def test_extract_parts_of_real_models(testdata, tmp_path):
    for i, path in enumerate(real_models(testdata)):
        graph = onnx.load(path).graph
        weights = {t.name for t in graph.initializer}
        node = graph.node[len(graph.node) * (i % 3 + 1) // 4]
        first = next((n for n in node.input if n and n not in weights), None)
        if first is None:
            continue
        last = graph.node[-1].output[0]
        folder = tmp_path / str(i)
        folder.mkdir()
        compare(folder, ["surgeon", "extract", path, "--inputs", f"{first}:[1]:float32", "--outputs", f"{last}:float32"])


@pytest.mark.parametrize("args", [
    ["--inputs", "r", "--outputs", "s", "--op", "Foo", "--name", "foo",
     "--attrs", "axis=1", "alpha=1.5", "l=[1,2]", "fl=[1.0,2]", "s=abc", "ss=[a,b]", "t='3'", "n=-1"],
    ["--inputs", "r", "--outputs", "r", "--op", "Foo"],
    ["--inputs", "z", "--outputs", "z", "--op", "Foo"],
    ["--inputs", "x", "--outputs", "x", "--op", "Foo"],
    ["--inputs", "x", "x", "--outputs", "y", "z", "--op", "Foo"],
    ["--inputs", "c", "s", "--outputs", "y", "--op", "Foo", "--shape-inference"],
])
def test_insert(conv, tmp_path, args):
    compare(tmp_path, ["surgeon", "insert", conv, *args])


def test_insert_unknown_name(conv, tmp_path):
    ours, original = both_in(tmp_path, ["surgeon", "insert", conv, "--inputs", "xx", "--outputs", "y", "--op", "Foo", "-o", "out.onnx"])
    assert (ours.code, ours.stdout) == (original.code, original.stdout) and ours.code == 1
    assert ours.stderr.startswith(original.stderr.splitlines()[0])


@pytest.mark.parametrize("args", [
    ["--cleanup"],
    ["--toposort"],
    ["--cleanup", "--no-shape-inference"],
    ["--no-shape-inference"],
    ["--outputs", "r", "--cleanup"],
    ["--exclude-outputs", "z", "--cleanup"],
    ["--outputs-by-type", "Relu", "Tanh", "--cleanup"],
    ["--override-input-shapes", "x:[1,3,8,8]"],
    ["--override-inputs", "x:[B,3,8,8]", "--cleanup"],
    ["--force-fallback-shape-inference", "--cleanup"],
    ["--cleanup", "--num-passes", "2", "--partitioning", "basic", "--no-fold-shapes", "--no-per-pass-shape-inference",
     "--fold-size-threshold", "3"],
])
def test_sanitize(conv, tmp_path, args):
    compare(tmp_path, ["surgeon", "sanitize", conv, *args])


def test_sanitize_bounds(tmp_path):
    path = save("""<ir_version: 10, opset_import: ["" : 17]>
g (float[N,3] x) => (float[2,K] y, int64[L] r) <float[1] one = {1}, int64 zero = {0}, int64 step = {1}> {
  nz = NonZero (x)
  sh = Shape (nz)
  y = Expand (one, sh)
  lim = ReduceSum <keepdims = 0> (nz)
  r = Range (zero, lim, step)
}""", tmp_path / "dds.onnx")
    # The original sorts the nodes afterwards; ours stand behind the producers, and the rest as it was.
    compare(tmp_path, ["surgeon", "sanitize", path, "--no-onnxruntime-shape-inference", "--set-unbounded-dds-upper-bound", "1000", "lim:50"],
            ignore=("nodes",))
    ours, original = (onnx.load(str(tmp_path / name / "out.onnx")).graph.node for name in ("ours", "original"))
    assert sorted(map(str, ours)) == sorted(map(str, original))


def test_sanitize_real_models(testdata, tmp_path):
    for i, path in enumerate(real_models(testdata)):
        folder = tmp_path / str(i)
        folder.mkdir()
        compare(folder, ["surgeon", "sanitize", path, "--cleanup", "--toposort", "--no-shape-inference"])


def test_external_data(tmp_path):
    weights = [numpy_helper.from_array(numpy.full((64, 64), i, numpy.float32), f"w{i}") for i in range(3)]
    nodes = [helper.make_node("MatMul", [f"t{i}", f"w{i}"], [f"t{i + 1}"]) for i in range(3)]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "g", [info("t0", T.FLOAT, [1, 64])], [info("t3", T.FLOAT, [1, 64])], weights)
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, str(tmp_path / "m.onnx"), save_as_external_data=True, location="m.data", size_threshold=0)
    cut = ["--inputs", "t1:[1,64]:float32", "--outputs", "t2:float32"]
    compare(tmp_path, ["surgeon", "sanitize", tmp_path / "m.onnx", "--cleanup", "--save-external-data", "a.bin", "--no-save-all-tensors-to-one-file"])
    compare(tmp_path, ["surgeon", "extract", tmp_path / "m.onnx", *cut, "--save-external-data", "w.bin", "--external-data-size-threshold", "1K"])
    sizes = [os.path.getsize(tmp_path / name / "w.bin") for name in ("ours", "original")]
    assert sizes == [64 * 64 * 4] * 2
    compare(tmp_path, ["surgeon", "extract", tmp_path / "m.onnx", *cut])
    shared = tmp_path / "shared.onnx"
    r = run_ours(["surgeon", "extract", "m.onnx", *cut, "-o", "shared.onnx", "--share-external-data"], str(tmp_path))
    assert r.code == 0, r.stderr
    assert os.path.getsize(shared) < 1000
    assert model_fields(shared) == model_fields(tmp_path / "ours" / "out.onnx")


SHAPES = """<ir_version: 10, opset_import: ["" : 17]>
g (float[2,3,4] x) => (float[2,12] y, float[6,4] z) {
  [k] two = Constant <value = int64[1] {2}> ()
  [m] minus = Constant <value = int64[1] {-1}> ()
  [sh] s = Shape (x)
  [g0] zero = Constant <value = int64[1] {0}> ()
  [ga] batch = Gather (s, zero)
  [c1] shape1 = Concat <axis = 0> (batch, minus)
  [r1] y = Reshape (x, shape1)
  [g1] last = Gather (s, two)
  [c2] shape2 = Concat <axis = 0> (minus, last)
  [r2] z = Reshape (x, shape2)
}"""


@pytest.mark.parametrize("args", [
    [],
    ["--num-passes", "1"],
    ["--num-passes", "0"],
    ["--no-fold-shapes"],
    ["--no-per-pass-shape-inference"],
    ["--partitioning", "basic"],
    ["--partitioning", "recursive", "--toposort"],
    ["--fold-size-threshold", "1M", "--cleanup"],
])
def test_fold(tmp_path, args):
    path = save(SHAPES, tmp_path / "shapes.onnx")
    ours, original = compare(tmp_path, ["surgeon", "sanitize", path, "--fold-constants", "--no-onnxruntime-shape-inference", *args],
                             texts=False, ignore=("value_info",))
    # Ours needs fewer passes; the final result is the same.
    totals = [re.findall(r"After Folding: +(\d+)", r.stdout)[-1:] for r in (ours, original)]
    assert totals[0] == totals[1]
    lines = [re.search(r"Folding Constants \| Pass 1\n.*", r.stdout) for r in (ours, original)]
    assert (lines[0] is None) == (lines[1] is None)


# As PyTorch exports with keep_initializers_as_inputs.
DEFAULTS = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2,4] x, float[4,3] w = {1,2,3,4,5,6,7,8,9,10,11,12}, int64[2] s = {-1, 6}, float[1] k = {2}, bool p = {1}) => (float[1,6] y) {
  [square] kk = Mul (k, k)
  [product] m = MatMul (x, w)
  [scaled] q = Mul (m, kk)
  [choice] z = If (p) <then_branch = t () => (float[2,3] u) { u = Exp (q) }, else_branch = e () => (float[2,3] v) { v = Neg (q) }>
  [shaped] y = Reshape (z, s)
}"""


def test_fold_default_values_of_inputs(tmp_path):
    path = save(DEFAULTS, tmp_path / "defaults.onnx")
    ours, original = compare(tmp_path, ["surgeon", "sanitize", path, "--fold-constants", "--no-onnxruntime-shape-inference"],
                             texts=False, ignore=("value_info",))
    assert all("After Folding:     4" in r.stdout for r in (ours, original))


def code_of(script):
    return [line for line in script.read_text().splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("args", [
    [],
    ["--shape-inference", "--onnx-outputs", "r", "s", "--onnx-exclude-outputs", "y", "--ext", "."],
    ["--onnx-outputs", "*", "--onnx-outputs-by-type", "Relu", "--ignore-external-data", "--input-shapes", "x:[1,2]"],
    ["--shape-inference", "--no-onnxruntime-shape-inference", "--fp-to-fp16"],
])
def test_template_onnx_gs(conv, tmp_path, args):
    ours, original = both_in(tmp_path, ["template", "onnx-gs", conv, *args, "-o", "script.py"])
    assert ours == original
    assert code_of(tmp_path / "ours" / "script.py") == code_of(tmp_path / "original" / "script.py")
    # float16 needs a package that is missing; the original does not export outputs without a type.
    if "--fp-to-fp16" not in args and "*" not in args:
        env = os.environ | {"PYTHONPATH": os.pathsep.join(os.path.abspath(p) for p in sys.path)}
        subprocess.run([sys.executable, tmp_path / "ours" / "script.py"], check=True, capture_output=True, cwd=tmp_path, env=env)
        assert model_fields(tmp_path / "conv_updated.onnx")["nodes"]


SPLIT = """<ir_version: 10, opset_import: ["" : 17]>
g (float[4,4] x) => (float[2,4] a, float[2,4] b) {
  [split] p, q = Split <axis = 0> (x)
  [r1] a = Relu (p)
  [r2] b = Relu (q)
}"""
FILL = """<ir_version: 10, opset_import: ["" : 17]>
g (float[4096] x) => (float[4096,4096] y) {
  [k] shape = Constant <value = int64[2] {4096, 4096}> ()
  [f] fill = ConstantOfShape (shape)
  [a] y = Add (x, fill)
}"""
# Each level of shape arithmetic hangs on the shape of the one before.
LEVELS = """<ir_version: 10, opset_import: ["" : 17]>
g (float[2,3,4] x) => (float[24,1] d) <int64[1] zero = {0}, int64[1] one = {1}, int64[1] minus = {-1}> {
  s0 = Shape (x)  g0 = Gather (s0, zero)  c0 = Concat <axis = 0> (g0, minus)  a = Reshape (x, c0)
  s1 = Shape (a)  g1 = Gather (s1, one)  c1 = Concat <axis = 0> (minus, g1)  b = Reshape (a, c1)
  s2 = Shape (b)  g2 = Gather (s2, zero)  c2 = Concat <axis = 0> (g2, minus)  c = Reshape (b, c2)
  c3 = Concat <axis = 0> (minus, one)  d = Reshape (c, c3)
}"""


@pytest.mark.parametrize("id, model, args", [
    ("extract-keeps-slots", SPLIT, ["extract", "--inputs", "p:[2,4]:float32", "x:[4,4]:float32"]),
    ("insert-refuses-cycles", CONV, ["insert", "--inputs", "s", "--outputs", "r", "--op", "Foo"]),
    ("insert-attribute-without-value", CONV, ["insert", "--inputs", "x", "--outputs", "r", "--op", "Foo", "--attrs", "a"]),
    ("override-keeps-ranks-of-outputs", CONV, ["sanitize", "--override-input-shapes", "x:[1,3,8,8]", "--no-shape-inference"]),
    ("override-of-no-input", CONV, ["sanitize", "--override-input-shapes", "y:[1,4,8,8]"]),
    ("shape-without-brackets", CONV, ["extract", "--inputs", "r:1x3:float32"]),
    ("traceback-data-type", CONV, ["extract", "--inputs", "r:[1]:fp16"]),
    ("many-passes", LEVELS, ["sanitize", "--fold-constants", "--no-onnxruntime-shape-inference"]),
    ("growth-is-limited", FILL, ["sanitize", "--fold-constants"]),
])
def test_deliberate_differences(tmp_path, id, model, args):
    path = save(model, tmp_path / "m.onnx")
    results = both_in(tmp_path, ["surgeon", args[0], path, *args[1:], "-o", "out.onnx"])
    texts = []
    for name, r in zip(("ours", "original"), results):
        out = tmp_path / name / "out.onnx"
        written = onnx.printer.to_text(onnx.load(str(out))) if out.exists() and id != "growth-is-limited" else ""
        texts.append(r.stdout + r.stderr + written)
    expect(id, *texts)
