"""tensorflow_models_test.py POLYGRAPHY SOURCE TENSORFLOW: models of TensorFlow, run, converted and inspected.

TENSORFLOW is a folder with `site-packages`; without it the test is skipped.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

program, source, folder = sys.argv[1], pathlib.Path(sys.argv[2]), os.environ.get("PG_TENSORFLOW_DIR", sys.argv[3])
site_packages = pathlib.Path(folder) / "site-packages"
if not site_packages.is_dir():
    print("no TensorFlow here: scripts/setup.sh ci brings it")
    sys.exit(77)

os.environ.update(
    POLYGRAPHY_TF_LIB=str(site_packages / "tensorflow" / "libtensorflow_cc.so.2"),
    POLYGRAPHY_PYTHON=sys.executable,
    PYTHONPATH=str(site_packages),
    PYTHONDONTWRITEBYTECODE="1",
    TF_CPP_MIN_LOG_LEVEL="3",
)


def run(*arguments, code=0, env=None):
    """The standard output and error of a command, the latter without the lines of what takes ten seconds."""
    result = subprocess.run([program, *arguments], capture_output=True, text=True, env={**os.environ, **(env or {})})
    assert result.returncode == code, (arguments, result.returncode, result.stdout, result.stderr)
    return result.stdout, re.sub(r"^.* \[\d+:\d\d\]\n", "", result.stderr, flags=re.M)


def test_documents():
    text = (source / "docs" / "tensorflow.md").read_text()
    commands = [line for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()]
    commands = [line for line in commands if line.startswith("polygraphy ")]
    assert len(commands) >= 8, commands
    for command in commands:
        run(*shlex.split(command)[1:])


def test_same_as_onnx_runtime():
    for model in ("frozen.pb", "saved_model", "checkpoint", "model.keras", "model.h5"):
        out, err = run("run", model, "--tf", "--onnxrt", "--seed", "3")
        assert "Pass Rate: 100.00%" in out and not err, (model, out, err)
    # Some of the outputs, and those in the middle.
    out, _ = run("run", "frozen.pb", "--tf", "--onnxrt", "--tf-outputs", "product", "y:0")
    assert "All outputs matched | Outputs: ['product:0', 'y:0']" in out, out
    out, _ = run("run", "saved_model", "--onnxrt")
    assert "scaled [dtype=float32, shape=(1, 3)]" in out, out


def test_converts():
    run("convert", "frozen.pb", "-o", "converted.onnx", "--opset", "14")
    out, _ = run("inspect", "model", "converted.onnx")
    assert "ONNX Opset: 14" in out and "x:0 [dtype=float32" in out and "y:0 [dtype=float32" in out, out
    run("run", "checkpoint", "--onnxrt", "--save-onnx", "saved.onnx")
    assert os.path.getsize("saved.onnx") > 0


def test_the_model_that_is_read_is_not_replaced():
    for model, output in (("frozen.pb", "frozen.pb"), ("saved_model", "saved_model/saved_model.pb"),
                          ("checkpoint", "checkpoint/model.onnx"), ("model.keras", "model.keras")):
        before = pathlib.Path(output).read_bytes() if os.path.exists(output) else None
        for command in (("convert", model, "--convert-to", "onnx", "-o", output),
                        ("run", model, "--onnxrt", "--save-onnx", output)):
            _, err = run(*command, code=1)
            assert "would overwrite" in err and "Write to another path." in err, err
        assert before is None or pathlib.Path(output).read_bytes() == before, output
    _, err = run("convert", "saved_model", "-o", "x.onnx", "--tf-outputs", "product", code=1)
    assert "--tf-outputs cannot select outputs" in err and "--onnx-outputs" in err, err


def test_freezes():
    run("run", "checkpoint", "--tf", "--freeze-graph", "--save-pb", "constant.pb", "--save-outputs", "outputs.json")
    out, _ = run("run", "constant.pb", "--tf", "--load-outputs", "outputs.json")
    assert "Pass Rate: 100.00%" in out, out
    out, _ = run("inspect", "model", "constant.pb", "--show", "layers")
    assert "VarHandleOp" not in out and "[Op: Const]" in out, out
    # Of a SavedModel the names stay, and what its functions have inside are nodes.
    for model, names in (("saved_model", ["scaled", "total"]), ("model.keras", ["output_0"])):
        out, _ = run("run", model, "--tf", "--save-outputs", "outputs.json")
        assert all("%s [dtype=" % name in out for name in names), out
        out, err = run("run", model, "--tf", "--freeze-graph", "--tf-outputs", "mark", "all", "--save-pb", "constant.pb",
                       "--load-outputs", "outputs.json")
        assert "Pass Rate: 100.00%" in out and "MatMul:0 [dtype=" in out or "/mul:0 [dtype=" in out, out
        assert all("Comparing Output: '%s'" % name in out for name in names) and not err, (out, err)
        out, _ = run("run", "constant.pb", "--tf")
        assert "[dtype=float32" in out, out
        out, _ = run("inspect", "model", "constant.pb", "--show", "layers")
        assert "VarHandleOp" not in out and "PartitionedCall]" not in out, out
    out, _ = run("run", "saved_model", "--tf", "--freeze-graph", "--tf-signature", "shout")
    assert "loud [dtype=str" in out, out
    _, err = run("run", "with_table", "--tf", "--freeze-graph", code=1)
    assert "it has tables or other resources that cannot be frozen" in err.splitlines()[0], err
    run("run", "with_table", "--tf")


def test_outputs_of_signatures_stay_when_all_are_marked():
    for model, names in (("saved_model", ["scaled", "total"]), ("model.keras", ["output_0"])):
        out, _ = run("run", model, "--tf", "--tf-outputs", "mark", "all")
        assert all("%s [dtype=" % name in out for name in names), out
        assert "[W] The model has operations in functions (['StatefulPartitionedCall" in out, out
        assert "--freeze-graph or a conversion to ONNX turns them into nodes" in out, out
    # The same ones in both; each output of a node is one.
    out, err = run("run", "topk.pb", "--tf", "--onnxrt", "--tf-outputs", "mark", "all", "--input-shapes", "x:0:[5]")
    assert "Pass Rate: 100.00%" in out and "'top:0'" in out and "'top:1'" in out and not err, (out, err)


def test_back_ends_are_checked_with_any_model():
    for model in ("saved_model", "checkpoint", "frozen.pb", "model.keras"):
        out, _ = run("backends", "--check", "tensorflow", "--check-model", model)
        assert "PASSED | back end tensorflow" in out and "model     |" in out, out


def test_nothing_is_converted_in_vain():
    out, err = run("run", "frozen.pb", "--torch", code=1)
    assert "Converting" not in out + err, (out, err)
    assert err.splitlines()[0].endswith("its model type is frozen") and "torch supports these model types:" in err, err


def test_inspects():
    out, err = run("inspect", "model", "frozen.pb")
    assert out == """[I] ==== TensorFlow Graph ====
    ---- 1 Graph Inputs ----
    {x:0 [dtype=float32, shape=(-1, 3)]}
    
    ---- 1 Graph Outputs ----
    {y:0 [dtype=float32, shape=(-1, 2)]}
    
    ---- 6 Nodes ----
""" and not err, out
    out, _ = run("inspect", "model", "frozen.pb", "--show", "layers", "attrs")
    assert """    Node 2    | product [Op: MatMul]
        {x:0 [dtype=float32, shape=(-1, 3)],
         w:0 [dtype=float32, shape=(3, 2)]}
         -> {product:0 [dtype=float32, shape=(-1, 2)]}
        ---- Attributes ----
        product.T = float32
""" in out, out
    out, _ = run("inspect", "model", "model.keras")
    assert "---- 1 Graph Inputs ----" in out, out


def test_errors_are_one_line_and_what_to_do():
    os.mkdir("lacking")
    for module, arguments in (("tf2onnx", ("convert", "frozen.pb", "-o", "x.onnx")),
                              ("tensorflow", ("run", "model.keras", "--tf"))):
        stub = pathlib.Path("lacking", module + ".py")
        stub.write_text("raise ModuleNotFoundError('no', name='%s')\n" % module)
        path = os.pathsep.join([os.path.abspath("lacking"), str(site_packages)])
        _, err = run(*arguments, code=1, env={"PYTHONPATH": path})
        lines = err.splitlines()
        assert len(lines) == 2 and lines[0].startswith("[!] Converting ") and "lacks the module " + module in lines[0], err
        assert "-m pip install " + module in lines[1], err
        stub.unlink()
    # An installed package that does not fit another package.
    stub = pathlib.Path("lacking", "tf2onnx.py")
    for reason in ('raise ImportError("cannot import name \'foo\' from \'numpy\'", name="numpy")',
                   'raise ModuleNotFoundError("No module named \'numpy.foo\'", name="numpy.foo")',
                   'raise AttributeError("module \'numpy\' has no attribute \'foo\'")'):
        stub.write_text(reason + "\n")
        _, err = run("convert", "frozen.pb", "-o", "x.onnx", code=1, env={"PYTHONPATH": path})
        lines = err.splitlines()
        assert len(lines) == 2 and "the module tf2onnx of" in lines[0] and "foo" in lines[0], err
        assert "lacks" not in err and "-m pip check" in lines[1] and "--upgrade tf2onnx" in lines[1], err
    _, err = run("convert", "damaged.pb", "-o", "x.onnx", code=1)
    assert "it is not a GraphDef" in err.splitlines()[0], err
    for runner in ("--tf", "--onnxrt"):
        _, err = run("run", "without_signature", runner, code=1)
        assert "has no signature" in err and "signatures=FUNCTION" in err, err
        assert not re.search("concrete_function|WARNING|Traceback", err), err
    _, err = run("convert", "saved_model", "-o", "x.onnx", "--tf-signature", "sing", code=1)
    assert "Its signatures: ['serving_default', 'shout']" in err.splitlines()[1], err
    _, err = run("convert", "checkpoint", "-o", "x.onnx", "--ckpt", "other", code=1)
    assert "other.meta with the checkpoint's graph" in err and "Check --ckpt." in err, err
    _, err = run("convert", "with_table", "-o", "x.onnx", code=1)
    assert "Only lookup tables of type string<->int64" in err.splitlines()[0], err
    assert "Failed to convert node" in err and len(err.splitlines()) == 2 and "Traceback" not in err, err
    _, err = run("run", "saved_model", "--tf", "--model-type", "frozen", code=1)
    assert "it is a folder" in err and "--model-type saved_model" in err, err
    _, err = run("run", "without_values", "--tf", code=1)
    assert "the folder has no variables/variables.index" in err.splitlines()[0], err
    for model in ("damaged.keras", "damaged.h5"):
        _, err = run("run", model, "--tf", code=1)
        assert "it is not a Keras model" in err.splitlines()[0], err
    _, err = run("run", "custom.keras", "--tf", code=1)
    assert "custom layers or functions" in err.splitlines()[0] and "model.export(FOLDER)" in err, err
    _, err = run("run", "empty", "--tf", code=1)
    assert "is a folder, not a model" in err, err
    _, err = run("run", "converted.onnx", "--tf", code=1)
    assert "Model type: onnx cannot be imported with TensorFlow." in err, err


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    models = source / "backends" / "tensorflow" / "testdata"
    for model in models.iterdir():
        shutil.copytree(model, model.name) if model.is_dir() else shutil.copy(model, ".")
    os.mkdir("empty")
    pathlib.Path("damaged.pb").write_bytes(b"\x0a\xff\xff")
    for name in ("damaged.keras", "damaged.h5"):
        pathlib.Path(name).write_bytes(b"neither")
    os.mkdir("without_values")
    shutil.copy(models / "saved_model" / "saved_model.pb", "without_values")
    subprocess.run([sys.executable, "-c", """
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(2, activation="relu")])
model.save("model.keras")
model.save("model.h5")

class Doubled(tf.keras.layers.Layer):
    def call(self, x):
        return x * 2

tf.keras.Sequential([tf.keras.layers.Input((4,)), Doubled()]).save("custom.keras")

class WithTable(tf.Module):
    def __init__(self):
        self.table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([1, 2])), -1)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="words")])
    def look_up(self, words):
        return {"number": self.table.lookup(words)}

module = WithTable()
tf.saved_model.save(module, "with_table", {"serving_default": module.look_up})

with tf.Graph().as_default() as graph:
    x = tf.compat.v1.placeholder(tf.float32, [5], name="x")
    tf.add(tf.math.top_k(x, 2, name="top").values, 1.0, name="y")
open("topk.pb", "wb").write(graph.as_graph_def().SerializeToString())
"""], check=True, capture_output=True)
    tests = [(name, test) for name, test in list(globals().items()) if name.startswith("test_")]
    for name, test in tests:
        test()
        print(name, "passed", flush=True)
    os.chdir("/")
