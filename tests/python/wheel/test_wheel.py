"""The wheel, in fresh environments: made as `pip install .` makes it, installed, used, uninstalled."""

import glob
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ROOT / ".deps" / "parity"
MAGIKA = ROOT / ".deps" / "models" / "magika.onnx"


def run(*command, **environment):
    """What a command prints. Nothing of the tests' own Python, or of an active environment."""
    inherited = {k: v for k, v in os.environ.items()
                 if not k.startswith(("PYTHON", "POLYGRAPHY", "VIRTUAL_ENV", "CONDA"))}
    done = subprocess.run([str(part) for part in command], env={**inherited, **environment}, text=True,
                          capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def interpreters():
    """This Python, and another version of it if one lies beside it."""
    found = {sys.version_info[:2]: sys.executable}
    beside = os.path.join(os.path.dirname(sys.base_prefix), "*", "bin", "python3")
    for program in sorted([*glob.glob(beside), *glob.glob("/usr/bin/python3.1[1-9]")]):
        version = json.loads(run(program, "-c", "import sys; print(list(sys.version_info[:2]))"))
        if version >= [3, 11]:
            found.setdefault(tuple(version), program)
    return [found[version] for version in sorted(found)]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT)
    (made,) = folder.glob("*.whl")
    return made


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")
            if "__pycache__" not in path.parts}


@pytest.fixture
def environment(wheel, tmp_path):
    """An environment with the wheel and an ONNX Runtime, which is not activated."""
    run(sys.executable, "-m", "venv", tmp_path / "env")
    run(tmp_path / "env/bin/pip", "install", "-q", "--no-index", wheel)
    (site_packages,) = (tmp_path / "env/lib").glob("python3.*/site-packages")
    (site_packages / "onnxruntime").symlink_to(PACKAGES / "onnxruntime")
    return tmp_path / "env"


@pytest.mark.parametrize("python", interpreters(), ids=os.path.basename)
def test_leaves_nothing_behind(wheel, tmp_path, python):
    environment = tmp_path / "env"
    run(python, "-m", "venv", environment)
    pip = environment / "bin/pip"
    before = files_below(environment)
    run(pip, "install", "-q", "--no-index", wheel)
    assert "Version: 0.53.6" in run(environment / "bin/polygraphy-native", "--version")
    script = "from polygraphy_native import _native, executable; print(_native.Payload, executable())"
    assert str(environment / "bin/polygraphy-native") in run(environment / "bin/python", "-c", script)
    run(pip, "uninstall", "-q", "-y", "polygraphy-native")
    assert files_below(environment) == before


def test_finds_engines_and_python_beside_it(environment, tmp_path):
    program = environment / "bin/polygraphy-native"
    assert "onnxrt | available" in run(program, "backends")  # there is no other one
    loader = tmp_path / "loader.py"
    loader.write_text("import sys\nprint('scripts run in', sys.prefix)\ndef load_data():\n    return None\n")
    printed = run(program, "run", MAGIKA, "--onnxrt", "--data-loader-script", loader,
                  PYTHONPATH=str(PACKAGES))
    assert f"scripts run in {environment}" in printed


def test_goes_into_any_folder(wheel, tmp_path):
    run(sys.executable, "-m", "pip", "install", "-q", "--no-index", "--target", tmp_path / "there", wheel)
    printed = run(tmp_path / "there/bin/polygraphy-native", "backends")
    assert all(name in printed for name in ("onnxrt", "openvino", "tensorrt"))


def test_is_of_the_stable_abi_and_of_common_systems(wheel, tmp_path):
    tools = {"PYTHONPATH": str(PACKAGES)}
    report = run(sys.executable, "-m", "abi3audit", "--strict", "--report", wheel,
                 HOME=str(tmp_path), **tools)
    (spec,) = json.loads(report)["specs"].values()
    results = {item["name"]: item["result"] for item in spec["wheel"]}
    assert results["_native.abi3.so"]["computed"] == "3.11"
    shown = run(sys.executable, "-m", "auditwheel", "show", wheel, **tools)
    assert "manylinux_2_35_x86_64" in shown
