"""A command's engines and plugins get at the files that the command line names, and no others."""
import os
import pathlib
import socket
import subprocess
import sys

import onnx
import pytest
from onnx import TensorProto, helper

POLYGRAPHY = os.environ["POLYGRAPHY"]
HERE = pathlib.Path(__file__).parent
TREE = HERE.parents[1]


def save_model(path):
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9),
              path)


@pytest.fixture(scope="session")
def enforced(tmp_path_factory):
    model = tmp_path_factory.mktemp("model") / "model.onnx"
    save_model(model)
    told = subprocess.run([POLYGRAPHY, "inspect", "model", str(model)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    if "The sandbox is open" in told:
        pytest.skip("this kernel lacks Landlock or seccomp")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """The hostile libraries, compiled."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, output in [("hostile_backend", "polygraphy_mine.so"),
                         ("hostile_library", "hostile_library.so")]:
        subprocess.run(["cc", "-shared", "-fPIC", "-w", f"-I{TREE}/sdk/include",
                        str(HERE / f"{name}.c"), "-o", str(folder / output)], check=True)
    return folder


@pytest.fixture
def place(tmp_path, enforced):
    """inside: the model and the outputs. outside: everything else that there is."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir(), outside.mkdir()
    for name in ("secret", "old", "gone"):
        (outside / name).write_text(name)
    door = socket.socket(socket.AF_UNIX)
    door.bind(str(outside / "door"))
    door.listen()
    victim = subprocess.Popen(["sleep", "1000"])
    (inside / "model.scale").write_text("2")
    save_model(inside / "model.onnx")
    yield inside, outside, victim
    victim.kill()
    victim.wait()
    door.close()


def run(place, *words, env=()):
    inside, outside, victim = place
    environment = {**os.environ, "INSIDE": str(inside), "OUTSIDE": str(outside),
                   "ESCAPES": str(inside / "escapes.txt"), "VICTIM": str(victim.pid), **dict(env)}
    return subprocess.run([POLYGRAPHY, *words], cwd=inside, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)


def escapes(place):
    tried, *got_out = (place[0] / "escapes.txt").read_text().splitlines()
    assert int(tried.split()[1]) >= 20
    return got_out


def backend_command(hostile):
    return ["run", "model.scale", "--model-type", "scale", "--mine", "--save-outputs", "out.json",
            "--backend-path", str(hostile / "polygraphy_mine.so")]


def library_command(hostile):
    return ["run", "model.onnx", "--onnxrt", "--providers", str(hostile / "hostile_library.so"),
            "--save-outputs", "out.json"]


@pytest.mark.parametrize("isolated", [False, True], ids=["here", "isolated"])
@pytest.mark.parametrize("command", [backend_command, library_command],
                         ids=["back-end", "library"])
def test_hostile_code_does_not_get_out(hostile, place, command, isolated):
    run(place, *command(hostile), *(["--isolate"] if isolated else []))
    assert escapes(place) == []


@pytest.mark.parametrize("command", [backend_command, library_command],
                         ids=["back-end", "library"])
def test_without_the_sandbox_it_would(hostile, place, command):
    """Otherwise, the attempts would prove nothing."""
    run(place, *command(hostile), "--no-sandbox")
    assert len(escapes(place)) >= 20


def test_the_hostile_back_end_works_all_the_same(hostile, place):
    result = run(place, *backend_command(hostile))
    assert result.returncode == 0, result.stdout + result.stderr
    assert (place[0] / "out.json").exists()
    assert "[W]" not in result.stdout + result.stderr


def test_no_temporary_file_stays(place):
    temporary = place[0] / "temporary"
    temporary.mkdir()
    result = run(place, "run", "model.onnx", "--onnxrt", env={"TMPDIR": str(temporary)})
    assert result.returncode == 0, result.stdout + result.stderr
    assert list(temporary.iterdir()) == []


def test_a_refusal_names_the_path_and_the_option(place):
    """Of a folder, the command line names the folder only."""
    inside, outside, _ = place
    (inside / "models").mkdir()
    (inside / "model.onnx").rename(outside / "model.onnx")
    (inside / "models" / "model.onnx").symlink_to(outside / "model.onnx")
    command = ["zoo", "models", "--onnxrt", "--onnxrt"]
    refused = run(place, *command)
    text = refused.stdout + refused.stderr
    assert "--allow-read" in text and str(outside) in text, text
    allowed = run(place, *command, "--allow-read", str(outside))
    assert allowed.returncode == 0, allowed.stdout + allowed.stderr


def test_a_model_in_a_cache_of_links_is_read(place):
    """As Hugging Face lays them out: the names are links to files elsewhere."""
    inside, outside, _ = place
    (inside / "model.onnx").rename(outside / "blob")
    (inside / "model.onnx").symlink_to(outside / "blob")
    result = run(place, "run", "model.onnx", "--onnxrt", "--save-outputs", "out.json")
    assert result.returncode == 0, result.stdout + result.stderr


def test_programs_of_the_user_run_outside(place):
    inside, outside, _ = place
    program = inside / "check.py"
    program.write_text(f"open({str(outside / 'secret')!r}).read()\n"
                       f"open({str(outside / 'log')!r}, 'w').write('ran')\n")
    result = run(place, "debug", "reduce", "model.onnx", "-o", "reduced.onnx", "--mode=linear",
                 "--check", sys.executable, str(program))
    assert (outside / "log").read_text() == "ran", result.stdout + result.stderr


def test_jobs_cannot_leave_the_sandbox(hostile, place):
    """A job is a document from elsewhere."""
    job = place[0] / "job.json"
    printed = run(place, *backend_command(hostile), "--no-sandbox", "--print-job")
    job.write_text(printed.stdout)
    assert "no_sandbox" not in printed.stdout
    run(place, "job", "job.json")
    assert escapes(place) == []


def test_files_elsewhere_are_named_in_options(place):
    inside, outside, _ = place
    result = run(place, "run", "model.onnx", "--onnxrt", "--save-outputs",
                 str(outside / "results" / "out.json"), "--log-file", str(outside / "log.txt"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert (outside / "results" / "out.json").exists() and (outside / "log.txt").exists()
