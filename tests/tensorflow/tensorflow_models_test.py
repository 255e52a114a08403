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
    """What a command prints on standard output and error."""
    result = subprocess.run([program, *arguments], capture_output=True, text=True, env={**os.environ, **(env or {})})
    assert result.returncode == code, (arguments, result.returncode, result.stdout, result.stderr)
    return result.stdout, result.stderr


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
    assert "--tf-outputs cannot choose outputs" in err and "--onnx-outputs" in err, err


def test_freezes():
    run("run", "checkpoint", "--tf", "--freeze-graph", "--save-pb", "constant.pb", "--save-outputs", "outputs.json")
    out, _ = run("run", "constant.pb", "--tf", "--load-outputs", "outputs.json")
    assert "Pass Rate: 100.00%" in out, out
    out, _ = run("inspect", "model", "constant.pb", "--show", "layers")
    assert "VarHandleOp" not in out and "[Op: Const]" in out, out


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
        assert len(lines) == 2 and lines[0].startswith("[!] Making ") and "lacks the module " + module in lines[0], err
        assert "-m pip install " + module in lines[1], err
        stub.unlink()
    _, err = run("convert", "damaged.pb", "-o", "x.onnx", code=1)
    assert "it is no GraphDef" in err.splitlines()[0], err
    _, err = run("run", "without_signature", "--tf", code=1)
    assert len(err.splitlines()) == 2 and "it has no signature" in err, err
    _, err = run("run", "empty", "--tf", code=1)
    assert "is a folder, and no model" in err, err
    _, err = run("run", "converted.onnx", "--tf", code=1)
    assert "Model type: onnx cannot be imported with TensorFlow." in err, err


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    models = source / "backends" / "tensorflow" / "testdata"
    for model in models.iterdir():
        shutil.copytree(model, model.name) if model.is_dir() else shutil.copy(model, ".")
    os.mkdir("empty")
    pathlib.Path("damaged.pb").write_bytes(b"\x0a\xff\xff")
    subprocess.run([sys.executable, "-c", """
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(2, activation="relu")])
model.save("model.keras")
model.save("model.h5")
"""], check=True, capture_output=True)
    tests = [(name, test) for name, test in list(globals().items()) if name.startswith("test_")]
    for name, test in tests:
        test()
        print(name, "passed", flush=True)
    os.chdir("/")
