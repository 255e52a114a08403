"""Beside this file lies what tests in all folders import; scripts/test.sh puts the packages on the
path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
