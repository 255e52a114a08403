"""Memory on the GPU."""

from __future__ import annotations

import math
import operator
from typing import Optional, Sequence

from polygraphy import mod, util
from polygraphy.cuda.cuda._runtime import (
    MemcpyKind,
    Stream,
    _refuse_to_pickle,
    _release,
    try_get_stream_handle,
    wrapper,
)
from polygraphy.datatype import DataType
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import np


def _num_bytes(shape: Sequence[int], itemsize: float) -> int:
    """Whole bytes that an array takes up: elements of less than eight bits share them."""
    return math.ceil(operator.index(util.volume(shape)) * itemsize)


@mod.export()
class DeviceView:
    """A view of an array on the GPU that another object owns.

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

        The view keeps the memory, until `free()` or `resize()` is called on the owner.

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
        """A copy of the array."""
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
        self.allocated_nbytes = 0
        super().__init__(0, util.default(shape, ()), util.default(dtype, DataType.FLOAT32))
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
        """Gives the array another shape. Its contents are lost if that needs more memory.

        Args:
            shape: The shape. Memory is kept where it is enough.

        Returns:
            The array itself.
        """
        nbytes = _num_bytes(shape, self.itemsize)
        if self.allocated_nbytes < nbytes:
            self.free()
            self.ptr, self.allocated_nbytes = wrapper().malloc(nbytes), nbytes
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
