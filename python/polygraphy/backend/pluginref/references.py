"""Implements single operators in NumPy, for comparisons with plugins."""

from __future__ import annotations

from functools import wraps
from typing import Any, Callable, Dict, List, Optional

from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import gs, np

Reference = Callable[["gs.Node", Dict[str, "np.ndarray"]], Dict[str, "np.ndarray"]]

# Operator -> what run() of a node needs: the node and the tensors so far, by name.
OP_REGISTRY: Dict[str, Reference] = {}


def _value_of(tensor: Any, known: Dict[str, Any], node: Any) -> Optional[Any]:
    if tensor.is_empty():
        return None
    if isinstance(tensor, gs.Constant):
        return tensor.values
    if tensor.name not in known:
        G_LOGGER.critical(
            f"Input '{tensor.name}' of node '{node.name}' ({node.op}) has no value: no node before "
            "it in the graph makes it, and it is not an input of the graph."
        )
    return known[tensor.name]


def register(op: str) -> Callable[[Callable], Reference]:
    """A decorator: the function computes nodes of this operator.

    Args:
        op: The operator.

    The function is called with the attributes of a node and with the values of its inputs, None for
    an omitted one, and returns a list of the values of its outputs.
    """

    def register_function(function: Callable) -> Reference:
        @wraps(function)
        def reference(node, intermediate_tensors):
            inputs = [_value_of(tensor, intermediate_tensors, node) for tensor in node.inputs]
            outputs = function(node.attrs, *inputs)
            if not isinstance(outputs, (list, tuple)):
                outputs = [outputs]
            return {tensor.name: value for tensor, value in zip(node.outputs, outputs)}

        del reference.__wrapped__  # its signature is that of every reference
        OP_REGISTRY[op] = reference
        return reference

    return register_function


@register("Identity")
def run_identity(attrs: Dict[str, Any], x: "np.ndarray") -> "List[np.ndarray]":
    return [x]


@register("InstanceNormalization")
def run_instancenorm(
    attrs: Dict[str, Any], x: "np.ndarray", scale: "np.ndarray", bias: "np.ndarray"
) -> "List[np.ndarray]":
    """Each channel of each instance, (x - mean) / sqrt(variance + epsilon) * scale + bias."""
    spatial = tuple(range(2, x.ndim))
    by_channel = (1, -1) + (1,) * len(spatial)
    deviation = x - x.mean(axis=spatial, keepdims=True)
    spread = np.sqrt(x.var(axis=spatial, keepdims=True) + attrs.get("epsilon", 1e-5))
    return [scale.reshape(by_channel) * (deviation / spread) + bias.reshape(by_channel)]


@register("MeanVarianceNormalization")
def run_meanvarnorm(attrs: Dict[str, Any], x: "np.ndarray") -> "List[np.ndarray]":
    """(x - mean) / (standard deviation + 1e-9), over the attribute `axes`."""
    axes = tuple(attrs.get("axes", (0, 2, 3)))
    mean = x.mean(axis=axes, keepdims=True)
    variance = (x**2).mean(axis=axes, keepdims=True) - mean**2
    return [(x - mean) / (np.sqrt(variance) + 1e-9)]
