"""Wheels of the originals' names: pip takes them for these."""

import sys

import pytest

from installed import PACKAGES, ROOT, run
from test_wheel import files_below, left_below

SCRIPT = """
import onnx_graphsurgeon, polygraphy, polygraphy.comparator
from importlib.metadata import version
print(polygraphy.__version__, version("polygraphy"), onnx_graphsurgeon.__version__)
print(onnx_graphsurgeon.Graph().cleanup().name, "originals" in polygraphy.__file__)
"""


def distribution(site_packages, name, version, requires):
    """A package of nothing, which only says what it needs."""
    folder = site_packages / f"{name}-{version}.dist-info"
    folder.mkdir()
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {each}" for each in requires]
    (folder / "METADATA").write_text("\n".join(lines) + "\n")
    (folder / "INSTALLER").write_text("pip\n")
    (folder / "RECORD").write_text(f"{folder.name}/METADATA,,\n{folder.name}/INSTALLER,,\n"
                                   f"{folder.name}/RECORD,,\n")


@pytest.fixture
def empty(tmp_path):
    """An environment with nothing but pip, and its folder of packages."""
    run(sys.executable, "-m", "venv", tmp_path / "env")
    (site_packages,) = (tmp_path / "env/lib").glob("python3.*/site-packages")
    return tmp_path / "env", site_packages


def test_packages_and_command_are_there_and_go(empty, wheel, standing_in):
    folder, _ = empty
    before = files_below(folder)
    run(folder / "bin/pip", "install", "-q", "--no-index", wheel, *standing_in)
    path = {"PYTHONPATH": str(PACKAGES)}  # of NumPy and onnx, before installed packages
    printed = run(folder / "bin/python", "-c", f"import sys; sys.path.append(sys.path.pop(1)){SCRIPT}", **path)
    assert printed.split() == ["0.53.6", "0.53.6+native.0.1.0", "0.6.1", "onnx_graphsurgeon_graph", "False"]
    assert "Version: 0.53.6" in run(folder / "bin/polygraphy", "--version")
    run(folder / "bin/pip", "uninstall", "-q", "-y", "polygraphy", "onnx_graphsurgeon", "polygraphy-native")
    assert left_below(folder) == before


def test_replaces_the_original_and_satisfies_what_needs_it(empty, wheel, standing_in):
    folder, site_packages = empty
    distribution(site_packages, "polygraphy", "0.49.27", [])
    needs = ["polygraphy>=0.49", "polygraphy==0.53.6", "onnx-graphsurgeon==0.6.1"]
    distribution(site_packages, "dependent", "1.0", needs)
    run(folder / "bin/pip", "install", "-q", "--no-index", wheel, *standing_in)
    assert "No broken requirements" in run(folder / "bin/pip", "check")
    listed = run(folder / "bin/pip", "list", "--format", "freeze").splitlines()
    assert [line for line in listed if line.startswith("polygraphy==")] == ["polygraphy==0.53.6+native.0.1.0"]


def test_versions_are_those_of_the_wheel_that_they_need(wheel):
    version = wheel.name.split("-")[1]
    for name in ("polygraphy", "onnx_graphsurgeon"):
        text = (ROOT / "python/standing_in" / name / "pyproject.toml").read_text()
        assert f"+native.{version}\"" in text and f"polygraphy-native=={version}\"" in text
