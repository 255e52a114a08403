"""Runs scripts with these packages and with the originals of the same names, each in a separate
process, and compares their output."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable, Union

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The built packages come first there: scripts/test.sh says how.
OURS = os.environ.get("PYTHONPATH", str(ROOT / "python"))
ORIGINALS = ROOT / ".deps" / "parity"

needs_originals = pytest.mark.skipif(
    not (ORIGINALS / "polygraphy").is_dir(), reason="the originals are not installed here"
)


def run(
    script: Union[Path, str], folder: Path, ours: bool, environment: dict = {}, more: list = []
) -> tuple:
    """The output of a script on stdout and stderr, without the parts that vary between runs.

    Args:
        script: The path of the script, or its text.
        folder: Where it runs; made if missing.
        ours: With these packages; with the originals else.
        environment: Further variables.
        more: Folders of further modules; those of either package come first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    search = [OURS] * ours + [str(ORIGINALS), *more]
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(search),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        **environment,
    }
    program = ["-c", script] if isinstance(script, str) else [str(script)]
    # -P: the names of the scripts are those of modules, their folder must not be searched.
    command = [sys.executable, "-P", "-W", "ignore", *program]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return tuple(_without_chance(text, folder) for text in (done.stdout, done.stderr))


def run_both(script: Union[Path, str], folder: Path, **how) -> tuple:
    """The results of run() with the originals, in the folder `original`, and with ours, in `ours`."""
    names = ("original", "ours")
    with ThreadPoolExecutor() as pool:
        runs = [pool.submit(run, script, folder / name, name == "ours", **how) for name in names]
    return tuple(each.result() for each in runs)


def same(
    script: Union[Path, str], folder: Path, lines: Callable = str.splitlines, **how
) -> tuple:
    """Asserts that a script prints the same with both, and something.

    Args:
        script, folder, how: See run_both().
        lines: Makes of a text the lines that are compared.

    Returns: the lines of stdout and of stderr.
    """
    theirs, ours = (
        [lines(text) for text in printed] for printed in run_both(script, folder, **how)
    )
    for stream, expected, actual in zip(("stdout", "stderr"), theirs, ours):
        assert actual == expected, stream
    assert theirs[0], "a script that prints nothing compares nothing"
    return tuple(theirs)


def _without_chance(text: str, folder: Path) -> str:
    """Text without what differs from run to run: places, addresses, times."""
    text = text.replace(str(folder), "FOLDER")
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"\S*/(python|compat|parity)/(polygraphy|numpy|onnx\w*)\b", r"ROOT/\2", text)
    text = re.sub(r"in \S+ ms \| Average inference time: \S+ ms", "in T ms", text)
    return re.sub(r"\d\d:\d\d:\d\d", "TIME", text)
