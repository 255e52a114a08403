"""Patterns of nodes, and their matches in a graph."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Union

from onnx_graphsurgeon.graph_pattern import pattern_plan, pattern_search
from onnx_graphsurgeon.ir.graph import Graph
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.logger.logger import G_LOGGER


class PatternMapping(dict):
    """One match: by the name of a member of the pattern, the PatternMapping of its match.

    Attributes:
        onnx_node: The matched node, if the member is an operator.
        inputs, outputs: The tensors at the ends of the pattern, in the order of their declaration.
        constants: The constants of the pattern by name.
    """

    def __init__(self, onnx_node: Node | None = None) -> None:
        """
        Args:
            onnx_node: The node, for an operator.
        """
        super().__init__()
        self.onnx_node = onnx_node
        self.inputs: Any = [] if onnx_node is None else onnx_node.inputs
        self.outputs: Any = [] if onnx_node is None else onnx_node.outputs
        self.constants: Dict[str, Any] = {}

    def set_input_onnx_tensor(self, onnx_tensor: Any, index: int) -> None:
        """Sets the match of the input `index` of the pattern."""
        _put(self.inputs, index, onnx_tensor)

    def set_output_onnx_tensor(self, onnx_tensor: Any, index: int) -> None:
        """Sets the match of the output `index` of the pattern."""
        _put(self.outputs, index, onnx_tensor)

    def set_constant_onnx_tensor(self, onnx_tensor: Any, name: str) -> None:
        """Sets the match of a constant of the pattern."""
        self.constants[name] = onnx_tensor

    def _get_node(self) -> Node | None:
        return self.onnx_node

    def get(self, name: str) -> Union[Node, PatternMapping]:  # type: ignore[override]
        """The matched node of an operator, or the match of a pattern in the pattern.

        Raises KeyError for a name that the pattern has not.

        Args:
            name: The name that the operator or pattern has in this pattern.
        """
        found = self[name]
        return found if found.onnx_node is None else found.onnx_node

    def __str__(self) -> str:
        if self.onnx_node is not None:
            return self.onnx_node.name
        return "{" + ", ".join(f"{name}: {found}" for name, found in self.items()) + "}"


class GraphPattern:
    """Operators and how they are connected, to be found in graphs.

    Tensors of the pattern are numbers, which the methods return and take.

    Attributes:
        op, check_func: Of a pattern that is one operator: its name, and a condition.
        nodes: The members by name; each is a pattern.
        node_inputs, node_outputs: Their tensors.
        num_tensors: How many tensors there are.
        tensor_inputs, tensor_outputs: For each tensor, the names of the members that produce and
            consume it.
        input_tensors, output_tensors: The tensors at the ends of the pattern.
        constant_tensors: The names of constants.
    """

    def __init__(self) -> None:
        self.op: str | None = None
        self.check_func: Callable[[Node], bool] | None = None
        self.nodes: Dict[str, GraphPattern] = {}
        self.node_inputs: Dict[str, List[int]] = {}
        self.node_outputs: Dict[str, List[int]] = {}
        self.num_tensors = 0
        self.tensor_inputs: Dict[int, List[str]] = {}
        self.tensor_outputs: Dict[int, List[str]] = {}
        self.input_tensors: List[int] = []
        self.output_tensors: List[int] = []
        self.constant_tensors: Dict[int, str] = {}

    def _add_tensor(self, input_node: str | None = None) -> int:
        tensor = self.num_tensors
        self.num_tensors += 1
        self.tensor_inputs[tensor] = [] if input_node is None else [input_node]
        self.tensor_outputs[tensor] = []
        return tensor

    def variable(self) -> int:
        """Adds an input of the pattern, which matches any tensor."""
        tensor = self._add_tensor()
        self.input_tensors.append(tensor)
        return tensor

    def constant(self, name: str | None = None) -> int:
        """Adds a tensor that matches constants only.

        Args:
            name: Its name in matches.
        """
        tensor = self._add_tensor()
        self.constant_tensors[tensor] = name or f"unnamed_constant_tensor_{tensor}"
        return tensor

    def set_output_tensors(self, output_tensors: List[int]) -> None:
        """Says which tensors are outputs of the pattern.

        Only these and the inputs may have other consumers, and be outputs of the graph.
        """
        output_tensors = list(output_tensors)
        assert all(tensor in self.tensor_inputs for tensor in output_tensors)
        self.output_tensors = output_tensors

    def _init_single_node(self, op: str, check_func: Callable[[Node], bool] | None = None) -> None:
        assert not self.nodes
        self.op = op
        self.check_func = check_func

    def add(
        self,
        name: str,
        op: Union["GraphPattern", str],
        check_func: Callable[[Node], bool] | None = None,
        inputs: List[int] | None = None,
        num_output_tensors: int = 1,
    ) -> Any:
        """Adds a member.

        Args:
            name: Its name in matches.
            op: An operator, or a pattern.
            check_func: A function that returns whether a node of this operator may match.
            inputs: Tensors of this pattern, in the order of the inputs of the operator or pattern.
            num_output_tensors: How many outputs the operator has.

        Returns: The tensor that the member produces, a tuple if there are several, None if none.
        Raises AssertionError for names that are taken and tensors that are unknown.
        """
        inputs = [] if inputs is None else list(inputs)
        assert self.op is None, "a pattern of one operator has no members"
        assert name not in self.nodes, f"there is a member '{name}' already"
        assert all(tensor in self.tensor_inputs for tensor in inputs), f"unknown among {inputs}"
        if isinstance(op, GraphPattern):
            member = op
            assert len(inputs) == len(op.input_tensors), (
                f"the pattern '{name}' has {len(op.input_tensors)} variables, but got {len(inputs)}"
            )
            num_output_tensors = len(op.output_tensors)
        else:
            member = GraphPattern()
            member._init_single_node(op, check_func)
        outputs = [self._add_tensor(name) for _ in range(num_output_tensors)]
        for tensor in inputs:
            self.tensor_outputs[tensor].append(name)
        self.nodes[name] = member
        self.node_inputs[name] = inputs
        self.node_outputs[name] = outputs
        if len(outputs) > 1:
            return tuple(outputs)
        return outputs[0] if outputs else None

    def _single_node_match(self, onnx_node: Node) -> bool:
        assert self.op is not None
        return pattern_search.is_match(self.op, self.check_func, onnx_node)

    def get_inbound_or_outbound_onnx_node(
        self, mapping: PatternMapping, is_inbound: bool, tensor_index: int
    ) -> Node | None:
        """The matched node at an end of the pattern; None if no member has it.

        Args:
            mapping: A match of this pattern.
            is_inbound: Whether `tensor_index` counts the inputs, or else the outputs.
            tensor_index: Which of the inputs or outputs.
        """
        if self.op is not None:
            return mapping.onnx_node
        tensor = (self.input_tensors if is_inbound else self.output_tensors)[tensor_index]
        names = (self.tensor_outputs if is_inbound else self.tensor_inputs)[tensor]
        tensors = self.node_inputs if is_inbound else self.node_outputs
        for name in names:
            index = tensors[name].index(tensor)
            return self.nodes[name].get_inbound_or_outbound_onnx_node(
                mapping[name], is_inbound, index
            )
        return None

    def match(
        self,
        onnx_node: Node,
        from_inbound: bool,
        from_tensor_index: int,
        mapped_onnx_nodes: set,
        onnx_graph_output_tensors: set,
    ) -> PatternMapping | None:
        """Tries one node; None if there is no match.

        Args:
            onnx_node: The node at an end of the pattern.
            from_inbound: Whether it consumes an input of the pattern, or produces an output.
            from_tensor_index: Which input or output.
            mapped_onnx_nodes: Values of id() of nodes that are not to be used. The match adds its
                own.
            onnx_graph_output_tensors: Names of tensors that have consumers outside of the graph.
        """
        if self.op is not None:
            if id(onnx_node) in mapped_onnx_nodes or not self._single_node_match(onnx_node):
                return None
            mapped_onnx_nodes.add(id(onnx_node))
            return PatternMapping(onnx_node)
        plan = pattern_plan.Plan(self, from_inbound, from_tensor_index)
        search = pattern_search.Search(
            plan,
            is_free=lambda node: id(node) not in mapped_onnx_nodes,
            is_output=lambda tensor: tensor.name in onnx_graph_output_tensors,
        )
        if not search.match_from(onnx_node):
            return None
        mapped_onnx_nodes.update(id(node) for node in search.nodes)
        return _mapping(search, 0)

    def match_all(self, graph: Graph) -> List[PatternMapping]:
        """All matches in the nodes of a graph, by the node at the first input of the pattern.

        Matches may overlap. Raises AssertionError for a pattern without an input to start from.

        Args:
            graph: The graph to search, without its subgraphs.
        """
        if not graph.nodes:
            return []
        own = {id(node) for node in graph.nodes}
        graphs = [graph, *graph.subgraphs(recursive=True)]
        outputs = {id(tensor) for each in graphs for tensor in each.outputs}
        assert self.input_tensors, "matching starts at the first variable of a pattern"
        plan = pattern_plan.Plan(self, True, 0)
        search = pattern_search.Search(
            plan,
            is_free=lambda node: id(node) in own,
            is_output=lambda tensor: id(tensor) in outputs,
        )
        found = []
        for node in graph.nodes:
            G_LOGGER.info("Start a subgraph matching...")
            with G_LOGGER.indent():
                matched = search.match_from(node)
            if matched:
                G_LOGGER.info("Found a matched subgraph!")
                found.append(_mapping(search, 0))
        return found


def _put(tensors: list, index: int, tensor: Any) -> None:
    tensors.extend([None] * (index + 1 - len(tensors)))
    tensors[index] = tensor


def _mapping(search: pattern_search.Search, index: int) -> PatternMapping:
    """The result of a search for a pattern in the plan."""
    scope = search.plan.scopes[index]
    mapping = PatternMapping()
    for name in scope.order:
        node = scope.nodes.get(name)
        if node is None:
            mapping[name] = _mapping(search, scope.scopes[name])
        else:
            mapping[name] = PatternMapping(search.nodes[node])
    mapping.inputs = [search.tensors[scope.tensors[t]] for t in scope.pattern.input_tensors]
    mapping.outputs = [search.tensors[scope.tensors[t]] for t in scope.pattern.output_tensors]
    for tensor, name in scope.pattern.constant_tensors.items():
        mapping.constants[name] = search.tensors[scope.tensors[tensor]]
    return mapping
