"""The examples of docs/python-api.md run, one after the other, on a real model."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polygraphy_native as pn
from api_models import LANGUAGE, MAGIKA, REPOSITORY, tensorrt_double

PAGE = REPOSITORY / "docs" / "python-api.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
ON_TENSORRT = [block for block in BLOCKS if '"tensorrt"' in block]


def run(blocks, folder, **environment):
    shutil.copy(MAGIKA, folder / "model.onnx")
    for name in ("float.onnx", "int4.onnx"):
        shutil.copy(LANGUAGE / name, folder)
    done = subprocess.run([sys.executable, "-X", "dev", "-c", "\n".join(blocks)], cwd=folder, capture_output=True,
                          text=True, timeout=300, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_examples(tmp_path):
    assert len(BLOCKS) >= 6
    printed = run([block for block in BLOCKS if block not in ON_TENSORRT], tmp_path)
    assert (tmp_path / "folded.onnx").exists() and "nowhere.onnx" in printed


def test_examples_on_tensorrt(tmp_path):
    runner = tensorrt_double("10")
    driver = Path(runner["options"][0][1][0])
    printed = run([BLOCKS[0], *ON_TENSORRT], tmp_path, POLYGRAPHY_TRT_LIB=runner["library"],
                  LD_LIBRARY_PATH=str(driver.parent))
    assert ON_TENSORRT and "==== TensorRT Engine ====" in printed


def test_every_method_of_models_is_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    missing = [name for name in vars(pn.Model) if not name.startswith("_") and f"{name}" not in page]
    assert not missing
