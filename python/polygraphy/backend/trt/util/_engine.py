"""Engines: their inputs and outputs, memory, and text."""

from __future__ import annotations

import json
from typing import Dict, List, Optional, Sequence

from polygraphy import cuda, mod, util
from polygraphy.backend.trt._module import trt
from polygraphy.backend.trt.util._messages import _warn_once
from polygraphy.backend.trt.util._network import _dtype
from polygraphy.common import FormattedArray, TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER
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
            fmt = get_tensor_format(engine, context, name)
            if fmt == trt.TensorFormat.HWC and len(shape) > 2:
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


# A word in the description of a tensor's format -> the data type. The first match counts: long
# names precede names that are parts of them.
_DTYPES_IN_FORMATS = {
    "bfloat16": DataType.BFLOAT16,
    "bf16": DataType.BFLOAT16,
    "float8e5m2": DataType.FLOAT8E5M2,
    "float8": DataType.FLOAT8E4M3FN,
    "fp8": DataType.FLOAT8E4M3FN,
    "e8m0": DataType.FLOAT8E8M0,
    "float4": DataType.FLOAT4,
    "fp4": DataType.FLOAT4,
    "float16": DataType.FLOAT16,
    "fp16": DataType.FLOAT16,
    "half": DataType.FLOAT16,
    "float": DataType.FLOAT32,
    "fp32": DataType.FLOAT32,
    "uint8": DataType.UINT8,
    "int64": DataType.INT64,
    "int32": DataType.INT32,
    "int16": DataType.INT16,
    "int8": DataType.INT8,
    "int4": DataType.INT4,
    "bool": DataType.BOOL,
}


def _names_and_meta(tensors: List[dict], statistics) -> tuple:
    """The names and metadata of the tensors that the engine inspector lists for a layer."""
    names, meta = [], TensorMetadata()
    for tensor in tensors:
        name = tensor.get("Name", "Unknown")
        # One text up to TensorRT 10, two from 11 on.
        fmt = tensor.get("Format/Datatype") or " ".join(
            filter(None, [tensor.get("Datatype"), tensor.get("Format")])
        )
        found = [dtype for key, dtype in _DTYPES_IN_FORMATS.items() if key in fmt.lower()]
        docstring = f"Format: {fmt}" if fmt and "N/A" not in fmt else None
        values = statistics.get_tensor_statistics(name) if statistics else ""
        if values:
            docstring = docstring + values if docstring else values[2:]
        names.append(name)
        meta.add(name, next(iter(found), None), tensor.get("Dimensions"), docstring=docstring)
    return names, meta


def layers_from_inspector(inspector, num_layers: int) -> List[dict]:
    """The records of an engine inspector about each layer, in order."""
    layers = []
    for index in range(num_layers):
        text = inspector.get_layer_information(index, trt.LayerInformationFormat.JSON)
        try:
            layer = json.loads(text) if text.strip() else ""
        except ValueError:
            layer = text.strip()
        # At a low profiling verbosity, a record is only the name, or empty.
        layers.append(layer if isinstance(layer, dict) else {"Name": layer})
    return layers


def str_from_engine_layer(layer: dict, index: int, show_attrs: Optional[bool], statistics) -> str:
    """A layer of an engine as the inspector describes it."""
    ret = util.str_from_layer(
        "Layer",
        index,
        layer.get("Name", "Unknown"),
        layer.get("LayerType", "Unknown"),
        *_names_and_meta(layer.get("Inputs", []), statistics),
        *_names_and_meta(layer.get("Outputs", []), statistics),
    )
    if show_attrs:
        tactic = layer.get("TacticValue", layer.get("TacticName", "Unknown"))
        attributes = f"Origin = {layer.get('Origin', 'Unknown')}\nTactic = {tactic}"
        ret += util.indent_block(f"---- Attributes ----\n{attributes}") + "\n"
    return ret


def str_from_profiles(engine) -> str:
    names = [engine.get_tensor_name(index) for index in range(engine.num_io_tensors)]
    width = max(map(len, names), default=0) + 8
    num_profiles = engine.num_optimization_profiles
    ret = f"---- {num_profiles} Profile(s) ({len(names)} Tensor(s) Each) ----\n"
    for profile in range(num_profiles):
        ret += f"- Profile: {profile}\n"
        for index, name in enumerate(names):
            is_input = engine.get_tensor_mode(name) == trt.TensorIOMode.INPUT
            kind = "(Input)" if is_input else "(Output)"
            if is_input:
                low, opt, high = engine.get_tensor_profile_shape(name, profile)
                shapes = f"Shapes: min={low}, opt={opt}, max={high}"
            else:
                shapes = f"Shape: {engine.get_tensor_shape(name)}"
            line = f"Tensor: {name:<{width}} {kind:>8}, Index: {index} | {shapes}"
            ret += util.indent_block(line) + "\n"
        ret += "\n"
    return ret


class TensorInfo:
    """The minimum, maximum and mean values of tensors, from saved outputs.

    Args:
        json_path: A file of saved outputs (`RunResults`).
    """

    def __init__(self, json_path: Optional[str] = None):
        self.tensors: Dict[str, dict] = {}
        if json_path:
            self.load_json(json_path)

    def load_json(self, json_path: str) -> None:
        """Adds the outputs of the first iteration of the first runner in a file."""
        from polygraphy.comparator import RunResults
        from polygraphy.json import load_json

        results = load_json(json_path)
        if not isinstance(results, RunResults):
            G_LOGGER.warning(f"Unsupported tensor info format: {json_path}")
            return
        if not results:
            return
        runner, iterations = next(iter(results.items()))
        if not iterations:
            G_LOGGER.warning(f"No iterations found for runner: {runner}")
            return
        if len(iterations) > 1:
            G_LOGGER.warning(
                f"Found {len(iterations)} iterations in tensor info file, only using the first one"
            )
        for name, array in iterations[0].items():
            array = util.array.to_numpy(array)
            if array.size:
                self.tensors[name] = {
                    "min": float(array.min()),
                    "max": float(array.max()),
                    "avg": float(array.mean()),
                }

    def get_tensor_statistics(self, tensor_name: str) -> str:
        """The end of a line about a tensor; nothing where nothing is known."""
        if tensor_name not in self.tensors:
            return ""
        values = self.tensors[tensor_name].items()
        return "".join(f", {what}={value:.2f}" for what, value in values)


def str_from_engine(
    engine,
    context,
    show_layers: Optional[bool] = None,
    show_attrs: Optional[bool] = None,
    combine_tensor_info: Optional[str] = None,
) -> str:
    """An engine as text.

    Args:
        engine: The engine.
        context: An execution context of it.
        show_layers: Whether to list its layers.
        show_attrs: Whether to list their attributes, too.
        combine_tensor_info: A file of saved outputs (`RunResults`): their minimum, maximum and
            mean values are shown with the tensors.
    """
    refittable = "Refittable " if engine.refittable else ""
    ret = f"Name: {engine.name} | {refittable}Explicit Batch Engine\n\n"
    for kind, mode in (("Input", trt.TensorIOMode.INPUT), ("Output", trt.TensorIOMode.OUTPUT)):
        meta = get_metadata_from_engine(engine, context, mode)
        ret += f"---- {len(meta)} Engine {kind}(s) ----\n{meta}\n\n"
    memory = util.try_getattr(engine, "device_memory_size_v2")
    memory = util.try_getattr(engine, "device_memory_size") if memory is None else memory
    ret += f"---- Memory ----\nDevice Memory: {memory} bytes\n\n"
    ret += str_from_profiles(engine)

    ret += _str_from_engine_layers(engine, context, show_layers, show_attrs, combine_tensor_info)
    return util.indent_block(ret, level=0)


def _str_from_engine_layers(
    engine,
    context,
    show_layers: Optional[bool],
    show_attrs: Optional[bool],
    combine_tensor_info: Optional[str],
) -> str:
    # Engines count the layers of all profiles. From TensorRT 10 on, these are alike.
    num_profiles = engine.num_optimization_profiles
    num_layers = engine.num_layers // num_profiles if num_profiles else 0
    are_alike = mod.version(trt.__version__) >= mod.version("10.0")
    num_shown = min(num_profiles, 1) if are_alike else num_profiles

    if not hasattr(engine, "create_engine_inspector"):
        G_LOGGER.warning(
            f"IEngineInspector is not available in TensorRT {trt.__version__}; "
            "layer information will be omitted."
        )
        return f"---- {num_layers} Layer(s) ----\n"
    inspector = engine.create_engine_inspector()
    if context:
        inspector.execution_context = context
    statistics = TensorInfo(combine_tensor_info) if combine_tensor_info else None
    layers = layers_from_inspector(inspector, num_layers * num_shown)
    if layers and engine.profiling_verbosity != trt.ProfilingVerbosity.DETAILED:
        _warn_once(
            f"Engine profiling verbosity: {engine.profiling_verbosity}. Some layer info may "
            "be missing. Set higher verbosity for more detail."
        )
    ret = f"---- {num_layers} Layer(s){' Per Profile' if num_shown > 1 else ''} ----\n"
    for profile in range(num_shown if show_layers else 0):
        if num_shown > 1:
            ret += f"- Profile: {profile}\n"
        for index in range(num_layers):
            layer = layers[profile * num_layers + index]
            text = str_from_engine_layer(layer, index, show_attrs, statistics)
            ret += util.indent_block(text, level=int(num_shown > 1)) + "\n\n"
    return ret
