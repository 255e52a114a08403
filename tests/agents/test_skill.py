"""`polygraphy skill`: the recipes are those of docs/SKILL.md, and each of their commands works."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLYGRAPHY = os.environ.get("POLYGRAPHY", str(ROOT / "build" / "release" / "bin" / "polygraphy"))
SKILL = (ROOT / "docs" / "SKILL.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^polygraphy .*", "\n".join(re.findall(r"^```sh\n(.*?)^```$", SKILL, re.M | re.S)), re.M)


def polygraphy(*words, folder=None):
    return subprocess.run([POLYGRAPHY, *words], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "POLYGRAPHY_EXIT_CODES": "distinct"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the recipes name."""
    folder = tmp_path_factory.mktemp("recipes")
    for name, model in (("model.onnx", "quantized/float.onnx"), ("float.onnx", "quantized/float.onnx"),
                        ("int8.onnx", "quantized/int8.onnx"), ("nan.onnx", "debugging/models/nan.onnx")):
        shutil.copy(ROOT / "examples" / model, folder / name)
    return folder


def test_it_is_printed_and_installed(tmp_path):
    assert polygraphy("skill").stdout == SKILL
    done = polygraphy("skill", "--install", str(tmp_path / "skills"))
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "skills" / "polygraphy" / "SKILL.md").read_text(encoding="utf-8") == SKILL


def test_its_head_is_that_of_a_skill():
    head = yaml.safe_load(SKILL.split("---\n")[1])
    assert head["name"] == "polygraphy" and set(head) == {"name", "description"}
    assert 100 < len(head["description"]) <= 1024


@pytest.mark.parametrize("command", COMMANDS)
def test_recipe(folder, command):
    words = shlex.split(command)[1:]
    done = polygraphy(*words, folder=folder)
    assert done.returncode in (0, 1), done.stdout
    named = [words[at + 1] for at, word in enumerate(words)
             if word in ("-o", "--json", "--summary", "--save-benchmark")]
    assert [name for name in named if not (folder / name).stat().st_size] == []


def test_there_are_recipes():
    assert len(COMMANDS) >= 12


def test_the_wrong_scale_is_named(folder):
    """The recipe for quantised models, on a model with a planted fault."""
    done = polygraphy("debug", "locate", "int8.onnx", "--float-model", "float.onnx", "--onnxrt", "--summary", "found.txt",
                      "--report", "found.html", folder=folder)
    assert done.returncode == 1
    assert "block2.conv2" in (folder / "found.txt").read_text(encoding="utf-8")
    page = (folder / "found.html").read_text(encoding="utf-8")
    assert all(f'"title":"{name}"' in page for name in ("float.onnx", "int8.onnx")), "the graphs have short names"
