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


LATER = """
import importlib.machinery, site, sys
sys.path.insert(0, sys.argv[1])
site.addsitedir(sys.argv[2])
site.addsitedir(sys.argv[2])
loader = importlib.machinery.SourceFileLoader


class Editable:  # as setuptools appends them
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "polygraphy":
            return importlib.machinery.ModuleSpec(name, loader(name, sys.argv[3]), origin=sys.argv[3])


sys.meta_path.append(Editable)
import polygraphy
print(polygraphy.mine)
try:
    import onnx_graphsurgeon
except ModuleNotFoundError as error:
    print(error.name)
"""


def test_finders_behind_the_hint_are_asked_first(tmp_path):
    (tmp_path / "x.pth").write_text((PYTHON / "polygraphy_native.pth").read_text())
    (tmp_path / "mine.py").write_text("mine = 'an editable install'")
    import polygraphy_native

    found = os.path.dirname(os.path.dirname(polygraphy_native.__file__))
    done = subprocess.run([sys.executable, "-S", "-c", LATER, found, tmp_path, tmp_path / "mine.py"], cwd=tmp_path,
                          capture_output=True, text=True,
                          env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"})
    assert done.stdout == "an editable install\nonnx_graphsurgeon\n", done.stderr
