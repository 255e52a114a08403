"""PyTorch, run by the user's own torch: exported programs, TorchScript, AOTInductor packages, and modules that a
function of a script makes. See host.py for what a back end is."""
import ast
import importlib.util
import inspect
import os
import sys
import warnings
import zipfile

from polygraphy_back_end import BAD_OPTION, Failure, Tensor, UNAVAILABLE, UNSUPPORTED
from polygraphy_torch_tensors import TensorValues, dense, dtype_name, import_torch, torch_dtype

MODULE = "torch"
MARK_ALL = "mark all"
FUNCTION = "load_model"  # of a script, where none is named


def info():
    return "", 0, 0


# ---- Names and shapes

def tensor_of(name, value, declared):
    """What is known of an input or output, by a tensor that stands for it."""
    shape = dtype = None
    if isinstance(value, torch.Tensor):
        shape = [dim if isinstance(dim, int) else str(dim) for dim in value.shape]
        dtype = dtype_name(value.dtype)
    if name in declared and declared[name] is not None:
        shape = declared[name]
    return Tensor(name, dtype or "", shape)


def named_results(result, names=None):
    """(name, value) of what a module returns: dictionaries have names, others are numbered."""
    if isinstance(result, dict):
        return [pair for key, value in result.items() for pair in named_parts(str(key), value)]
    if isinstance(result, (list, tuple)):
        names = names or ["output_%d" % i for i in range(len(result))]
        return [pair for name, value in zip(names, result) for pair in named_parts(name, value)]
    return [((names or ["output"])[0], result)]


def named_parts(name, value):
    if isinstance(value, dict):
        return [pair for key, each in value.items() for pair in named_parts("%s.%s" % (name, key), each)]
    if isinstance(value, (list, tuple)):
        return [pair for i, each in enumerate(value) for pair in named_parts("%s.%d" % (name, i), each)]
    return [(name, value)]


class OnnxNames:
    """What the exporter's metadata in an ONNX model says: which tensor is the result of which node of the exported
    graph, and of which module."""

    def __init__(self, path):
        try:
            import onnx
        except ImportError:
            raise Failure("--torch-names-from needs onnx, which %s lacks" % sys.executable,
                          "Install it there: `%s -m pip install onnx`." % sys.executable, UNAVAILABLE) from None
        try:
            model = onnx.load(path, load_external_data=False)
        except Exception as error:
            raise Failure("--torch-names-from: %s cannot be read: %s" % (path, error)) from None
        self.by_node, self.by_module = {}, {}
        for node in model.graph.node:
            if not node.output:
                continue
            facts = {entry.key: entry.value for entry in node.metadata_props}
            fx_node = facts.get("pkg.torch.onnx.fx_node", "")
            if fx_node.startswith("%"):
                self.by_node[fx_node[1:].split(" ", 1)[0]] = node.output[0]
            for scope in scopes_of(facts.get("pkg.torch.onnx.name_scopes", ""))[:-1]:
                if scope:
                    self.by_module[scope] = node.output[0]
        if not self.by_node and not self.by_module:
            raise Failure("--torch-names-from: the nodes of %s do not say what of PyTorch they are" % path,
                          "torch.onnx.export(..., dynamo=True) writes it, as metadata pkg.torch.onnx.*.")


def scopes_of(text):
    try:
        scopes = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return []
    return scopes if isinstance(scopes, list) else []


class Chosen:
    """Which intermediate results become outputs, and under which names: --torch-outputs, --torch-names-from."""

    def __init__(self, options, known, results, names, what):
        asked = options.values("outputs")
        self.all = asked in (["mark", "all"], [MARK_ALL], ["*"])
        self.names = names  # of results in PyTorch -> in the ONNX model
        self.any = bool(asked)
        theirs = {there: here for here, there in names.items()}
        self.asked = [theirs.get(name, name) for name in asked] if not self.all else []
        known = list(known)
        for typed, name in zip(asked, self.asked):
            if name not in known and name not in results:
                raise Failure("--torch-outputs: there is no %s '%s'" % (what, typed),
                              nearest(typed, known + list(results)), BAD_OPTION)

    def wants(self, name):
        return self.all or name in self.asked

    def name(self, name):
        return self.names.get(name, name)

    def of_results(self, results):
        """The model's own results, where they are asked for."""
        return [(name, value) for name, value in results if not self.any or self.wants(name)]


def nearest(name, known):
    import difflib
    similar = difflib.get_close_matches(name, known, 3, 0.4)
    if similar:
        return "Similar: " + ", ".join(similar)
    return "There are: " + ", ".join(known[:10]) + (" ..." if len(known) > 10 else "")


# ---- The forms of models

class Session:
    """What all forms have in common: feeds by name become arguments."""

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
        if name not in feeds:
            raise Failure("no value was given for input '%s'" % name)
        value = feeds[name]
        if not isinstance(value, torch.Tensor):
            raise Failure("input '%s' is no tensor: PyTorch takes nothing else" % name, status=UNSUPPORTED)
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

    def check_names(self, feeds):
        known = [tensor.name for tensor in self.inputs]
        for name in feeds:
            if name not in known:
                raise Failure("the model has no input '%s'" % name)

    def infer(self, feeds):
        self.check_names(feeds)
        with torch.no_grad():
            return [(name, None if value is None else dense(value)) for name, value in self.run(feeds)]

    def compiled(self, module, options):
        return torch.compile(module) if options.has("compile") else module


class Exported(Session):
    """A program of torch.export."""

    def __init__(self, model, options):
        super().__init__(options)
        try:
            self.program = torch.export.load(model.path)
        except Exception as error:
            raise unreadable(model.path, "an exported program", error) from None
        signature = self.program.graph_signature
        self.leaves = list(signature.user_inputs)  # names, or values of inputs that are constants
        stand_ins = {node.name: node.meta.get("val") for node in self.program.graph.nodes}
        placeholders = [node.name for node in self.program.graph.nodes if node.op == "placeholder"]
        for leaf in self.leaves:
            if isinstance(leaf, str) and leaf in placeholders:
                self.inputs.append(tensor_of(leaf, stand_ins[leaf], model.declared))
        self.module = self.moved(self.program.module())
        self.results = ["output_%d" % i if not isinstance(name, str) else name
                        for i, name in enumerate(signature.user_outputs)]
        names = OnnxNames(options.value("names_from")).by_node if options.has("names_from") else {}
        self.nodes = [node.name for node in self.module.graph.nodes
                      if node.op in ("call_function", "call_method", "call_module")
                      and isinstance(stand_ins.get(node.name), torch.Tensor)]
        self.chosen = Chosen(options, self.nodes, self.results, names, "result")
        self.outputs = [tensor_of(self.chosen.name(name), stand_ins.get(name), {}) for name in self.output_names()]
        if not self.chosen.any:
            self.module = self.compiled(self.module, options)
        elif options.has("compile"):
            raise Failure("--torch-compile fuses what --torch-outputs asks for", "Leave one of them out.", BAD_OPTION)

    def output_names(self):
        inner = [name for name in self.nodes if self.chosen.any and self.chosen.wants(name)]
        own = [name for name in self.results if not self.chosen.any or self.chosen.wants(name)]
        return inner + [name for name in own if name not in inner]

    def run(self, feeds):
        leaves = [self.feed(feeds, leaf) if isinstance(leaf, str) else leaf for leaf in self.leaves]
        args, kwargs = torch.utils._pytree.tree_unflatten(leaves, self.program.call_spec.in_spec)
        if not self.chosen.any:
            result = self.module(*args, **kwargs)
            return [(self.chosen.name(name), value) for name, value in
                    zip(self.results, torch.utils._pytree.tree_leaves(result))]
        recorded, chosen = {}, self.chosen

        class Recorder(torch.fx.Interpreter):
            def run_node(self, node):
                value = super().run_node(node)
                if isinstance(value, torch.Tensor) and chosen.wants(node.name) and \
                        node.op not in ("placeholder", "get_attr", "output"):
                    recorded[node.name] = value.clone()  # nodes after it may write to it
                return value

        flat = torch.utils._pytree.tree_leaves((args, kwargs))
        result = Recorder(self.module).run(*flat, enable_io_processing=False)
        for name, value in zip(self.results, torch.utils._pytree.tree_leaves(result)):
            if chosen.wants(name):
                recorded.setdefault(name, value)
        return [(chosen.name(name), recorded[name]) for name in self.output_names() if name in recorded]


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
    """What AOTInductor has compiled."""

    def __init__(self, model, options):
        super().__init__(options)
        refuse_intermediates(options, "an AOTInductor package")
        for key, option in (("dtype", "--torch-dtype"), ("compile", "--torch-compile")):
            if options.has(key):
                raise Failure("%s: %s is compiled already" % (option, model.path), status=BAD_OPTION)
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


class Module(Session):
    """An nn.Module that a function of a script returns, alone or with example inputs."""

    def __init__(self, model, options):
        super().__init__(options)
        made = call_function(model.path)
        module, examples = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
        if not isinstance(module, torch.nn.Module):
            raise Failure("%s returned %s" % (model.path, type(module).__name__),
                          "It is to return an nn.Module, or a tuple of one and its example inputs: a tensor, a tuple of "
                          "them, or a dict by name.")
        self.module = self.moved(module.eval())
        parameters = [name for name, parameter in inspect.signature(module.forward).parameters.items()
                      if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)]
        required = [name for name, parameter in inspect.signature(module.forward).parameters.items()
                    if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
                    and parameter.default is parameter.empty]
        if isinstance(examples, torch.Tensor):
            examples = (examples,)
        if not isinstance(examples, dict):
            examples = dict(zip(parameters, examples or ()))
        names = list(examples) or [name for name in parameters if name in required or name in model.declared]
        self.inputs = [tensor_of(name, examples.get(name), model.declared) for name in names]
        onnx_names = OnnxNames(options.value("names_from")).by_module if options.has("names_from") else {}
        self.paths = {path: each for path, each in module.named_modules() if path}
        self.chosen = Chosen(options, self.paths, [], onnx_names, "module")
        if self.chosen.any and options.has("compile"):
            raise Failure("--torch-compile fuses what --torch-outputs asks for", "Leave one of them out.", BAD_OPTION)
        self.callable = self.compiled(self.module, options)

    def run(self, feeds):
        arguments = {tensor.name: self.feed(feeds, tensor.name) for tensor in self.inputs}
        recorded, hooks = [], []

        def recorder(path):
            def record(module, args, result):
                calls = sum(each == path for each, _, _ in recorded)
                name = self.chosen.name(path) + ("@%d" % calls if calls else "")
                recorded.append((path, name, [(part, value.clone()) for part, value in named_parts(name, result)
                                              if isinstance(value, torch.Tensor)]))
            return record

        if self.chosen.any:
            hooks = [module.register_forward_hook(recorder(path)) for path, module in self.paths.items()
                     if self.chosen.wants(path)]
        try:
            results = named_results(self.callable(**arguments))
        finally:
            for hook in hooks:
                hook.remove()
        inner = [pair for _, _, parts in recorded for pair in parts]
        return inner + (results if not self.chosen.any or self.chosen.all else [])


def refuse_intermediates(options, form):
    for key, option in (("outputs", "--torch-outputs"), ("names_from", "--torch-names-from")):
        if options.has(key):
            raise Failure("%s: %s does not tell its intermediate results" % (option, form),
                          "Programs of torch.export (*.pt2) and modules of a script do.", UNSUPPORTED)


def call_function(path):
    file, _, function = path.rpartition(":") if not path.endswith(".py") else (path, "", FUNCTION)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(file))[0], file)
    script = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(script)
    except FileNotFoundError:
        raise Failure("there is no script '%s'" % file) from None
    made = getattr(script, function, None)
    if made is None:
        raise Failure("%s has no function %s" % (file, function),
                      nearest(function, [name for name, each in vars(script).items() if callable(each)]))
    return made()


def unreadable(path, form, error):
    text = str(error).strip().splitlines()
    return Failure("%s cannot be read as %s by torch %s: %s" %
                   (path, form, torch.__version__, text[0] if text else type(error).__name__))


def form_of(model):
    path = model.path
    if path.endswith(".py") or ".py:" in os.path.basename(path):
        return Module
    if not os.path.exists(path):
        raise Failure("there is no file '%s'" % path)
    try:
        with zipfile.ZipFile(path) as archive:
            names = ["/".join(name.split("/")[1:]) for name in archive.namelist()] + archive.namelist()
    except (zipfile.BadZipFile, OSError):
        raise not_runnable(path, "it is no archive of PyTorch") from None
    if any(name.startswith("data/aotinductor/") for name in names):
        return Package
    if any(name.startswith("models/") or name == "serialized_exported_program.json" for name in names):
        return Exported
    if "constants.pkl" in names or any(name.startswith("code/") for name in names):
        return Script
    if "data.pkl" in names:
        raise not_runnable(path, "it holds weights or a pickled object, and no program")
    raise not_runnable(path, "it is an archive, and none of PyTorch's")


def not_runnable(path, reason):
    return Failure("%s cannot be run by PyTorch: %s" % (path, reason),
                   "What runs: a program of torch.export.save (*.pt2), TorchScript (*.pt), a package of "
                   "AOTInductor (*.pt2), or FILE.py:FUNCTION, which returns an nn.Module.")


class BackEnd(TensorValues):
    def __init__(self):
        global torch
        torch = import_torch()

    def load(self, model, options):
        return form_of(model)(model, options)
