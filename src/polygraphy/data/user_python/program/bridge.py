"""Runs in the user's Python: calls the user's functions on behalf of the tool that started it.

A message is eight bytes (the length of the header, little endian), the header (JSON) and, for each entry of its
"arrays", one array in .npy form. Requests come in on one descriptor, replies go out on another; printed text
disturbs neither. While a function of the user's runs, it may query the tool in turn: a message with
"ask" goes out and its answer comes in before the reply. The tool's side: channel.h, user_python.cpp.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import os
import struct
import sys
import threading
import traceback

THIS = "<polygraphy bridge>"
CHUNK = 1 << 26  # systems write at most 2 GiB at once


class Failure(Exception):
    """A failure: the message that the user reads instead of a reply."""

    def __init__(self, message, trace="", kind="script"):
        super().__init__(message)
        self.message, self.trace, self.kind = message, trace, kind


# ---- Messages

def logical_types(element_types):
    """NumPy types that NumPy itself lacks, by the tool's names: from ml_dtypes, where it is installed."""
    try:
        import ml_dtypes
    except ImportError:
        return {}
    return {name: numpy.dtype(getattr(ml_dtypes, theirs)) for name, theirs, _, _ in element_types
            if hasattr(ml_dtypes, theirs)}


def read_exactly(file, count):
    data = bytearray(count)
    fill(file, memoryview(data))
    return data


def fill(file, view):
    while len(view):
        count = file.readinto(view[:CHUNK])
        if not count:
            raise EOFError()
        view = view[count:]


def bytes_of(array):
    return memoryview(array.reshape(-1).view(numpy.uint8)) if array.size else memoryview(b"")


def read_array(file):
    """A writable array. Its data is read straight into it."""
    form = numpy.lib.format
    read_header = {(1, 0): form.read_array_header_1_0, (2, 0): form.read_array_header_2_0}
    shape, fortran, dtype = read_header[form.read_magic(file)](file)
    array = numpy.empty(shape[::-1] if fortran else shape, dtype)
    fill(file, bytes_of(array))
    return array.transpose() if fortran else array


def from_torch(tensor):
    """(array, name of the type if NumPy lacks it) of a torch tensor."""
    tensor = tensor.detach().cpu().contiguous()
    name = str(tensor.dtype).replace("torch.", "")
    bits = {"bfloat16": "int16"}.get(name) or ("uint8" if name.startswith("float8") else None)
    if bits is None:
        return tensor.numpy(), None
    array = tensor.view(getattr(sys.modules["torch"], bits)).numpy()
    return array.view("uint16") if bits == "int16" else array, name.replace("_", "").replace("e8m0fnu", "e8m0")


def is_torch(value):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def to_array(value):
    """(array, name of the type if NumPy lacks it), or None when `value` holds no array."""
    if is_torch(value):
        return from_torch(value)
    if isinstance(value, (bool, int, float, complex, list, tuple)):
        value = numpy.asarray(value)
    elif not isinstance(value, (numpy.ndarray, numpy.generic)):
        for method in ("numpy", "__array__"):
            if callable(getattr(value, method, None)):
                value = numpy.asarray(getattr(value, method)())
                break
    if not isinstance(value, (numpy.ndarray, numpy.generic)):
        return None
    array = numpy.asarray(value, order="C")
    if array.dtype == object and all(isinstance(text, str) for text in array.flat):
        array = array.astype(str)
    for name, dtype in LOGICAL.items():
        if array.dtype == dtype:
            return array.view("uint%d" % (8 * dtype.itemsize)), name
    if array.dtype.hasobject or array.dtype.kind not in "biufcUS":
        return None
    return array, None


def to_value(array, entry):
    """The argument of a user's function for an array of a message."""
    return array.view(LOGICAL[entry["type"]]) if entry.get("type") else array


class Channel:
    def __init__(self, requests, replies):
        self.requests = os.fdopen(requests, "rb", buffering=1 << 16)
        self.replies = os.fdopen(replies, "wb", buffering=0)
        self.process = os.getpid()

    def receive(self):
        """(header, arrays by name), or None when the tool has gone."""
        try:
            length, = struct.unpack("<Q", read_exactly(self.requests, 8))
            header = json.loads(read_exactly(self.requests, length).decode("utf-8", "surrogateescape"))
            arrays = {}
            for entry in header.get("arrays", ()):
                arrays[entry["name"]] = to_value(read_array(self.requests), entry)
            return header, arrays
        except EOFError:
            return None

    def send(self, header, named=()):
        """`named`: (name, (array, type) as to_array gives it)."""
        if os.getpid() != self.process:
            os._exit(0)  # a child that the function has forked, and that has returned as well
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (AttributeError, ValueError, OSError):
                pass  # the script has closed it
        named = list(named)
        header["arrays"] = [{"name": name, "type": kind or ""} for name, (_, kind) in named]
        text = json.dumps(header).encode()
        self.write(struct.pack("<Q", len(text)) + text)
        for _, (array, _) in named:
            head = io.BytesIO()
            numpy.lib.format.write_array_header_1_0(head, numpy.lib.format.header_data_from_array_1_0(array))
            self.write(head.getvalue())
            self.write(bytes_of(array))

    def write(self, data):
        view = memoryview(data)
        while len(view):
            view = view[self.replies.write(view[:CHUNK]):]

    def ask(self, header, named=()):
        """(header, arrays) of the tool's answer."""
        with ASKING:
            self.send(header, named)
            answer = self.receive()
        if answer is None:
            os._exit(1)
        if "failed" in answer[0]:
            raise RuntimeError(answer[0]["failed"])
        return answer


ASKING = threading.Lock()


# ---- The user's code

def trace_of(error):
    """The traceback as Python prints it, without the frames that are not the user's."""
    ours = ("<polygraphy", "<frozen importlib")

    def strip(summary, seen):
        if summary is None or id(summary) in seen:
            return
        seen.add(id(summary))
        summary.stack[:] = [frame for frame in summary.stack if not frame.filename.startswith(ours)]
        strip(summary.__cause__, seen)
        strip(summary.__context__, seen)

    summary = traceback.TracebackException(type(error), error, error.__traceback__)
    strip(summary, set())
    text = "".join(summary.format())
    return text if summary.stack or summary.__cause__ or summary.__context__ else ""


def describe(error):
    if isinstance(error, SyntaxError):
        return "%s: %s" % (type(error).__name__, error)  # the text says where
    first = "".join(traceback.format_exception_only(type(error), error)).strip().split("\n")[0]
    return first.replace("\0", "\\x00")  # a message in C ends there


def guarded(what, function, *args, **kwargs):
    """Calls a function of the user's. `what` begins the message when it fails."""
    try:
        return function(*args, **kwargs)
    except (Failure, StopIteration):
        raise
    except SystemExit as stop:
        code = "" if stop.code is None else repr(stop.code)
        raise Failure("%s ended Python: sys.exit(%s)" % (what, code), trace_of(stop))
    except BaseException as error:
        raise Failure("%s failed: %s" % (what, describe(error)), trace_of(error))


class Function:
    """A symbol of a script, found and ready to be called."""

    modules = {}

    def __init__(self, path, name):
        self.path, self.name = path, name
        self.value = getattr(self.module(), name, None)
        if self.value is None:
            raise Failure(self.cannot_import(), "Note: Error was: module %r has no attribute %r%s" % (
                self.stem(), name, self.suggestions()), kind="symbol")

    def stem(self):
        return os.path.splitext(os.path.basename(self.path))[0]

    def cannot_import(self):
        return "Could not import symbol: %s from script: %s" % (self.name, self.path)

    def suggestions(self):
        module = self.modules[os.path.realpath(self.path)]
        names = [name for name, value in vars(module).items()
                 if callable(value) and getattr(value, "__module__", None) == module.__name__]
        return ". It has: " + ", ".join(names) if names else ""

    def module(self):
        place = os.path.realpath(self.path)
        if place in self.modules:
            return self.modules[place]
        if not os.path.isfile(place):
            raise Failure(self.cannot_import(), "Note: Error was: there is no such file", kind="symbol")
        folder = os.path.dirname(os.path.abspath(self.path))
        if folder not in sys.path:
            sys.path.insert(0, folder)
        name = self.stem()
        if name in sys.modules or name in sys.builtin_module_names:
            name = "polygraphy_script_" + name  # json.py must not take json's place
        loader = importlib.machinery.SourceFileLoader(name, place)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
        sys.modules[name] = module
        try:
            loader.exec_module(module)
        except SystemExit as stop:
            raise Failure(self.cannot_import(), "Note: it ended Python: sys.exit(%s)\n%s" % (
                "" if stop.code is None else repr(stop.code), trace_of(stop)), kind="symbol")
        except BaseException as error:
            raise Failure(self.cannot_import(), "Note: Error was: %s\n%s" % (describe(error), trace_of(error)),
                          kind="symbol")
        self.modules[place] = module
        return module

    def what(self):
        return "Script %s: %s()" % (self.path, self.name)

    def instance(self):
        """The function; of a class, an object made without arguments."""
        if isinstance(self.value, type):
            self.value = guarded(self.what(), self.value)
        if not callable(self.value):
            raise Failure("Script %s: %s is not a function but a %s" % (self.path, self.name, type(self.value).__name__))
        return self.value

    def __call__(self, *args, **kwargs):
        return guarded(self.what(), self.instance(), *args, **kwargs)


def short(value):
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + " ..."


def metadata(inputs):
    from polygraphy.common import TensorMetadata
    result = TensorMetadata()
    for name, dtype, shape in inputs:
        result.add(name, dtype, shape)
    return result


class Loader:
    """The result of a function of --data-loader-script."""

    def __init__(self, function):
        self.function = function
        value = function.value
        if not callable(value):
            raise Failure("Script %s: %s is not a function but a %s" % (function.path, function.name, type(value).__name__))
        self.value = guarded(function.what(), value)
        self.feeds = None

    def prepare(self, inputs):
        try:
            self.value.input_metadata = metadata(inputs)
        except AttributeError:
            pass  # lists and generators have no use for it

    def next(self, inputs):
        self.prepare(inputs)
        what = self.function.what()
        if self.feeds is None:
            if not hasattr(self.value, "__iter__") and not hasattr(self.value, "__getitem__"):
                raise Failure("%s returned a %s, which is not a generator, list or data loader" % (
                    what, type(self.value).__name__), "Note: The object was:\n" + short(self.value))
            self.feeds = guarded(what, iter, self.value)
        try:
            feed = guarded(what, next, self.feeds)
        except StopIteration:
            return None
        return self.checked(feed)

    def again(self, index, inputs):
        if not hasattr(self.value, "__getitem__"):
            return None
        self.prepare(inputs)
        return self.checked(guarded(self.function.what(), self.value.__getitem__, index))

    def checked(self, feed):
        results = type(feed).__name__ == "RunResults"
        if results or not hasattr(feed, "items") or not all(isinstance(name, str) for name in feed.keys()):
            hint = "Note: The object was:\n" + short(feed) + "."
            if results:
                hint += "\nHint: This is a `RunResults` object. Use the `data merge` tool to convert it to a " \
                        "feed_dict-compatible format."
            raise Failure("The data loader returned an object that cannot be recognized as a feed_dict "
                          "(Dict[str, Union[np.ndarray, torch.Tensor, DeviceView]]):", hint, kind="feed")
        named = []
        for name, value in feed.items():
            array = to_array(value)
            if array is None:
                raise Failure("%s returned a %s for input: %s, but an array is needed" % (
                    self.function.what(), type_name(value), name), "Note: The object was:\n" + short(value))
            named.append((name, array))
        return named


def type_name(value):
    dtype = getattr(value, "dtype", None)
    return type(value).__name__ + ("" if dtype is None else " of dtype " + str(dtype))


# ---- What the tool asks for

def make_result(entry, arrays):
    from polygraphy.comparator import IterationResult
    outputs = {name: arrays[key] for name, key in entry["outputs"]}
    return IterationResult(outputs=outputs, runtime=entry["runtime"], runner_name=entry["runner"])


def verdict_of(value):
    """A verdict, and figures where the result is of a class that the tool knows."""
    kind = type(value).__name__
    known = RESULTS.get(kind)
    thresholds = getattr(value, "thresholds", None)
    verdict = {"passed": bool(value)}
    if known is None or thresholds is None:
        return verdict
    verdict["kind"] = kind
    verdict["figures"] = [number_of(getattr(value, name, None)) for name in known["figures"]]
    return dict(verdict, **threshold_of(thresholds, known))


def threshold_of(thresholds, known):
    return {"stat": getattr(thresholds, "check_error_stat", "") or "",
            "limits": [number_of(getattr(thresholds, name, None)) for name in known["limits"]]}


def number_of(value):
    if value is None:
        return None
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else float(value)


class Tool:
    """The requests, by name. Each takes the header and the arrays and returns a header and arrays."""

    def __init__(self):
        self.objects = []

    def load(self, request, _):
        self.objects.append(Function(request["path"], request["name"]))
        return {"id": len(self.objects) - 1}, ()

    def open_loader(self, request, _):
        loader = Loader(self.objects[request["id"]])
        self.objects.append(loader)
        return {"id": len(self.objects) - 1, "none": loader.value is None}, ()

    def next_feed(self, request, _):
        loader = self.objects[request["id"]]
        index = request.get("index")
        feed = loader.next(request["inputs"]) if index is None else loader.again(index, request["inputs"])
        return ({"end": True}, ()) if feed is None else ({}, feed)

    def instance(self, request, _):
        function = self.objects[request["id"]]
        function.instance()
        return {"averages": callable(getattr(function.value, "thresholds_for", None)),
                "kind": getattr(getattr(function.value, "_RESULT_CLASS", None), "__name__", "")}, ()

    def compare(self, request, arrays):
        function = self.objects[request["id"]]
        results = [make_result(entry, arrays) for entry in request["results"]]
        found = function(*results)
        if not hasattr(found, "items"):
            raise Failure("%s returned a %s, but a dict of output name to verdict is needed" % (
                function.what(), type(found).__name__), "Note: The object was:\n" + short(found))
        verdicts = []
        for name, value in found.items():
            verdicts.append(dict(guarded(function.what(), verdict_of, value), name=str(name)))
        return {"verdicts": verdicts}, ()

    def threshold(self, request, _):
        function = self.objects[request["id"]]
        found = guarded("%s.thresholds_for()" % function.what(), function.instance().thresholds_for, request["name"])
        for kind, known in RESULTS.items():
            if known["threshold"] == type(found).__name__:
                return {"verdicts": [dict(threshold_of(found, known), name=request["name"], kind=kind, passed=True)]}, ()
        raise Failure("%s.thresholds_for() returned a %s, which is not a threshold" % (function.what(), type(found).__name__))

    def postprocess(self, request, arrays):
        function = self.objects[request["id"]]
        found = function(make_result(request["results"][0], arrays))
        if not hasattr(found, "items"):
            raise Failure("%s returned a %s, but the IterationResult with the outputs is needed" % (
                function.what(), type(found).__name__), "Note: The object was:\n" + short(found))
        named = []
        for name, value in found.items():
            array = to_array(value)
            if array is None:
                raise Failure("%s returned a %s for output: %s, but an array is needed" % (
                    function.what(), type_name(value), name), "Note: The object was:\n" + short(value))
            named.append((str(name), array))
        return {}, named

    def score(self, request, arrays):
        function = self.objects[request["id"]]
        parts = {kind: {name[len(kind):]: array for name, array in arrays.items() if name.startswith(kind)}
                 for kind in ("output:", "label:")}
        label = parts["label:"]
        if "text" in request:
            label = request["text"]
        elif len(label) == 1:
            label = label["labels"][()]
        found = function(parts["output:"], label)
        array = to_array(found)
        if array is None or array[0].size != 1 or array[0].dtype.kind not in "biuf":
            raise Failure("%s returned a %s, but a score is needed" % (function.what(), type(found).__name__),
                          "Note: The object was:\n" + short(found))
        return {"score": float(array[0].reshape(()))}, ()

    def build_engine(self, request, _):
        return run_tensorrt("build", "Building an engine", request), ()

    def describe_network(self, request, _):
        return run_tensorrt("describe", "Making a network", request), ()

    def convert_tensorflow(self, request, _):
        import _polygraphy_tensorflow
        _polygraphy_tensorflow.convert(Failure, describe, request)
        return {}, ()

    def tokenize(self, request, _):
        made = tokenizer_of(request)
        made.no_padding()  # of batches; a prompt is one text, and whole
        made.no_truncation()
        ids = guarded("The tokenizer %s" % request["tokenizer"], made.encode, request["text"]).ids
        return {}, [("ids", to_array(numpy.array(ids, dtype=numpy.int64)))]

    def token_texts(self, request, _):
        made = tokenizer_of(request)
        return {"texts": [made.decode([int(each)], skip_special_tokens=False) for each in request["ids"].split()]}, ()

    def match_plugin(self, request, _):
        return plugins().match(request), ()

    def replace_by_plugin(self, request, _):
        return plugins().replace(request), ()


def tokenizer_of(request):
    try:
        import tokenizers
    except ImportError as error:
        raise Failure("Module: 'tokenizers' is required but could not be imported.",
                      "Note: Error was: %s\n%s" % (describe(error), sys.executable), kind="module")
    return guarded("The tokenizer %s" % request["tokenizer"], tokenizers.Tokenizer.from_file, request["tokenizer"])


def run_tensorrt(operation, doing, request):
    from polygraphy.logger import G_LOGGER
    import _polygraphy_tensorrt
    return _polygraphy_tensorrt.run(operation, doing, Failure, describe, trace_of,
                                    lambda severity, text: G_LOGGER.log(text, severity), Function, request)


def plugins():
    import _polygraphy_plugins
    return _polygraphy_plugins.setup(Failure, Function, guarded, describe, short)


def watch(replies):
    """Ends this process once the tool has closed `replies`, whatever the user's code does then."""
    import select
    poller = select.poll()
    poller.register(replies, 0)
    while not poller.poll():
        pass
    os._exit(1)


class Provided(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for the package polygraphy where it is not installed."""

    def __init__(self, sources):
        self.sources = sources

    def find_spec(self, name, path=None, target=None):
        if name not in self.sources:
            if name.startswith("polygraphy.") and "polygraphy" in self.sources:
                raise ModuleNotFoundError("No module named '%s': this Python lacks the package polygraphy" % name, name=name)
            return None
        package = any(other.startswith(name + ".") for other in self.sources)
        return importlib.machinery.ModuleSpec(name, self, is_package=package)

    def exec_module(self, module):
        name = module.__name__
        exec(compile(self.sources[name], "<polygraphy: %s>" % name, "exec"), module.__dict__)


def operation(tool, name):
    """The function for a request: a method of `tool`, or a function of the module that needs torch."""
    if hasattr(tool, name):
        return getattr(tool, name)
    import _polygraphy_torch
    return getattr(_polygraphy_torch.setup(Failure, to_array, describe), name)


def serve(channel, request):
    global LOGICAL, RESULTS, numpy
    RESULTS = request["results"]
    try:
        import numpy
    except ImportError as error:
        # Nothing can be sent as an array then, and nothing is.
        channel.send({"failed": "numpy", "trace": describe(error), "kind": "numpy"})
        return
    LOGICAL = logical_types(request["element_types"])
    installed = importlib.util.find_spec("polygraphy") is not None
    sys.meta_path.append(Provided({name: source for name, source in request["modules"].items()
                                   if not installed or name.startswith("_")}))
    from polygraphy.logger import G_LOGGER
    if installed:
        G_LOGGER.module_severity = {"": request["severity"]}
    else:
        from polygraphy.datatype import DataType
        DataType.add(request["element_types"])
        G_LOGGER.connect(channel.ask, to_array, request["severity"])
    channel.send({"types": sorted(LOGICAL), "installed": installed})
    tool = Tool()
    while True:
        message = channel.receive()
        if message is None:
            return
        request, arrays = message
        if installed:
            G_LOGGER.logging_indent = request.get("indentation", 0)
        try:
            reply, named = operation(tool, request["op"])(request, arrays)
        except Failure as failure:
            reply, named = {"failed": failure.message, "trace": failure.trace, "kind": failure.kind}, ()
        except MemoryError:
            reply, named = {"failed": "Python ran out of memory", "trace": "", "kind": "memory"}, ()
        request = arrays = message = None
        channel.send(reply, named)


def main(requests, replies):
    sys.argv = ["polygraphy"]
    threading.Thread(target=watch, args=(replies,), daemon=True).start()
    channel = Channel(requests, replies)
    message = channel.receive()
    if message is not None:
        serve(channel, message[0])
