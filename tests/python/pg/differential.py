"""Runs a script with this package and with the original, and tells what each of them printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# The built packages come first there: scripts/test.sh says how.
OURS = os.environ.get("PYTHONPATH", str(ROOT / "python"))
PARITY = ROOT / ".deps" / "parity"


def run(
    script: Path, folder: Path, ours: bool, environment: dict = {}, more: list = []
) -> tuple:
    """What a script prints to stdout and stderr when it runs in a folder.

    `more` are folders of further modules; those of either package come first.
    """
    folder.mkdir(parents=True)
    search = [OURS] * ours + [str(PARITY), *more]
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(search),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        **environment,
    }
    # -P: the names of the scripts are those of modules, their folder must not be searched.
    command = [sys.executable, "-P", "-W", "ignore", str(script)]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return tuple(_without_chance(text, folder) for text in (done.stdout, done.stderr))


def _without_chance(text: str, folder: Path) -> str:
    """Text without what differs from run to run: places, addresses, times."""
    text = text.replace(str(folder), "FOLDER")
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"\S*/(python|compat|parity)/(polygraphy|numpy|onnx\w*)\b", r"ROOT/\2", text)
    text = re.sub(r"in \S+ ms \| Average inference time: \S+ ms", "in T ms", text)
    return re.sub(r"\d\d:\d\d:\d\d", "TIME", text)
