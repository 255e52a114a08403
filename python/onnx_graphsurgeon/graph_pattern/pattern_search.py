"""The search for a planned pattern: depth first, with backtracking.

Nodes and tensors are compared by identity; no node is used twice in a match.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

from onnx_graphsurgeon.graph_pattern.pattern_plan import PRODUCER, Plan, PlannedTensor, Step
from onnx_graphsurgeon.ir.node import Node
from onnx_graphsurgeon.ir.tensor import Constant, Tensor
from onnx_graphsurgeon.logger.logger import G_LOGGER


def is_match(op: str, check_func: Callable[[Node], bool] | None, node: Node) -> bool:
    """Whether a node is of an operator and meets a condition, apart from its tensors."""
    if node.op != op:
        G_LOGGER.info(
            lambda: f"No match because: Op did not match. Node op was: {node.op} but pattern op "
            f"was: {op}."
        )
        return False
    if check_func is not None and not check_func(node):
        G_LOGGER.info("No match because: check_func returned false.")
        return False
    G_LOGGER.info(lambda: f"Single node is matched: {op}, {node.name}")
    return True


class Search:
    """A search, from one node after the other.

    Attributes:
        plan: The plan of the pattern.
        nodes, tensors: The counterparts of the plan's operators and tensors in the last match.
    """

    def __init__(
        self, plan: Plan, is_free: Callable[[Node], bool], is_output: Callable[[Tensor], bool]
    ):
        """
        Args:
            plan: The plan of the pattern.
            is_free: A function that returns whether a node may be in a match.
            is_output: A function that returns whether a tensor is used outside of the graph.
        """
        self.plan = plan
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []
        self._is_free = is_free
        self._is_output = is_output
        self._trail: list[int] = []  # tensors of the plan, as they were bound

    def match_from(self, start: Node) -> bool:
        """Whether there is a match in which `start` is the first operator of the plan."""
        self.nodes = [None] * len(self.plan.operators)
        self.tensors = [None] * len(self.plan.tensors)
        self._trail = []
        steps = self.plan.steps
        choices: list[Iterator[Node]] = [iter([start])]
        bound = [0]
        while choices:
            depth = len(choices) - 1
            self._take_back(bound[depth], steps[depth].operator)
            if not self._advance(steps[depth], choices[depth], bound[depth]):
                choices.pop()
                bound.pop()
            elif len(choices) == len(steps):
                return True
            else:
                step = steps[depth + 1]
                tensor = self.tensors[step.via]
                nodes = tensor.inputs if step.reach == PRODUCER else tensor.outputs
                choices.append(iter(list(nodes)))
                bound.append(len(self._trail))
        return False

    def _take_back(self, bound: int, operator: int) -> None:
        self.nodes[operator] = None
        while len(self._trail) > bound:
            self.tensors[self._trail.pop()] = None

    def _advance(self, step: Step, choices: Iterator[Node], bound: int) -> bool:
        """Binds the next node that will do."""
        for node in choices:
            if self._bind(step, node):
                return True
            self._take_back(bound, step.operator)
        return False

    def _bind(self, step: Step, node: Node) -> bool:
        if not self._is_free(node) or any(node is used for used in self.nodes):
            return False
        wanted = self.plan.operators[step.operator]
        if G_LOGGER.severity <= G_LOGGER.INFO:
            for name in step.names:
                G_LOGGER.info(f"Checking node: {node.name} against pattern node: {name}.")
        if not is_match(wanted.op, wanted.check_func, node):
            return False
        if len(node.inputs) != len(wanted.inputs) or len(node.outputs) != len(wanted.outputs):
            return False
        if not self._bind_tensors(wanted.inputs, node.inputs):
            return False
        if not self._bind_tensors(wanted.outputs, node.outputs):
            return False
        self.nodes[step.operator] = node
        return True

    def _bind_tensors(self, places: list[int], tensors: list[Tensor]) -> bool:
        for place, tensor in zip(places, tensors):
            bound = self.tensors[place]
            if bound is tensor:
                continue
            if bound is not None or not self._may_be(self.plan.tensors[place], tensor):
                return False
            self.tensors[place] = tensor
            self._trail.append(place)
        return True

    def _may_be(self, wanted: PlannedTensor, tensor: Tensor) -> bool:
        if wanted.constant and not isinstance(tensor, Constant):
            return False
        if wanted.produced and len(tensor.inputs) != 1:
            return False
        if not wanted.internal:
            return True
        # Each operator of the pattern that consumes it is another of its consumers: if the numbers
        # are equal, it has no consumers outside.
        consumers = {id(node) for node in tensor.outputs}
        return not self._is_output(tensor) and len(consumers) == wanted.num_consumers
