"""Reads the records of torch.onnx.export(..., dynamo=True) in an ONNX model about its PyTorch model."""
import ast
import re
import sys

from polygraphy_back_end import Failure, NAMES, UNAVAILABLE
from polygraphy_made_tensors import Made, correspondence


class OnnxNames:
    """Results of nodes of the exported graph, and the modules that make them."""

    def __init__(self, path):
        try:
            import onnx
        except ImportError:
            raise Failure("--torch-names-from needs onnx, which %s lacks" % sys.executable,
                          "Install it there: `%s -m pip install onnx`." % sys.executable, UNAVAILABLE) from None
        try:
            graph = onnx.load(path, load_external_data=False).graph
        except Exception as error:
            raise Failure("--torch-names-from: %s cannot be read: %s" % (path, error)) from None
        self.path, self.by_node, self.made = path, {}, {}  # made: by name, in the order of the graph
        self.results = list(dict.fromkeys(value.name for value in graph.output))
        types = {value.name: value.type.tensor_type for value in [*graph.value_info, *graph.output]
                 if value.type.HasField("tensor_type")}
        for node in graph.node:
            facts = {entry.key: entry.value for entry in node.metadata_props}
            fx_node = facts.get("pkg.torch.onnx.fx_node", "")
            if fx_node.startswith("%") and node.output:
                self.by_node[computation_of(fx_node)] = node.output[0]
            scopes = scopes_of(facts.get("pkg.torch.onnx.name_scopes", ""))
            self.read(read_by(node), scopes)
            for name in filter(None, node.output):
                self.made[name] = Made(scopes or frozenset(), *known_of(types.get(name)))
        self.read(self.results, frozenset())
        if not self.by_node and not any(made.scopes for made in self.made.values()):
            raise Failure("--torch-names-from: the nodes of %s do not name their counterparts in PyTorch" % path,
                          "torch.onnx.export(..., dynamo=True) writes the names, as metadata pkg.torch.onnx.*.")

    def read(self, names, scopes):
        for name in names:
            if name in self.made:
                self.made[name].readers.add(scopes)

    def of_nodes(self, nodes, results):
        """Names of those that the ONNX model computes with the same operator of the same arguments, and of the model's
        results, which are in the same order. A name alone proves nothing: the exporter has made other nodes of some."""
        names = {node.name: self.by_node.get(computation_of(node.format_node())) for node in nodes}
        names = {**dict.fromkeys(results), **names, **self.of_results(results)}
        self.tell_missing([name for name, there in names.items() if not there], len(names))
        return {here: there for here, there in names.items() if there}

    def of_results(self, results):
        """Names of the model's results, {name: Made}, which are in the same order; none where they do not fit."""
        theirs = [self.made.get(name) for name in self.results]
        fit = len(results) == len(theirs) and all(
            there is None or here.may_be(there) for here, there in zip(results.values(), theirs))
        return dict(zip(results, self.results)) if fit else {}

    def of_tensors(self, made):
        """{Made: name} of those tensors that leave modules of PyTorch, and the same modules of the ONNX model."""
        names = {there: name for name, there in self.made.items()}
        return {here: names[there] for here, there in correspondence(made, self.made.values()).items()}

    def tell_missing(self, missing, count):
        if len(missing) == count:
            raise Failure("--torch-names-from: %s has none of this model's results" % self.path,
                          "Give the result of torch.onnx.export for the same model.")
        if missing:
            print("%d of %d results have a counterpart in %s. Without a counterpart: %s" %
                  (count - len(missing), count, self.path, ", ".join(missing)))


def read_by(node):
    """Names of the tensors that a node reads, also in its bodies from outer graphs."""
    yield from node.input
    for attribute in node.attribute:
        for body in [attribute.g, *attribute.graphs]:
            yield from (value.name for value in body.output)
            for each in body.node:
                yield from read_by(each)


def known_of(type_):
    """Data type and shape of a tensor type."""
    if type_ is None or not type_.HasField("shape"):
        return None, None
    shape = [dim.dim_value if dim.HasField("dim_value") else None for dim in type_.shape.dim]
    return NAMES.get(type_.elem_type), shape


def computation_of(fx_node):
    """The text of a node without the exporter's changes: its number of users, and numbers, which become tensors."""
    text = re.sub(r" : (\S+ )?\[num_users=\d+\] = ", " = ", fx_node.strip())
    return re.sub(r"%scalar_tensor_default(_\d+)?\b|(?<=[(\[ ])-?\d[\d.e+-]*(?=[,)\]])", "#", text)


def scopes_of(text):
    """Paths of the modules around a node, without the last path, its own name, and the first, the whole model's. None
    if the model records none."""
    try:
        scopes = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    if not isinstance(scopes, list):
        return None
    return frozenset(re.sub(r"@\d+$", "", scope) for scope in scopes[:-1] if scope)
