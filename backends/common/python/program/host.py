"""Parts of back ends that run in the user's Python, and the values that they get and return.

Tensors lie in memory that both sides map: the plugin owns the memory of feeds, this process the memory of outputs.
memory.h is the other side; server.py answers the plugin.

A back end is a module with `MODULE`, the name of its package (`DISTRIBUTION`, if it is installed under another
name), and a class `BackEnd`:

    load(model, options)           a Model and an Options; returns a session

and a function info(), which returns devices as a text, and the newest IR version and opset of ONNX that it takes, 0
if unknown. With `WANTS_TYPES = True`, marked outputs get types, too. A session has `inputs` and `outputs`, lists of
Tensor, and infer(feeds), which takes a value for each input by name, and returns (name, value) pairs. A back end may
define its form of values: to_value(tensor) makes a value of a received tensor, to_wire(value) the reverse; otherwise
values are arrays of NumPy, strings as objects, sequences as lists, maps as dicts, None for an absent optional. A
session may have profile(), which returns (node, operator, kernel, microseconds). A module may have refuse(model), which
raises a Failure for files that are not models, before packages are imported.
"""
import importlib
import importlib.util
import mmap
import os
import signal
import struct
import sys

TENSOR, STRINGS, SEQUENCE, MAP, OPTIONAL = 1, 2, 3, 4, 5
FAILED, UNAVAILABLE, UNSUPPORTED, BAD_OPTION = 1, 2, 3, 5
ALIGNMENT = 64
INFO, WARNING = 20, 30

# ONNX's element types but strings: name -> (number, bits). bootstrap.py sets the rows.
ELEMENT_TYPES = {name: (int(number), int(bits)) for number, name, bits in ELEMENT_TYPE_ROWS if bits != "0"}
STRING_TYPE = 8
NAMES = {number: name for name, (number, _) in ELEMENT_TYPES.items()}
BITS = {number: bits for number, bits in ELEMENT_TYPES.values()}


class Failure(Exception):
    """An error that the plugin reports to the user: the observation, and the remedy."""

    def __init__(self, message, hint="", status=FAILED):
        super().__init__(message)
        self.hint, self.status = hint, status


def not_importable(package, error):
    """The Failure that names a package that does not import, why, and the remedy."""
    lacking = isinstance(error, ModuleNotFoundError) and error.name == package
    return Failure("%s of %s cannot be imported: %s" % (package, sys.executable, error),
                   "%s there: `%s -m pip install %s%s`." %
                   ("Install it" if lacking else "It is damaged, or its dependencies do not fit. Reinstall it",
                    sys.executable, "" if lacking else "--force-reinstall ", package), UNAVAILABLE)


class Cancelled(BaseException):
    """Raised by a signal of the plugin's where the back end is at work."""


class Tensor:
    """An input or output: `dtype` a name of ELEMENT_TYPES or "string", "" if unknown; `shape` None if unknown,
    with None or a text for open dimensions."""

    def __init__(self, name, dtype="", shape=None, kind=TENSOR):
        self.name, self.dtype, self.shape, self.kind = name, dtype, shape, kind


class Model:
    """The model to load: `path`, or `data` with the folder `external_data`; `declared`: shapes by name that the user
    gave."""

    def __init__(self, path, data, external_data, form, declared):
        self.path, self.data, self.external_data, self.form, self.declared = path, data, external_data, form, declared


class Options:
    """The options of the back end as they were typed."""

    def __init__(self, pairs, profile):
        self.pairs, self.profile = pairs, profile

    def has(self, key):
        return any(name == key for name, _ in self.pairs)

    def values(self, key):
        found = [values for name, values in self.pairs if name == key]
        return found[-1] if found else []

    def value(self, key, otherwise=None):
        values = self.values(key)
        return values[0] if values else otherwise


# ---- Values

def numpy_type(number):
    """The NumPy type of a number of ONNX; those that NumPy lacks come from ml_dtypes."""
    import numpy
    name = NAMES.get(number)
    if name is None:
        raise Failure("there is no element type %d" % number)
    try:
        return numpy.dtype(name)
    except TypeError:
        pass
    try:
        import ml_dtypes
        return numpy.dtype(getattr(ml_dtypes, name))
    except (ImportError, AttributeError):
        raise Failure("this Python has no arrays of %s" % name, "Install ml_dtypes: `%s -m pip install -U "
                      "ml_dtypes`." % sys.executable, UNSUPPORTED) from None


class WireTensor:
    """A tensor on its way: its number of ONNX, its shape, and memory with its bytes."""

    def __init__(self, dtype, shape, data):
        self.dtype, self.shape, self.data = dtype, shape, data

    def size(self):
        return len(self.data)

    def write(self, view):
        view[:] = self.data


def unpacked(data, bits, count):
    """One element of less than a byte per byte, low bits first."""
    import numpy
    lone = numpy.unpackbits(numpy.frombuffer(data, numpy.uint8), count=count * bits, bitorder="little")
    return numpy.packbits(lone.reshape(count, bits), axis=1, bitorder="little").reshape(count)


def packed(elements, bits):
    import numpy
    lone = numpy.unpackbits(elements.reshape(-1, 1), axis=1, bitorder="little")[:, :bits]
    return numpy.packbits(lone.reshape(-1), bitorder="little")


def count_of(shape):
    count = 1
    for dim in shape:
        count *= dim
    return count


def numpy_value(tensor):
    """An array that NumPy owns: the memory of feeds is used again."""
    import numpy
    dtype, bits = numpy_type(tensor.dtype), BITS[tensor.dtype]
    if bits >= 8:
        return numpy.frombuffer(tensor.data, dtype).reshape(tensor.shape).copy()
    elements = unpacked(tensor.data, bits, count_of(tensor.shape))
    if NAMES[tensor.dtype].startswith("int"):  # of either sign
        elements = (elements.astype(numpy.int8) ^ (1 << (bits - 1))) - (1 << (bits - 1))
        return elements.astype(dtype).reshape(tensor.shape)
    return elements.view(dtype).reshape(tensor.shape)


class StringArray:
    def __init__(self, shape, texts):
        self.shape, self.texts = shape, texts


def numpy_wire(value):
    """The wire form of a result of numpy_value() or of an operator: a WireTensor or StringArray, a list or dict, None."""
    import numpy
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [numpy_wire(each) for each in value]
    if isinstance(value, dict):
        keys = numpy.array(list(value.keys()))
        return {"keys": numpy_wire(keys), "values": numpy_wire(numpy.array(list(value.values())))}
    array = numpy.asarray(value)
    if array.dtype.kind in "OSUT":
        texts = [each if isinstance(each, bytes) else str(each).encode("utf-8", "surrogateescape")
                 for each in array.reshape(-1).tolist()]
        return StringArray(array.shape, texts)
    name = array.dtype.name
    if name not in ELEMENT_TYPES:
        raise Failure("ONNX has no type for a value of type %s" % name, status=UNSUPPORTED)
    number, bits = ELEMENT_TYPES[name]
    array = numpy.ascontiguousarray(array).reshape(array.shape)
    if bits < 8:
        return WireTensor(number, array.shape, memoryview(packed(array.view(numpy.uint8), bits)))
    return WireTensor(number, array.shape,
                      memoryview(array.reshape(-1).view(numpy.uint8)) if array.size else memoryview(b""))


class Feeds:
    """The memory of feeds; a descriptor of the plugin's, which grows."""

    def __init__(self, descriptor):
        self.descriptor, self.memory = descriptor, None

    def view(self, size):
        if self.memory is None or len(self.memory) < size:
            self.memory = mmap.mmap(self.descriptor, os.fstat(self.descriptor).st_size)
        return memoryview(self.memory)

    def read(self, message, view, to_value):
        kind = message.number()
        if kind == TENSOR:
            dtype, shape = message.number(), message.numbers()
            at, size = message.number(), message.number()
            return to_value(WireTensor(dtype, tuple(shape), view[at:at + size]))
        if kind == STRINGS:
            shape, texts = message.numbers(), []
            at, count, start = message.number(), message.number(), message.number()
            ends = struct.unpack_from("<%dQ" % (count + 1), view, at)
            for begin, end in zip(ends, ends[1:]):
                texts.append(bytes(view[start + begin:start + end]))
            return to_value(StringArray(tuple(shape), texts))
        items = [self.read(message, view, to_value) for _ in range(message.number())]
        if kind == SEQUENCE:
            return items
        if kind == MAP:
            keys, values = ([each for each in item.reshape(-1).tolist()] for item in items)
            return dict(zip(keys, values))
        return items[0] if items else None


def numpy_feed(tensor):
    if isinstance(tensor, StringArray):
        import numpy
        array = numpy.empty(len(tensor.texts), object)
        array[:] = [text.decode("utf-8", "surrogateescape") for text in tensor.texts]
        return array.reshape(tensor.shape)
    return numpy_value(tensor)


class Outputs:
    """Memory of one inference's outputs, in use until the plugin releases it."""

    def __init__(self):
        self.memory, self.size = None, 0

    def make(self, size, reuse):
        """The descriptor to hand over, None where the plugin has it."""
        if self.memory is not None and reuse and self.size >= size:
            return None
        self.size = max(size, 1)
        descriptor = os.memfd_create("polygraphy-outputs", os.MFD_CLOEXEC)
        os.ftruncate(descriptor, self.size)
        self.memory = mmap.mmap(descriptor, self.size)
        return descriptor


class Layout:
    """Where the parts of values lie."""

    def __init__(self):
        self.size, self.parts = 0, []

    def place(self, size, write):
        at = -(-self.size // ALIGNMENT) * ALIGNMENT
        self.size = at + size
        self.parts.append((at, size, write))
        return at

    def place_bytes(self, data):
        return self.place(len(data), lambda view: view.__setitem__(slice(None), data))

    def add(self, message, value):
        if isinstance(value, StringArray):
            ends, total = [0], 0
            for text in value.texts:
                total += len(text)
                ends.append(total)
            offsets, data = struct.pack("<%dQ" % len(ends), *ends), b"".join(value.texts)
            message.number(STRINGS)
            message.numbers(value.shape)
            message.number(self.place_bytes(offsets))
            message.number(len(value.texts))
            message.number(self.place_bytes(data))
            message.number(len(data))
        elif value is None:
            message.number(OPTIONAL)
            message.number(0)
        elif isinstance(value, list):
            message.number(SEQUENCE)
            message.number(len(value))
            for each in value:
                self.add(message, each)
        elif isinstance(value, dict):
            message.number(MAP)
            message.number(2)
            self.add(message, value["keys"])
            self.add(message, value["values"])
        else:
            message.number(TENSOR)
            message.number(value.dtype)
            message.numbers(value.shape)
            message.number(self.place(value.size(), value.write))
            message.number(value.size())

    def fill(self, memory):
        view = memoryview(memory)
        for at, size, write in self.parts:
            if size:
                write(view[at:at + size])


# ---- The program

class Modules:
    """Finds and loads polygraphy_<name>, by names and texts."""

    def __init__(self, modules):
        self.texts = {"polygraphy_" + name: text for name, text in modules}

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name in self.texts else None

    def create_module(self, spec):
        return None  # an ordinary one

    def exec_module(self, module):
        exec(compile(self.texts[module.__name__], "<%s>" % module.__name__, "exec"), module.__dict__)


def main(descriptor, feeds, parent, modules):
    """`modules`: names and texts; the last one is the back end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the plugin decides what Ctrl-C means
    sys.meta_path.insert(0, Modules(modules))
    server = importlib.import_module("polygraphy_server")
    server.serve(descriptor, feeds, parent, "polygraphy_" + modules[-1][0])
