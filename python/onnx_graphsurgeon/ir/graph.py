"""Graphs: nodes, the tensors at their ends, and the operations on them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List, Sequence

from onnx_graphsurgeon import _core
from onnx_graphsurgeon.ir._graph_layers import GraphLayers
from onnx_graphsurgeon.ir._graph_tensors import GraphTensors, NodeIDAdder
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Constant, Tensor
from onnx_graphsurgeon.logger.logger import G_LOGGER, LogMode
from onnx_graphsurgeon.util import misc

if TYPE_CHECKING:
    from collections import OrderedDict

    from onnx_graphsurgeon.ir.function import Function

_PARTS = ("nodes", "inputs", "outputs")
_TOPOSORT_MODES = ["full", "nodes", "functions"]
_PARTITIONINGS = [None, "basic", "recursive"]

# As of this module for messages and pickles.
NodeIDAdder.__module__ = __name__


class Graph(GraphTensors, GraphLayers):
    """Nodes, and the tensors that go in and out.

    Attributes:
        nodes: The nodes, a list.
        inputs, outputs: The tensors at the ends, plain lists.
        name, doc_string: For readers of the model.
        opset: The version of ONNX's operators. Setting it also sets it in `import_domains`.
        import_domains: The versions of all operator sets, as onnx.OperatorSetIdProto, or None.
        producer_name, producer_version: The program that made the model.
        ir_version: The version of the file format; None for the newest that ONNX knows.
        functions: The local functions of the model: one list for the graph, its subgraphs and the
            functions. Assigning to it replaces the contents of the list.
        name_idx: The number in the next generated name.
    """

    DEFAULT_OPSET = 11
    OPSET_FUNC_MAP: dict[int, dict[str, Callable]] = defaultdict(dict)
    GLOBAL_FUNC_MAP: dict[str, Callable] = {}

    nodes: List[Node]
    inputs: List[Tensor]
    outputs: List[Tensor]
    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def register(opsets: Iterable[int] | None = None) -> Callable[[Callable], Callable]:
        """A decorator that makes `function(graph, ...)` callable as `graph.function(...)`.

        Args:
            opsets: Versions for graphs of which it is meant; without any, it is for all graphs.
        """

        def register_func(func: Callable) -> Callable:
            name = func.__name__
            if hasattr(Graph, name) or name in ("nodes", "inputs", "outputs"):
                G_LOGGER.warning(
                    f"Registered function: {name} is hidden by a Graph attribute or function with "
                    "the same name. This function will never be called!"
                )
            if opsets is None:
                Graph.GLOBAL_FUNC_MAP[name] = func
            else:
                for opset in opsets:
                    Graph.OPSET_FUNC_MAP[opset][name] = func
            return func

        return register_func

    def __init__(
        self,
        nodes: Sequence[Node] | None = None,
        inputs: Sequence[Tensor] | None = None,
        outputs: Sequence[Tensor] | None = None,
        name: str | None = None,
        doc_string: str | None = None,
        opset: int | None = None,
        import_domains: Any = None,
        producer_name: str | None = None,
        producer_version: str | None = None,
        functions: "Sequence[Function] | None" = None,
        ir_version: int | None = None,
    ):
        """See the attributes. `nodes` is kept, the other lists are copied.

        Args:
            nodes: The nodes, in any order.
            inputs: Tensors that are fed.
            outputs: Tensors that are returned.
            name: The name.
            doc_string: A description.
            opset: The version of the standard operators.
            import_domains: Versions of other domains' operators.
            producer_name: The program that wrote the model.
            producer_version: Its version.
            functions: The functions that nodes may call.
            ir_version: The version of the file format.
        """
        self.nodes = [] if nodes is None else nodes  # type: ignore[assignment]
        self.inputs = list(misc.default_value(inputs, []))
        self.outputs = list(misc.default_value(outputs, []))
        self.name = misc.default_value(name, "onnx_graphsurgeon_graph")
        self.__name__ = self.name
        self.doc_string = misc.default_value(doc_string, "")
        self.opset = misc.default_value(opset, Graph.DEFAULT_OPSET)
        self.producer_name = misc.default_value(producer_name, "")
        self.producer_version = misc.default_value(producer_version, "")
        self.import_domains = import_domains
        self.ir_version = ir_version
        self.name_idx = 0
        self._functions: list[Function] = list(misc.default_value(functions, []))
        self._merge_subgraph_functions()
        G_LOGGER.ultra_verbose(lambda: f"Created Graph: {self}")

    def __getattr__(self, name: str) -> Any:
        """A registered or local function of that name, for calling on this graph."""
        if name in _PARTS:
            self._make_objects()
            if name in self.__dict__:
                return self.__dict__[name]
        missing = AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if name.startswith("__") or "_functions" not in self.__dict__:
            raise missing
        candidates: list[tuple[str, Callable]] = []
        registered = f'GraphSurgeon-registered function "{name}"'
        if name in Graph.OPSET_FUNC_MAP.get(self.opset, {}):
            found = Graph.OPSET_FUNC_MAP[self.opset][name]
            candidates.append((f"{registered} with opset {self.opset}", found))
        if name in Graph.GLOBAL_FUNC_MAP:
            candidates.append((registered, Graph.GLOBAL_FUNC_MAP[name]))
        for function in self._functions:
            if function.name == name:
                description = f'Local Function "{name}" with domain "{function.domain}"'
                candidates.append((description, function.__call__))
        if not candidates:
            opsets = {opset for opset, known in Graph.OPSET_FUNC_MAP.items() if name in known}
            note = f"Note: '{name}' was registered for opsets: {opsets}." if opsets else ""
            G_LOGGER.error(f"Function: '{name}' was not registered for opset {self.opset}. {note}")
            raise missing
        if len(candidates) > 1:
            G_LOGGER.warning(
                f"Method name {name} is overloaded with the following candidates: "
                f"{[description for description, _ in candidates]}. "
                f"Choosing candidate {candidates[0][0]}",
                mode=LogMode.ONCE,
            )
        chosen = candidates[0][1]
        return lambda *args, **kwargs: chosen(self, *args, **kwargs)

    def _make_objects(self) -> None:
        """Makes the nodes and tensors of a graph that came from a model, on first access."""
        if "_model" not in self.__dict__:
            return
        _core.make_objects(self)

    def __getstate__(self) -> dict:
        self._make_objects()
        return self.__dict__

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _PARTS:
            self._make_objects()
        if name in ("inputs", "outputs"):
            value = list(value)
        elif name == "opset" and self.__dict__.get("import_domains"):
            self.import_domains = _domains_at(self.import_domains, value)
        object.__setattr__(self, name, value)

    @property
    def functions(self) -> "list[Function]":
        return self._functions

    @functions.setter
    def functions(self, new_fns: "Sequence[Function]") -> None:
        self._functions[:] = list(new_fns)

    def __eq__(self, other: object) -> bool:
        """Whether versions, names of functions, ends and nodes are the same."""
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self.opset == other.opset
            and self.import_domains == other.import_domains
            and self.ir_version == other.ir_version
            and _same_ids(self.functions, other.functions)
            and self.inputs == other.inputs
            and self.outputs == other.outputs
            and _same_nodes(self.nodes, other.nodes)
        )

    def __copy__(self) -> Graph:
        return self.copy()

    def __deepcopy__(self, memo: dict) -> Graph:
        """A copy that does not share values of constants and attributes either."""
        from copy import deepcopy

        memo[id(self)] = copied = self.copy()
        for each in [copied, *copied.subgraphs(recursive=True)]:
            for tensor in each._tensors().values():
                if isinstance(tensor, Constant):
                    tensor._values = deepcopy(tensor._values, memo)
            for node in each.nodes:
                for name, value in node.attrs.items():
                    if not isinstance(value, Graph):
                        node.attrs[name] = deepcopy(value, memo)
        return copied

    def _merge_subgraph_functions(self) -> None:
        """Shares the list of functions with the subgraphs and functions, and adds theirs."""
        merged = self._functions
        known = {function.unique_id for function in merged}
        pending: list[Graph] = [*merged, *self.subgraphs(recursive=True)]
        done: set[int] = set()
        while pending:
            graph = pending.pop(0)
            if id(graph) in done:
                continue
            done.add(id(graph))
            for function in graph.__dict__.get("_functions", ()):
                if function.unique_id not in known:
                    known.add(function.unique_id)
                    merged.append(function)
                    pending.append(function)
            pending.extend(graph.subgraphs(recursive=True))
            graph._functions = merged

    def subgraphs(self, recursive: bool = False) -> Iterator[Graph]:
        """The graphs among the attributes of the nodes.

        Args:
            recursive: Whether to go on with the nodes of these graphs.
        """
        for node in self.nodes:
            for value in node.attrs.values():
                if isinstance(value, Graph):
                    yield from node.subgraphs(recursive=recursive)
                    break

    def _log_for_all(
        self, log: Callable[[str], None], text: str, subgraphs: bool, functions: bool
    ) -> None:
        log(f"{text} {self.name}")
        for graph in self.subgraphs(recursive=True) if subgraphs else ():
            log(f"{text} {graph.name}")
        for function in self.functions if functions else ():
            function._log_for_all(log, text, subgraphs, False)

    def cleanup(
        self,
        remove_unused_node_outputs: bool = False,
        recurse_subgraphs: bool = True,
        remove_unused_graph_inputs: bool = False,
        recurse_functions: bool = True,
    ) -> Graph:
        """Removes the nodes that the outputs do not need, and their edges. The outputs stay.

        Args:
            remove_unused_node_outputs: Whether to remove outputs of nodes that nothing uses.
            recurse_subgraphs: Whether to clean up subgraphs.
            remove_unused_graph_inputs: Whether to remove inputs that nothing uses.
            recurse_functions: Whether to clean up the functions.

        Returns: self.
        """
        if G_LOGGER.severity <= G_LOGGER.VERBOSE:
            self._log_for_all(G_LOGGER.verbose, "Cleaning up", recurse_subgraphs, recurse_functions)
        _core.cleanup(
            self,
            remove_unused_node_outputs,
            recurse_subgraphs,
            remove_unused_graph_inputs,
            recurse_functions,
        )
        return self

    def toposort(
        self, recurse_subgraphs: bool = True, recurse_functions: bool = True, mode: str = "full"
    ) -> Graph:
        """Sorts nodes behind their producers, and functions behind the functions that they call.

        Args:
            recurse_subgraphs: Whether to sort the nodes of subgraphs.
            recurse_functions: Whether to sort the nodes of the functions.
            mode: "nodes", "functions", or "full" for both.

        Returns: self. Raises OnnxGraphSurgeonException for cycles.
        """
        if mode not in _TOPOSORT_MODES:
            G_LOGGER.critical(f'Mode "{mode}" not in {_TOPOSORT_MODES}')
        if G_LOGGER.severity <= G_LOGGER.DEBUG:
            self._log_for_all(
                G_LOGGER.debug, "Topologically sorting", recurse_subgraphs, recurse_functions
            )
        _core.toposort(self, recurse_subgraphs, recurse_functions, mode)
        return self

    def fold_constants(
        self,
        fold_shapes: bool = True,
        recurse_subgraphs: bool = True,
        partitioning: str | None = None,
        error_ok: bool = True,
        flatten_subgraphs: bool = True,
        size_threshold: int | None = None,
        should_exclude_node: Callable[[Node], bool] | None = None,
        recurse_functions: bool = True,
        *,
        keep_input_defaults: bool = False,
    ) -> Graph:
        """Turns tensors that can be computed now into constants. The nodes must be sorted.

        Folded nodes stay, without edges, until cleanup().

        Args:
            fold_shapes: Whether to fold results of known shapes.
            recurse_subgraphs: Whether to fold in subgraphs.
            partitioning: How to continue if not all nodes can be computed at once. None: nothing
                is folded; "basic": each part of the graph that ends in an output is tried alone;
                "recursive": the part that fails is made smaller.
            error_ok: Whether errors while computing are only logged.
            flatten_subgraphs: Whether an If with a known condition is replaced by its branch.
            size_threshold: Bytes above which a tensor is not folded.
            should_exclude_node: A function that returns whether a node must not be folded.
            recurse_functions: Whether to fold in the functions.
            keep_input_defaults: Whether constants among the inputs of the graph, which callers may
                replace from IR version 4 on, are not folded.

        Returns: self.
        """
        if partitioning not in _PARTITIONINGS:
            G_LOGGER.critical(
                f"Argument for parameter 'partitioning' must be one of: {_PARTITIONINGS}"
            )
        G_LOGGER.debug(f"Folding constants in {self.name}")
        _core.fold_constants(
            self,
            fold_shapes,
            recurse_subgraphs,
            partitioning,
            error_ok,
            flatten_subgraphs,
            size_threshold,
            should_exclude_node,
            recurse_functions,
            keep_input_defaults,
        )
        return self

    def copy(self, tensor_map: "OrderedDict[str, Tensor] | None" = None) -> Graph:
        """A graph with copies of nodes and tensors; values of constants and attributes are shared.

        Args:
            tensor_map: By name, tensors that the copy uses instead of an outer graph's.
        """
        return _core.copy(self, tensor_map)

    def __str__(self) -> str:
        functions = ",".join(function.name for function in self.functions)
        return (
            f"Graph {self.name} (Opset {self.opset})\nLocal Functions: [{functions}]\n"
            + self._contents()
        )

    def _contents(self) -> str:
        nodes = "\n".join(str(node) for node in self.nodes)
        return f"Inputs: {self.inputs}\nNodes: {nodes}\nOutputs: {self.outputs}"

    def __repr__(self) -> str:
        return self.__str__()


def _same_ids(left: "Sequence[Function]", right: "Sequence[Function]") -> bool:
    return {f.unique_id for f in left} == {f.unique_id for f in right}


def _same_nodes(left: Sequence[Node], right: Sequence[Node]) -> bool:
    return len(left) == len(right) and all(a == b for a, b in zip(left, right))


def _domains_at(import_domains: Any, opset: int) -> Any:
    """Another list of the same versions, with the version of ONNX's own operators."""
    if not any(getattr(item, "domain", None) in ("", "ai.onnx") for item in import_domains):
        return import_domains

    def at_opset(item: Any) -> Any:
        if getattr(item, "domain", None) not in ("", "ai.onnx"):
            return item
        return type(item)(domain=item.domain, version=opset)

    return [at_opset(item) for item in import_domains]
