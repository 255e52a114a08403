"""The wheel, in fresh environments: made as `pip install .` makes it, installed, used, uninstalled."""

import glob
import json
import os
import subprocess
import sys
import zipfile

import pytest

from installed import PACKAGES, ROOT, run

MAGIKA = ROOT / ".deps" / "models" / "magika.onnx"


# Nothing but the wheel is installed there.
EVERY_MODULE = """
import pkgutil, sys
import polygraphy_native as pn

pn.install()
import onnx_graphsurgeon, polygraphy

for package in (pn, onnx_graphsurgeon, polygraphy):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            __import__(module.name)
print(pn.load(sys.argv[1]))
"""


def interpreters():
    """This Python, and the other versions that lie beside it, from 3.10 on."""
    found = {sys.version_info[:2]: sys.executable}
    beside = os.path.join(os.path.dirname(sys.base_prefix), "*", "bin", "python3")
    for program in sorted([*glob.glob(beside), *glob.glob("/usr/bin/python3.1[0-9]")]):
        version = json.loads(run(program, "-c", "import sys; print(list(sys.version_info[:2]))"))
        if version >= [3, 10]:
            found.setdefault(tuple(version), program)
    return [found[version] for version in sorted(found)]


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")
            if "__pycache__" not in path.parts}


def left_below(environment):
    """Without empty folders of share/, which all packages have in common: pip leaves them."""
    return {path for path in files_below(environment)
            if not path.startswith("share") or not (environment / path).is_dir()}


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
    assert "95 nodes" in run(environment / "bin/python", "-c", EVERY_MODULE, MAGIKA)
    run(pip, "uninstall", "-q", "-y", "polygraphy-native")
    assert left_below(environment) == before


def test_has_manual_completions_and_models(environment):
    """Where `man` and the shells look if the environment's bin/ is in PATH, under the names of both commands."""
    program = environment / "bin/polygraphy-native"
    share = environment / "share"
    for kind, folder, names in [
            ("man", "man/man1", ["polygraphy.1", "polygraphy-native.1"]),
            ("completion-bash", "bash-completion/completions", ["polygraphy", "polygraphy-native"]),
            ("completion-zsh", "zsh/site-functions", ["_polygraphy"]),
            ("completion-fish", "fish/vendor_completions.d", ["polygraphy.fish", "polygraphy-native.fish"])]:
        assert sorted(each.name for each in (share / folder).iterdir()) == sorted(names)
        for name in names:
            assert (share / folder / name).read_text(encoding="utf-8") == run(program, "--generate", kind)
    models = share / "doc/polygraphy/examples"
    assert "27 Node(s)" in run(program, "inspect", "model", models / "quantized/int8.onnx")
    assert (models / "language_models/prompts.json").exists()


def test_lists_its_parts(wheel, tmp_path):
    """With the licence of each one that is linked in; and without symbols for debuggers."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path)
    (described,) = tmp_path.glob("*.dist-info")
    parts = json.loads((described / "sboms/polygraphy.cdx.json").read_text(encoding="utf-8"))
    assert json.loads((described / "sboms/polygraphy.spdx.json").read_text(encoding="utf-8"))["packages"]
    linked = [part["name"] for part in parts["components"] if {"value": "linked in", "name": "polygraphy:relation"}
              in part["properties"]]
    assert {"onnx", "fmt", "nlohmann-json"} <= set(linked)
    texts = list((described / "licenses/third_parties").iterdir())
    assert len(texts) == len(linked) and all(text.stat().st_size > 500 for text in texts)
    binaries = [*tmp_path.rglob("*.so"), *tmp_path.glob("*.data/scripts/polygraphy-native")]
    assert len(binaries) > 5 and [b for b in binaries if run("nm", b).strip()] == []


def test_same_bytes(wheel, tmp_path):
    run("sh", "-c", 'umask 077 && exec "$0" "$1"', ROOT / "scripts/release/wheel.sh", tmp_path,
        TZ="Pacific/Kiritimati", LC_ALL="C.UTF-8")
    (again,) = tmp_path.glob("*.whl")
    assert again.name == wheel.name and again.read_bytes() == wheel.read_bytes()


def test_finds_engines_and_python_beside_it(environment, tmp_path):
    program = environment / "bin/polygraphy-native"
    assert "onnxrt | available" in run(program, "backends")  # the only one
    loader = tmp_path / "loader.py"
    loader.write_text("import sys\nprint('scripts run in', sys.prefix)\ndef load_data():\n    return None\n")
    printed = run(program, "run", MAGIKA, "--onnxrt", "--data-loader-script", loader)
    assert f"scripts run in {environment}" in printed


def test_starts_workers_and_tasks(environment, tmp_path):
    """All by the same command, in the sandbox."""
    program = environment / "bin/polygraphy-native"
    printed = run(program, "run", MAGIKA, "--onnxrt", "--onnxrt", "--isolate", "--on", "local:2",
                  "--tasks", tmp_path / "tasks")
    assert "PASSED" in printed


def test_command_without_its_package(wheel, tmp_path):
    folder = tmp_path / "a [b]*"
    run(sys.executable, "-m", "pip", "install", "-q", "--no-index", "--target", folder, wheel)
    program = folder / "bin/polygraphy-native"
    assert "Version: 0.53.6" in run(program, "--version")
    (folder / "polygraphy_native").rename(folder / "elsewhere")
    done = subprocess.run([program, "--version"], text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(f"[!] {folder}: the package polygraphy_native is not there\n")


def test_goes_into_any_folder(wheel, tmp_path):
    run(sys.executable, "-m", "pip", "install", "-q", "--no-index", "--target", tmp_path / "there", wheel)
    printed = run(tmp_path / "there/bin/polygraphy-native", "backends")
    assert all(name in printed for name in ("onnxrt", "openvino", "tensorrt"))
    skill = (tmp_path / "there/polygraphy_native/SKILL.md").read_text(encoding="utf-8")
    assert run(tmp_path / "there/bin/polygraphy-native", "skill").strip() == skill.strip()


def test_is_of_the_stable_abi_and_of_common_systems(wheel, tmp_path):
    """The ABI of 3.11; 3.10, which the tag names, is tried above."""
    tools = {"PYTHONPATH": str(PACKAGES)}
    assert wheel.name.endswith("-cp310-abi3-manylinux_2_35_x86_64.whl")
    assert wheel.stat().st_size <= 12_000_000
    extension = "polygraphy_native/_native.abi3.so"
    with zipfile.ZipFile(wheel) as files:
        files.extract(extension, tmp_path)
    report = run(sys.executable, "-m", "abi3audit", "--strict", "--assume-minimum-abi3", "3.11",
                 "--report", tmp_path / extension, HOME=str(tmp_path), **tools)
    (spec,) = json.loads(report)["specs"].values()
    assert spec["object"]["result"]["computed"] == "3.11"
    shown = run(sys.executable, "-m", "auditwheel", "show", wheel, **tools)
    assert '"manylinux_2_35_x86_64"' in shown


def test_has_the_native_api(environment, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"""
import polygraphy_native as pn

model = pn.load({str(MAGIKA)!r})
model.sanitize(fold_constants=True, verify=True)
(result,) = pn.run(model, isolate=True)
(engine,) = (each for each in pn.backends() if each.name == "onnxrt")
print(result.outputs["target_label"].shape, engine.library)
print(type(model.to_graph()).__module__, pn.lint(model))
""", encoding="utf-8")
    shape, graph = run(environment / "bin/python", script).splitlines()
    assert shape.startswith(f"(1, 214) {(PACKAGES / 'onnxruntime').resolve()}")
    assert graph == "onnx_graphsurgeon.ir.graph []"
