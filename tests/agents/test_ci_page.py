"""The workflow of docs/ci.md, run step by step as GitHub runs it, on a model of the tree."""
import os
import pathlib
import re
import shutil
import subprocess

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
STEPS = yaml.safe_load(re.search(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)[1])
KEYS = {"uses", "run", "with", "id", "if", "name"}


def test_steps_are_steps():
    assert STEPS and all(("uses" in step) != ("run" in step) and set(step) <= KEYS for step in STEPS)
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]) for step in STEPS if "uses" in step)


# Doubles of the release's page and of pip: tests/python/wheel installs a real wheel.
CURL = """#!/bin/sh
case $2 in
  */SHA256SUMS) sha256sum *.whl ;;
  *) echo "$2" >"$(basename "$2")" ;;
esac
"""
PIP = """#!/bin/sh
[ "$1" = install ] && shift
for package in "$@"; do
  case $package in
    *.whl) [ -e "$package" ] ;;
    onnxruntime | openvino) ;;
    *) false ;;
  esac || exit 1
done
"""


def test_every_run_line_works(tmp_path):
    """With the executable that these tests are for."""
    (tmp_path / "bin").mkdir()
    for name, text in (("curl", CURL), ("pip", PIP)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "bin" / "polygraphy").symlink_to(os.environ["POLYGRAPHY"])
    shutil.copy(ROOT / "examples" / "quantized" / "float.onnx", tmp_path / "model.onnx")
    added = tmp_path / "path"
    added.touch()
    golden = "polygraphy run model.onnx --onnxrt --save-inputs inputs.json --save-outputs golden.json --silent"
    *setup, guard = [step["run"] for step in STEPS if "run" in step]
    for line in [*setup, golden, guard]:
        path = os.pathsep.join([*added.read_text().split(), str(tmp_path / "bin"), os.environ["PATH"]])
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", line], cwd=tmp_path, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "PATH": path, "GITHUB_PATH": str(added)})
        assert done.returncode == 0, f"{line}\n{done.stdout}"
    (uploaded,) = [tmp_path / step["with"]["path"] for step in STEPS if "upload-artifact" in step.get("uses", "")]
    assert {each.name for each in uploaded.iterdir()} >= {"log.txt", "page.html", "report.json", "run.xml"}
