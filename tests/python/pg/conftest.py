"""The folder of the packages comes first: what is imported here is ours."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "python"), str(ROOT / ".deps" / "parity")]
