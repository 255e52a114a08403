"""`run --torch`, with the real PyTorch, against ONNX Runtime on the models that PyTorch exports."""
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from conftest import HERE, POLYGRAPHY

SCRIPT = os.path.join(HERE, "torch_models.py")


@pytest.fixture(scope="module")
def models(torch_python, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    done = subprocess.run([torch_python, SCRIPT, str(folder)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return folder


@pytest.mark.parametrize("form", ["net.pt2", "script"])
def test_agrees_with_onnx_runtime(polygraphy, models, form):
    model = models / form if form != "script" else f"{SCRIPT}:load_model"
    shapes = ["--input-shapes", "image:[3,3,8,8]", "label:[3]", "--int-max", "9"]
    ran = polygraphy("run", model, "--torch", *shapes, "--save-inputs", "in.json", "--save-outputs", "out.json")
    assert ran.code == 0, ran.text
    ran = polygraphy("run", models / "net.onnx", "--onnxrt", "--load-inputs", "in.json", "--save-outputs", "onnx.json")
    assert ran.code == 0, ran.text
    names = ["linear", "sum_1"] if form == "net.pt2" else ["output_0", "output_1"]
    theirs = polygraphy("inspect", "data", "onnx.json").text
    ours = polygraphy("inspect", "data", "out.json").text
    for name in names:
        assert name in ours
    assert "shape=(3, 5)" in ours and "shape=(3, 5)" in theirs
    if form == "net.pt2":
        ran = polygraphy("run", models / "net.onnx", "--onnxrt", "--load-inputs", "in.json", "--load-outputs",
                         "out.json", "--atol", "1e-5", "--rtol", "1e-4")
        assert ran.code == 0 and "PASSED" in ran.text, ran.text


def test_torchscript_is_told_the_shapes(polygraphy, models):
    ran = polygraphy("run", models / "net.pt", "--torch", "--torch", "--input-shapes", "image:[2,3,8,8]", "label:[2]",
                     "--load-inputs", "in.json")
    assert ran.code == 1 and "in.json" in ran.text
    (script := models / "feeds.py").write_text(
        "import numpy\ndef load_data():\n"
        "    yield {'image': numpy.ones((2, 3, 8, 8), numpy.float32), 'label': numpy.array([1, 2])}\n")
    ran = polygraphy("run", models / "net.pt", "--torch", "--torch", "--data-loader-script", script)
    assert ran.code == 0 and "PASSED" in ran.text, ran.text


def test_all_results_have_the_names_of_the_onnx_model(polygraphy, models):
    """The first result that differs between PyTorch and an engine has a name."""
    ran = polygraphy("run", models / "net.pt2", "--torch", "--torch-outputs", "mark", "all", "--torch-names-from",
                     models / "net.onnx", "--int-max", "9", "--save-inputs", "in.json", "--save-outputs", "torch.json")
    assert ran.code == 0 and "triton" not in ran.text, ran.text
    ran = polygraphy("run", models / "net.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--load-inputs", "in.json",
                     "--load-outputs", "torch.json", "--atol", "1e-5", "--rtol", "1e-4")
    assert ran.code == 0, ran.text
    assert ran.text.count("PASSED") > 5, ran.text


def test_results_of_operators_that_write_to_their_input_are_not_mistaken_for_others(polygraphy, models):
    ran = polygraphy("run", models / "inplace.pt2", "--torch", "--torch-outputs", "mark", "all", "--torch-names-from",
                     models / "inplace.onnx", "--save-inputs", "in.json", "--save-outputs", "torch.json")
    assert ran.code == 0 and "results have a counterpart in" in ran.text, ran.text
    ran = polygraphy("run", models / "inplace.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--load-inputs",
                     "in.json", "--load-outputs", "torch.json", "--atol", "1e-5", "--rtol", "1e-4")
    assert ran.code == 0 and "Assuming" not in ran.text and ran.text.count("PASSED | Output") >= 3, ran.text


def test_a_result_that_is_returned_twice_is_one_output(polygraphy, models):
    for options in ([], ["--torch-outputs", "mark", "all"]):
        ran = polygraphy("run", models / "twice.pt2", "--torch", *options)
        assert ran.code == 0 and ran.text.count("relu [dtype=float32, shape=(2, 3)]") == 1, ran.text


def test_numbers_and_texts_among_example_inputs_stay_as_they_are(polygraphy, torch_python):
    ran = polygraphy("run", f"{SCRIPT}:with_constants", "--torch")
    assert ran.code == 0 and "{x [dtype=float32, shape=(3,)]}" in ran.text, ran.text
    ran = polygraphy("run", f"{SCRIPT}:any_number", "--torch")
    assert ran.code == 0 and "xs_2 [dtype=float32, shape=(3,)]" in ran.text, ran.text


def processes_with(mark):
    found = []
    for process in os.listdir("/proc"):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                found += [process] if mark in file.read() else []
        except OSError:
            pass  # no process, or it has ended
    return found


def test_what_a_model_starts_ends_with_it(polygraphy, torch_python, tmp_path):
    ran = polygraphy("run", f"{SCRIPT}:forks", "--torch", PG_TEST_MARK=tmp_path)
    assert ran.code == 0, ran.text
    mark = f"PG_TEST_MARK={tmp_path}".encode()
    for _ in range(100):
        if not processes_with(mark):
            break
        time.sleep(0.1)
    assert not processes_with(mark)


def test_modules_have_the_names_of_the_onnx_model(polygraphy, models):
    ran = polygraphy("run", f"{SCRIPT}:load_model", "--torch", "--torch-outputs", "stem", "blocks.0", "head",
                     "--torch-names-from", models / "net.onnx", "--int-max", "9", "--save-inputs", "in.json",
                     "--save-outputs", "torch.json")
    assert ran.code == 0, ran.text
    ran = polygraphy("run", models / "net.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--load-inputs", "in.json",
                     "--load-outputs", "torch.json", "--atol", "1e-5", "--rtol", "1e-4")
    assert ran.code == 0, ran.text
    assert "All outputs matched" in ran.text or ran.text.count("PASSED") >= 3, ran.text


def named(text):
    """Names of the outputs that a run has compared."""
    return set(re.findall(r"PASSED \| Output: '([^']+)'", text))


@pytest.mark.parametrize("model, compared, left_out", [
    # 'body', 'body.0', 'body.0.1' and 'body.1' return one tensor.
    ("nested", {"linear", "relu", "linear_1"}, None),
    # The first result of 'again' does not leave it.
    ("shared", {"linear", "linear_1", "linear_3", "linear_4"}, "Without a counterpart: again\n"),
    ("keeps", {"linear", "linear_1", "relu", "add"}, "unread"),
    ("mixed", {"relu", "layer_norm", "layer_norm_1"}, "conv"),
])
def test_each_result_of_a_module_is_compared_with_its_own_tensor(polygraphy, models, model, compared, left_out):
    onnx = models / f"{model}.onnx"
    ran = polygraphy("run", f"{SCRIPT}:{model}", "--torch", "--torch-outputs", "mark", "all", "--torch-names-from", onnx,
                     "--iterations", "2", "--save-inputs", "in.json", "--save-outputs", "torch.json")
    assert ran.code == 0, ran.text
    assert ran.text.count("Without a counterpart") == (left_out is not None) and (left_out or "") in ran.text, ran.text
    ran = polygraphy("run", onnx, "--onnxrt", "--onnx-outputs", "mark", "all", "--load-inputs", "in.json",
                     "--load-outputs", "torch.json", "--atol", "1e-5", "--rtol", "1e-4")
    assert ran.code == 0 and "Assuming" not in ran.text, ran.text
    assert compared <= named(ran.text), ran.text


def test_modules_are_asked_for_by_either_name(polygraphy, models):
    def run(model, *names):
        return polygraphy("run", f"{SCRIPT}:{model}", "--torch", "--torch-outputs", *names, "--torch-names-from",
                          models / f"{model}.onnx")
    ran = run("nested", "body.0", "linear_1")
    assert ran.code == 0 and "{relu [dtype=float32, shape=(2, 4)],\n" in ran.text and "linear_1 [" in ran.text, ran.text
    ran = run("shared", "fc")
    assert ran.code == 0 and "linear [" in ran.text and "linear_1 [" in ran.text and "linear_2" not in ran.text, ran.text
    ran = run("keeps", "unread")
    assert ran.code == 1 and "has no unambiguous counterpart of 'unread'" in ran.text, ran.text
    ran = run("nested", "bodi.0")
    assert ran.code == 1 and "there is no module 'bodi.0'" in ran.text and "Similar: body.0" in ran.text, ran.text


def test_types_that_numpy_lacks(polygraphy, torch_python):
    ran = polygraphy("run", f"{SCRIPT}:half", "--torch", "--save-outputs", "out.json", "--verbose")
    assert ran.code == 0, ran.text
    text = polygraphy("inspect", "data", "out.json").text
    assert "brain [dtype=bfloat16, shape=(3,)]" in text and "half [dtype=float16, shape=(3,)]" in text, text
    assert "flags [dtype=bool, shape=(3,)]" in text


def test_types_are_converted(polygraphy, models):
    ran = polygraphy("run", f"{SCRIPT}:load_model", "--torch", "--torch-dtype", "float64", "--int-max", "9",
                     "--save-outputs", "out.json")
    assert ran.code == 0, ran.text
    assert "dtype=float64" in polygraphy("inspect", "data", "out.json").text


def test_compares_in_processes_of_their_own(polygraphy, models):
    ran = polygraphy("run", models / "net.pt2", "--torch", "--torch", "--isolate", "--int-max", "9", "--iterations",
                     "3")
    assert ran.code == 0 and "PASSED" in ran.text, ran.text


@pytest.mark.parametrize("model, options, expected", [
    ("weights.pt", [], "it holds weights or a pickled object, but no program"),
    ("text.pt", [], "it is not an archive of PyTorch"),
    ("missing.pt2", [], "there is no file"),
    ("net.onnx", [], "--torch cannot run"),
    ("net.pt", ["--torch-outputs", "mark", "all"], "TorchScript does not provide its intermediate results"),
    ("net.pt2", ["--torch-outputs", "liner"], "there is no result 'liner'"),
    ("net.pt2", ["--torch-device", "cuda"], "--torch-device cuda"),
    ("net.pt2", ["--torch-names-from", "text.pt"], "--torch-names-from"),
    ("SCRIPT:nothing", [], "has no function nothing"),
    ("SCRIPT:no_module", [], "returned int"),
    ("SCRIPT:fails", [], "weights are not here"),
    ("SCRIPT:list_input", [], "example input 'xs_0' is of type list"),
    ("SCRIPT:same_names", [], "two of the model's results are called 'a.b'"),
    ("SCRIPT:returns_nothing", [], "the model returned nothing"),
    ("SCRIPT:uncalled", ["--torch-outputs", "unused"], "module 'unused' is not called in forward()"),
    ("SCRIPT:crashes", [], "was killed by signal 6"),
])
def test_what_cannot_run_is_told_in_a_line(polygraphy, models, model, options, expected):
    (models / "text.pt").write_text("no archive")
    model = model.replace("SCRIPT", SCRIPT) if "SCRIPT" in model else models / model
    options = [str(models / each) if each == "text.pt" else each for each in options]
    ran = polygraphy("run", model, "--torch", *options)
    assert ran.code == 1 and expected in ran.text, ran.text
    assert "Traceback" not in ran.text


def test_a_python_without_torch(polygraphy, models, bare_python):
    ran = polygraphy("run", models / "net.pt2", "--torch", "--torch-python", bare_python)
    assert ran.code == 1 and "has no torch" in ran.text and "pip install torch" in ran.text, ran.text
    ran = polygraphy("run", models / "net.pt2", "--torch", "--torch-python", "no-such-python")
    assert ran.code == 1 and "cannot start the Python interpreter no-such-python" in ran.text, ran.text


def test_a_torch_that_does_not_load(polygraphy, models, tmp_path):
    broken = tmp_path / "broken"
    (broken / "torch").mkdir(parents=True)
    (broken / "torch" / "__init__.py").write_text("raise OSError('libtorch_cpu.so: cannot open shared object file')\n")
    ran = polygraphy("run", models / "net.pt2", "--torch", PYTHONPATH=broken, POLYGRAPHY_TORCH_PYTHON=shutil.which("python3"))
    assert ran.code == 1 and "cannot be imported: libtorch_cpu.so" in ran.text, ran.text
    assert "-m pip install --force-reinstall torch`" in ran.text, ran.text
    for model, seen in (("missing.pt2", "there is no file"), ("missing.py:make", "there is no script")):
        ran = polygraphy("run", model, "--torch", PYTHONPATH=broken, POLYGRAPHY_TORCH_PYTHON=shutil.which("python3"))
        assert ran.code == 1 and seen in ran.text and "imported" not in ran.text, ran.text


def test_interrupt_ends_a_model_that_does_not(models, torch_python):
    started = subprocess.Popen([POLYGRAPHY, "run", f"{SCRIPT}:endless", "--torch"], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    try:
        for line in started.stdout:
            if "x [dtype=float32" in line:  # the inputs: from here on the model runs
                break
        time.sleep(1)
        started.send_signal(signal.SIGINT)
        text = started.communicate(timeout=60)[0]
    finally:
        started.kill()
    assert started.returncode != 0 and "Traceback" not in text, text


def test_saved_files_are_the_originals(polygraphy, models):
    ran = polygraphy("run", models / "net.pt2", "--torch", "--int-max", "9", "--save-outputs", "out.json")
    assert ran.code == 0, ran.text
    assert json.dumps("torch-runner-N0")[1:-1] in polygraphy("inspect", "data", "out.json", "--all").text


@pytest.mark.parametrize("command", [["convert", "-o", "x.onnx"], ["inspect", "model"],
                                     ["plugin", "list", "--plugin-dir", "."]])
def test_other_commands_say_who_runs_such_models(polygraphy, tmp_path, command):
    for name, flag in (("model.pt2", "--torch"), ("model.pte", "--executorch")):
        (tmp_path / name).write_bytes(b"")
        ran = polygraphy(*command, name)
        assert ran.code == 1 and f"only {flag} can read models such as" in ran.text, ran.text
        assert "--model-type" not in ran.text, ran.text
