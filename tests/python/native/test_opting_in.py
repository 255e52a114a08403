"""`import polygraphy` beside polygraphy_native alone: the error says how to get it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[3] / "python"

SCRIPT = """
import importlib.util, site, sys
sys.path.insert(0, sys.argv[1])
site.addsitedir(sys.argv[2])
assert importlib.util.find_spec(sys.argv[3]) is None
try:
    __import__(sys.argv[4])
except ModuleNotFoundError as error:
    print(error.name, "|", error)
"""


@pytest.mark.parametrize("package, module", [("polygraphy", "polygraphy"), ("onnx_graphsurgeon", "onnx_graphsurgeon"),
                                             ("polygraphy", "polygraphy.comparator")])
def test_the_error_says_how(tmp_path, package, module):
    (tmp_path / "x.pth").write_text((PYTHON / "polygraphy_native.pth").read_text())
    import polygraphy_native

    found = os.path.dirname(os.path.dirname(polygraphy_native.__file__))
    done = subprocess.run([sys.executable, "-S", "-c", SCRIPT,
                           found, tmp_path, package, module], cwd=tmp_path, capture_output=True, text=True,
                          env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"})
    assert done.stdout == (f"{package} | No module named '{package}'. polygraphy-native has it: call "
                           "polygraphy_native.install() before, or set POLYGRAPHY_NATIVE=1.\n"), done.stderr
