"""The library of the CUDA runtime, its calls, and streams."""

from __future__ import annotations

import ctypes
import glob
import os
import re
import sys
from typing import Any, List, Optional

from polygraphy import mod, util
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


@mod.export()
class MemcpyKind:
    """From where to where memory is copied."""

    HostToHost = ctypes.c_int(0)
    """Copies from host memory to host memory"""
    HostToDevice = ctypes.c_int(1)
    """Copies from host memory to device memory"""
    DeviceToHost = ctypes.c_int(2)
    """Copies from device memory to host memory"""
    DeviceToDevice = ctypes.c_int(3)
    """Copies from device memory to device memory"""
    Default = ctypes.c_int(4)
    """Finds out from the addresses"""


@mod.export()
class Cuda:
    """The functions of the runtime that Polygraphy needs. Use `wrapper()` to get one.

    Every method raises PolygraphyException if the runtime reports an error.
    """

    def __init__(self):
        self.handle = _load_runtime()

    def check(self, status: int) -> None:
        """Raises PolygraphyException unless a status is that of success, 0."""
        if status != 0:
            G_LOGGER.critical(
                f"CUDA Error: {status}. To figure out what this means, refer to "
                "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html"
                "#group__CUDART__TYPES_1g3f51e3575c2178246db0a94a430e0038"
            )

    def create_stream(self) -> int:
        """Makes a stream, which is to be given to `destroy_stream`."""
        ptr = void_ptr()
        self.check(self.handle.cudaStreamCreate(ctypes.byref(ptr)))
        return ptr.value

    def stream_synchronize(self, ptr: int) -> None:
        """Waits until a stream has finished its work."""
        self.check(self.handle.cudaStreamSynchronize(void_ptr(ptr)))

    def destroy_stream(self, ptr: int) -> None:
        """Gives a stream back."""
        self.check(self.handle.cudaStreamDestroy(void_ptr(ptr)))

    def malloc(self, nbytes: int) -> int:
        """Allocates memory on the GPU.

        Args:
            nbytes: How many bytes.

        Returns:
            The address, which is to be given to `free`; None for no bytes.
        """
        ptr = void_ptr()
        # Without an explicit type, a size would be passed as a 32-bit number.
        self.check(self.handle.cudaMalloc(ctypes.byref(ptr), ctypes.c_size_t(nbytes)))
        return ptr.value

    def free(self, ptr: int) -> None:
        """Frees memory that `malloc` allocated. Nothing happens for a null pointer.

        Args:
            ptr: Its address.
        """
        self.check(self.handle.cudaFree(void_ptr(ptr)))

    def memcpy(
        self,
        dst: int,
        src: int,
        nbytes: int,
        kind: ctypes.c_int,
        stream_ptr: Optional[int] = None,
    ) -> None:
        """Copies memory.

        Args:
            dst: The address to copy to.
            src: The address to copy from.
            nbytes: How many bytes.
            kind: One of the values in `MemcpyKind`.
            stream_ptr: The stream on which to copy. Without one, the copy is done on return.
        """
        args = [void_ptr(dst), void_ptr(src), ctypes.c_size_t(nbytes), kind]
        if stream_ptr is None:
            self.check(self.handle.cudaMemcpy(*args))
        else:
            self.check(self.handle.cudaMemcpyAsync(*args, void_ptr(stream_ptr)))


G_CUDA: Optional[Cuda] = None


@mod.export()
def wrapper() -> Cuda:
    """The one wrapper of this process. The first call loads the runtime."""
    global G_CUDA
    if G_CUDA is None:
        G_CUDA = Cuda()
    return G_CUDA


def _release(function: str, ptr: Optional[int]) -> None:
    """Frees what an object still holds when it goes away.

    Errors are not reported: at the end of a process the runtime may have gone first.
    """
    try:
        if ptr:
            getattr(G_CUDA.handle, function)(void_ptr(ptr))
    except Exception:
        pass


@mod.export()
class Stream:
    """A CUDA stream. It is destroyed by `free()`, at the end of a `with` statement, or when the
    object goes away.

    Attributes:
        ptr: The stream's handle; 0, the default stream, after `free()`.
    """

    def __init__(self):
        self.ptr = wrapper().create_stream()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        """Destroys the stream."""
        self.free()

    def __del__(self):
        _release("cudaStreamDestroy", vars(self).get("ptr"))

    def __reduce__(self):
        _refuse_to_pickle(self)

    def free(self) -> None:
        """Destroys the stream. A second time, nothing happens."""
        if self.ptr:
            wrapper().destroy_stream(self.ptr)
        self.ptr = 0
        self.handle = void_ptr()

    def synchronize(self) -> None:
        """Waits until everything on the stream is done."""
        wrapper().stream_synchronize(self.ptr)


def _refuse_to_pickle(obj: Any) -> None:
    """Two objects must not free the same thing, nor another process something of this one."""
    raise TypeError(f"cannot copy or pickle '{type(obj).__name__}' object")


def try_get_stream_handle(stream: Optional[Stream]) -> Optional[int]:
    """A stream's handle, or None for None."""
    return None if stream is None else stream.ptr
