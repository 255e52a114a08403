"""What networks, configurations and engines of TensorRT consist of, which tensors are outputs, and
TensorRT's logger."""

from __future__ import annotations

import difflib
import fnmatch
import inspect
import os
import signal
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from polygraphy import cuda, mod, util
from polygraphy.backend.trt._engine_text import (
    layers_from_inspector,
    str_from_engine_layer,
    str_from_profiles,
)
from polygraphy.backend.trt._layout import VectorizedLayout
from polygraphy.common import FormattedArray, TensorMetadata
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER, LogMode
from polygraphy.mod.trt_importer import lazy_import_trt

trt = lazy_import_trt()
np = mod.lazy_import("numpy")

TRT_LOGGER = None


@mod.export()
def get_trt_logger():
    """The one `trt.ILogger` of this process. What TensorRT tells it goes to `G_LOGGER`.

    Errors are errors, each warning is shown once, and information is verbose.
    """
    global TRT_LOGGER
    if TRT_LOGGER is not None:
        return TRT_LOGGER

    class CustomTrtLogger(trt.ILogger):
        def __init__(self):
            trt.ILogger.__init__(self)

        def log(self, severity, msg):
            # TensorRT calls this, and an exception would be none that a caller could catch.
            try:
                {
                    trt.Logger.INTERNAL_ERROR: G_LOGGER.error,
                    trt.Logger.ERROR: G_LOGGER.error,
                    trt.Logger.WARNING: _warn_once,
                    trt.Logger.INFO: G_LOGGER.verbose,
                    trt.Logger.VERBOSE: G_LOGGER.extra_verbose,
                }.get(severity, G_LOGGER.super_verbose)(msg)
            except KeyboardInterrupt:
                os.kill(os.getpid(), signal.SIGTERM)
            except Exception:
                pass

    TRT_LOGGER = CustomTrtLogger()
    return TRT_LOGGER


def _warn_once(message: str) -> None:
    G_LOGGER.warning(message, mode=LogMode.ONCE)


def fail_unavailable(what: str) -> None:
    """Raises PolygraphyException: the TensorRT that is installed lacks something.

    Args:
        what: What it lacks; the first words of the message.
    """
    G_LOGGER.backtrace()
    G_LOGGER.critical(f"{what} is not available on TensorRT version {trt.__version__}.")


def check_onnx_parser_errors(parser, success: bool) -> None:
    """Reports the errors of a parser of ONNX models.

    Args:
        parser: The parser, after it parsed.
        success: What parsing returned.

    Raises:
        PolygraphyException: If there are errors or parsing failed.
    """
    if parser.num_errors > 0:
        for index in range(parser.num_errors):
            G_LOGGER.error(parser.get_error(index))
        G_LOGGER.critical("Could not parse ONNX correctly")
    if not success:
        G_LOGGER.critical(
            "Failed to parse ONNX model. Does the model file exist and contain a valid ONNX model?"
        )


def inherit_and_extend_docstring(parent_method: Callable) -> Callable:
    """A decorator that puts the text on a method of a base class before a method's own.

    Both may end with a section `Args:`, of which one is made.

    Args:
        parent_method: The method of the base class.
    """

    def split(doc: str) -> Tuple[str, str]:
        text, _, args = inspect.cleandoc(doc).partition("Args:\n")
        return text.strip(), args.rstrip()

    def decorator(method):
        inherited, own = parent_method.__doc__, method.__doc__
        if inherited and own:
            texts, args = zip(split(inherited), split(own))
            method.__doc__ = "\n\n".join(filter(None, texts))
            if any(args):
                # The arguments of the derived class come first in its signature.
                method.__doc__ += "\n\nArgs:\n" + "\n".join(filter(None, reversed(args)))
        elif inherited:
            method.__doc__ = inherited
        return method

    return decorator


# Layers and tensors of networks

# Kinds of layers -> their classes.
_LAYER_CLASSES = {
    "CONVOLUTION": "IConvolutionLayer",
    "FULLY_CONNECTED": "IFullyConnectedLayer",
    "ACTIVATION": "IActivationLayer",
    "POOLING": "IPoolingLayer",
    "LRN": "ILRNLayer",
    "SCALE": "IScaleLayer",
    "SOFTMAX": "ISoftMaxLayer",
    "DECONVOLUTION": "IDeconvolutionLayer",
    "CONCATENATION": "IConcatenationLayer",
    "ELEMENTWISE": "IElementWiseLayer",
    "PLUGIN": "IPluginLayer",
    "UNARY": "IUnaryLayer",
    "PADDING": "IPaddingLayer",
    "SHUFFLE": "IShuffleLayer",
    "REDUCE": "IReduceLayer",
    "TOPK": "ITopKLayer",
    "GATHER": "IGatherLayer",
    "MATRIX_MULTIPLY": "IMatrixMultiplyLayer",
    "RAGGED_SOFTMAX": "IRaggedSoftMaxLayer",
    "CONSTANT": "IConstantLayer",
    "RNN": "IRNNLayer",
    "RNN_V2": "IRNNv2Layer",
    "IDENTITY": "IIdentityLayer",
    "PLUGIN_V2": "IPluginV2Layer",
    "PLUGIN_V3": "IPluginV3Layer",
    "SLICE": "ISliceLayer",
    "SHAPE": "IShapeLayer",
    "PARAMETRIC_RELU": "IParametricReLULayer",
    "RESIZE": "IResizeLayer",
    "TRIP_LIMIT": "ITripLimitLayer",
    "RECURRENCE": "IRecurrenceLayer",
    "ITERATOR": "IIteratorLayer",
    "LOOP_OUTPUT": "ILoopOutputLayer",
    "SELECT": "ISelectLayer",
    "FILL": "IFillLayer",
    "QUANTIZE": "IQuantizeLayer",
    "DEQUANTIZE": "IDequantizeLayer",
    "CONDITION": "IConditionLayer",
    "CONDITIONAL_INPUT": "IIfConditionalInputLayer",
    "CONDITIONAL_OUTPUT": "IIfConditionalOutputLayer",
    "ASSERTION": "IAssertionLayer",
    "SCATTER": "IScatterLayer",
    "EINSUM": "IEinsumLayer",
    "GRID_SAMPLE": "IGridSampleLayer",
    "ONE_HOT": "IOneHotLayer",
    "NON_ZERO": "INonZeroLayer",
    "NMS": "INMSLayer",
    "REVERSE_SEQUENCE": "IReverseSequenceLayer",
    "NORMALIZATION": "INormalizationLayer",
    "CAST": "ICastLayer",
    "SQUEEZE": "ISqueezeLayer",
    "UNSQUEEZE": "IUnsqueezeLayer",
    "CUMULATIVE": "ICumulativeLayer",
    "DYNAMIC_QUANTIZE": "IDynamicQuantizeLayer",
    "ATTENTION_INPUT": "IAttentionInputLayer",
    "ATTENTION_OUTPUT": "IAttentionOutputLayer",
    "ROTARY_EMBEDDING": "IRotaryEmbeddingLayer",
    "KV_CACHE_UPDATE": "IKVCacheUpdateLayer",
    "MOE": "IMoELayer",
    "DIST_COLLECTIVE": "IDistCollectiveLayer",
}


def get_layer_class_mapping() -> dict:
    """Kinds of layers (`trt.LayerType`) -> their classes, as far as this TensorRT has both."""
    found = {
        util.try_getattr(trt.LayerType, kind): util.try_getattr(trt, class_name)
        for kind, class_name in _LAYER_CLASSES.items()
    }
    return {kind: cls for kind, cls in found.items() if kind is not None and cls is not None}


def _dtype(trt_type):
    return DataType.from_dtype(trt_type, "tensorrt")


def _names_and_meta(tensors: Iterable) -> Tuple[List[str], TensorMetadata]:
    """The names of tensors, in order, and what they are. None stands for one that is left out."""
    names, meta = [], TensorMetadata()
    for tensor in tensors:
        if tensor is not None:
            names.append(tensor.name)
            meta.add(tensor.name, _dtype(tensor.dtype), tensor.shape)
    return names, meta


def _network_inputs(network) -> list:
    return [network.get_input(index) for index in range(network.num_inputs)]


def _network_outputs(network) -> list:
    return [network.get_output(index) for index in range(network.num_outputs)]


def _layer_inputs(layer) -> list:
    return [layer.get_input(index) for index in range(layer.num_inputs)]


def _layer_outputs(layer) -> list:
    return [layer.get_output(index) for index in range(layer.num_outputs)]


def get_network_input_names_meta(network) -> Tuple[List[str], TensorMetadata]:
    """The names of a network's inputs, and their metadata."""
    return _names_and_meta(_network_inputs(network))


def get_network_output_names_meta(network) -> Tuple[List[str], TensorMetadata]:
    """The names of a network's outputs, and their metadata."""
    return _names_and_meta(_network_outputs(network))


def get_layer_input_names_meta(layer) -> Tuple[List[str], TensorMetadata]:
    """The names of a layer's inputs, and their metadata. Optional ones that are not there are not
    listed."""
    return _names_and_meta(_layer_inputs(layer))


def get_layer_output_names_meta(layer) -> Tuple[List[str], TensorMetadata]:
    """The names of a layer's outputs, and their metadata."""
    return _names_and_meta(_layer_outputs(layer))


def get_all_tensors(network) -> dict:
    """Name -> tensor for what the layers of a network take and make, in order."""
    tensors = [
        tensor for layer in network for tensor in _layer_inputs(layer) + _layer_outputs(layer)
    ]
    return {tensor.name: tensor for tensor in tensors if tensor is not None}


def get_all_io_tensors(network) -> dict:
    """Name -> tensor for the inputs and outputs of a network."""
    return {tensor.name: tensor for tensor in _network_inputs(network) + _network_outputs(network)}


# Text


def str_from_layer(layer, index: int) -> str:
    """A layer in some lines: its name and kind, its inputs, its outputs."""
    inputs = get_layer_input_names_meta(layer)
    outputs = get_layer_output_names_meta(layer)
    return util.str_from_layer("Layer", index, layer.name, layer.type, *inputs, *outputs)


def get_layer_attribute_names(layer) -> List[str]:
    """The names of what a layer's class has and other layers have not."""
    common = set(dir(trt.ILayer))
    return [name for name in dir(layer) if name not in common]


def _str_from_attributes(layer, show_weights: bool) -> str:
    """A layer's own attributes, a line each, or nothing."""
    lines = []
    for name in get_layer_attribute_names(layer):
        try:
            value = getattr(layer, name)
        except Exception as err:
            value = f"<Error: could not retrieve attribute '{name}': {err}>"
        if value is not None and (show_weights or not isinstance(value, np.ndarray)):
            lines.append(f"{layer.name}.{name} = {value}")
    if not lines:
        return ""
    return util.indent_block("\n".join(["---- Attributes ----", *lines])) + "\n"


def str_from_network(
    network,
    show_layers: Optional[bool] = None,
    show_attrs: Optional[bool] = None,
    show_weights: Optional[bool] = None,
) -> str:
    """A network as text.

    Args:
        network: The network.
        show_layers: Whether to list its layers.
        show_attrs: Whether to list their attributes, too.
        show_weights: Whether these include weights.

    Returns:
        The text. Layers that are listed have been made objects of the class of their kind.
    """

    def is_strongly_typed() -> bool:
        flags = util.try_getattr(trt, "NetworkDefinitionCreationFlag")
        flag = util.try_getattr(flags, "STRONGLY_TYPED")
        return flag is not None and hasattr(network, "get_flag") and network.get_flag(flag)

    implicit = util.try_getattr(network, "has_implicit_batch_dimension", False)
    ret = (
        f"Name: {network.name} | {'Implicit' if implicit else 'Explicit'} Batch"
        f"{' Strongly Typed' if is_strongly_typed() else ''} Network\n\n"
    )
    _, inputs = get_network_input_names_meta(network)
    ret += f"---- {len(inputs)} Network Input(s) ----\n{inputs}\n\n"
    _, outputs = get_network_output_names_meta(network)
    ret += f"---- {len(outputs)} Network Output(s) ----\n{outputs}\n\n"
    ret += f"---- {network.num_layers} Layer(s) ----\n"

    if show_layers:
        classes = get_layer_class_mapping()
        for index, layer in enumerate(network):
            # Networks lend all layers as objects of the common base class.
            if layer.type in classes:
                layer.__class__ = classes[layer.type]
            ret += str_from_layer(layer, index)
            if show_attrs:
                ret += _str_from_attributes(layer, bool(show_weights))
            ret += "\n"
    return util.indent_block(ret, level=0)


def str_from_config(config, network) -> str:
    """What a builder configuration says, a line per setting.

    Args:
        config: The configuration.
        network: The network, whose flags are listed with the configuration's; or None.
    """
    lines = []

    def add(title: str, value: Any) -> None:
        lines.append(f"{title:22} | {value}")

    def members(enumeration: Optional[str], is_set: Callable) -> List[str]:
        """The names of the members of an enumeration of TensorRT for which something is so."""
        kinds = util.try_getattr(trt, enumeration)
        return [name for name, kind in getattr(kinds, "__members__", {}).items() if is_set(kind)]

    def add_members(title: str, names: Iterable[str], if_empty: bool = True) -> None:
        if names or if_empty:
            add(title, f"[{', '.join(names)}]")

    def add_if_there(title: str, attribute: str) -> None:
        if hasattr(config, attribute):
            add(title, getattr(config, attribute))

    flags = members("BuilderFlag", config.get_flag)
    if network is not None and hasattr(network, "get_flag"):
        flags += members("NetworkDefinitionCreationFlag", network.get_flag)
    add_members("Flags", flags)
    add_if_there("Engine Capability", "engine_capability")

    dla = util.try_getattr(util.try_getattr(trt, "DeviceType"), "DLA")
    device = util.try_getattr(config, "default_device_type")
    dla_core = util.try_getattr(config, "DLA_core", -1)
    uses_dla = dla_core >= 0 or (dla is not None and device == dla)
    if hasattr(config, "get_memory_pool_limit"):
        pools = util.try_getattr(trt, "MemoryPoolType")
        limits = [
            f"{name}: {config.get_memory_pool_limit(pool) / (1 << 20):.2f} MiB"
            for name, pool in getattr(pools, "__members__", {}).items()
            if uses_dla or not name.startswith("DLA")
        ]
        add_members("Memory Pools", limits, if_empty=pools is not None)
    if hasattr(config, "get_tactic_sources") and util.try_getattr(trt, "TacticSource"):
        sources = config.get_tactic_sources()
        add_members(
            "Tactic Sources", members("TacticSource", lambda source: sources & (1 << int(source)))
        )
    if uses_dla:
        add("DLA", f"Default Device Type: {device}, Core: {dla_core}")
    add_if_there("Profiling Verbosity", "profiling_verbosity")
    if util.try_getattr(config, "num_optimization_profiles", 0) > 1:
        add("Optimization Profiles", f"{config.num_optimization_profiles} profile(s)")
    if hasattr(config, "get_preview_feature"):
        features = members("PreviewFeature", config.get_preview_feature)
        add_members("Preview Features", features, if_empty=False)
    if util.try_getattr(config, "int8_calibrator"):
        add("Calibrator", config.int8_calibrator)
    if hasattr(config, "get_quantization_flag"):
        quantization = members("QuantizationFlag", config.get_quantization_flag)
        add_members("Quantization Flags", quantization, if_empty=False)
    return "\n".join(lines)


def str_from_tensor(tensor, is_shape_tensor: bool) -> str:
    """An input of a network in one line."""
    kind = "shape-tensor" if is_shape_tensor else "tensor"
    return f"Input {kind}: {tensor.name} (dtype={tensor.dtype}, shape={tensor.shape})"


# Outputs of networks


def _expand_wildcard_patterns(names: Iterable[str], candidates: Iterable[str]) -> List[str]:
    """Names, with patterns replaced by the candidates that match.

    A name of a candidate is no pattern, whatever characters are in it.
    """
    candidates = list(candidates)
    expanded = []
    for name in names:
        if name in candidates or not any(char in name for char in "*?["):
            expanded.append(name)
            continue
        matches = [candidate for candidate in candidates if fnmatch.fnmatchcase(candidate, name)]
        if not matches:
            G_LOGGER.warning(f"No tensors matched wildcard pattern: '{name}'")
        expanded += matches
    return expanded


def _tensors_named(network, names: Iterable[str]) -> list:
    """The tensors of a network that names and patterns mean, each once.

    Raises:
        PolygraphyException: If there is no tensor of a name that is no pattern.
    """
    tensors = get_all_tensors(network)
    names = util.unique_list(_expand_wildcard_patterns(names, tensors))
    util.check_sequence_contains(
        tensors, names, name="the network", items_name="outputs", check_extra=False
    )
    return [tensors[name] for name in names]


def mark_outputs(network, outputs: Iterable[str]) -> None:
    """Replaces the outputs of a network.

    Args:
        network: The network.
        outputs: Names of tensors, or patterns as of `fnmatch`.

    Raises:
        PolygraphyException: If a tensor is not there, or there would be no outputs.
    """
    tensors = _tensors_named(network, outputs)
    if not tensors:
        G_LOGGER.critical("No outputs were selected. Please check your wildcard patterns.")
    for tensor in _network_outputs(network):
        network.unmark_output(tensor)
    for tensor in tensors:
        G_LOGGER.ultra_verbose(f"Marking {tensor.name} as an output")
        network.mark_output(tensor)


def mark_layerwise(network) -> None:
    """Makes what the layers of a network make its outputs, but for constants, shapes, and what is
    inside of loops, which TensorRT refuses."""
    kinds = trt.LayerType
    loop_starts = [kinds.TRIP_LIMIT, kinds.ITERATOR, kinds.RECURRENCE]

    names, in_loop = [], False
    for layer in network:
        if layer.type in loop_starts:
            G_LOGGER.warning(
                "Loop detected. Please ensure the network is topologically sorted so that layers "
                "within the loop body are not marked as network outputs in layerwise mode",
                mode=LogMode.ONCE,
            )
            in_loop = True
        elif layer.type == kinds.LOOP_OUTPUT:
            in_loop = False
        if not in_loop and layer.type not in [kinds.SHAPE, kinds.CONSTANT]:
            names += get_layer_output_names_meta(layer)[0]
    G_LOGGER.verbose(f"Marking {len(names)} tensors as outputs")
    mark_outputs(network, names)


def mark_by_layer_type(network, layer_types: Iterable[str]) -> None:
    """Makes what layers of some kinds make the outputs of a network.

    Args:
        network: The network. It is left as it is if it has no such layers.
        layer_types: Names of members of `trt.LayerType`, in any case.

    Raises:
        PolygraphyException: If there is no such kind of layers.
    """
    kinds = {name.lower(): kind for name, kind in trt.LayerType.__members__.items()}
    known = sorted(trt.LayerType.__members__)
    wanted = []
    for layer_type in layer_types:
        if layer_type.lower() not in kinds:
            similar = difflib.get_close_matches(layer_type.upper(), known)
            hint = (
                f"Did you mean one of: {similar}?" if similar else f"Available layer types: {known}"
            )
            G_LOGGER.critical(f"No TensorRT layer type '{layer_type}' was found. {hint}")
        wanted.append(kinds[layer_type.lower()])

    names = [
        name
        for kind in wanted
        for layer in network
        if layer.type == kind
        for name in get_layer_output_names_meta(layer)[0]
    ]
    if names:
        mark_outputs(network, names)


def unmark_outputs(network, outputs: Iterable[str]) -> None:
    """Makes tensors of a network outputs no longer.

    Args:
        network: The network.
        outputs: Names of tensors, or patterns as of `fnmatch`. They need not be outputs.

    Raises:
        PolygraphyException: If a tensor is not there.
    """
    for tensor in _tensors_named(network, outputs):
        if tensor.is_network_output:
            network.unmark_output(tensor)


# Profiles and calibration


def check_profile(profile):
    """An optimization profile as it is.

    Raises:
        PolygraphyException: If TensorRT finds something wrong with it.
    """
    if not bool(profile):
        G_LOGGER.critical(
            f"Profile is not valid, please provide profile data.\nNote: profile was: {profile}"
        )
    return profile


def get_input_metadata_from_network(
    network, profile, force_opt_shapes: Optional[bool] = None
) -> TensorMetadata:
    """What the inputs of a network will be.

    Args:
        network: The network.
        profile: Its `trt.IOptimizationProfile`. None will do for static shapes.
        force_opt_shapes: Whether dynamic shapes are replaced by the profile's optimum. Otherwise
            they keep their dynamic dimensions, and have the profile's bounds.

    Returns:
        TensorMetadata: Of tensors that hold shapes, optimum and bounds are values.
    """
    meta = TensorMetadata()
    for tensor in _network_inputs(network):
        shape = tensor.shape
        low = high = None
        is_dynamic = util.is_shape_dynamic(shape)
        if profile is not None and (tensor.is_shape_tensor or is_dynamic):
            get = profile.get_shape_input if tensor.is_shape_tensor else profile.get_shape
            low, opt, high = get(tensor.name)
            if force_opt_shapes:
                if is_dynamic:
                    _warn_once(
                        "TensorRT does not currently support using dynamic shapes during "
                        "calibration. The `OPT` shapes from the calibration profile will be used "
                        "for tensors with dynamic shapes. Calibration data is expected to conform "
                        "to those shapes. "
                    )
                shape, low, high = opt, None, None
        meta.add(tensor.name, _dtype(tensor.dtype), shape, low, high)
    return meta


def try_setup_polygraphy_calibrator(config, network, calib_profile=None) -> None:
    """Tells a calibrator of Polygraphy's what data a network needs. Others are left alone.

    Args:
        config: The builder configuration with the calibrator.
        network: The network.
        calib_profile: The `trt.IOptimizationProfile` to calibrate with, by default the one that
            the configuration has for this.
    """
    calibrator = util.try_getattr(config, "int8_calibrator")
    if not util.try_getattr(calibrator, "is_polygraphy_calibrator", False):
        return
    if calib_profile is None:
        if not hasattr(config, "get_calibration_profile"):
            G_LOGGER.extra_verbose("Cannot get calibration profile on TensorRT 7.0 and older.")
            return
        calib_profile = config.get_calibration_profile()
    calibrator.set_input_metadata(
        get_input_metadata_from_network(network, calib_profile, force_opt_shapes=True)
    )


# Tensors of engines


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
    """What the inputs or the outputs of an engine are.

    Args:
        engine: The engine.
        context: An execution context of it.
        mode: `trt.TensorIOMode.INPUT` or `OUTPUT`.

    Returns:
        TensorMetadata: Shapes as they lie in memory: channels last for format HWC.
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
    """What a tensor with a vectorized format, such as CHW16, holds, in the usual layout.

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
    """The address of an array on the GPU, to which it is copied if it is not there.

    Args:
        arr: A NumPy array, torch tensor or DeviceView.
        name: The key of the buffer to copy into.
        device_buffers: Buffers by name. They are made where they are missing, and grow; even for
            arrays without elements, they have an address.
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


# Engines as text


class TensorInfo:
    """The least, greatest and mean values of tensors, out of saved outputs.

    Args:
        json_path: A file of saved outputs (`RunResults`).
    """

    def __init__(self, json_path: Optional[str] = None):
        self.tensors: Dict[str, dict] = {}
        if json_path:
            self.load_json(json_path)

    def load_json(self, json_path: str) -> None:
        """Adds what the first runner in a file made in its first iteration."""
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
        combine_tensor_info: A file of saved outputs (`RunResults`): the least, greatest and mean
            values in it are shown with the tensors.
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
