"""Inputs and outputs of engines, and their memory."""

from __future__ import annotations

from typing import Dict, Optional, Sequence

from polygraphy import cuda, util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.util._network import _dtype
from polygraphy.common import FormattedArray, TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.mod._lazy_modules import np


class VectorizedLayout:
    """The layout of one tensor.

    Channels are cut into groups, which are padded with zeros, and the channels of a group are next
    to each other: the axis of channels becomes one of groups, and the axis within a group is last.
    """

    def __init__(self, context, name: str):
        self.shape = tuple(context.get_tensor_shape(name))
        self.axis = context.engine.get_tensor_vectorized_dim(name)
        self.group = context.engine.get_tensor_components_per_element(name)
        self.num_groups = -(-self.shape[self.axis] // self.group)
        # With the axis within a group beside that of the groups.
        self.split = [
            *self.shape[: self.axis],
            self.num_groups,
            self.group,
            *self.shape[self.axis + 1 :],
        ]

    def vectorized(self, array):
        """The elements in the order in which they lie in memory."""
        padding = [(0, 0)] * array.ndim
        padding[self.axis] = (0, self.num_groups * self.group - self.shape[self.axis])
        split = np.pad(array, padding).reshape(self.split)
        return np.ascontiguousarray(np.moveaxis(split, self.axis + 1, -1))

    def linear(self, array):
        """The elements in the order of `shape`, without the padding of groups.

        `array` has one axis; elements behind the tensor are ignored.
        """
        in_memory = [*self.split[: self.axis + 1], *self.split[self.axis + 2 :], self.group]
        split = np.moveaxis(array[: util.volume(in_memory)].reshape(in_memory), -1, self.axis + 1)
        whole = [*self.shape]
        whole[self.axis] = self.num_groups * self.group
        keep = [slice(None)] * len(whole)
        keep[self.axis] = slice(self.shape[self.axis])
        return np.ascontiguousarray(split.reshape(whole)[tuple(keep)])


def get_tensor_format(engine, context, name: str):
    """The `trt.TensorFormat` of a tensor in the profile that a context uses."""
    return engine.get_tensor_format(name, context.active_optimization_profile)


def get_hwc_shape_from_chw(shape: Sequence[int]) -> tuple:
    """A shape that ends with channels, height and width as one that ends with height, width and
    channels."""
    *batch, channels, height, width = shape
    return (*batch, height, width, channels)


def get_chw_shape_from_hwc(shape: Sequence[int]) -> tuple:
    """A shape that ends with height, width and channels as one that ends with channels, height and
    width."""
    *batch, height, width, channels = shape
    return (*batch, channels, height, width)


def _has_channels_last(engine, context, name: str, shape: Sequence[int]) -> bool:
    return get_tensor_format(engine, context, name) == trt.TensorFormat.HWC and len(shape) > 2


def get_metadata_from_engine(engine, context, mode) -> TensorMetadata:
    """The metadata of the inputs or the outputs of an engine.

    Args:
        engine: The engine.
        context: An execution context of it.
        mode: `trt.TensorIOMode.INPUT` or `OUTPUT`.

    Returns:
        TensorMetadata: Shapes in memory order: channels last for format HWC.
    """
    meta = TensorMetadata()
    for index in range(engine.num_io_tensors):
        name = engine.get_tensor_name(index)
        if engine.get_tensor_mode(name) == mode:
            shape = engine.get_tensor_shape(name)
            if _has_channels_last(engine, context, name, shape):
                shape = get_hwc_shape_from_chw(shape)
            meta.add(name, _dtype(engine.get_tensor_dtype(name)), shape)
    return meta


def convert_linear_to_vectorized_format(context, name: str, input_arr) -> FormattedArray:
    """An array in the layout of an input with a vectorized format, such as CHW16.

    Args:
        context: The execution context, which knows the tensor's shape.
        name: The tensor.
        input_arr: A NumPy array of that shape.

    Returns:
        FormattedArray: The array; its shape has an axis for the groups of channels, and one after
        it for the channels of a group.
    """
    layout = VectorizedLayout(context, name)
    return FormattedArray(layout.vectorized(input_arr), shape=layout.split)


def convert_vectorized_to_linear_format(context, name: str, raw_array):
    """The elements of a tensor with a vectorized format, such as CHW16, in linear layout.

    Args:
        context: The execution context, which knows the tensor's shape.
        name: The tensor.
        raw_array: A NumPy array with the tensor's bytes.

    Returns:
        A NumPy array of the tensor's shape and data type.
    """
    layout = VectorizedLayout(context, name)
    dtype = _dtype(context.engine.get_tensor_dtype(name)).numpy()
    return layout.linear(raw_array.reshape(-1).view(dtype))


def _get_array_on_gpu(
    arr,
    name: str,
    device_buffers: Dict[str, cuda.DeviceArray],
    stream: Optional[cuda.Stream] = None,
) -> int:
    """The address of an array on the GPU. An array in host memory is copied there.

    Args:
        arr: A NumPy array, torch tensor or DeviceView.
        name: The key of the buffer to copy into.
        device_buffers: Buffers by name. Missing ones are added, and they grow; even for arrays
            without elements, they have an address.
        stream: The stream on which to copy. Without one, the copy is done on return.
    """
    if util.array.is_on_gpu(arr):
        return util.array.data_ptr(arr)
    if name not in device_buffers:
        device_buffers[name] = cuda.DeviceArray.raw()
    buffer = device_buffers[name]
    arr = util.array.make_contiguous(arr)
    nbytes = util.array.nbytes(arr)
    buffer.resize(shape=(nbytes,))
    buffer.copy_from(util.array.view(arr, DataType.UINT8, (nbytes,)), stream)
    return buffer.ptr
