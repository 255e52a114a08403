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


def test_every_run_line_works(tmp_path):
    """`make` of the checkout only says what it would do: these tests run behind it."""
    (tmp_path / "polygraphy").symlink_to(ROOT)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "make").write_text(f'#!/bin/sh\nexec {shutil.which("make")} -n "$@"\n')
    (tmp_path / "bin" / "make").chmod(0o755)
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
