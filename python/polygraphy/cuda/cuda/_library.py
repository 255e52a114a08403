"""The library of the CUDA runtime."""

from __future__ import annotations

import ctypes
import glob
import os
import re
import sys
from typing import List, Optional

from polygraphy import util
from polygraphy.logger import G_LOGGER


def void_ptr(val: Optional[int] = None) -> ctypes.c_void_p:
    """An address as the runtime takes it; NULL for None."""
    return ctypes.c_void_p(val)


def _cuda_runtime_wheel_dirs(subdir: str) -> List[str]:
    """Where wheels of the CUDA runtime put libraries, in every folder that is searched for modules.

    Args:
        subdir: The folder below the runtime's own, such as `"lib"`.
    """
    # Up to CUDA 12 the package is `cuda_runtime`, from 13 on one per major version.
    return [
        place
        for folder in util.unique_list(filter(os.path.isdir, sys.path))
        for place in [
            os.path.join(folder, "nvidia", "cuda_runtime", subdir),
            *sorted(glob.glob(os.path.join(glob.escape(folder), "nvidia", "cu[0-9]*", subdir))),
        ]
    ]


def _find_cuda_lib_dirs() -> List[str]:
    """The folders in which to look for the runtime, in order."""

    def listed_in(variable: str) -> List[str]:
        return [path for path in os.environ.get(variable, "").split(os.path.pathsep) if path]

    if sys.platform == "win32":
        toolkit = listed_in("CUDA_PATH")
        dirs = [os.path.join(path, *part) for path in toolkit for part in (["bin"], ["bin", "x64"])]
        return util.unique_list(
            toolkit + dirs + listed_in("PATH") + _cuda_runtime_wheel_dirs("bin")
        )
    dirs = listed_in("LD_LIBRARY_PATH") + ["/usr/local/cuda/lib64", "/usr/lib", "/lib"]
    return util.unique_list(dirs + _cuda_runtime_wheel_dirs("lib"))


def _newest_first(library: str) -> tuple:
    """A sorting key: names without a version, then the highest versions."""
    numbers = re.findall(r"\d+", os.path.basename(library))
    return (bool(numbers), [-int(number) for number in numbers])


def _load_runtime() -> ctypes.CDLL:
    windows = sys.platform == "win32"
    dirs = _find_cuda_lib_dirs()
    pattern = "cudart64_*.dll" if windows else "libcudart.so*"
    candidates = sorted(util.find_in_dirs(pattern, dirs), key=_newest_first)

    if candidates:
        G_LOGGER.verbose(f"Found candidate CUDA libraries: {candidates}")
    else:
        variable, wheel = ("PATH", "bin") if windows else ("LD_LIBRARY_PATH", "lib")
        G_LOGGER.warning(
            "Could not find the CUDA runtime library.\n"
            "Ensure the CUDA Toolkit is installed and that the directory containing "
            f"`{pattern if windows else 'libcudart.so*'}` is on `{variable}`. "
            "Alternatively, `pip install nvidia-cuda-runtime-cuXX` provides the runtime.\n"
            f"Note: Paths searched were:\n{dirs}"
        )
        # Without a development package there are only names with a version.
        candidates = (
            ["cudart64_13.dll", "cudart64_12.dll", "cudart64_110.dll"]
            if windows
            else ["libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"]
        )
        G_LOGGER.warning(f"Attempting to load: '{candidates[0]}' using default loader paths")

    errors = []
    for library in candidates:
        try:
            return ctypes.CDLL(library)
        except OSError as err:
            errors.append(str(err))
    G_LOGGER.critical(
        "Could not load the CUDA runtime library.\nNote: Errors were:\n" + "\n".join(errors)
    )
