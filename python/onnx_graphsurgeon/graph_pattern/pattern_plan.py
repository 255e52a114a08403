"""A pattern made ready for searching: one level of operators, in an order of matching.

Patterns in the pattern are split. Each operator but the first is reached along a tensor that
is known by then, as its producer or one of its consumers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, NamedTuple

if TYPE_CHECKING:
    from onnx_graphsurgeon.graph_pattern.graph_pattern import GraphPattern

Reach = int
START, PRODUCER, CONSUMER = range(3)


class Operator(NamedTuple):
    """An operator of the pattern; tensors are numbers of the plan."""

    path: tuple[str, ...]  # its name, after the names of the patterns around it
    op: str
    check_func: Callable | None
    inputs: list[int]
    outputs: list[int]


class Step(NamedTuple):
    """The next operator, and how to get to it."""

    operator: int
    via: int  # a tensor; -1 at the start
    reach: Reach
    names: list[str]  # of the patterns that are entered with it, and of itself


class PlannedTensor:
    """The requirements on a tensor of a graph."""

    def __init__(self, produced: bool = False, constant: bool = False, internal: bool = False):
        self.produced = produced  # by an operator of the pattern
        self.constant = constant
        self.internal = internal  # without consumers outside
        self.num_consumers = 0  # operators, not uses


class Scope:
    """A pattern in the plan: the whole one, or one in another."""

    def __init__(self, pattern: GraphPattern):
        self.pattern = pattern
        self.tensors: dict[int, int] = {}  # tensor of the pattern -> of the plan
        self.nodes: dict[str, int] = {}  # member -> operator of the plan
        self.scopes: dict[str, int] = {}  # member -> scope
        self.order: list[str] = []  # members, as they are matched


class Plan:
    """The operators of a pattern and the steps to find them.

    Raises AssertionError for a pattern with operators that are not connected.
    """

    def __init__(self, pattern: GraphPattern, from_inbound: bool, from_index: int):
        """
        Args:
            pattern: The pattern.
            from_inbound: Whether the first operator consumes an input of the pattern, or produces
                an output.
            from_index: Which input or output.
        """
        self.operators: list[Operator] = []
        self.tensors: list[PlannedTensor] = []
        self.scopes: list[Scope] = []
        self.steps: list[Step] = []
        self._known: set[int] = set()
        self._taken: set[int] = set()
        self._flatten(pattern, [self._tensor() for _ in pattern.input_tensors])
        for output in pattern.output_tensors:
            self.tensors[self.scopes[0].tensors[output]].internal = False
        for operator in self.operators:
            for tensor in set(operator.inputs):
                self.tensors[tensor].num_consumers += 1
        self._start = True
        self._entered: set[tuple[str, ...]] = set()
        reached = self._reach_within(0, from_index, CONSUMER if from_inbound else PRODUCER)
        assert reached, "no operator of the pattern has the tensor to start from"
        self._reach_the_rest()

    def _tensor(self, **demands: Any) -> int:
        self.tensors.append(PlannedTensor(**demands))
        return len(self.tensors) - 1

    def _flatten(self, pattern: GraphPattern, variables: list[int], path: Any = ()) -> int:
        index = len(self.scopes)
        scope = Scope(pattern)
        self.scopes.append(scope)
        scope.tensors.update(zip(pattern.input_tensors, variables))
        for tensor in pattern.constant_tensors:
            scope.tensors[tensor] = self._tensor(constant=True)
        # The inputs of a member are outputs of members before it.
        for name, member in pattern.nodes.items():
            inputs = [scope.tensors[tensor] for tensor in pattern.node_inputs[name]]
            outputs = pattern.node_outputs[name]
            if member.op is None:
                inner = self._flatten(member, inputs, (*path, name))
                scope.scopes[name] = inner
                made = [self.scopes[inner].tensors[tensor] for tensor in member.output_tensors]
            else:
                made = [self._tensor(produced=True, internal=True) for _ in outputs]
                scope.nodes[name] = len(self.operators)
                self.operators.append(
                    Operator((*path, name), member.op, member.check_func, inputs, made)
                )
            scope.tensors.update(zip(outputs, made))
        return index

    def _take(self, operator: int, via: int, reach: Reach) -> None:
        if self._start:
            via, reach, self._start = -1, START, False
        path = self.operators[operator].path
        paths = [path[: depth + 1] for depth in range(len(path))]
        names = [each[-1] for each in paths if each not in self._entered]
        self._entered.update(paths)
        self.steps.append(Step(operator, via, reach, names))
        self._taken.add(operator)
        self._known.update(self.operators[operator].inputs)
        self._known.update(self.operators[operator].outputs)

    def _reach(self, index: int, name: str, tensor: int, reach: Reach) -> bool:
        """Plans a member, from a tensor of its pattern, and the members around it."""
        scope = self.scopes[index]
        if name in scope.order:
            return True
        via = scope.tensors[tensor]
        # Not known: of a pattern that hangs together from outside only.
        if not self._start and via not in self._known:
            return False
        if name in scope.nodes:
            if scope.nodes[name] in self._taken:
                return True
            self._take(scope.nodes[name], via, reach)
        else:
            side = scope.pattern.node_outputs if reach == PRODUCER else scope.pattern.node_inputs
            if not self._reach_within(scope.scopes[name], side[name].index(tensor), reach):
                return False
        scope.order.append(name)
        self._reach_around(index, name)
        return True

    def _reach_within(self, index: int, slot: int, reach: Reach) -> bool:
        """Enters a pattern from outside, by an input or an output."""
        pattern = self.scopes[index].pattern
        if reach == PRODUCER:
            tensor = pattern.output_tensors[slot]
            names = pattern.tensor_inputs[tensor]
            return bool(names) and self._reach(index, names[0], tensor, reach)
        tensor = pattern.input_tensors[slot]
        for name in pattern.tensor_outputs[tensor]:
            if self._reach(index, name, tensor, reach):
                self._reach_consumers(index, tensor)
                return True
        return False

    def _reach_around(self, index: int, name: str) -> None:
        pattern = self.scopes[index].pattern
        for tensor in pattern.node_inputs[name]:
            for producer in pattern.tensor_inputs[tensor]:
                self._reach(index, producer, tensor, PRODUCER)
        for tensor in pattern.node_outputs[name]:
            if tensor not in pattern.output_tensors:
                self._reach_consumers(index, tensor)

    def _reach_consumers(self, index: int, tensor: int) -> None:
        for name in self.scopes[index].pattern.tensor_outputs[tensor]:
            self._reach(index, name, tensor, CONSUMER)

    def _reach_the_rest(self) -> None:
        """Adds operators that are connected only by a further input or by a constant."""
        found = True
        while found:
            found = False
            for index, operator in enumerate(self.operators):
                if index in self._taken:
                    continue
                for tensors, reach in ((operator.outputs, PRODUCER), (operator.inputs, CONSUMER)):
                    known = [tensor for tensor in tensors if tensor in self._known]
                    if known:
                        self._take(index, known[0], reach)
                        found = True
                        break
        assert len(self._taken) == len(self.operators), "the pattern is not connected"
        for scope in self.scopes:
            scope.order += [name for name in scope.pattern.nodes if name not in scope.order]
