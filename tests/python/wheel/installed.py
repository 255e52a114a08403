"""Commands in environments that the tests make."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ROOT / ".deps" / "parity"


def run(*command, **environment):
    """The output of a command, without the tests' own Python or an active environment."""
    inherited = {k: v for k, v in os.environ.items()
                 if not k.startswith(("PYTHON", "POLYGRAPHY", "VIRTUAL_ENV", "CONDA"))}
    done = subprocess.run([str(part) for part in command], env={**inherited, **environment}, text=True,
                          capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
