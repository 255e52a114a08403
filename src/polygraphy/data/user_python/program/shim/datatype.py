"""DataType: the element types by name."""


class DataTypeEntry:
    def __init__(self, name, itemsize, kind, numpy_name):
        self.name, self.itemsize, self._kind, self._numpy_name = name, itemsize, kind, numpy_name

    @property
    def is_floating(self):
        return self._kind == "float"

    @property
    def is_integral(self):
        return self._kind in ("signed", "unsigned")

    def numpy(self):
        import numpy
        try:
            return numpy.dtype(self._numpy_name)
        except TypeError:
            import ml_dtypes
            return numpy.dtype(getattr(ml_dtypes, self._numpy_name))

    def __eq__(self, other):
        return self.name == name_of(other)

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def __repr__(self):
        return "DataType." + self.name.upper()


class _DataType:
    def add(self, rows):
        """Adds types: name, NumPy's name, bits and kind of each. The bridge does so first."""
        for name, numpy_name, bits, kind in rows:
            size = bits // 8 if bits % 8 == 0 else bits / 8
            setattr(self, name.upper(), DataTypeEntry(name, size, kind, numpy_name))

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
