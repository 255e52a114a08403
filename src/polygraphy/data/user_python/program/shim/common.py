"""TensorMetadata: names, types and shapes of inputs before their values."""
from polygraphy.datatype import DataType


class BoundedShape(list):
    def __init__(self, shape, min=None, max=None):
        super().__init__(shape)
        self.min, self.max = min, max

    def __repr__(self):
        return "BoundedShape(%s, min=%s, max=%s)" % (list(self), self.min, self.max)


class MetadataTuple:
    def __init__(self, dtype, shape, docstring=None):
        self.dtype, self.shape, self.docstring = DataType.from_dtype(dtype), shape, docstring

    def __iter__(self):
        yield from (self.dtype, self.shape)

    def __getitem__(self, index):
        return (self.dtype, self.shape)[index]

    def __eq__(self, other):
        return self.dtype == other.dtype and self.shape == other.shape

    def __repr__(self):
        parts = [] if self.dtype is None else ["dtype=%s" % self.dtype]
        parts += [] if self.shape is None else ["shape=%s" % (tuple(self.shape),)]
        parts += [self.docstring] if self.docstring else []
        return "[%s]" % ", ".join(parts) if parts else ""


class TensorMetadata(dict):
    """Names of tensors with their types and shapes, in order."""

    @staticmethod
    def from_feed_dict(feed_dict):
        result = TensorMetadata()
        for name, array in feed_dict.items():
            result.add(name, array.dtype, array.shape)
        return result

    def add(self, name, dtype, shape, min_shape=None, max_shape=None, docstring=None):
        shape = None if shape is None else BoundedShape(shape, min_shape, max_shape)
        self[name] = MetadataTuple(dtype, shape, docstring)
        return self

    def __repr__(self):
        return "{%s}" % ",\n ".join(("%s %s" % (name, entry)).rstrip() for name, entry in self.items())
