"""Networks, configurations and engines of TensorRT, on doubles of `tensorrt` and of libcudart."""

import itertools
import re
import sys
from pathlib import Path

import pytest

from differential import needs_originals, run, run_both, same
from doubles import DOUBLES

HERE = Path(__file__).parent
VERSIONS = ["8.6.1", "10.0.1", "10.9.0", "11.3.0"]
RTX = {"PG_TENSORRT_DOUBLE_VERSION": "11.3.0", "POLYGRAPHY_USE_TENSORRT_RTX": "1"}


def of_a_set(line) -> bool:
    """Whether the original does this for each of a set, in any order."""
    return bool(
        re.match(r"trt: network\.(un)?mark_output\(|trt: \w+\.(dtype|allowed_formats) = ", line)
        or line.startswith("[U] Marking")
    )


def lines(text) -> list:
    """The lines of a text, without what is as it happens: times, and the order of sets, in which
    the original keeps names and tensors."""
    text = re.sub(r"in \d+\.\d+ seconds", "in T seconds", text)
    text = re.sub(r"\{('[^{}:]*')\}", lambda m: "{%s}" % ", ".join(sorted(m[1].split(", "))), text)
    # Each imports modules when it likes.
    known = [line for line in text.splitlines() if "Loaded Module" not in line]
    return [
        line
        for of_set, group in itertools.groupby(known, of_a_set)
        for line in (sorted(group) if of_set else group)
    ]


def compare(name, tmp_path, environment):
    script = HERE / "engine_cases" / f"{name}.py"
    out, err = same(script, tmp_path, lines, environment=environment, more=[DOUBLES])
    assert len(out) + len(err) > 50


@needs_originals
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["calls", "config", "loaders", "runner"])
def test_makes_the_calls_of_the_original(name, version, tmp_path, cudart):
    compare(name, tmp_path, {**cudart, "PG_TENSORRT_DOUBLE_VERSION": version})


@needs_originals
def test_makes_the_calls_of_the_original_for_rtx(tmp_path, cudart):
    compare("rtx", tmp_path, {**cudart, **RTX})


@needs_originals
def test_makes_the_calls_of_the_original_for_all_formats(tmp_path, cudart):
    compare("formats", tmp_path, cudart)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["loaders", "runner"])
def test_differences(name, version, tmp_path, cudart):
    check_differences(name, tmp_path, {**cudart, "PG_TENSORRT_DOUBLE_VERSION": version})


def test_differences_with_rtx(tmp_path, cudart):
    check_differences("rtx", tmp_path, {**cudart, **RTX})


def check_differences(name, tmp_path, environment):
    """Runs a script of assertions."""
    script = HERE / "engine_differences" / f"{name}.py"
    out, _ = run(script, tmp_path / "folder", True, environment, [DOUBLES])
    assert out.splitlines()[-1] == "done"


@needs_originals
def test_tensors_of_torch(tmp_path, cudart):
    pytest.importorskip("torch")
    # Torch may lie in a folder that only this process knows, with libraries that it knows.
    script = HERE / "engine_tensors_of_torch.py"
    theirs, ours = run_both(script, tmp_path, environment=cudart, more=sys.path)
    assert ours == theirs
    assert "Tensor" in theirs[0]
