"""DataType: the element types by name."""


class DataTypeEntry:
    def __init__(self, name, itemsize, kind):
        self.name, self.itemsize, self._kind = name, itemsize, kind

    @property
    def is_floating(self):
        return self._kind == "f"

    @property
    def is_integral(self):
        return self._kind in "iu"

    def numpy(self):
        import numpy
        return numpy.dtype("str" if self._kind == "U" else self.name)

    def __eq__(self, other):
        return self.name == name_of(other)

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def __repr__(self):
        return "DataType." + self.name.upper()


class _DataType:
    def __init__(self):
        for name, size, kind in (
                ("float64", 8, "f"), ("float32", 4, "f"), ("float16", 2, "f"), ("bfloat16", 2, "f"),
                ("float8e4m3fn", 1, "f"), ("float8e4m3fnuz", 1, "f"), ("float8e5m2", 1, "f"),
                ("float8e5m2fnuz", 1, "f"), ("float8e8m0", 1, "f"), ("float4", 0.5, "f"), ("int64", 8, "i"),
                ("int32", 4, "i"), ("int16", 2, "i"), ("int8", 1, "i"), ("int4", 0.5, "i"), ("uint64", 8, "u"),
                ("uint32", 4, "u"), ("uint16", 2, "u"), ("uint8", 1, "u"), ("uint4", 0.5, "u"), ("bool", 1, "b"),
                ("string", 0, "U")):
            setattr(self, name.upper(), DataTypeEntry(name, size, kind))

    @staticmethod
    def from_dtype(dtype, source_module=None):
        if dtype is None or isinstance(dtype, DataTypeEntry):
            return dtype
        found = getattr(DataType, name_of(dtype).upper(), None)
        if found is None:
            raise ValueError("no such data type: %r" % (dtype,))
        return found

    to_dtype = staticmethod(lambda dtype, target_module="numpy": dtype.numpy())


def name_of(dtype):
    """The name of a type of ours, NumPy's or torch's."""
    if isinstance(dtype, DataTypeEntry):
        return dtype.name
    if str(dtype).startswith("torch."):
        return str(dtype)[len("torch."):].replace("float8_", "float8")
    if isinstance(dtype, str) and hasattr(DataType, dtype.upper()):
        return dtype.lower()
    try:
        import numpy
        dtype = numpy.dtype(dtype)
        return "string" if dtype.kind in "US" else dtype.name
    except TypeError:
        return str(dtype)


DataType = _DataType()
