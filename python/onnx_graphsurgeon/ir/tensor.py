"""Tensors: variables, constants, and the values of constants."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, List, Sequence, Union

from onnx_graphsurgeon import _core, _element_types
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util import misc
from onnx_graphsurgeon.util.exception import OnnxGraphSurgeonException
from onnx_graphsurgeon.util.lazy_module import LazyModule, loaded_module

if TYPE_CHECKING:
    import numpy as np
    import onnx

    from onnx_graphsurgeon.ir.node import Node
else:
    np = LazyModule("numpy")
    onnx = LazyModule("onnx")

_SCALAR_SHAPE: list = []  # the default of a parameter: never given to a tensor


class Tensor:
    """A value in a graph, by name. Abstract: see Variable and Constant.

    Attributes:
        name: The name; "" stands for an optional input or output that is left out.
        inputs: The nodes that produce the tensor (at most one, in a valid graph).
        outputs: The nodes that consume it, once per use.

    Tensors are equal if their names are. Assigning to `inputs` or `outputs` fills the same list.
    """

    DYNAMIC = -1

    name: str
    inputs: List[Node]
    outputs: List[Node]
    dtype: Any
    shape: Any
    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        raise NotImplementedError("Tensor is an abstract class")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in misc.OPPOSITE:
            misc.set_edges(self, name, value)
        else:
            object.__setattr__(self, name, value)

    __copy__ = misc.shallow_copy

    def __getstate__(self) -> dict:
        """Without nodes. They bring their tensors, so that no depth of a graph is one of calls."""
        return {name: value for name, value in self.__dict__.items() if name not in misc.OPPOSITE}

    def __setstate__(self, state: dict) -> None:
        misc.set_state(self, state)

    def is_empty(self) -> bool:
        """Whether the tensor stands for an input or output that is left out."""
        return self.name == ""

    def to_constant(
        self,
        values: np.ndarray,
        data_location: int | None = None,
        export_dtype: Union[np.dtype, "onnx.TensorProto.DataType", None] = None,
    ) -> Constant:
        """Turns this object into a Constant, for all nodes that use it.

        Args:
            values: A NumPy array, or a stand-in for one.
            data_location: A number of onnx.TensorProto.DataLocation.
            export_dtype: The element type in the exported model, if not the values'.
        """
        # In this order, an interrupt leaves a tensor of either class that is whole.
        self.__dict__.update(
            _values=values, data_location=data_location, _export_dtype=export_dtype
        )
        self.__class__ = Constant
        for derived in ("dtype", "shape"):
            self.__dict__.pop(derived, None)
        return self  # type: ignore[return-value]

    def to_variable(
        self,
        dtype: Union[np.dtype, "onnx.TensorProto.DataType", None] = None,
        shape: Sequence[Union[int, str]] = _SCALAR_SHAPE,
    ) -> Variable:
        """Turns this object into a Variable, for all nodes that use it.

        Args:
            dtype: The element type; without one, it stays.
            shape: The shape; without one, it becomes a scalar's.
        """
        if dtype is None:
            dtype = self.export_dtype if isinstance(self, Constant) else self.dtype
        for stored in ("_values", "_export_dtype"):
            self.__dict__.pop(stored, None)
        self.__class__ = Variable
        self.shape = [] if shape is _SCALAR_SHAPE else shape
        self.dtype = dtype
        self.__dict__.setdefault("type", "tensor_type")
        return self  # type: ignore[return-value]

    def i(self, tensor_idx: int = 0, producer_idx: int = 0) -> Tensor:
        """An input of a producer: `self.inputs[producer_idx].inputs[tensor_idx]`.

        Args:
            tensor_idx: Which input of the producer.
            producer_idx: Which producer.
        """
        return self.inputs[producer_idx].inputs[tensor_idx]

    def o(self, consumer_idx: int = 0, tensor_idx: int = 0) -> Tensor:
        """An output of a consumer: `self.outputs[consumer_idx].outputs[tensor_idx]`.

        Args:
            consumer_idx: Which consumer.
            tensor_idx: Which output of the consumer.
        """
        return self.outputs[consumer_idx].outputs[tensor_idx]

    def __str__(self) -> str:
        return f"{type(self).__name__} ({self.name}): (shape={self.shape}, dtype={self.dtype})"

    def __repr__(self) -> str:
        return self.__str__()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tensor):
            return NotImplemented
        return self.name == other.name


class Variable(Tensor):
    """A tensor with values that are known when the model runs.

    Attributes:
        dtype: The element type: a NumPy type, a number of onnx.TensorProto.DataType,
            or None if it is not known.
        shape: Sizes, names of sizes, or None for unknown ones; None for an unknown rank.
        type: The field of onnx.TypeProto that describes the tensor.
    """

    type: str

    @staticmethod
    def empty() -> Variable:
        """A tensor for an optional input or output that is left out."""
        return Variable(name="")

    def __init__(
        self,
        name: str,
        dtype: Union[np.dtype, "onnx.TensorProto.DataType", None] = None,
        shape: Sequence[Union[int, str]] | None = None,
        type: str = "tensor_type",
    ):
        """See the attributes. Arguments are kept as they are: a list can be edited in place.

        Args:
            name: The tensor's name.
            dtype: The element type; None if it is not known.
            shape: Sizes, and names of open ones; None if not even the rank is known.
            type: The kind of value: a tensor, a sequence of tensors …
        """
        self.name = name
        self.inputs = []
        self.outputs = []
        self.dtype = dtype
        self.shape = shape
        self.type = type

    def to_constant(  # type: ignore[override]
        self,
        values: np.ndarray,
        export_dtype: Union[np.dtype, "onnx.TensorProto.DataType", None] = None,
    ) -> Constant:
        """As of a Tensor; see there for the arguments."""
        return super().to_constant(values, export_dtype=export_dtype)

    def copy(self) -> Variable:
        """A tensor of the same name and type, which no node uses."""
        shape = list(self.shape) if isinstance(self.shape, list) else self.shape
        return Variable(self.name, self.dtype, shape, getattr(self, "type", "tensor_type"))


class LazyValues:
    """Values that stay in the model until they are needed.

    Attributes:
        tensor: The onnx.TensorProto with the values.
        shape: Its dimensions.
        dtype: The NumPy type of the elements, or the number of the ONNX type if NumPy has none.
        nbytes: The size of the values, rounded up to bytes.

    Values of imported models have a `_payload` instead, the native holder of the values; then the
    attributes are made on first access.
    """

    tensor: onnx.TensorProto
    shape: Any
    dtype: Any
    nbytes: int

    def __init__(self, tensor: onnx.TensorProto):
        """
        Args:
            tensor: The values. An onnx.SparseTensorProto for SparseValues.
        """
        self.tensor = tensor
        self.shape = _element_types.get_onnx_tensor_shape(tensor)
        self.dtype = _element_types.get_onnx_tensor_dtype(tensor)
        self.nbytes = _byte_count(self.shape, self.dtype)

    def __getattr__(self, name: str) -> Any:
        payload = self.__dict__.get("_payload")
        if payload is None or name not in ("tensor", "shape", "dtype", "nbytes"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self.__dict__[name] = value = getattr(self, "_make_" + name)(payload)
        return value

    def __deepcopy__(self, memo: dict) -> LazyValues:
        return self  # nothing changes them

    def __reduce_ex__(self, protocol: Any) -> tuple:
        """For pickle: values of an imported model become a message's."""
        return type(self), (self.tensor,)

    def _make_tensor(self, payload: Any) -> Any:
        proto = onnx.SparseTensorProto if payload.sparse else onnx.TensorProto
        return proto.FromString(payload.proto())

    def _make_shape(self, payload: Any) -> list[int]:
        return list(payload.dims)

    def _make_dtype(self, payload: Any) -> Any:
        return _element_types.imported_dtype(payload.dtype)

    def _make_nbytes(self, payload: Any) -> int:
        return _byte_count(self.shape, self.dtype)

    def load(self) -> np.ndarray:
        """A writable copy of the values, as an array."""
        if isinstance(self.dtype, int):
            name = _element_types.get_dtype_name(self.dtype)
            G_LOGGER.warning(
                f"Datatype: {name} could not be converted to a NumPy type.\n"
                f"Accessing the values of this constant tensor ({self._name()}) will cause them to "
                "be casted to a supported data type. This means that the weights will have a "
                "different type than the original model when they are exported again!\n"
                "If this is not what you intended, please avoid accessing the values of this "
                "constant tensor."
            )
        payload = self.__dict__.get("_payload")
        if payload is None:
            return writable(onnx.numpy_helper.to_array(self.tensor))
        return values_of_payload(payload)

    def _name(self) -> str:
        payload = self.__dict__.get("_payload")
        return self.tensor.name if payload is None else payload.name

    def __str__(self) -> str:
        return f"{type(self).__name__} (shape={self.shape}, dtype={self.dtype})"

    def __repr__(self) -> str:
        return self.__str__()


class SparseValues(LazyValues):
    """Values of which only those that are not zero are stored; `tensor` is a SparseTensorProto."""

    def load(self) -> np.ndarray:
        """The dense array, of the element type of the values."""
        payload = self.__dict__.get("_payload")
        if payload is None:
            _check_indices(self.tensor)
            payload = _core.sparse_payload(self.tensor)
        return values_of_payload(payload)

    def _name(self) -> str:
        payload = self.__dict__.get("_payload")
        return self.tensor.values.name if payload is None else payload.name

    def __str__(self) -> str:
        return super().__str__()


class Constant(Tensor):
    """A tensor with known values.

    Attributes:
        values: The array. Values of an imported model are read at the first use.
        shape, dtype: Of the values.
        export_dtype: The element type in the exported model: the values', unless set.
        data_location: A number of onnx.TensorProto.DataLocation, or None.
    """

    data_location: int | None
    _values: Any
    _export_dtype: Any

    def __init__(
        self,
        name: str,
        values: Union[np.ndarray, LazyValues],
        data_location: int | None = None,
        export_dtype: Union[np.dtype, "onnx.TensorProto.DataType", None] = None,
    ):
        """See the attributes. Anything but an array or lazy values is an error.

        Args:
            name: The tensor's name.
            values: Its values.
            data_location: Where ONNX keeps them: in the model or in a file beside it.
            export_dtype: The element type in the exported model, if it is another one.
        """
        if not isinstance(values, LazyValues) and not _is_array(values):
            G_LOGGER.critical(
                "Provided `values` argument is not a NumPy array, a LazyValues instance or a"
                "SparseValues instance. Please provide a NumPy array or LazyValues instance to "
                f"construct a Constant. Note: Provided `values` parameter was: {values}"
            )
        self.name = name
        self.inputs = []
        self.outputs = []
        self._values = values
        self.data_location = data_location
        self._export_dtype = export_dtype

    def to_variable(
        self,
        dtype: np.dtype | None = None,
        shape: Sequence[Union[int, str]] = _SCALAR_SHAPE,
    ) -> Variable:
        """As of a Tensor; the element type is the export type unless one is given."""
        return super().to_variable(dtype, shape)

    def copy(self) -> Constant:
        """A tensor of the same name with the same values object, which no node uses."""
        return Constant(self.name, self._values, self.data_location, self._export_dtype)

    @property
    def values(self) -> np.ndarray:
        """The array itself, not a copy."""
        if isinstance(self._values, LazyValues):
            self._values = self._values.load()
        return self._values

    @values.setter
    def values(self, values: Union[np.ndarray, LazyValues]) -> None:
        self._values = values

    @property
    def shape(self) -> Any:
        """The dimensions of the values, which are not read for it."""
        return self._values.shape

    @property
    def dtype(self) -> Any:
        """The NumPy type of the values, or, while they are lazy, maybe an ONNX number."""
        return self._values.dtype

    @property
    def export_dtype(self) -> Any:
        """The element type in the exported model."""
        return self.dtype if self._export_dtype is None else self._export_dtype

    @export_dtype.setter
    def export_dtype(
        self, export_dtype: Union[np.dtype, "onnx.TensorProto.DataType", None]
    ) -> None:
        self._export_dtype = export_dtype

    def __repr__(self) -> str:
        return f"{self}\n{self._values}"


def writable(array: np.ndarray) -> np.ndarray:
    """The array, or a copy if it cannot be written to."""
    return array if array.flags.writeable else array.copy()


def values_of_payload(payload: Any) -> np.ndarray:
    """A new array of the values that a native payload holds."""
    if payload.dtype == _element_types.STRING:
        texts = [text.decode("utf-8") for text in payload.strings()]
        array = np.empty(len(texts), dtype=object)
        array[:] = texts
        return array.reshape(payload.dims)
    dtype = np.dtype(_element_types.array_dtype(payload.dtype))
    if dtype.isbuiltin != 1 and _element_types.get_itemsize(payload.dtype) < 1:
        # Several elements share bytes: the code of ONNX itself takes them apart.
        return writable(onnx.numpy_helper.to_array(onnx.TensorProto.FromString(payload.proto())))
    array = np.empty(payload.dims, dtype=dtype)
    try:
        # Types of ml_dtypes have no buffers: the bytes do.
        payload.read_into(array.reshape(-1).view(np.uint8))
    except OnnxGraphSurgeonException:
        tensor = None if payload.sparse else onnx.TensorProto.FromString(payload.proto())
        if tensor is None or not tensor.external_data:
            raise
        # A message has no folder: ONNX looks for the file in the current one.
        return writable(onnx.numpy_helper.to_array(tensor))
    return array


def _is_array(values: Any) -> bool:
    numpy = loaded_module("numpy")
    return numpy is not None and isinstance(values, numpy.ndarray)


def _byte_count(shape: Any, dtype: Any) -> Any:
    size = misc.volume(shape) * _element_types.get_itemsize(dtype)
    return math.ceil(size) if isinstance(size, float) else size


def _check_indices(tensor: onnx.SparseTensorProto) -> None:
    indices, name = tensor.indices, tensor.values.name
    if indices.data_type != onnx.TensorProto.INT64:
        G_LOGGER.critical(f"Unsupported index data type {indices.data_type} in {name}")
    if len(indices.dims) not in (1, 2):
        G_LOGGER.critical(f"Unsupported index data dims {list(indices.dims)} in {name}")
