"""`run --executorch`, with the real runtime."""
import os
import shutil

import pytest
import python_program
from conftest import DEPS, HERE, TORCH

MODEL = os.path.join(HERE, "linear.pte")
FOLDER = os.path.join(DEPS, "executorch")


@pytest.fixture(scope="module", autouse=True)
def executorch_python(tmp_path_factory):
    if not (os.path.isdir(FOLDER) and os.path.isdir(TORCH)):
        pytest.skip("no executorch in .deps: scripts/setup.sh ci brings it")
    program = python_program.make(tmp_path_factory.mktemp("executorch"), FOLDER, TORCH, python_program.PACKAGES)
    os.environ["POLYGRAPHY_EXECUTORCH_PYTHON"] = program
    return program


def test_computes_what_pytorch_does(polygraphy, torch_python, tmp_path):
    """The model is made with the same seed on both sides."""
    (tmp_path / "linear.py").write_text(
        "import torch\n"
        "def load_model():\n"
        "    torch.manual_seed(0)\n"
        "    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()), {'input': torch.ones(2, 3)}\n")
    ones = tmp_path / "ones.py"
    ones.write_text("import numpy\ndef load_data():\n"
                    "    yield {'input_0': numpy.ones((2, 3), numpy.float32), 'input': numpy.ones((2, 3), 'f4')}\n")
    ran = polygraphy("run", MODEL, "--executorch", "--data-loader-script", ones, "--save-outputs", "a.json")
    assert ran.code == 0 and "output_0 [dtype=float32, shape=(2, 4)]" in ran.text, ran.text
    ran = polygraphy("run", "linear.py:load_model", "--torch", "--data-loader-script", ones, "--save-outputs", "b.json")
    assert ran.code == 0, ran.text
    values = [polygraphy("inspect", "data", name, "--show-values").text for name in ("a.json", "b.json")]
    rows = [[line.strip() for line in text.splitlines() if line.strip().startswith("[")][-2:] for text in values]
    assert rows[0] == rows[1] and rows[0], values


@pytest.mark.parametrize("model, options, expected", [
    ("text.pte", [], "text.pte is not a program of ExecuTorch: its header is different"),
    ("bytes.pte", [], "bytes.pte is not a program of ExecuTorch: its header is different"),
    ("cut.pte", [], "this ExecuTorch cannot run the program"),
    ("missing.pte", [], "there is no file"),
    (MODEL, ["--executorch-method", "backward"], "the program has no method 'backward'"),
])
def test_what_cannot_run_is_told_in_a_line(polygraphy, tmp_path, model, options, expected):
    (tmp_path / "text.pte").write_text("no program")
    (tmp_path / "bytes.pte").write_bytes(bytes(range(256)) * 20)
    with open(MODEL, "rb") as file:
        (tmp_path / "cut.pte").write_bytes(file.read(300))
    ran = polygraphy("run", model, "--executorch", *options)
    assert ran.code == 1 and expected in ran.text and "Traceback" not in ran.text, ran.text
    assert "triton" not in ran.text and "signal" not in ran.text, ran.text


def test_what_is_no_program_is_told_without_the_package(polygraphy, tmp_path):
    """Importing it takes seconds."""
    (tmp_path / "executorch.py").write_text("raise SystemExit('imported')\n")
    ran = polygraphy("run", "missing.pte", "--executorch", PYTHONPATH=tmp_path,
                     POLYGRAPHY_EXECUTORCH_PYTHON=shutil.which("python3"))
    assert ran.code == 1 and "there is no file" in ran.text and "imported" not in ran.text, ran.text


def test_an_executorch_without_torch(polygraphy, tmp_path):
    program = python_program.make(tmp_path, FOLDER)
    ran = polygraphy("run", MODEL, "--executorch", "--executorch-python", program)
    assert ran.code == 1 and "torch of" in ran.text and "-m pip install torch`" in ran.text, ran.text
