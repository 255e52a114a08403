"""One inference: inputs to the GPU, execution, outputs from it; what TensorRT calls meanwhile."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Any, Optional, Tuple

from polygraphy import cuda, util
from polygraphy.backend.base import BaseRunner
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.common import FormattedArray
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import np, torch

# Debug tensors of these types are not copied: NumPy lacks the types.
_NOT_FOR_NUMPY = (
    DataType.FLOAT4,
    DataType.INT4,
    DataType.FLOAT8E4M3FN,
    DataType.FLOAT8E8M0,
    DataType.BFLOAT16,
)


def _make_debug_listener():
    """A listener that keeps a copy of every debug tensor in host memory."""

    class DebugTensorWriter(trt.IDebugListener):
        def __init__(self):
            # Objects of the extension cannot be used before this.
            trt.IDebugListener.__init__(self)
            self.polygraphy_debug_tensor_outputs = {}

        @G_LOGGER.log_exception
        def process_debug_tensor(self, addr, location, type, shape, name, stream) -> bool:
            dtype = DataType.from_dtype(type, "tensorrt")
            if dtype in _NOT_FOR_NUMPY:
                G_LOGGER.warning(f"Not supported datatype for debug tensor in polygraphy: {type}")
                return True
            array = np.empty(tuple(shape), dtype=dtype.numpy())
            on_host = location == trt.TensorLocation.HOST
            kinds = cuda.MemcpyKind
            # Writes on the stream are complete when the stream is done, and TensorRT may reuse the
            # memory when this returns.
            cuda.wrapper().stream_synchronize(stream)
            cuda.wrapper().memcpy(
                dst=util.array.data_ptr(array),
                src=addr,
                nbytes=util.array.nbytes(array),
                kind=kinds.HostToHost if on_host else kinds.DeviceToHost,
                stream_ptr=stream,
            )
            cuda.wrapper().stream_synchronize(stream)
            self.polygraphy_debug_tensor_outputs[name] = array
            return True

    return DebugTensorWriter()


def _make_output_allocator():
    """An allocator of outputs, which TensorRT calls when it knows their sizes."""

    class OutputAllocator(trt.IOutputAllocator):
        """
        Attributes:
            buffers: Name of an output -> memory on the GPU, a DeviceArray or torch tensor of bytes.
                It grows, and is kept from one inference to the next.
            shapes: Name of an output -> its shape.
            use_torch: Whether torch allocates.
        """

        def __init__(self):
            # Objects of the extension cannot be used before this.
            trt.IOutputAllocator.__init__(self)
            self.buffers = {}
            self.shapes = {}
            self.use_torch = False

        def _is_good_for(self, buffer, nbytes: int) -> bool:
            if buffer is None or util.array.is_torch(buffer) != self.use_torch:
                return False
            have = util.array.nbytes(buffer) if self.use_torch else buffer.allocated_nbytes
            return have >= nbytes

        @G_LOGGER.log_exception
        def reallocate_output(self, tensor_name, memory, size, alignment) -> int:
            shape = (max(size, 1),)  # even outputs without elements need an address
            buffer = self.buffers.get(tensor_name)
            if self._is_good_for(buffer, shape[0]):
                if not self.use_torch:
                    buffer.resize(shape)
            else:
                # The old one goes first, unless the user has views.
                buffer = self.buffers[tensor_name] = None
                buffer = (
                    torch.empty(shape, dtype=torch.uint8, device="cuda")
                    if self.use_torch
                    else cuda.DeviceArray.raw(shape)
                )
            self.buffers[tensor_name] = buffer
            G_LOGGER.extra_verbose(f"Reallocated output tensor: {tensor_name} to: {buffer}")
            return util.array.data_ptr(buffer)

        @G_LOGGER.log_exception
        def reallocate_output_async(self, tensor_name, memory, size, alignment, stream) -> int:
            return self.reallocate_output(tensor_name, memory, size, alignment)

        @G_LOGGER.log_exception
        def notify_shape(self, tensor_name, shape) -> None:
            self.shapes[tensor_name] = tuple(shape)

    return OutputAllocator()


def _get_array_on_cpu(arr, name: str, host_buffers: dict, stream, nbytes: int, use_torch: bool):
    """Copies bytes from the GPU into a buffer in host memory.

    Args:
        arr: The bytes: a DeviceView or torch tensor of 8-bit integers.
        name: The key of the buffer to copy into.
        host_buffers: Buffers by name. They are made where they are missing or too small; older
            ones live on while the user has views.
        stream: The stream on which to copy. The copy is done when the stream is.
        nbytes: How many bytes to copy.
        use_torch: Whether buffers are torch tensors, not NumPy arrays.

    Returns:
        A view of the buffer: an array of that many 8-bit integers.
    """
    buffer = host_buffers.get(name)
    if (
        buffer is None
        or util.array.is_torch(buffer) != use_torch
        or util.array.nbytes(buffer) < nbytes
    ):
        buffer = (
            torch.empty((nbytes,), dtype=torch.uint8)
            if use_torch
            else np.empty((nbytes,), dtype=np.uint8)
        )
        host_buffers[name] = buffer
    cuda.wrapper().memcpy(
        dst=util.array.data_ptr(buffer),
        src=util.array.data_ptr(arr),
        nbytes=nbytes,
        kind=cuda.MemcpyKind.DeviceToHost,
        stream_ptr=stream.ptr,
    )
    return buffer[:nbytes]


def _nbytes(shape, dtype: DataType) -> int:
    """The bytes of an array. Elements of less than a byte are packed."""
    return math.ceil(util.volume(shape) * dtype.itemsize)


class InferringRunner(BaseRunner):
    """Runs inferences with the context, the memory and the stream of an activation, which TrtRunner
    makes and frees."""

    def _names(self, mode) -> list:
        """The inputs or the outputs of the engine, in its order."""
        names = [self.engine.get_tensor_name(i) for i in range(self.engine.num_io_tensors)]
        return [name for name in names if self.engine.get_tensor_mode(name) == mode]

    def _format(self, name: str):
        return trt_util.get_tensor_format(self.engine, self.context, name)

    def _infer_impl(self, feed_dict, copy_outputs_to_host, return_raw_buffers) -> OrderedDict:
        arrays = [
            inp.array if isinstance(inp, FormattedArray) else inp for inp in feed_dict.values()
        ]
        use_torch = any(map(util.array.is_torch, arrays))
        # Sources of copies must live until the stream is done.
        kept = [self._set_input(name, feed_dict) for name in self._names(trt.TensorIOMode.INPUT)]

        self.output_allocator.use_torch = use_torch and torch.cuda.is_available()
        names = self._names(trt.TensorIOMode.OUTPUT)
        for name in names:
            self._set_output(name)
        self._set_device_memory()

        debug_tensors = getattr(
            self._active_debug_listener, "polygraphy_debug_tensor_outputs", None
        )
        if debug_tensors is not None:
            debug_tensors.clear()
        if not self.context.execute_async_v3(self.stream.ptr):
            G_LOGGER.critical(
                "`execute_async_v3()` failed. Please see the logging output above for details."
            )
        raw_outputs = [self._raw_output(name, copy_outputs_to_host, use_torch) for name in names]
        self.stream.synchronize()
        del kept

        outputs = OrderedDict()
        for name, (raw, shape) in zip(names, raw_outputs):
            outputs[name] = self._output(name, raw, shape, copy_outputs_to_host, return_raw_buffers)
        outputs.update(debug_tensors or {})
        return outputs

    def _set_input(self, name: str, feed_dict: dict) -> Any:
        """Sets shape and address of an input, and returns the object that owns the memory."""
        if name not in feed_dict:
            G_LOGGER.critical(f"Input tensor: {name} | No data was provided.")
        inp = feed_dict[name]
        fmt = self._format(name)
        is_formatted = isinstance(inp, FormattedArray)
        array = inp.array if is_formatted else inp
        shape = tuple(inp.shape if is_formatted else util.array.shape(inp))
        if fmt == trt.TensorFormat.HWC and len(shape) > 2:
            shape = trt_util.get_chw_shape_from_hwc(shape)

        if tuple(self.context.get_tensor_shape(name)) != shape:
            if not self.context.set_input_shape(name, shape):
                G_LOGGER.critical(f"For input: {name}, failed to set shape to: {shape}")

        if fmt == trt.TensorFormat.CHW16 and not is_formatted:
            G_LOGGER.verbose(
                f"Converting linear data for input {name} to vectorized {fmt.name} format."
            )
            array = trt_util.convert_linear_to_vectorized_format(
                self.context, name, self._to_numpy(array)
            ).array

        array = util.array.make_contiguous(array)
        if self.engine.is_shape_inference_io(name):
            if not util.array.is_on_cpu(array):
                G_LOGGER.critical(
                    f"A {type(inp).__name__} was provided for input: {name}, but since this is a "
                    "shape tensor, it must reside in host memory. "
                )
            self._shape_tensors[name] = array
            ptr = util.array.data_ptr(array)
        else:
            ptr = trt_util._get_array_on_gpu(array, name, self.device_input_buffers, self.stream)

        if self.context.get_tensor_address(name) != ptr:
            if not self.context.set_tensor_address(name, ptr):
                G_LOGGER.critical(f"For input: {name}, failed to set tensor address to: {ptr}")
        self.input_tensor_addresses[name] = ptr
        return array

    @staticmethod
    def _to_numpy(array):
        """An array from anywhere as one of NumPy."""
        if isinstance(array, cuda.DeviceView):
            return array.numpy()
        return util.array.to_numpy(array.cpu() if util.array.is_torch(array) else array)

    def _aliased_input(self, name: str) -> Optional[str]:
        """The input whose memory an output is written to, or None."""
        if not hasattr(self.engine, "get_aliased_input_tensor"):
            return None
        return self.engine.get_aliased_input_tensor(name) or None

    def _set_output(self, name: str) -> None:
        aliased = self._aliased_input(name)
        if aliased is None:
            if not self.context.set_output_allocator(name, self.output_allocator):
                G_LOGGER.critical(f"For output: {name}, failed to set output allocator")
            return
        ptr = self.input_tensor_addresses[aliased]
        if self.context.get_tensor_address(name) != ptr:
            if not self.context.set_tensor_address(name, ptr):
                G_LOGGER.critical(f"For output: {name}, failed to set tensor address to: {ptr}")

    def _set_device_memory(self) -> None:
        """Gives the context the memory that it works in, if it does not allocate that itself."""
        if self.allocation_strategy == "profile":
            profile = self.context.active_optimization_profile
            if hasattr(self.engine, "get_device_memory_size_for_profile_v2"):
                nbytes = self.engine.get_device_memory_size_for_profile_v2(profile)
            else:
                nbytes = self.engine.get_device_memory_size_for_profile(profile)
        elif self.allocation_strategy == "runtime":
            nbytes = self.context.update_device_memory_size_for_shapes()
        else:
            return

        if self.context_memory_buffer is None:
            self.context_memory_buffer = cuda.DeviceArray.raw((nbytes,))
        self.context_memory_buffer.resize((nbytes,))
        buffer = self.context_memory_buffer
        if hasattr(self.context, "set_device_memory"):
            self.context.set_device_memory(buffer.ptr, buffer.allocated_nbytes)
        else:
            self.context.device_memory = buffer.ptr

    def _raw_output(self, name: str, copy_to_host: bool, use_torch: bool) -> Tuple[Any, tuple]:
        """The bytes of an output, and its shape as TensorRT gives it. Copies that are made are done
        when the stream is."""
        aliased = self._aliased_input(name)
        if aliased is None:
            raw = self.output_allocator.buffers[name]
            shape = self.output_allocator.shapes[name]
        else:
            shape = tuple(self.context.get_tensor_shape(name))
            nbytes = _nbytes(shape, self._dtype(name))
            raw = cuda.DeviceView(self.input_tensor_addresses[aliased], (nbytes,), DataType.UINT8)
        if copy_to_host:
            # TensorRT asks for as much as it might need; only vectors may need more than the shape.
            nbytes = (
                _nbytes(shape, self._dtype(name))
                if self._is_array(name)
                else util.array.nbytes(raw)
            )
            raw = _get_array_on_cpu(
                raw, name, self.host_output_buffers, self.stream, nbytes, use_torch
            )
        return raw, shape

    def _is_array(self, name: str) -> bool:
        """Whether the memory layout is that of an array, without gaps."""
        return self._format(name) in (trt.TensorFormat.LINEAR, trt.TensorFormat.HWC)

    def _dtype(self, name: str) -> DataType:
        return DataType.from_dtype(self.engine.get_tensor_dtype(name), "tensorrt")

    def _output(self, name: str, raw, shape: tuple, on_host: bool, return_raw: bool):
        """An output out of its bytes."""
        fmt = self._format(name)
        if fmt == trt.TensorFormat.HWC and len(shape) > 2:
            shape = trt_util.get_hwc_shape_from_chw(shape)
        if fmt == trt.TensorFormat.CHW16 and on_host and not return_raw:
            G_LOGGER.verbose(
                f"Converting {fmt.name} vectorized data for output {name} to linear format."
            )
            linear = trt_util.convert_vectorized_to_linear_format(
                self.context, name, util.array.to_numpy(raw)
            )
            return util.array.to_torch(linear) if util.array.is_torch(raw) else linear
        if return_raw or not self._is_array(name):
            return FormattedArray(raw, shape=shape)
        dtype = self._dtype(name)
        if isinstance(raw, cuda.DeviceView):
            return raw.view(shape, dtype)
        # On the GPU, there may be more bytes than the array has.
        return util.array.view(raw[: _nbytes(shape, dtype)], dtype, shape)
