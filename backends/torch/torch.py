"""PyTorch, run by the user's own torch: exported programs, TorchScript, AOTInductor packages, and modules that a
function of a script makes. host.py describes back ends."""
import collections
import importlib.util
import inspect
import os
import sys
import warnings
import zipfile

from polygraphy_back_end import BAD_OPTION, Failure, Tensor, UNSUPPORTED
from polygraphy_made_tensors import Made
from polygraphy_onnx_names import OnnxNames
from polygraphy_torch_tensors import TensorValues, dense, dtype_name, import_torch, torch_dtype

MODULE = "torch"
MARK_ALL = "mark all"
FUNCTION = "load_model"  # of a script, where none is named


def info():
    return "", 0, 0


# ---- Names and shapes

def tensor_for(name, value):
    try:
        return dense(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise Failure("output '%s' is %s, which cannot be converted to a tensor: %s" % (name, type(value).__name__, error),
                      status=UNSUPPORTED) from None


def tensor_of(name, value, declared):
    """The Tensor of an input or output, with the type and shape of an example value."""
    shape = dtype = None
    if isinstance(value, torch.Tensor):
        shape = [dim if isinstance(dim, int) else str(dim) for dim in value.shape]
        dtype = dtype_name(value.dtype)
    if name in declared and declared[name] is not None:
        shape = declared[name]
    return Tensor(name, dtype or "", shape)


def named_results(result):
    """(name, value) of a module's results: dictionaries have names, others are numbered."""
    if isinstance(result, dict):
        return [pair for key, value in result.items() for pair in named_parts(str(key), value)]
    if isinstance(result, (list, tuple)):
        return [pair for i, value in enumerate(result) for pair in named_parts("output_%d" % i, value)]
    return [("output", result)]


def named_parts(name, value):
    if isinstance(value, dict):
        return [pair for key, each in value.items() for pair in named_parts("%s.%s" % (name, key), each)]
    if isinstance(value, (list, tuple)):
        return [pair for i, each in enumerate(value) for pair in named_parts("%s.%d" % (name, i), each)]
    return [(name, value)]


class Chosen:
    """Which intermediate results become outputs, and under which names. `known`: all of them; `names`: their names in
    the ONNX model of --torch-names-from, None without one; results that it lacks are left out."""

    def __init__(self, options, known, results, names, what):
        typed = options.values("outputs")
        self.all = typed in (["mark", "all"], [MARK_ALL], ["*"])
        self.any, self.names = bool(typed), names
        theirs = {there: here for here, there in (names or {}).items()}
        self.asked = {} if self.all else {theirs.get(name, name): name for name in typed}  # name here -> as typed
        known = dict.fromkeys(known)
        for name, as_typed in self.asked.items():
            if name not in known and name not in results:
                raise Failure("--torch-outputs: there is no %s '%s'" % (what, as_typed),
                              nearest(as_typed, list(dict.fromkeys([*known, *results]))), BAD_OPTION)
            if names is not None and name not in names:
                raise Failure("--torch-outputs: %s '%s' has no counterpart in the ONNX model" % (what, as_typed),
                              "Leave out --torch-names-from, or this name.", BAD_OPTION)

    def wants(self, name):
        return (self.all or name in self.asked) and (self.names is None or name in self.names)

    def name(self, name):
        return (self.names or {}).get(name, name)


def nearest(name, known):
    import difflib
    if not known:
        return ""
    similar = difflib.get_close_matches(name, known, 3, 0.4)
    if similar:
        return "Similar: " + ", ".join(similar)
    return "There are: " + ", ".join(known[:10]) + (" ..." if len(known) > 10 else "")


# ---- The forms of models

class Session:
    """The common part of all forms: feeds by name become arguments."""

    def __init__(self, options):
        device = options.value("device", "cpu")
        try:
            self.device = torch.device(device)
            torch.empty(0, device=self.device)
        except (RuntimeError, AssertionError, NotImplementedError) as error:
            raise Failure("--torch-device %s: %s" % (device, str(error).splitlines()[0]), status=BAD_OPTION) from None
        dtype = options.value("dtype")
        self.dtype = torch_dtype(dtype, "--torch-dtype") if dtype else None
        self.inputs, self.outputs = [], []
        self.narrowed = set()  # names of inputs

    def moved(self, module):
        module = module.to(self.device)
        return module.to(self.dtype) if self.dtype is not None else module

    def feed(self, feeds, name):
        value = feeds[name]
        if not isinstance(value, torch.Tensor):
            raise Failure("input '%s' is not a tensor: PyTorch supports tensors only" % name, status=UNSUPPORTED)
        if self.dtype is not None and value.is_floating_point():
            value = value.to(self.dtype)
        elif value.dtype == torch.float64 and not self.type_of(name):
            value = self.with_default_type(name, value)
        return value.to(self.device)

    def type_of(self, name):
        return next(tensor.dtype for tensor in self.inputs if tensor.name == name)

    def with_default_type(self, name, value):
        """Values that are generated for an input of unknown type are float64; models seldom are."""
        if name not in self.narrowed:
            self.narrowed.add(name)
            print("input '%s': the model does not say its type: float64 becomes %s, PyTorch's default "
                  "(--torch-dtype float64 keeps it)" % (name, dtype_name(torch.get_default_dtype())), file=sys.stderr)
        return value.to(torch.get_default_dtype())

    def infer(self, feeds):
        with torch.no_grad():
            results = self.run(feeds)
        names = set()
        for name, _ in results:
            if name in names:
                raise Failure("two of the model's results are called '%s'" % name)
            names.add(name)
        if not results:
            raise Failure("the model returned nothing")
        return [(name, None if value is None else tensor_for(name, value)) for name, value in results]

    def compiled(self, module, options):
        if not options.has("compile"):
            return module
        if options.has("outputs"):
            raise Failure("--torch-compile fuses the results that --torch-outputs selects", "Leave one of them out.", BAD_OPTION)
        return torch.compile(module)


class Exported(Session):
    """A program of torch.export."""

    def __init__(self, model, options):
        super().__init__(options)
        try:
            self.program = torch.export.load(model.path)
            if options.has("names_from"):  # the exporter has begun with this
                self.program = self.program.run_decompositions({})
        except Exception as error:
            raise unreadable(model.path, "an exported program", error) from None
        signature = self.program.graph_signature
        self.leaves = list(signature.user_inputs)  # names, or values of inputs that are constants
        stand_ins = {node.name: node.meta.get("val") for node in self.program.graph.nodes}
        placeholders = {node.name for node in self.program.graph.nodes if node.op == "placeholder"}
        for leaf in self.leaves:
            if isinstance(leaf, str) and leaf in placeholders:
                self.inputs.append(tensor_of(leaf, stand_ins[leaf], model.declared))
        self.module = self.moved(self.program.module())
        self.results = ["output_%d" % i if not isinstance(name, str) else name
                        for i, name in enumerate(signature.user_outputs)]
        inner = {node.name: None for node in self.module.graph.nodes
                 if node.op in ("call_function", "call_method", "call_module")
                 and isinstance(stand_ins.get(node.name), torch.Tensor)}
        names = None
        if options.has("names_from"):
            computed = [node for node in self.program.graph.nodes if node.name in inner]
            names = OnnxNames(options.value("names_from")).of_nodes(
                computed, {name: Made.of(stand_ins.get(name)) for name in self.results})
        self.chosen = Chosen(options, inner, self.results, names, "result")
        self.delivered = self.names_of_outputs(inner)
        self.outputs = [tensor_of(self.chosen.name(name), stand_ins.get(name), {}) for name in self.delivered]
        self.module = self.compiled(self.module, options)

    def names_of_outputs(self, inner):
        """Results in the middle in the order of the graph, then the model's own."""
        chosen = self.chosen
        own = [name for name in self.results if not chosen.any or chosen.wants(name)]
        return list(dict.fromkeys([name for name in inner if chosen.any and chosen.wants(name)] + own))

    def run(self, feeds):
        leaves = [self.feed(feeds, leaf) if isinstance(leaf, str) else leaf for leaf in self.leaves]
        args, kwargs = torch.utils._pytree.tree_unflatten(leaves, self.program.call_spec.in_spec)
        recorded, chosen = {}, self.chosen
        if not chosen.any:
            result = self.module(*args, **kwargs)
        else:
            flat = torch.utils._pytree.tree_leaves((args, kwargs))
            result = recorder_of(chosen, recorded)(self.module).run(*flat, enable_io_processing=False)
        for name, value in zip(self.results, torch.utils._pytree.tree_leaves(result)):
            recorded.setdefault(name, value)  # one that is returned twice has one name
        return [(chosen.name(name), recorded[name]) for name in self.delivered if name in recorded]


def recorder_of(chosen, recorded):
    """An interpreter that runs a graph node by node, and keeps the requested results."""
    class Recorder(torch.fx.Interpreter):
        def run_node(self, node):
            value = super().run_node(node)
            if isinstance(value, torch.Tensor) and chosen.wants(node.name) and \
                    node.op not in ("placeholder", "get_attr", "output"):
                recorded[node.name] = value.clone()  # nodes after it may write to it
            return value
    return Recorder


class Script(Session):
    """TorchScript."""

    def __init__(self, model, options):
        super().__init__(options)
        refuse_intermediates(options, "TorchScript")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # that TorchScript is old: the user has it
                module = torch.jit.load(model.path, map_location=self.device)
        except Exception as error:
            raise unreadable(model.path, "TorchScript", error) from None
        schema = module.forward.schema
        types = [value.type() for value in module.graph.inputs()][1:]
        for argument, kind in zip(schema.arguments[1:], types):
            known = Tensor(argument.name)
            if kind.kind() == "TensorType":
                sizes, dtype = kind.sizes(), kind.dtype()
                known = Tensor(argument.name, dtype_name(dtype) if dtype else "", sizes)
            if model.declared.get(argument.name) is not None:
                known.shape = model.declared[argument.name]
            self.inputs.append(known)
        returned = schema.returns[0].type
        if returned.kind() == "TensorType":
            self.outputs = [Tensor("output")]
        elif returned.kind() == "TupleType":
            self.outputs = [Tensor("output_%d" % i) for i in range(len(returned.elements()))]
        self.module = self.moved(module.eval())

    def run(self, feeds):
        return named_results(self.module(*[self.feed(feeds, tensor.name) for tensor in self.inputs]))


class Package(Session):
    """A package that AOTInductor has compiled."""

    def __init__(self, model, options):
        super().__init__(options)
        refuse_intermediates(options, "an AOTInductor package")
        for key, option in (("dtype", "--torch-dtype"), ("compile", "--torch-compile")):
            if options.has(key):
                raise Failure("%s: %s is already compiled" % (option, model.path), status=BAD_OPTION)
        try:
            self.module = torch._inductor.aoti_load_package(model.path)
            in_spec = torch.utils._pytree.treespec_loads(self.module.loader.get_call_spec()[0])
        except Exception as error:
            raise unreadable(model.path, "an AOTInductor package", error) from None
        self.in_spec = in_spec
        args, kwargs = torch.utils._pytree.tree_unflatten(list(range(in_spec.num_leaves)), in_spec)
        names = {}
        for name, value in named_parts("input", list(args)) + named_results(kwargs):
            names[value] = name.replace("input.", "input_")
        self.names = [names.get(i, "input_%d" % i) for i in range(in_spec.num_leaves)]
        self.inputs = [tensor_of(name, None, model.declared) for name in self.names]

    def run(self, feeds):
        leaves = [self.feed(feeds, name) for name in self.names]
        args, kwargs = torch.utils._pytree.tree_unflatten(leaves, self.in_spec)
        return named_results(self.module(*args, **kwargs))


class Arguments:
    """How example inputs, or the names of forward()'s parameters, become its arguments."""

    def __init__(self, module, examples, declared):
        parameters = inspect.signature(module.forward).parameters.values()
        by_position = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        rest = next((each.name for each in parameters if each.kind == each.VAR_POSITIONAL), None)
        if isinstance(examples, torch.Tensor):
            examples = (examples,)
        if isinstance(examples, dict):
            self.positional, self.named = [], list(examples)
        elif examples is not None:
            names = [each.name for each in by_position]
            names += ["%s_%d" % (rest, i) for i in range(len(examples) - len(names))] if rest else []
            if len(examples) > len(names):
                raise Failure("there are %d example inputs, but forward() takes %d" % (len(examples), len(names)))
            self.positional, self.named = names[:len(examples)], []
            examples = dict(zip(names, examples))
        else:
            named = [each for each in parameters if each.kind == each.KEYWORD_ONLY]
            wanted = [each.name for each in by_position + named
                      if each.default is each.empty or each.name in declared]
            self.positional = [each.name for each in by_position if each.name in wanted and each.default is each.empty]
            self.named = [name for name in wanted if name not in self.positional]
            examples = dict.fromkeys(wanted)
        self.constants, self.inputs = {}, []
        for name, value in examples.items():
            if type(value).__module__ == "numpy":
                value = torch.as_tensor(value)
            if isinstance(value, (bool, int, float, str)):
                self.constants[name] = value
            elif value is None or isinstance(value, torch.Tensor):
                self.inputs.append(tensor_of(name, value, declared))
            else:
                raise Failure("example input '%s' is of type %s" % (name, type(value).__name__),
                              "Inputs are tensors and arrays; numbers and texts stay as they are. Wrap the module in one "
                              "that converts tensors to its inputs.")

    def call(self, function, feeds):
        values = {**self.constants, **feeds}
        return function(*[values[name] for name in self.positional], **{name: values[name] for name in self.named})


class Module(Session):
    """An nn.Module that a function of a script returns, alone or with example inputs."""

    def __init__(self, model, options):
        super().__init__(options)
        made = call_function(model.path)
        module, examples = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
        if not isinstance(module, torch.nn.Module):
            raise Failure("%s returned %s" % (model.path, type(module).__name__),
                          "It must return an nn.Module, or a tuple of one and its example inputs: a tensor, a tuple of "
                          "them, or a dict by name.")
        self.module = self.moved(module.eval())
        self.arguments = Arguments(self.module, examples, model.declared)
        self.inputs = self.arguments.inputs
        self.paths = {path: each for path, each in module.named_modules() if path}
        self.onnx = OnnxNames(options.value("names_from")) if options.has("names_from") else None
        if self.onnx:
            torch.backends.mha.set_fastpath_enabled(False)  # it calls no modules; the exporter does not take it
        self.chosen = Chosen(options, self.paths, self.onnx.made if self.onnx else [], None, "module")
        self.callable, self.told = self.compiled(self.module, options), False

    def run(self, feeds):
        values = {tensor.name: self.feed(feeds, tensor.name) for tensor in self.inputs}
        if self.onnx:
            return self.run_with_names_of_onnx(values)
        recorded, calls, hooks = [], collections.Counter(), []

        def recorder(path):
            def record(module, args, result):
                name = named_call(path, calls)
                recorded.extend((part, value.clone()) for part, value in named_parts(name, result)
                                if isinstance(value, torch.Tensor))
            return record

        if self.chosen.any:
            hooks = [module.register_forward_hook(recorder(path)) for path, module in self.paths.items()
                     if self.chosen.wants(path)]
        try:
            results = named_results(self.arguments.call(self.callable, values))
        finally:
            for hook in hooks:
                hook.remove()
        for path in self.chosen.asked:
            if not calls[path]:
                raise not_called(path)
        own, names = results if not self.chosen.any or self.chosen.all else [], {name for name, _ in recorded}
        return recorded + [(name, value) for name, value in own if name not in names]

    def run_with_names_of_onnx(self, values):
        """Results of modules and of the model, each tensor once, under its name in the ONNX model, if unambiguous."""
        chosen = self.chosen
        if not chosen.any:
            results = named_results(self.arguments.call(self.callable, values))
            own = self.names_of_results(results)
            return [(own.get(name, name), value) for name, value in results]
        results, returned, made, calls = self.traced(values)
        names, own = self.onnx.of_tensors(made), self.names_of_results(results)
        known = [(name, name, own.get(name), value) for name, value in results]
        known += [(path, label, names.get(tensor), value) for path, label, tensor, value in returned]
        found, answered = {}, set()
        for path, _, name, value in known:
            if name and (chosen.all or not chosen.asked.keys().isdisjoint((path, name))):
                found.setdefault(name, value)
                answered.update((path, name))
        for asked in chosen.asked:
            if asked in self.paths and not calls[asked]:
                raise not_called(asked)
            if asked not in answered:
                raise Failure("--torch-outputs: %s has no unambiguous counterpart of '%s'" % (self.onnx.path, asked),
                              "Leave out --torch-names-from, or this name.", BAD_OPTION)
        if chosen.all and not self.told:
            self.told = True
            self.onnx.tell_missing([label for _, label, name, _ in known if not name], len(known))
        places = {name: i for i, name in enumerate(self.onnx.made)}
        return sorted(found.items(), key=lambda pair: places.get(pair[0], -1))

    def names_of_results(self, results):
        return self.onnx.of_results({name: Made.of(value) for name, value in results
                                     if isinstance(value, torch.Tensor)})

    def traced(self, values):
        """The model's results; (path, name, Made, value) of modules' results; all that is made; calls by path."""
        from polygraphy_module_trace import Trace
        calls, found, kept = collections.Counter(), [], {}

        def returned(path, result):
            for part, value in named_parts(named_call(path, calls), result):
                if isinstance(value, torch.Tensor):
                    made = trace.find(value)
                    if made is not None and made not in kept:
                        kept[made] = value.clone()  # later nodes may write to it
                    found.append((path, part, made, kept.get(made)))

        trace = Trace(self.paths, returned)
        with trace:
            results = named_results(self.arguments.call(self.callable, values))
        trace.read(results, frozenset())
        return results, found, trace.made, calls


def named_call(path, calls):
    """The name of a module's results: its path, and the number of its call behind the first."""
    name = path + ("@%d" % calls[path] if calls[path] else "")
    calls[path] += 1
    return name


def not_called(path):
    return Failure("--torch-outputs: module '%s' is not called in forward()" % path)


def refuse_intermediates(options, form):
    for key, option in (("outputs", "--torch-outputs"), ("names_from", "--torch-names-from")):
        if options.has(key):
            raise Failure("%s: %s does not provide its intermediate results" % (option, form),
                          "Programs of torch.export (*.pt2) and modules of a script do.", UNSUPPORTED)


def is_script(path):
    return path.endswith(".py") or ".py:" in os.path.basename(path)


def script_of(path):
    """Its file, and the function in it."""
    file, _, function = path.rpartition(":") if not path.endswith(".py") else (path, "", FUNCTION)
    return file, function


def call_function(path):
    file, function = script_of(path)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(file))[0], file)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    made = getattr(script, function, None)
    if made is None:
        raise Failure("%s has no function %s" % (file, function),
                      nearest(function, [name for name, each in vars(script).items() if callable(each)]))
    return made if isinstance(made, torch.nn.Module) else made()


def unreadable(path, form, error):
    text = str(error).strip().splitlines()
    return Failure("%s cannot be read as %s by torch %s: %s" %
                   (path, form, torch.__version__, text[0] if text else type(error).__name__))


def refuse(model):
    form_of(model)


def form_of(model):
    path = model.path
    if is_script(path):
        if not os.path.exists(script_of(path)[0]):
            raise Failure("there is no script '%s'" % script_of(path)[0])
        return Module
    if not os.path.exists(path):
        raise Failure("there is no file '%s'" % path)
    try:
        with zipfile.ZipFile(path) as archive:
            names = ["/".join(name.split("/")[1:]) for name in archive.namelist()] + archive.namelist()
    except (zipfile.BadZipFile, OSError):
        raise not_runnable(path, "it is not an archive of PyTorch") from None
    if any(name.startswith("data/aotinductor/") for name in names):
        return Package
    if any(name.startswith("models/") or name == "serialized_exported_program.json" for name in names):
        return Exported
    if "constants.pkl" in names or any(name.startswith("code/") for name in names):
        return Script
    if "data.pkl" in names:
        raise not_runnable(path, "it holds weights or a pickled object, but no program")
    raise not_runnable(path, "it is an archive, but not one of PyTorch")


def not_runnable(path, reason):
    return Failure("%s cannot be run by PyTorch: %s" % (path, reason),
                   "Supported: a program of torch.export.save (*.pt2), TorchScript (*.pt), a package of "
                   "AOTInductor (*.pt2), or FILE.py:FUNCTION, which returns an nn.Module.")


class BackEnd(TensorValues):
    def __init__(self):
        global torch
        torch = import_torch()

    def load(self, model, options):
        return form_of(model)(model, options)
