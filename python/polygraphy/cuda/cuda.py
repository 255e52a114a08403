"""The CUDA runtime, through ctypes: streams, and memory on the GPU that is seen as arrays."""

from __future__ import annotations

import ctypes
import glob
import math
import operator
import os
import re
import sys
from typing import Any, List, Optional, Sequence

from polygraphy import mod, util
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER

np = mod.lazy_import("numpy")


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
        """Waits until a stream has done all that was asked of it."""
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
        # Without a type of its own, a size would be passed as a 32-bit number.
        self.check(self.handle.cudaMalloc(ctypes.byref(ptr), ctypes.c_size_t(nbytes)))
        return ptr.value

    def free(self, ptr: int) -> None:
        """Frees memory that `malloc` allocated. Nothing happens for a null pointer."""
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


def _num_bytes(shape: Sequence[int], itemsize: float) -> int:
    """Whole bytes that an array takes up: elements of less than eight bits share them."""
    return math.ceil(operator.index(util.volume(shape)) * itemsize)


@mod.export()
class DeviceView:
    """An array on the GPU that somebody else owns.

    Args:
        ptr: Where its first element lies.
        shape: Its shape.
        dtype: Its data type: Polygraphy's own, or any that can be converted to it.
    """

    def __init__(self, ptr: int, shape: Sequence[int], dtype):
        self.ptr = int(ptr)
        self.shape = shape
        self.itemsize = None
        self.dtype = dtype

    @property
    def dtype(self):
        """The data type: NumPy's, which is deprecated, or Polygraphy's where NumPy has none."""
        mod.warn_deprecated(
            "Using NumPy data types in DeviceView/DeviceArray",
            use_instead=None,
            remove_in="0.55.0",
        )
        G_LOGGER.warning(
            "In the future, you will need to use "
            "`DataType.from_dtype(device_view.dtype).numpy()` to retrieve the NumPy data type"
        )
        try:
            return np.dtype(DataType.to_dtype(self._dtype, "numpy"))
        except PolygraphyException:
            return self._dtype

    @dtype.setter
    def dtype(self, new) -> None:
        self._dtype = DataType.from_dtype(new)
        self.itemsize = self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The number of bytes, rounded up where elements have less than eight bits."""
        return _num_bytes(self.shape, self.itemsize)

    def _check_host_buffer(self, host_buffer, copying_from: bool) -> None:
        """Checks an array that is to be copied from or to.

        A data type other than this one's is logged only: views of raw bytes are common.

        Raises:
            PolygraphyException: If it has too many or too few bytes, or gaps between elements.
        """
        host_dtype = util.array.dtype(host_buffer)
        if host_dtype != self._dtype:
            G_LOGGER.error(
                f"Host buffer type: {host_dtype} does not match the type of this device buffer: "
                f"{self._dtype}. This may cause CUDA errors!"
            )
        if not util.array.is_contiguous(host_buffer):
            G_LOGGER.critical(
                "Provided host buffer is not contiguous in memory.\n"
                "Hint: Use `util.make_contiguous()` or `np.ascontiguousarray()` to make the array "
                "contiguous in memory."
            )
        host_nbytes = util.array.nbytes(host_buffer)
        if copying_from and host_nbytes > self.nbytes:
            G_LOGGER.critical(
                "Provided host buffer is larger than device buffer.\n"
                f"Note: host buffer is {host_nbytes} bytes but device buffer is only "
                f"{self.nbytes} bytes.\n"
                "Hint: Use `resize()` to resize the device buffer to the correct shape."
            )
        if not copying_from and host_nbytes < self.nbytes:
            G_LOGGER.critical(
                "Provided host buffer is smaller than device buffer.\n"
                f"Note: host buffer is only {host_nbytes} bytes but device buffer is "
                f"{self.nbytes} bytes.\n"
                "Hint: Use `util.array.resize_or_reallocate()` to resize the host buffer to the "
                "correct shape."
            )

    def copy_to(self, host_buffer, stream: Optional[Stream] = None):
        """Copies this array into another one, from its first byte on.

        Args:
            host_buffer: A contiguous NumPy array or torch tensor of at least as many bytes. It may
                lie on the GPU, too.
            stream: The stream on which to copy. Without one, the copy is done on return.

        Returns:
            The array given.
        """
        if self.nbytes == 0:
            return host_buffer
        self._check_host_buffer(host_buffer, copying_from=False)
        on_gpu = util.array.is_on_gpu(host_buffer)
        wrapper().memcpy(
            dst=util.array.data_ptr(host_buffer),
            src=self.ptr,
            nbytes=self.nbytes,
            kind=MemcpyKind.DeviceToDevice if on_gpu else MemcpyKind.DeviceToHost,
            stream_ptr=try_get_stream_handle(stream),
        )
        return host_buffer

    def numpy(self):
        """A new NumPy array with the contents.

        Raises:
            DataTypeConversionException: If NumPy has no such data type.
        """
        arr = np.empty(self.shape, dtype=DataType.to_dtype(self._dtype, "numpy"))
        return self.copy_to(arr)

    def view(self, shape: Optional[Sequence[int]] = None, dtype=None) -> "DeviceView":
        """The same memory, seen as another array.

        The view keeps the memory, until somebody calls `free()` or `resize()` on the owner.

        Args:
            shape: The shape, by default that of this array.
            dtype: The data type, by default that of this array.

        Raises:
            PolygraphyException: If the view would need more bytes than this array has.
        """
        dtype = util.default(dtype, self._dtype)
        view = DeviceView(self.ptr, util.default(shape, self.shape), dtype)
        if view.nbytes > self.nbytes:
            G_LOGGER.critical(
                "A view cannot exceed the number of bytes of the original array.\n"
                f"Note: Original array has shape: {self.shape} and dtype: {self._dtype}, which "
                f"requires {self.nbytes} bytes, while the view has shape: {view.shape} and dtype: "
                f"{dtype}, which requires {view.nbytes} bytes, "
            )
        view._owner = self
        return view

    def __deepcopy__(self, memo) -> "DeviceArray":
        """An array of its own with the same contents."""
        array = DeviceArray(self.shape, self._dtype)
        if self.nbytes:
            wrapper().memcpy(array.ptr, self.ptr, self.nbytes, MemcpyKind.DeviceToDevice)
        return array

    def __str__(self) -> str:
        return (
            f"{type(self).__name__}[(dtype={self._dtype}, shape={self.shape}), ptr={hex(self.ptr)}]"
        )

    def __repr__(self) -> str:
        return util.make_repr("DeviceView", ptr=self.ptr, shape=self.shape, dtype=self._dtype)[0]


@mod.export()
class DeviceArray(DeviceView):
    """An array on the GPU that owns its memory. It is freed by `free()`, at the end of a `with`
    statement, or when the object and all views of it go away.

    Args:
        shape: Its shape. `()`, a single element, if left out.
        dtype: Its data type, float32 if left out.
    """

    def __init__(self, shape: Optional[Sequence[int]] = None, dtype=None):
        super().__init__(
            ptr=0,
            shape=util.default(shape, tuple()),
            dtype=util.default(dtype, DataType.FLOAT32),
        )
        self.allocated_nbytes = 0
        self.resize(self.shape)

    @staticmethod
    def raw(shape: Optional[Sequence[int]] = None) -> "DeviceArray":
        """An array of bytes.

        Args:
            shape: Its shape. `()`, a single byte, if left out.
        """
        return DeviceArray(shape=shape, dtype=DataType.UINT8)

    def __enter__(self) -> "DeviceArray":
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        """Frees the memory."""
        self.free()

    def __del__(self):
        _release("cudaFree", vars(self).get("ptr"))

    def __copy__(self) -> "DeviceArray":
        return self.__deepcopy__({})

    def __reduce__(self):
        _refuse_to_pickle(self)

    def resize(self, shape: Sequence[int]) -> "DeviceArray":
        """Gives the array another shape. What it held is lost if that needs more memory.

        Args:
            shape: The shape. Memory is kept where it is enough.

        Returns:
            The array itself.
        """
        nbytes = _num_bytes(shape, self.itemsize)
        if nbytes > self.allocated_nbytes:
            self.free()
            self.ptr = wrapper().malloc(nbytes)
            self.allocated_nbytes = nbytes
        self.shape = shape
        return self

    def free(self) -> None:
        """Frees the memory. The array can be resized, and so used, again."""
        wrapper().free(self.ptr)
        self.shape = tuple()
        self.allocated_nbytes = 0
        self.ptr = 0

    def copy_from(self, host_buffer, stream: Optional[Stream] = None) -> "DeviceArray":
        """Copies another array into this one, from the first byte on. The shape stays.

        Args:
            host_buffer: A contiguous NumPy array or torch tensor of no more bytes. It may lie on
                the GPU, too.
            stream: The stream on which to copy. Without one, the copy is done on return.

        Returns:
            The array itself.
        """
        nbytes = util.array.nbytes(host_buffer)
        if nbytes == 0:
            return self
        self._check_host_buffer(host_buffer, copying_from=True)
        on_gpu = util.array.is_on_gpu(host_buffer)
        wrapper().memcpy(
            dst=self.ptr,
            src=util.array.data_ptr(host_buffer),
            nbytes=nbytes,
            kind=MemcpyKind.DeviceToDevice if on_gpu else MemcpyKind.HostToDevice,
            stream_ptr=try_get_stream_handle(stream),
        )
        return self

    def __repr__(self) -> str:
        return util.make_repr("DeviceArray", shape=self.shape, dtype=self._dtype)[0]
