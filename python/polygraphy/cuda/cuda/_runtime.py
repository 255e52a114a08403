"""Calls of the CUDA runtime, and streams."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

from polygraphy import mod
from polygraphy.cuda.cuda._library import _load_runtime, void_ptr
from polygraphy.logger import G_LOGGER


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
