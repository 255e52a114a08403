"""Runtime, engine and context of the double: they compute what the plan's ONNX model says.

Device memory is whatever the addresses mean that are given; with the double of libcudart, that is
host memory. Values are read and written there in the formats that the plan says.
"""

import base64
import ctypes
import json
import math

import cudart_double
import numpy as np
import tensorrt as trt
from tensorrt import enumeration, record

_VERSION = trt._VERSION

if _VERSION >= (10, 0):
    ExecutionContextAllocationStrategy = enumeration(
        "ExecutionContextAllocationStrategy", "STATIC ON_PROFILE_CHANGE USER_MANAGED"
    )
if _VERSION >= (11, 3):
    DLAWorkspaceAllocationStrategy = enumeration(
        "DLAWorkspaceAllocationStrategy", "DEFAULT SHARED_STATIC"
    )

_NUMPY = {
    "FLOAT": np.float32,
    "HALF": np.float16,
    "INT8": np.int8,
    "INT32": np.int32,
    "BOOL": np.bool_,
    "UINT8": np.uint8,
    "INT64": np.int64,
}
_BITS = {"BF16": 16, "FP8": 8, "INT4": 4, "FP4": 4, "E8M0": 8}
# Channels that stand together in memory.
_CHANNELS = {"CHW2": 2, "CHW4": 4, "CHW16": 16, "CHW32": 32, "HWC8": 8, "HWC16": 16}


class IOutputAllocator:
    def __init__(self):
        self.constructed = True


class IDebugListener:
    def __init__(self):
        self.constructed = True


class Runtime:
    """Makes engines of plans."""

    _DEFAULTS = {"engine_host_code_allowed": False, "DLA_core": 0}

    def __init__(self, logger):
        if not hasattr(logger, "constructed"):
            raise TypeError("Runtime needs a logger whose constructor ran")
        vars(self).update(self._DEFAULTS)
        vars(self)["logger"] = logger

    def __setattr__(self, name, value):
        if name not in vars(self):
            raise AttributeError(f"'Runtime' object has no attribute '{name}'")
        record(f"runtime.{name} = {value}")
        vars(self)[name] = value

    if _VERSION >= (11, 3):
        _DEFAULTS["dla_workspace_allocation_strategy"] = DLAWorkspaceAllocationStrategy.DEFAULT

    def load_runtime(self, path):
        record(f"runtime.load_runtime({path})")
        return Runtime(self.logger)

    def deserialize_cuda_engine(self, source):
        if hasattr(source, "read"):
            record(f"runtime.deserialize_cuda_engine({type(source).__mro__[-2].__name__})")
            source = _read_all(source)
        else:
            record(f"runtime.deserialize_cuda_engine({len(bytes(source))} bytes)")
        try:
            return ICudaEngine(json.loads(bytes(source)))
        except ValueError:
            self.logger.log(trt.ILogger.ERROR, "Not a plan")
            return None


def _read_all(reader):
    """The bytes of a stream reader, read in pieces as the library does."""
    pieces = []
    if hasattr(trt, "IStreamReaderV2") and isinstance(reader, trt.IStreamReaderV2):
        reader.seek(0, trt.SeekPosition.SET)
    while True:
        arguments = [64]
        if hasattr(trt, "IStreamReaderV2") and isinstance(reader, trt.IStreamReaderV2):
            arguments.append(0)
        piece = bytes(reader.read(*arguments))
        pieces.append(piece)
        if len(piece) < 64:
            return b"".join(pieces)


class ICudaEngine:
    """An engine. A test that needs other formats, weights or memory sets them in `plan`."""

    def __init__(self, plan):
        self.plan = plan
        self.ports = {port["name"]: port for port in plan["inputs"] + plan["outputs"]}
        self.name = plan["name"] or "Unnamed Network 0"
        self.num_layers = len(plan["layers"])
        self.refittable = plan["refittable"]
        self.profiling_verbosity = trt.ProfilingVerbosity.DETAILED
        self.inspection = {"Layers": plan["layers"]}
        self.has_implicit_batch_dimension = False
        self._budget = plan.get("budget", 0)

    # Tensors

    @property
    def num_io_tensors(self):
        return len(self.ports)

    def get_tensor_name(self, index):
        return list(self.ports)[index]

    def get_tensor_mode(self, name):
        if name not in self.ports:
            return trt.TensorIOMode.NONE
        is_input = self.ports[name] in self.plan["inputs"]
        return trt.TensorIOMode.INPUT if is_input else trt.TensorIOMode.OUTPUT

    def get_tensor_shape(self, name):
        return tuple(self.ports[name]["shape"])

    def get_tensor_dtype(self, name):
        return trt.DataType[self.ports[name]["dtype"]]

    def get_tensor_location(self, name):
        return (
            trt.TensorLocation.HOST
            if self.is_shape_inference_io(name)
            else trt.TensorLocation.DEVICE
        )

    def is_shape_inference_io(self, name):
        return self.ports[name]["is_shape"]

    def get_tensor_format(self, name, profile_index=0):
        formats = self.ports[name]["formats"]
        return next(each for each in trt.TensorFormat if formats & (1 << int(each)))

    def get_tensor_format_desc(self, name, profile_index=0):
        return f"{self.get_tensor_format(name).name} format"

    def get_tensor_vectorized_dim(self, name, profile_index=0):
        return 1 if self.get_tensor_format(name).name in _CHANNELS else -1

    def get_tensor_components_per_element(self, name, profile_index=0):
        return _CHANNELS.get(self.get_tensor_format(name).name, -1)

    def get_tensor_bytes_per_component(self, name, profile_index=0):
        return _bits(self.ports[name]["dtype"]) // 8

    # Profiles

    @property
    def num_optimization_profiles(self):
        return max(1, len(self.plan["profiles"]))

    def get_tensor_profile_shape(self, name, profile_index):
        return [tuple(shape) for shape in self.plan["profiles"][profile_index]["shapes"][name]]

    def get_tensor_profile_values(self, profile_index, name):
        return [list(values) for values in self.plan["profiles"][profile_index]["values"][name]]

    # Memory

    def _bytes_of_profile(self, index):
        return 1024 * (index + 1)

    if _VERSION < (11, 0):

        @property
        def device_memory_size(self):
            return self._bytes_of_profile(self.num_optimization_profiles - 1)

        def get_device_memory_size_for_profile(self, profile_index):
            record(f"engine.get_device_memory_size_for_profile({profile_index})")
            return self._bytes_of_profile(profile_index)

        def create_execution_context_without_device_memory(self):
            record("engine.create_execution_context_without_device_memory()")
            return IExecutionContext(self)

    if _VERSION >= (10, 1):

        @property
        def device_memory_size_v2(self):
            return self._bytes_of_profile(self.num_optimization_profiles - 1)

        def get_device_memory_size_for_profile_v2(self, profile_index):
            record(f"engine.get_device_memory_size_for_profile_v2({profile_index})")
            return self._bytes_of_profile(profile_index)

    # Weights

    if _VERSION >= (10, 0):

        @property
        def streamable_weights_size(self):
            return self.plan.get("streamable", 0)

        def _set_budget(self, name, value):
            record(f"engine.{name} = {value}")
            # A test may have an engine that does as it likes.
            self._budget = self.plan.get("budget", value)

    if (10, 0) <= _VERSION < (11, 0):

        @property
        def minimum_weight_streaming_budget(self):
            return self.plan.get("minimum", 0)

        @property
        def weight_streaming_budget(self):
            return self._budget

        @weight_streaming_budget.setter
        def weight_streaming_budget(self, value):
            self._set_budget("weight_streaming_budget", value)

    if _VERSION >= (10, 1):

        @property
        def weight_streaming_budget_v2(self):
            return self._budget

        @weight_streaming_budget_v2.setter
        def weight_streaming_budget_v2(self, value):
            self._set_budget("weight_streaming_budget_v2", value)

        weight_streaming_scratch_memory_size = 256

        def get_weight_streaming_automatic_budget(self):
            return self.streamable_weights_size // 2

    # Contexts and what an engine is otherwise good for

    if _VERSION >= (10, 3):

        def get_aliased_input_tensor(self, name):
            return self.plan.get("aliases", {}).get(name)

    def create_execution_context(self, *arguments):
        record(f"engine.create_execution_context({', '.join(map(str, arguments))})")
        if self.plan.get("out_of_memory"):
            return None
        return IExecutionContext(self)

    def create_engine_inspector(self):
        return trt.EngineInspector(self)

    def serialize(self):
        return trt.IHostMemory(json.dumps(self.plan).encode())


def _bits(dtype):
    return _BITS[dtype] if dtype in _BITS else 8 * np.dtype(_NUMPY[dtype]).itemsize


class IExecutionContext:
    """A context. Only addresses and allocators that were set are used."""

    def __init__(self, engine):
        self.engine = engine
        self.active_optimization_profile = 0
        self._shapes = {port["name"]: tuple(port["shape"]) for port in engine.plan["inputs"]}
        self._addresses, self._allocators = {}, {}
        self._listener, self._debugging = None, False
        self._device_memory = 0

    # Shapes

    def set_optimization_profile_async(self, profile_index, stream_handle):
        record(f"context.set_optimization_profile_async({profile_index})")
        if not 0 <= profile_index < self.engine.num_optimization_profiles:
            return False
        self.active_optimization_profile = profile_index
        return True

    def set_input_shape(self, name, shape):
        record(f"context.set_input_shape({name}, {tuple(shape)})")
        wanted = self.engine.get_tensor_shape(name)
        if len(wanted) != len(shape) or any(w not in (-1, s) for w, s in zip(wanted, shape)):
            return False
        self._shapes[name] = tuple(int(size) for size in shape)
        return True

    def get_tensor_shape(self, name):
        if name in self._shapes:
            return self._shapes[name]
        return self._output_shapes().get(name, self.engine.get_tensor_shape(name))

    def _output_shapes(self):
        """Shapes of the outputs that follow without running: none if an input is unknown."""
        if any(-1 in shape for shape in self._shapes.values()):
            return {}
        feeds = {}
        for port in self.engine.plan["inputs"]:
            name = port["name"]
            if port["is_shape"]:
                if not self._addresses.get(name):
                    return {}
                feeds[name] = self._read(name)
            else:
                feeds[name] = np.zeros(self._shapes[name], _NUMPY.get(port["dtype"], np.float32))
        return {name: value.shape for name, value in self._compute(feeds).items()}

    def get_tensor_strides(self, name):
        return _strides(self.engine, name, self.get_tensor_shape(name))

    @property
    def all_binding_shapes_specified(self):
        return all(-1 not in shape for shape in self._shapes.values())

    def infer_shapes(self):
        record("context.infer_shapes()")
        return []

    # Memory

    def set_tensor_address(self, name, memory):
        record(f"context.set_tensor_address({name}, {'an address' if memory else memory})")
        self._addresses[name] = memory
        return True

    def get_tensor_address(self, name):
        return self._addresses.get(name, 0)

    def set_output_allocator(self, name, output_allocator):
        record(f"context.set_output_allocator({name})")
        self._allocators[name] = output_allocator
        return True

    def get_output_allocator(self, name):
        return self._allocators.get(name)

    def update_device_memory_size_for_shapes(self):
        record("context.update_device_memory_size_for_shapes()")
        return 64 * sum(math.prod(shape) for shape in self._shapes.values())

    @property
    def device_memory(self):
        return self._device_memory

    @device_memory.setter
    def device_memory(self, memory):
        record(f"context.device_memory = {'an address' if memory else memory}")
        self._device_memory = memory

    if _VERSION >= (10, 1):

        def set_device_memory(self, memory, size):
            record(f"context.set_device_memory({'an address' if memory else memory}, {size})")
            self._device_memory = memory

    # Debugging

    if _VERSION >= (10, 0):

        def set_debug_listener(self, listener):
            record(f"context.set_debug_listener({type(listener).__name__})")
            self._listener = listener
            return True

        def get_debug_listener(self):
            return self._listener

        def set_all_tensors_debug_state(self, flag):
            record(f"context.set_all_tensors_debug_state({flag})")
            self._debugging = flag
            return True

    # Running

    def execute_async_v3(self, stream_handle):
        record(f"context.execute_async_v3({'a stream' if stream_handle else stream_handle})")
        if self.engine.plan.get("broken"):
            return False
        feeds = {port["name"]: self._read(port["name"]) for port in self.engine.plan["inputs"]}
        values = self._compute(feeds)
        if self._listener is not None and self._debugging:
            for name in self.engine.plan["debug"]:
                self._tell(name, self._compute(feeds, [name])[name], stream_handle)
        for port in self.engine.plan["outputs"]:
            self._write(port["name"], values[port["name"]], stream_handle)
        return True

    def _compute(self, feeds, outputs=None):
        import onnx
        import onnx.reference

        model = onnx.ModelProto.FromString(base64.b64decode(self.engine.plan["model"]))
        if outputs:
            del model.graph.output[:]
            model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
        names = [output.name for output in model.graph.output]
        ran = onnx.reference.ReferenceEvaluator(model).run(names, feeds)
        return {name: np.asarray(value) for name, value in zip(names, ran)}

    def _read(self, name):
        """The values of an input, from where its address says."""
        shape, dtype = self._shapes[name], self.engine.ports[name]["dtype"]
        raw = _memory(self._addresses[name], _nbytes(self.engine, name, shape))
        return _linear(self.engine, name, shape, raw, _NUMPY[dtype])

    def _write(self, name, value, stream):
        """Puts values of an output where the address says, or the allocator."""
        dtype = self.engine.ports[name]["dtype"]
        nbytes = _nbytes(self.engine, name, value.shape)
        allocator = self._allocators.get(name)
        address = self._addresses.get(name, 0)
        if allocator is not None:
            reallocate = getattr(allocator, "reallocate_output_async", None)
            if reallocate is None or _VERSION < (10, 0):
                address = allocator.reallocate_output(name, address, max(nbytes, 1), 256)
            else:
                address = reallocate(name, address, max(nbytes, 1), 256, stream)
            allocator.notify_shape(name, tuple(value.shape))
        assert address, f"{name} has no address"
        raw = _formatted(self.engine, name, value, dtype)
        ctypes.memmove(address, raw.tobytes(), nbytes)

    def _tell(self, name, value, stream):
        """Shows a tensor to the listener, on the device; it is gone when the listener returns."""
        kinds = {np.dtype(numpy): kind for kind, numpy in _NUMPY.items()}
        value = np.ascontiguousarray(value)
        # The same library that the package has loaded.
        runtime, address = cudart_double._library(), ctypes.c_void_p()
        runtime.cudaMalloc(ctypes.byref(address), ctypes.c_size_t(max(1, value.nbytes)))
        ctypes.memmove(address, value.ctypes.data, value.nbytes)
        self._listener.process_debug_tensor(
            address.value,
            trt.TensorLocation.DEVICE,
            trt.DataType[kinds[value.dtype]],
            tuple(value.shape),
            name,
            stream,
        )
        runtime.cudaFree(address)


# Formats in memory. Shapes are those of the linear format, and vectors stand in dimension 1.


def _padded(engine, name, shape):
    """The shape in memory: (N, C / v, H, W, v) of vectorised formats, (N, H, W, C) of HWC."""
    kind = engine.get_tensor_format(name).name
    if kind == "HWC":
        return (*shape[:-3], *shape[-2:], shape[-3])
    if kind in _CHANNELS:
        vector = _CHANNELS[kind]
        return (shape[0], -(-shape[1] // vector), *shape[2:], vector)
    return tuple(shape)


def _nbytes(engine, name, shape):
    bits = _bits(engine.ports[name]["dtype"])
    return -(-bits * math.prod(_padded(engine, name, shape)) // 8)


def _strides(engine, name, shape):
    """Distances of elements in the dimensions of the linear shape; in vectors, of those."""
    kind = engine.get_tensor_format(name).name
    strides, step = [], 1
    order = list(range(len(shape)))
    sizes = list(shape)
    if kind == "HWC":
        order = [*order[:-3], *order[-2:], order[-3]]
    elif kind in _CHANNELS:
        sizes[1] = -(-sizes[1] // _CHANNELS[kind])
    by_dimension = {}
    for dimension in reversed(order):
        by_dimension[dimension] = step
        step *= max(1, sizes[dimension])
    strides = [by_dimension[dimension] for dimension in range(len(shape))]
    return tuple(strides)


def _memory(address, nbytes):
    assert address, "no address"
    return np.frombuffer((ctypes.c_ubyte * nbytes).from_address(address), np.uint8).copy()


def _linear(engine, name, shape, raw, dtype):
    values = raw.view(dtype).reshape(_padded(engine, name, shape))
    kind = engine.get_tensor_format(name).name
    if kind == "HWC":
        return np.moveaxis(values, -1, -3).copy()
    if kind in _CHANNELS:
        values = np.moveaxis(values, -1, 2).reshape(shape[0], -1, *shape[2:])
        return values[:, : shape[1]].copy()
    return values


def _formatted(engine, name, value, dtype):
    """The bytes of a value. Of types that NumPy lacks, the bits of a float of more bits."""
    kind = engine.get_tensor_format(name).name
    if kind == "HWC":
        value = np.moveaxis(value, -3, -1)
    elif kind in _CHANNELS:
        vector, (n, c, *rest) = _CHANNELS[kind], value.shape
        padded = np.zeros((n, -(-c // vector) * vector, *rest), value.dtype)
        padded[:, :c] = value
        value = np.moveaxis(padded.reshape(n, -1, vector, *rest), 2, -1)
    if dtype in _NUMPY:
        return np.ascontiguousarray(value, _NUMPY[dtype]).view(np.uint8)
    if dtype == "BF16":
        bits = np.ascontiguousarray(value, np.float32).view(np.uint32) >> 16
        return bits.astype(np.uint16).view(np.uint8)
    return np.zeros(_nbytes(engine, name, value.shape), np.uint8)
