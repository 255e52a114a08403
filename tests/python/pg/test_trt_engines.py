"""Networks, configurations and engines of TensorRT, on doubles of `tensorrt` and of libcudart."""

import itertools
import os
import re
import sys
from pathlib import Path

import pytest

from differential import PARITY, ROOT, run

DOUBLES = str(ROOT / "tests" / "doubles" / "trt_module")
sys.path.append(DOUBLES)
import cudart_double  # noqa: E402: it lies there

CASES = Path(__file__).parent / "cases" / "trt_engines"
VERSIONS = ["8.6.1", "10.0.1", "10.9.0", "11.3.0"]

differential = pytest.mark.skipif(
    not (PARITY / "polygraphy").is_dir(), reason="the original package is not installed here"
)


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Where the doubles are found."""
    folder = tmp_path_factory.mktemp("cudart")
    cudart_double.build(folder)
    return {
        "LD_LIBRARY_PATH": os.pathsep.join([str(folder), os.environ.get("LD_LIBRARY_PATH", "")])
    }


def of_a_set(line) -> bool:
    """Whether the original does this for each of a set, in any order."""
    return bool(
        re.match(r"trt: network\.(un)?mark_output\(|trt: \w+\.(dtype|allowed_formats) = ", line)
        or line.startswith("[U] Marking")
    )


def printed(script, folder, ours, environment) -> list:
    """The lines that a script prints, without what is as it happens: times, and the order of sets,
    in which the original keeps names and tensors."""
    text = "".join(run(script, folder, ours, environment, [DOUBLES]))
    text = re.sub(r"in \d+\.\d+ seconds", "in T seconds", text)
    text = re.sub(r"\{('[^{}:]*')\}", lambda m: "{%s}" % ", ".join(sorted(m[1].split(", "))), text)
    # Each imports modules when it likes.
    lines = [line for line in text.splitlines() if "Loaded Module" not in line]
    return [
        line
        for of_set, group in itertools.groupby(lines, of_a_set)
        for line in (sorted(group) if of_set else group)
    ]


def compare(name, tmp_path, environment):
    theirs, ours = (
        printed(CASES / f"{name}.py", tmp_path / str(own), own, environment)
        for own in (False, True)
    )
    assert ours == theirs
    assert len(theirs) > 50


@differential
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["config", "loaders", "runner"])
def test_makes_the_calls_of_the_original(name, version, tmp_path, environment):
    compare(name, tmp_path, {**environment, "PG_TENSORRT_DOUBLE_VERSION": version})


@differential
def test_makes_the_calls_of_the_original_for_rtx(tmp_path, environment):
    version = {"PG_TENSORRT_DOUBLE_VERSION": "11.3.0", "POLYGRAPHY_USE_TENSORRT_RTX": "1"}
    compare("rtx", tmp_path, {**environment, **version})


@differential
def test_makes_the_calls_of_the_original_for_all_formats(tmp_path, environment):
    compare("formats", tmp_path, environment)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["loaders", "runner"])
def test_differences(name, version, tmp_path, environment):
    check_differences(name, tmp_path, {**environment, "PG_TENSORRT_DOUBLE_VERSION": version})


def test_differences_with_rtx(tmp_path, environment):
    version = {"PG_TENSORRT_DOUBLE_VERSION": "11.3.0", "POLYGRAPHY_USE_TENSORRT_RTX": "1"}
    check_differences("rtx", tmp_path, {**environment, **version})


def check_differences(name, tmp_path, environment):
    """Runs a script of assertions."""
    script = CASES.with_name("trt_engines_ours") / f"{name}.py"
    out, _ = run(script, tmp_path / "folder", True, environment, [DOUBLES])
    assert out.splitlines()[-1] == "done"


@differential
def test_tensors_of_torch(tmp_path, environment):
    pytest.importorskip("torch")
    # Torch may lie in a folder that only this process knows, with libraries that it knows.
    script = CASES.with_name("trt_engines_torch") / "tensors.py"
    theirs, ours = (
        run(script, tmp_path / str(own), own, environment, sys.path) for own in (False, True)
    )
    assert ours == theirs
    assert "Tensor" in theirs[0]
