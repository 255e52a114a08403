"""Switches of the whole package, read from the environment once, at the first import.

Scripts may assign to these names: they are looked up where they matter, not copied.
"""

import os
import sys


def _flag(name: str) -> bool:
    return os.environ.get(name, "0") != "0"


INTERNAL_CORRECTNESS_CHECKS: bool = _flag("POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS")
"""bool: Whether Polygraphy checks its own invariants (`POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS`)"""

AUTOINSTALL_DEPS: bool = _flag("POLYGRAPHY_AUTOINSTALL_DEPS")
"""bool: Whether missing modules are installed when first used (`POLYGRAPHY_AUTOINSTALL_DEPS`)"""

ASK_BEFORE_INSTALL: bool = _flag("POLYGRAPHY_ASK_BEFORE_INSTALL")
"""bool: Whether to confirm with the user first (`POLYGRAPHY_ASK_BEFORE_INSTALL`)"""

INSTALL_CMD: list = os.environ.get(
    "POLYGRAPHY_INSTALL_CMD", f"{sys.executable} -m pip install"
).split()
"""List[str]: The command that installs a module; its name is appended (`POLYGRAPHY_INSTALL_CMD`)"""

ARRAY_SWAP_THRESHOLD_MB: int = int(os.environ.get("POLYGRAPHY_ARRAY_SWAP_THRESHOLD_MB", "-1"))
"""int: Size in MiB above which an array of results is kept on disk; negative: never
(`POLYGRAPHY_ARRAY_SWAP_THRESHOLD_MB`)"""

USE_TENSORRT_RTX: bool = _flag("POLYGRAPHY_USE_TENSORRT_RTX")
"""bool: Whether `tensorrt_rtx` stands in for `tensorrt` (`POLYGRAPHY_USE_TENSORRT_RTX`)"""
