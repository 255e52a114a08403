"""ONNX models of operators that have a reference in NumPy here or in a script of the user's: something to compare
plugins with. host.py describes back ends."""
import importlib.util
import os
import sys
import types

from polygraphy_back_end import BAD_OPTION, Failure
from polygraphy_onnx_models import check_feeds, import_onnx, inputs_of, outputs_of, read_model

MODULE = "onnx"
REFERENCES = {}
THEIRS = "polygraphy.backend.pluginref.references"


def info():
    return "CPU", import_onnx().IR_VERSION, 0


def register(op):
    """A decorator: the function is called with the attributes of a node of this operator and the values of its inputs,
    None for one that is left out, and returns a list of its outputs."""
    def set_reference(function):
        REFERENCES[op] = function
        return function
    return set_reference


@register("Identity")
def identity(attrs, x):
    return [x]


@register("InstanceNormalization")
def instance_normalization(attrs, x, scale, bias):
    spatial = tuple(range(2, x.ndim))
    by_channel = (1, -1) + (1,) * len(spatial)
    deviation = x - x.mean(axis=spatial, keepdims=True)
    spread = numpy.sqrt(x.var(axis=spatial, keepdims=True) + attrs.get("epsilon", 1e-5))
    return [scale.reshape(by_channel) * (deviation / spread) + bias.reshape(by_channel)]


@register("MeanVarianceNormalization")
def mean_variance_normalization(attrs, x):
    axes = tuple(attrs.get("axes", (0, 2, 3)))
    mean = x.mean(axis=axes, keepdims=True)
    variance = (x**2).mean(axis=axes, keepdims=True) - mean**2
    return [(x - mean) / (numpy.sqrt(variance) + 1e-9)]


def run_script(path):
    """Its functions register themselves as they do with the package polygraphy, whether or not that is installed."""
    references = types.ModuleType(THEIRS)
    references.register, references.OP_REGISTRY = register, REFERENCES
    installed = importlib.util.find_spec("polygraphy") is not None
    parts = THEIRS.split(".")
    for i in range(1, len(parts)):
        name = ".".join(parts[:i])
        if not installed and name not in sys.modules:
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__path__ = []
            if i > 1:
                setattr(sys.modules[".".join(parts[:i - 1])], parts[i - 1], sys.modules[name])
    sys.modules[THEIRS] = references
    if not installed:
        sys.modules[THEIRS.rpartition(".")[0]].references = references
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    if spec is None or not os.path.exists(path):
        raise Failure("--pluginref-scripts: there is no script '%s'" % path, status=BAD_OPTION)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def attribute(value):
    value = onnx.helper.get_attribute_value(value)
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return value.decode() if isinstance(value, bytes) else value


class Session:
    def __init__(self, model):
        self.graph = model.graph
        self.constants = {each.name: onnx.numpy_helper.to_array(each) for each in model.graph.initializer}
        self.inputs, self.outputs = inputs_of(model.graph), outputs_of(model.graph)

    def infer(self, feeds):
        check_feeds(self.inputs, feeds)
        values = {**self.constants, **feeds, "": None}
        for node in self.graph.node:
            reference = REFERENCES.get(node.op_type)
            if node.op_type == "Constant" and reference is None:
                values[node.output[0]] = next(iter(attribute(each) for each in node.attribute))
                continue
            if reference is None:
                raise Failure("Op: %s does not have a reference implementation registered!" % node.op_type,
                              "Registered: %s. Add others with --pluginref-scripts; --reference has every operator "
                              "of ONNX." % ", ".join(sorted(REFERENCES)))
            for name in node.input:
                if name not in values:
                    raise Failure("input '%s' of node '%s' (%s) has no value: no earlier node produces it" %
                                  (name, node.name, node.op_type))
            results = reference({each.name: attribute(each) for each in node.attribute},
                                *[values[name] for name in node.input])
            results = results if isinstance(results, (list, tuple)) else [results]
            values.update(zip(node.output, results))
        return [(tensor.name, values[tensor.name]) for tensor in self.outputs]


class BackEnd:
    def __init__(self):
        global numpy, onnx
        onnx = import_onnx()
        import numpy

    def load(self, model, options):
        for script in options.values("scripts"):
            run_script(script)
        return Session(read_model(model))
