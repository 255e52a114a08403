"""Objects that TensorRT calls in the course of an inference."""

from __future__ import annotations

from polygraphy import cuda, util
from polygraphy.backend.trt._module import trt
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
