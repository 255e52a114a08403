"""The native packages in the place of the originals of the same names, which are installed as well."""

import pytest

from installed import PACKAGES, run

SCRIPT = """
import subprocess, sys
import onnx_graphsurgeon as gs, polygraphy.comparator
print(gs.__file__, polygraphy.comparator.__file__, sys.argv[1:])
if "child" in sys.argv:
    print(subprocess.run([sys.executable, __file__, "grandchild"], text=True, capture_output=True).stdout)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def native(environment):
    return run(environment / "bin/polygraphy-native", "--python-path").strip()


def test_nothing_changes_unless_asked(environment, script):
    assert run(environment / "bin/python", script).count(str(PACKAGES)) == 2


def test_one_script(environment, script):
    printed = run(environment / "bin/python", "-m", "polygraphy_native", script, "--option", "value")
    assert printed.count(native(environment)) == 2 and "['--option', 'value']" in printed


def test_a_module_and_code(environment):
    python = environment / "bin/python"
    assert native(environment) in run(python, "-m", "polygraphy_native", "-c",
                                      "import onnx_graphsurgeon; print(onnx_graphsurgeon.__file__)")
    assert "usage" in run(python, "-m", "polygraphy_native", "-m", "json.tool", "--help")


def test_a_variable_that_children_inherit(environment, script):
    printed = run(environment / "bin/python", script, "child", POLYGRAPHY_NATIVE="1")
    assert printed.count(native(environment)) == 4 and "grandchild" in printed


def test_the_search_path(environment, script):
    folder = native(environment)
    assert run(environment / "bin/python", script, PYTHONPATH=folder).count(folder) == 2


def test_install_in_a_program(environment):
    code = ("import polygraphy_native; polygraphy_native.install(); import onnx_graphsurgeon;"
            "print(onnx_graphsurgeon.__file__)")
    assert run(environment / "bin/python", "-c", code).startswith(native(environment))


def test_install_comes_before_the_first_import(environment):
    code = ("import onnx_graphsurgeon, polygraphy_native\n"
            "try: polygraphy_native.install()\n"
            "except ImportError as error: print(error)")
    assert f"onnx_graphsurgeon is imported already, from {PACKAGES}" in run(
        environment / "bin/python", "-c", code)


def test_a_model_goes_through(environment, tmp_path):
    code = """
import sys, numpy as np, onnx, onnx_graphsurgeon as gs
x = gs.Variable("x", np.float32, [2])
graph = gs.Graph(inputs=[x], opset=13)
Y = graph.layer(op="Add", inputs=[x, np.ones(2, np.float32)], outputs=["y"])[0]
Y.dtype = np.float32
graph.outputs = [Y]
onnx.save(gs.export_onnx(graph.cleanup().toposort()), sys.argv[1])
"""
    model = tmp_path / "model.onnx"
    run(environment / "bin/python", "-m", "polygraphy_native", "-c", code, model)
    assert "PASSED" in run(environment / "bin/polygraphy-native", "run", model, "--onnxrt")
