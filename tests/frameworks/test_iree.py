"""`run --iree`, with the real compiler and runtime."""
import os

import onnx
import pytest
import python_program
from conftest import DEPS, ROOT
from onnx import parser

FOLDER = os.path.join(DEPS, "iree")


@pytest.fixture(scope="module", autouse=True)
def iree_python(tmp_path_factory):
    if not os.path.isdir(FOLDER):
        pytest.skip("no IREE in .deps: scripts/setup.sh ci brings it")
    program = python_program.make(tmp_path_factory.mktemp("iree"), FOLDER, python_program.PACKAGES)
    os.environ["POLYGRAPHY_IREE_PYTHON"] = program
    return program


@pytest.fixture
def model(tmp_path):
    onnx.save(parser.parse_model(
        '<ir_version: 8, opset_import: ["": 13]> g (float[2, 3] x, double[N, 3] q) => '
        "(float[2, 2] y, double[N, 3] z, bool[N, 3] b) { w = Transpose <perm = [1, 0]> (x) y = MatMul (x, w) "
        "z = Neg (q) b = Less (z, q) }"), tmp_path / "model.onnx")
    return tmp_path / "model.onnx"


def test_agrees_with_onnx_runtime(polygraphy, model):
    ran = polygraphy("run", model, "--onnxrt", "--iree", "--input-shapes", "q:[5,3]")
    assert ran.code == 0 and "PASSED" in ran.text, ran.text
    ran = polygraphy("run", model, "--onnxrt", "--iree", "--onnx-outputs", "mark", "all", "--iree-flags",
                     "iree-opt-level=O2")
    assert ran.code == 0 and "'w'" in ran.text, ran.text


def test_a_real_model(polygraphy):
    ran = polygraphy("run", os.path.join(ROOT, ".deps", "models", "magika.onnx"), "--onnxrt", "--iree", "--atol",
                     "1e-4")
    assert ran.code == 0 and "PASSED" in ran.text, ran.text


def test_files_of_the_current_folder_are_not_imported(polygraphy, model, tmp_path):
    (tmp_path / "numpy.py").write_text("raise SystemExit('the numpy of the current folder')\n")
    ran = polygraphy("run", "model.onnx", "--iree")
    assert ran.code == 0, ran.text


@pytest.mark.parametrize("options, expected", [
    (["--iree-device", "abacus"], "--iree-device abacus"),
    (["--iree-flags", "no-such-flag"], "IREE cannot compile the model"),
    (["--iree-flags", "o=stolen"], "the output file of the compiler"),
])
def test_wrong_options_are_told_in_a_line(polygraphy, model, options, expected):
    ran = polygraphy("run", model, "--iree", *options)
    assert ran.code == 1 and expected in ran.text and "Traceback" not in ran.text, ran.text


def test_an_iree_without_onnx(polygraphy, model, tmp_path):
    program = python_program.make(tmp_path, FOLDER)
    ran = polygraphy("run", model, "--iree", "--iree-python", program)
    assert ran.code == 1 and "onnx of" in ran.text and "-m pip install onnx`" in ran.text, ran.text


def test_a_python_without_iree(polygraphy, model, bare_python):
    ran = polygraphy("run", model, "--iree", "--iree-python", bare_python)
    assert ran.code == 1 and "has no iree" in ran.text and "pip install iree" in ran.text, ran.text
