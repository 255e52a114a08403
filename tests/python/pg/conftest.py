"""The modules of these tests; scripts/test.sh puts the package itself on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
