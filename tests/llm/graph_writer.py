"""Nodes and weights of a graph, as they come."""

import numpy as np
import onnx
from onnx import helper

from decoder_spec import TYPES


class Writer:
    """Nodes and weights of a graph; results have the names of their nodes."""

    def __init__(self, spec):
        self.spec, self.nodes, self.initializers, self.constants = spec, [], [], {}
        self.element, self.numpy = TYPES[spec.type]

    def initializer(self, name, values):
        self.initializers.append(onnx.numpy_helper.from_array(np.asarray(values, order="C"), name))
        return name

    def constant(self, values, dtype=np.int64):
        values = np.asarray(values, dtype)
        key = (values.dtype.str, values.shape, values.tobytes())
        if key not in self.constants:
            self.constants[key] = self.initializer(f"constant_{len(self.constants)}", values)
        return self.constants[key]

    def number(self, value):
        """A scalar in the type of the model."""
        return self.constant(value, self.numpy)

    def node(self, op, inputs, name, outputs=1, **attributes):
        names = [name] if outputs == 1 else [f"{name}/{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, name=name, **attributes))
        return names[0] if outputs == 1 else names

    def cast(self, x, to, name):
        return self.node("Cast", [x], name, to=to)

    def dimension(self, x, axis, name):
        """int64[1]."""
        return self.node("Shape", [x], name, start=axis, end=axis + 1)
