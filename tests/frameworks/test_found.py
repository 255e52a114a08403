"""docs/found.md: each model there still shows the fault of the engine, to us and in plain Python."""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import types

import onnx
import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "found.md"
CASES = re.findall(r"^## (.*?)\n.*?^<!-- run: (.*?) -->\n```python\n(.*?)```", PAGE.read_text(), re.M | re.S)
ids = [title for title, _, _ in CASES]


def model_of(program, monkeypatch, path):
    """The model that the program makes before it calls the engine."""
    monkeypatch.setitem(sys.modules, "openvino", types.ModuleType("openvino"))
    made = {}
    with pytest.raises(AttributeError, match="openvino"):
        exec(program, made)
    onnx.save(made["model"], path)


def lacks(features):
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    return [one for one in features if one != "twice" and one not in flags]


def test_all_sections_are_here():
    assert len(CASES) == PAGE.read_text().count("\n```python\n") == 4


@pytest.mark.parametrize("title, run, program", CASES, ids=ids)
def test_the_command_finds_it(polygraphy, tmp_path, monkeypatch, title, run, program):
    options, words, *features = (" ".join(part.split()) for part in run.split("|"))
    features = " ".join(features).split()
    if lacks(features):
        pytest.skip(f"the processor lacks {', '.join(lacks(features))}")
    monkeypatch.chdir(tmp_path)
    model_of(program, monkeypatch, "model.onnx")
    for _ in range(2 if "twice" in features else 1):
        ran = polygraphy("run", "model.onnx", "--onnxrt", "--openvino", *options.split())
    assert ran.code == 1 and words in ran.text, ran.text


@pytest.mark.parametrize("title, run, program", CASES, ids=ids)
@pytest.mark.skipif(not importlib.util.find_spec("openvino"), reason="openvino for Python: pip install openvino")
def test_python_shows_it(tmp_path, title, run, program):
    features = " ".join(run.split("|")[2:]).split()
    if lacks(features):
        pytest.skip(f"the processor lacks {', '.join(lacks(features))}")
    shown = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=True)
    assert "[0. 1. 1. 0.]" in shown.stdout or float(shown.stdout) > 0.5
