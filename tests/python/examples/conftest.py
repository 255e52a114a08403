"""The examples run as the cases of the package polygraphy do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "pg"))
