"""The examples of docs/python-api.md run, one after the other, on a real model."""

import re
import shutil
import subprocess
import sys

import polygraphy_native as pn
from api_models import MAGIKA, REPOSITORY

PAGE = REPOSITORY / "docs" / "python-api.md"


def test_examples(tmp_path):
    shutil.copy(MAGIKA, tmp_path / "model.onnx")
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= 6
    done = subprocess.run([sys.executable, "-X", "dev", "-c", "\n".join(blocks)], cwd=tmp_path, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "folded.onnx").exists() and "nowhere.onnx" in done.stdout


def test_every_method_of_models_is_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    missing = [name for name in vars(pn.Model) if not name.startswith("_") and f"{name}" not in page]
    assert not missing
