"""Pages in a real browser."""

import os
import subprocess

import onnx
import pytest
from chromium import open_browser
from onnx import TensorProto, helper

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POLYGRAPHY = os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy"))

DEPS = os.environ.get("PG_DEPS_DIR", os.path.join(ROOT, ".deps"))
LONG = 20_000


@pytest.fixture(scope="session", autouse=True)
def work_folder(tmp_path_factory):
    """The folder for files of commands without an output path."""
    os.chdir(tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    browser = open_browser(tmp_path_factory.mktemp("profile"))
    if browser is None:
        pytest.skip("there is no Chromium here: scripts/setup.sh ci brings it")
    yield browser
    browser.quit()


def run(*words, codes=(0,)):
    """The executable's output; `codes`: the exit codes that are right."""
    done = subprocess.run([POLYGRAPHY, *map(str, words)], capture_output=True, text=True)
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def magika():
    return os.path.join(DEPS, "models", "magika.onnx")


def chain(path, length, alpha=0.1, name="node_{}"):
    """A model of many nodes in a row."""
    nodes = [
        helper.make_node("LeakyRelu", [f"t{i}"], [f"t{i + 1}"], name=name.format(i), alpha=alpha) for i in range(length)
    ]
    value = lambda index: helper.make_tensor_value_info(f"t{index}", TensorProto.FLOAT, [1, 4])  # noqa: E731
    model = helper.make_model(
        helper.make_graph(nodes, "chain", [value(0)], [value(length)]),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.save(model, path)
    return path


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="session")
def located(folder, magika):
    """The nodes that make OpenVINO's bfloat16 differ."""
    path = folder / "locate.html"
    run("debug", "locate", magika, "--onnxrt", "--openvino", "--openvino-precision", "bf16",
        "--report", path, "--json", path.with_suffix(".json"), codes=(0, 1))
    return path


@pytest.fixture(scope="session")
def compared(folder, magika):
    """A run that fails, on all tensors."""
    path = folder / "run.html"
    run("run", magika, "--onnxrt", "--openvino", "--openvino-precision", "bf16", "--onnx-outputs", "*",
        "--report", path, codes=(1,))
    return path


@pytest.fixture(scope="session")
def long_diff(folder):
    """A table of as many rows as there are nodes."""
    path = folder / "diff.html"
    run("surgeon", "diff", chain(folder / "a.onnx", LONG), chain(folder / "b.onnx", LONG, 0.2),
        "--report", path, "--show", "0", codes=(1,))
    return path
