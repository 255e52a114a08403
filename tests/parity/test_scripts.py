"""Scripts of the user's under both tools, and the scripts that `run --gen-script` writes.

Ours run in a Python that has the original's package ("installed"), and in one that has NumPy only ("bare"), where modules
of ours stand in for it.
"""
import base64
import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
import python_program
from differences import expect
from harness import OURS, both, mask, run_original, run_ours
from models import identity
from test_run_log import two_layers, without_average


@pytest.fixture(params=["installed", "bare"])
def python(request, tmp_path, monkeypatch):
    """The user's Python."""
    bare = request.param == "bare"
    packages = python_program.only_numpy(tmp_path / "packages") if bare else python_program.PACKAGES
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(tmp_path, packages))
    return request.param


@pytest.fixture
def folder(tmp_path):
    two_layers(tmp_path / "m.onnx")
    return tmp_path


def write(folder, text, name="user.py"):
    (folder / name).write_text("import numpy as np\n" + textwrap.dedent(text))


def same(args, folder):
    ours, original = both(["run", "m.onnx", "--onnxrt", *args], folder)
    assert (ours.code, without_average(ours.stdout), ours.stderr) == (
        original.code, without_average(original.stdout), original.stderr)
    return ours


LOADERS = {
    "generator": """
        def load_data():
            for i in range(3):
                print("making", i)
                yield {"x": np.full((2, 4), i, np.float32)}""",
    "list": "def load_data(): return [{'x': np.ones((1, 4), np.float32)}] * 2",
    "doubles": "def load_data(): yield {'x': np.ones((1, 4))}",
    "extra inputs": "def load_data(): yield {'x': np.ones((1, 4), np.float32), 'more': np.zeros(3)}",
    "another name": "def load_data(): yield {'X': np.ones((1, 4), np.float32)}",
    "another shape": "def load_data(): yield {'x': np.ones((4, 1), np.float32)}",
    "class": """
        class load_data:
            def __iter__(self): return iter([{"x": np.ones((1, 4), np.float32)}])""",
    "index": """
        class Loader:
            input_metadata = None
            def __getitem__(self, i):
                if i > 1: raise IndexError()
                (name, (dtype, shape)), = self.input_metadata.items()
                print(name, dtype, list(shape))
                return {name: np.full((i + 1, 4), 3, np.float32)}
        def load_data(): return Loader()""",
    "DataLoader": """
        from polygraphy.comparator import DataLoader
        def load_data(): return DataLoader(iterations=2, seed=7, val_range=(1, 3))""",
}


@pytest.mark.parametrize("name", LOADERS)
def test_data_loader_scripts(python, folder, name):
    write(folder, LOADERS[name])
    same(["--onnxrt", "--data-loader-script", "user.py"], folder)


@pytest.mark.parametrize("mode", [[], ["--sequential-runners"]])
def test_data_loader_script_with_a_name(python, folder, mode):
    write(folder, LOADERS["generator"].replace("load_data", "mine"))
    same(["--data-loader-script", "user.py:mine", *mode], folder)


def test_the_name_of_0_49(python, folder):
    write(folder, LOADERS["list"].replace("load_data", "mine"))
    ours = run_ours(["run", "m.onnx", "--onnxrt", "--data-loader-script", "user.py", "--data-loader-func-name", "mine"], folder)
    assert ours.code == 0 and "is deprecated. Use --data-loader-script SCRIPT:NAME instead" in ours.stdout


COMPARISONS = {
    "all pass": "def compare_outputs(a, b): return {name: np.allclose(a[name], b[name]) for name in a}",
    "one fails": "def compare_outputs(a, b): return {name: False for name in a.keys()}",
    "what it gets": """
        def compare_outputs(a, b):
            print(type(a).__name__, a.runner_name[:16], a.runtime > 0, len(a), list(a.items())[0][1].shape)
            return {"y": True}""",
    "unknown outputs": "def compare_outputs(a, b): return {'nosuch': True, 'y': True}",
    "class": """
        class compare_outputs:
            def __call__(self, a, b): return {"y": True}""",
    "simple": """
        from polygraphy.comparator import CompareFunc
        def compare_outputs(a, b): return CompareFunc.simple(atol=1e-3, check_error_stat={"": "max"})(a, b)""",
    "simple fails": """
        from polygraphy.comparator import IterationResult, SimpleCompareFunc
        def compare_outputs(a, b):
            more = IterationResult({name: b[name] + 1 for name in b.keys()}, runner_name=b.runner_name)
            return SimpleCompareFunc(rtol=1e-3)(a, more)""",
    "functor": """
        from polygraphy.comparator import L2CompareFunc
        compare_outputs = L2CompareFunc(l2_threshold={"y": 3, "": 0})""",
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_compare_func_scripts(python, folder, name):
    write(folder, COMPARISONS[name])
    same(["--onnxrt", "--iterations", "2", "--compare-func-script", "user.py"], folder)


def test_a_function_that_judges_no_output(python, folder):
    write(folder, "def compare_outputs(a, b): return {}")
    ours, original = both(["run", "m.onnx", "--onnxrt", "--onnxrt", "--compare-func-script", "user.py"], folder)
    assert (ours.code, original.code) == (1, 0)
    expect("a-script-judged-nothing", ours.stdout, original.stdout)


@pytest.mark.parametrize("name", ["one fails", "simple fails"])
def test_fail_fast(python, folder, name):
    write(folder, COMPARISONS[name])
    same(["--onnxrt", "--iterations", "2", "--compare-func-script", "user.py", "--fail-fast"], folder)


@pytest.mark.parametrize("name", ["all pass", "simple", "functor"])
def test_saved_results(python, folder, name):
    write(folder, COMPARISONS[name])
    saved = []
    for run in (run_ours, run_original):
        run(["run", "m.onnx", "--onnxrt", "--onnxrt", "--compare-func-script", "user.py", "--save-accuracy-results", "a.json"],
            str(folder))
        document = json.loads((folder / "a.json").read_text())
        document["lst"][0]["lst"][0][0] = []  # names of runners have times in them
        saved.append(document)
    assert saved[0] == saved[1]


def test_averages(python, folder):
    write(folder, COMPARISONS["functor"])
    same(["--onnxrt", "--iterations", "2", "--compare-func-script", "user.py", "--check-average"], folder)
    write(folder, COMPARISONS["all pass"])
    ours = run_ours(["run", "m.onnx", "--onnxrt", "--onnxrt", "--compare-func-script", "user.py", "--check-average"], folder)
    assert ours.code == 1 and "does not support average comparison" in ours.stderr


def test_check_accuracy(python, folder):
    run_original(["run", "m.onnx", "--onnxrt", "--onnxrt", "--compare", "l2", "simple", "--save-accuracy-results", "a.json"], str(folder))
    write(folder, COMPARISONS["functor"])
    for more in ([], ["--check-average"]):
        ours, original = both(["check", "accuracy", "a.json", "--compare-func-script", "user.py", *more], folder)
        assert ours == original


EDITS = {
    "in place": """
        def postprocess_outputs(result):
            for name in result.keys(): result[name] = result[name] * 2
            return result""",
    "another type": """
        def postprocess_outputs(result):
            result["y"] = np.argmax(result["y"], axis=1)
            return result""",
    "top k": """
        from polygraphy.comparator import PostprocessFunc
        postprocess_outputs = PostprocessFunc.top_k({"y": (2, 1)})""",
}


@pytest.mark.parametrize("mode", [[], ["--sequential-runners"], ["--validate"]])
@pytest.mark.parametrize("name", EDITS)
def test_postprocess_scripts(python, folder, name, mode):
    write(folder, EDITS[name])
    args = ["--onnxrt", "--postprocess-func-script", "user.py", "--postprocess", "top-2", *mode]
    ours, original = both(["run", "m.onnx", "--onnxrt", *args], folder)
    assert (ours.code, without_average(ours.stdout)) == (original.code, without_average(original.stdout))


def _without(text, *parts):
    return "".join(line for line in text.splitlines(True) if not any(part in line for part in parts))


ERRORS = {
    "raises": ("def load_data(): return inner()\ndef inner(): raise ValueError('no data')",
               "user.py: load_data() failed: ValueError: no data\n    Traceback (most recent call last):\n"),
    "raises later": ("def load_data():\n  yield {'x': np.ones((1, 4), np.float32)}\n  raise ValueError('no more')", "ValueError: no more"),
    "exits": ("import sys\ndef load_data(): sys.exit(3)", "load_data() ended Python: sys.exit(3)"),
    "dies": ("import os\ndef load_data(): os.abort()", "load_data(): Python was killed by SIGABRT"),
    "no function": ("def other(): pass", "Could not import symbol: load_data from script: user.py\n    Note: Error was: module 'user' has no "
                    "attribute 'load_data'. It has: other"),
    "no syntax": ("def load_data(:", "SyntaxError"),
    "a parameter": ("def load_data(x): pass", "missing 1 required positional argument: 'x'"),
    "no dict": ("def load_data(): yield 5", "The data loader returned an object that cannot be recognized as a feed_dict"),
    "no array": ("def load_data(): yield {'x': 'text'}", "returned a str for input: x, but an array is needed"),
    "nothing": ("def load_data(): return []", "load_data() returned no inputs"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_scripts_that_fail(python, folder, name):
    text, message = ERRORS[name]
    write(folder, text)
    ours = run_ours(["run", "m.onnx", "--onnxrt", "--data-loader-script", "user.py"], folder)
    assert ours.code == 1 and message in ours.stderr, ours.stderr
    assert "bridge" not in ours.stderr and len(ours.stderr) < 1000


def test_a_loop_without_end_ends_with_ctrl_c(python, folder):
    write(folder, "def load_data():\n  print('looping', flush=True)\n  while True: pass")
    with subprocess.Popen([OURS, "run", "m.onnx", "--onnxrt", "--data-loader-script", "user.py"], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            while b"looping" not in process.stdout.readline():
                pass
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 130 and b"[!] Interrupted" in process.stderr.read()
        finally:
            process.kill()
    time.sleep(0.2)
    left = subprocess.run(["pgrep", "-f", f"{folder}/user.py"], capture_output=True).stdout
    assert not left


def test_much_printed(python, folder):
    write(folder, "def load_data():\n  print('x' * 3000000)\n  return [{'x': np.ones((1, 4), np.float32)}]")
    ours = run_ours(["run", "m.onnx", "--onnxrt", "--data-loader-script", "user.py"], folder)
    assert ours.code == 0 and "x" * 3000000 + "\n" in ours.stdout


def test_without_numpy(folder, monkeypatch):
    monkeypatch.setenv("POLYGRAPHY_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONNOUSERSITE", "1")
    write(folder, "def load_data(): pass")
    if subprocess.run([sys.executable, "-c", "import numpy"], env={**os.environ, "PYTHONPATH": ""}).returncode == 0:
        pytest.skip("this Python has numpy")
    ours = run_ours(["run", "m.onnx", "--onnxrt", "--data-loader-script", "user.py"], folder)
    assert ours.code == 1 and "Scripts need numpy" in ours.stderr and "pip install numpy" in ours.stderr


LPIPS = """
class LPIPS:  # a test double: no network, a mean of differences
    def __init__(self, net, version, verbose): pass
    def to(self, device): return self
    def eval(self): return self
    def __call__(self, a, b): return np.abs(a - b).mean()
"""
TORCH = """
import contextlib, types
def device(name): return name
no_grad = contextlib.nullcontext
from_numpy = as_tensor = np.asarray
class Tensor: pass
"""


def test_lpips_through_a_test_double(folder, tmp_path, monkeypatch):
    """torch and lpips are replaced by modules of the test: their weights cannot be had here."""
    doubles = tmp_path / "doubles"
    doubles.mkdir()
    write(doubles, LPIPS, "lpips.py")
    write(doubles, TORCH, "torch.py")
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(tmp_path, doubles, python_program.PACKAGES))
    identity(tmp_path / "image.onnx", shape=(1, 3, 8, 8))
    args = ["run", "image.onnx", "--onnxrt", "--onnxrt", "--compare", "perceptual_metrics"]
    passed = run_ours(args, tmp_path)
    assert passed.code == 0 and "LPIPS: 0 (max allowed: 0.1) | PASSED" in passed.stdout, passed.stderr
    write(doubles, LPIPS.replace("mean()", "mean() + 1"), "lpips.py")
    failed = run_ours(args, tmp_path)
    assert failed.code == 1 and "[E]         LPIPS: 1 (max allowed: 0.1) | FAILED" in failed.stdout
    skipped = run_ours(["run", "m.onnx", *args[2:]], folder)
    assert skipped.code == 0 and "LPIPS requires at least 3D arrays, got shapes (1, 5) and (1, 5)" in skipped.stdout


SAVED_TENSORS = """
import io, json
import numpy as np
class Tensor:
    dtype = "torch.float32"
    def __init__(self, values): self.values = np.array(values, np.float32)
    def detach(self): return self
    cpu = contiguous = detach
    def numpy(self): return self.values
def load(file, map_location, weights_only): return Tensor(json.load(file))
"""


def test_tensors_in_json_through_a_test_double(tmp_path, monkeypatch):
    """A real torch is too large for this place: the module of the test writes its tensors as JSON lists."""
    identity(tmp_path / "m.onnx", shape=(1, 3))
    for name, text in (("good", b"[[1, 2, 3]]"), ("bad", b"nonsense")):
        tensor = {"tensor": base64.b64encode(text).decode(), "polygraphy_class": "Tensor"}
        (tmp_path / (name + ".json")).write_text(json.dumps([{"x": tensor}]))
    args = ["run", "m.onnx", "--onnxrt", "--save-outputs", "o.npz", "--load-inputs"]
    doubles = tmp_path / "doubles"
    doubles.mkdir()
    monkeypatch.setenv("POLYGRAPHY_PYTHON", python_program.make(tmp_path, doubles, python_program.PACKAGES))
    without = run_ours([*args, "good.json"], tmp_path)
    assert without.code == 1 and "good.json: 'x': a torch.Tensor, which only PyTorch can read. Module: 'torch' is required" in without.stderr
    assert "Install torch there, or save the data as NumPy arrays" in without.stderr
    write(doubles, SAVED_TENSORS, "torch.py")
    read = run_ours([*args, "good.json"], tmp_path)
    assert read.code == 0, read.stderr
    assert np.array_equal(next(iter(np.load(tmp_path / "o.npz").values())), [[1, 2, 3]])
    # Saved outputs, and what inspects both, go the same way.
    lazy = {"values": json.loads((tmp_path / "good.json").read_text())[0]["x"], "polygraphy_class": "LazyArray"}
    iteration = {"outputs": {"y": lazy}, "runtime": 0.1, "runner_name": "torch", "polygraphy_class": "IterationResult"}
    (tmp_path / "golden.json").write_text(json.dumps({"lst": [["torch", [iteration]]], "polygraphy_class": "RunResults"}))
    for extra in ([], ["--sequential-runners"]):
        compared = run_ours([*args, "good.json", "--load-outputs", "golden.json", *extra], tmp_path)
        assert compared.code == 0 and "Passed: 1/1 iterations" in compared.stdout, compared.stdout + compared.stderr
    for path in ("good.json", "golden.json"):
        shown = run_ours(["inspect", "data", path, "-s"], tmp_path)
        assert shown.code == 0 and "[[1. 2. 3.]]" in shown.stdout, shown.stderr
    broken = run_ours([*args, "bad.json"], tmp_path)
    assert broken.code == 1 and "'x': a torch.Tensor, which only PyTorch can read. torch cannot read it: " in broken.stderr


GENERATED = [
    ["m.onnx", "--onnxrt"],
    ["m.onnx", "--onnxrt", "--onnxrt", "--validate", "--rtol", "1e-3", "y:1e-2", "--atol", "1", "--check-error-stat", "max", "y:mean"],
    ["m.onnx", "--onnxrt", "--onnxrt", "--iterations", "3", "--seed", "5", "--val-range", "[0,5]", "x:[1.5,2]", "--input-shapes", "x:[2,4]"],
    ["m.onnx", "--onnxrt", "--onnxrt", "--compare", "simple", "l2", "quality_metrics", "--l2-threshold", "3", "--psnr-threshold", "y:3"],
    ["m.onnx", "--onnxrt", "--onnxrt", "--postprocess", "top-3", "y:top-2,axis=1", "--compare", "indices", "--index-tolerance", "1"],
    ["m.onnx", "--onnxrt", "--onnxrt", "--sequential-runners", "--warm-up", "2", "--validate", "--fail-fast"],
    ["m.onnx", "--onnxrt", "--onnxrt", "--onnx-outputs", "*", "--onnx-exclude-outputs", "h", "--save-onnx", "o.onnx"],
    ["m.onnx", "--onnxrt", "--onnx-outputs-by-type", "Relu", "--graph-optimization-level", "ORT_DISABLE_ALL", "--providers", "cpu"],
    ["m.onnx", "--onnxrt", "--onnxrt", "--atol", "0", "--rtol", "inf", "-v"],
    ["m.onnx", "--onnxrt", "--load-inputs", "i.json", "--load-outputs", "o.json", "--save-outputs", "new.json"],
    ["--load-outputs", "o.json", "o.json", "--compare", "l2", "--check-average", "--save-accuracy-results", "a.json"],
    ["m.onnx", "--onnxrt", "--onnxrt", "--data-loader-script", "user.py", "--compare-func-script", "user.py:compare_outputs"],
    ["m.onnx", "--onnxrt", "--save-input-blob", "blobs", "--save-inputs", "it's.json", "--log-format", "no-colors", "--verbosity", "INFO"],
]


@pytest.mark.parametrize("args", GENERATED, ids=lambda args: " ".join(args))
def test_generated_scripts_do_the_same(folder, args):
    write(folder, LOADERS["list"] + "\n" + COMPARISONS["all pass"])
    run_original(["run", "m.onnx", "--onnxrt", "--save-inputs", "i.json", "--save-outputs", "o.json"], str(folder))
    written = run_ours(["run", *args, "--gen-script", "script.py"], folder)
    assert written.code == 0, written.stderr
    assert written.stdout.endswith("[I] Writing script to: script.py\n")
    assert os.access(folder / "script.py", os.X_OK)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = subprocess.run([sys.executable, "script.py"], cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    original = run_original(["run", *args], str(folder))
    assert (script.returncode, original.code) in ((0, 0), (1, 1)), script.stderr
    noise = ("RUNNING |", "| Runtime: ", "No runners have been", "Loaded Module: polygraphy", "extension modules", "will be ignored")
    assert _without(mask(script.stdout), *noise) == _without(mask(original.stdout), *noise)


def test_generated_script_on_standard_output(folder):
    text = run_ours(["run", "m.onnx", "--onnxrt", "--gen-script", "-"], folder).stdout
    original = run_original(["run", "m.onnx", "--onnxrt", "--gen-script", "-"], str(folder)).stdout
    assert _without(text, "# Template", "# Generation") == _without(original, "# Template", "# Generation", "Writing script to", "'colored'")


@pytest.mark.parametrize("args", [["--openvino"], ["--onnxrt", "--onnxrt-threads", "2"], ["--onnxrt", "--save-outputs", "o.npz"],
                                  ["--onnxrt", "--int-min", "3"], ["--onnxrt", "--warm-up", "3"]])
def test_what_the_original_lacks_is_named(folder, args):
    ours = run_ours(["run", "m.onnx", *args, "--gen-script", "-"], folder)
    assert ours.code == 1 and not ours.stdout.startswith("#!") and args[-2 if len(args) > 2 else 0] in ours.stderr
