"""Runs the pattern files of `polygraphy plugin`, which find subgraphs and replace them.

Graphs are those of onnx_graphsurgeon: the package that came with the tool where it runs here, else
the installed one. Values in external data are read when a pattern asks for them; all other values
are still in their files when the graph is written.
"""
import contextlib
import os
import sys

_state = {}
_models = {}  # the last one: patterns look at the same model one after the other


def setup(failure, function, guarded, describe, short):
    _state.update(failure=failure, function=function, guarded=guarded, describe=describe, short=short)
    return sys.modules[__name__]


def fail(message, hint=""):
    raise _state["failure"](message, hint)


def installed_graphsurgeon():
    try:
        import onnx_graphsurgeon
    except ImportError as error:
        fail("Patterns of plugins need onnx_graphsurgeon, which %s lacks: %s" % (
            sys.executable, _state["describe"](error)), "Install it there: `%s -m pip install onnx-graphsurgeon`" % sys.executable)
    return onnx_graphsurgeon


def graphsurgeon(folder):
    """The package in `folder` where this Python can load it, else the installed one."""
    if not folder or "onnx_graphsurgeon" in sys.modules:
        return installed_graphsurgeon()
    sys.path.insert(0, folder)
    try:
        import onnx_graphsurgeon
        from onnx_graphsurgeon._core import native
        native()  # it is compiled for some versions of Python
        return onnx_graphsurgeon
    except ImportError:
        for name in [name for name in sys.modules if name.split(".")[0] == "onnx_graphsurgeon"]:
            del sys.modules[name]
    finally:
        sys.path.remove(folder)
    return installed_graphsurgeon()


def model_of(request):
    try:
        import onnx
    except ImportError as error:
        fail("Patterns of plugins need onnx, which %s lacks: %s" % (sys.executable, _state["describe"](error)),
             "Install it there: `%s -m pip install onnx`" % sys.executable)
    path = request["model"]
    if path not in _models:
        _models.clear()
        _models[path] = _state["guarded"]("Reading %s with the package onnx" % path, onnx.load, path, load_external_data=False)
    return _models[path]


def import_graph(request, gs):
    model = model_of(request)
    graph = _state["guarded"]("Importing %s into onnx_graphsurgeon" % request["model"], gs.import_onnx, model)
    if any(tensor.data_location for tensor in model.graph.initializer):
        read_when_needed(graph, request["folder"])
    return graph


def read_when_needed(graph, folder):
    """Lets constants with values outside of the model read them from their files on demand."""
    import onnx
    lazy = sys.modules["onnx_graphsurgeon.ir.tensor"].LazyValues

    class InFile(lazy):
        def load(self):
            tensor = onnx.TensorProto()
            tensor.CopyFrom(self.tensor)
            onnx.external_data_helper.load_external_data_for_tensor(tensor, folder)
            tensor.data_location = onnx.TensorProto.DEFAULT
            del tensor.external_data[:]
            return lazy(tensor).load()

    for each in [graph] + list(graph.subgraphs(recursive=True)):
        for tensor in each.tensors().values():
            values = getattr(tensor, "_values", None)
            if type(values) is lazy and values.tensor.data_location == onnx.TensorProto.EXTERNAL:
                tensor._values = InFile(values.tensor)


def plain(value, where):
    """`value` as types of a configuration: numbers, texts, and lists and dicts of them."""
    kind = type(value)
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        value = value.tolist()  # an array, or a number of numpy's
    if value is None or isinstance(value, (bool, float, str)):
        return value
    if isinstance(value, int):
        if not -2 ** 63 <= value < 2 ** 63:
            fail("%s is %d, which has more than 64 bits" % (where, value))
        return int(value)
    if isinstance(value, (list, tuple)):
        return [plain(item, "%s[%d]" % (where, i)) for i, item in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                fail("%s has the key %r, but keys must be texts" % (where, key))
        return {key: plain(item, "%s[%r]" % (where, key)) for key, item in value.items()}
    fail("%s is a %s, which a configuration cannot hold" % (where, kind.__name__),
         "Use numbers, texts, and lists and dicts of them.")


def names(instance, key, where):
    value = instance.get(key)
    if not isinstance(value, (list, tuple)):
        what = "has no %r" % key if value is None else "has a %s for %r" % (type(value).__name__, key)
        fail("%s %s, but a list of names of tensors is needed" % (where, what))
    for i, name in enumerate(value):
        if not isinstance(name, str):
            fail("%s: %s[%d] is a %s, but the name of a tensor is needed" % (where, key, i, type(name).__name__),
                 "Give the tensor's name: tensor.name")


@contextlib.contextmanager
def modules_of(path):
    """Modules that a pattern imports from its own folder are its own: others may have some of these names."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        yield
    finally:
        for name, module in list(sys.modules.items()):
            if os.path.abspath(getattr(module, "__file__", None) or os.sep).startswith(folder + os.sep):
                del sys.modules[name]
        if folder in sys.path:
            sys.path.remove(folder)


def match(request):
    with modules_of(request["path"]):
        return matches(request)


def replace(request):
    with modules_of(request["path"]):
        return replacements(request)


def matches(request):
    gs = graphsurgeon(request["packages"])  # before the pattern imports one
    finder = _state["function"](request["path"], "get_matching_subgraphs")
    found = finder(import_graph(request, gs))
    if found is None:
        found = []
    if not isinstance(found, (list, tuple)):
        fail("%s returned a %s, but a list of dicts is needed" % (finder.what(), type(found).__name__))
    instances = []
    for i, instance in enumerate(found):
        where = "%s: match %d" % (finder.what(), i)
        if not isinstance(instance, dict):
            fail("%s is a %s, but a dict of inputs, outputs and attributes is needed" % (where, type(instance).__name__))
        names(instance, "inputs", where)
        names(instance, "outputs", where)
        if not isinstance(instance.get("attributes", {}), dict):
            fail("%s has a %s for 'attributes', but a dict is needed" % (where, type(instance["attributes"]).__name__))
        instances.append(plain(instance, where))
    if not instances:
        return {"instances": []}
    describer = _state["function"](request["path"], "get_plugin_metadata")
    metadata = describer()
    for key in ("name", "op"):
        if not isinstance(metadata, dict) or not isinstance(metadata.get(key), str) or not metadata[key]:
            fail("%s returned %s, but a dict with texts for 'name' and 'op' is needed" % (
                describer.what(), _state["short"](metadata)))
    return {"instances": instances, "name": metadata["name"], "op": metadata["op"]}


def find_replacement(path):
    """The function of the pattern file that replaces instances, or None."""
    function = _state["function"]
    name = "replace_with_plugin"
    place = function.__new__(function)
    place.path, place.name = path, name
    return function(path, name) if getattr(place.module(), name, None) is not None else None


def replacements(request):
    gs = graphsurgeon(request["packages"])
    function = find_replacement(request["path"])
    if function is None:
        return {"missing": True}
    import onnx
    graph = import_graph(request, gs)
    replaced = 0
    for i, instance in enumerate(request["instances"]):
        tensors = graph.tensors()
        ends = []
        for key in ("inputs", "outputs"):
            for name in instance[key]:
                if name not in tensors:
                    fail("%s: instance %d names the tensor %r, which is no longer in the graph" % (function.what(), i, name),
                         "An earlier replacement removed it: instances must not overlap.")
            ends.append([tensors[name] for name in instance[key]])
        if function(graph=graph, input_tensors=ends[0], output_tensors=ends[1], attrs=instance["attributes"],
                    op=request["plugin_op"]):
            replaced += 1
    model = _state["guarded"]("%s: exporting the graph" % function.what(), gs.export_onnx, graph)
    _models.clear()
    _state["guarded"]("%s: writing the graph" % function.what(), onnx.save, model, request["output"])
    return {"replaced": replaced}
