"""Properties of tensors besides their values."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from polygraphy import mod, util
from polygraphy.common.interface import TypedDict
from polygraphy.datatype import DataType
from polygraphy.json import add_json_methods
from polygraphy.json.serde import register_fields


class BoundedShape(list):
    """A shape with least and greatest values of its dimensions.

    Args:
        shape: The shape.
        min: The smallest one it may become, if known.
        max: The largest one.
    """

    def __init__(self, shape: Sequence, min: Optional[Sequence] = None, max=None):
        super().__init__(shape)
        self.min = min
        self.max = max

    def __repr__(self) -> str:
        return f"BoundedShape({list(self)}, min={self.min}, max={self.max})"


class MetadataTuple:
    """Data type, shape and documentation of a tensor. Unpacks into data type and shape.

    Args:
        dtype: The data type: Polygraphy's own, or any that can be converted to it, or None.
        shape: The shape, or None.
        docstring: Further text about the tensor, or None.
    """

    def __init__(self, dtype, shape, docstring: Optional[str]):
        self.dtype = dtype
        self.shape = shape
        self.docstring = docstring

    @property
    def dtype(self):
        """DataType: The data type, or None if it is not known"""
        return self._dtype

    @dtype.setter
    def dtype(self, new) -> None:
        self._dtype = DataType.from_dtype(new) if new is not None else None

    def __iter__(self):
        yield self.dtype
        yield self.shape

    def __repr__(self) -> str:
        return f"MetadataTuple({self.dtype}, {self.shape}, {self.docstring})"

    def __str__(self) -> str:
        parts = []
        if self.dtype is not None:
            parts.append(f"dtype={self.dtype}")
        if self.shape is not None:
            parts.append(f"shape={tuple(self.shape)}")
        if self.docstring:
            parts.append(self.docstring)
        return f"[{', '.join(parts)}]" if parts else ""

    def __eq__(self, other) -> bool:
        if not isinstance(other, MetadataTuple):
            return NotImplemented
        return self.shape == other.shape and self.dtype == other.dtype

    __hash__ = None


@mod.export()
class TensorMetadata(TypedDict(lambda: str, lambda: MetadataTuple)):
    """Names of tensors -> their data types and shapes, in order."""

    @staticmethod
    def from_feed_dict(feed_dict: dict) -> "TensorMetadata":
        """The metadata of arrays.

        Args:
            feed_dict: Name -> array.
        """
        meta = TensorMetadata()
        for name, arr in feed_dict.items():
            meta.add(name, util.array.dtype(arr), util.array.shape(arr))
        return meta

    def add(
        self,
        name: str,
        dtype: Any,
        shape: Optional[Sequence],
        min_shape: Optional[Sequence] = None,
        max_shape: Optional[Sequence] = None,
        docstring: Optional[str] = None,
    ) -> "TensorMetadata":
        """Adds a tensor.

        Args:
            name: Its name.
            dtype: Its data type, or None.
            shape: Its shape, or None. Dynamic dimensions are negative, None or strings.
            min_shape: The smallest shape that it may have.
            max_shape: The largest one.
            docstring: Further text about it.

        Returns:
            The metadata itself.
        """
        bounded = BoundedShape(shape, min_shape, max_shape) if shape is not None else None
        self[name] = MetadataTuple(dtype, bounded, docstring)
        return self

    def __repr__(self) -> str:
        ret = "TensorMetadata()"
        for name, (dtype, shape) in self.items():
            shape, low, high = (
                (list(shape), getattr(shape, "min", None), getattr(shape, "max", None))
                if shape is not None
                else (None, None, None)
            )
            bounds = "".join(
                f", {key}={value!r}"
                for key, value in (("min_shape", low), ("max_shape", high))
                if value is not None
            )
            ret += util.make_repr(".add", name, dtype, shape)[0][:-1] + bounds + ")"
        return ret

    def __str__(self) -> str:
        sep = ",\n "
        entries = [f"{name} {meta}".rstrip() for name, meta in self.items()]
        return "{" + sep.join(entries) + "}"


@mod.export()
@add_json_methods("formatted array")
class FormattedArray:
    """An array whose bytes are laid out otherwise than its shape says, as in vectorised formats.

    Args:
        array: The array, in most cases one of raw bytes.
        shape: The shape of the values for users of the array.
    """

    def __init__(self, array, shape: Sequence):
        self.array = array
        self.shape = shape


register_fields(FormattedArray, "array", "shape")
