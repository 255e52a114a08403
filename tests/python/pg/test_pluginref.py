"""Reference implementations where the original's raise something else."""

import numpy as np
import onnx_graphsurgeon as gs
import pytest

from polygraphy.backend.pluginref import references
from polygraphy.exception import PolygraphyException


def node(op):
    x, y = gs.Variable("x", np.float32, [2]), gs.Variable("y", np.float32, [2])
    return gs.Node(op, "n", inputs=[x], outputs=[y])


def test_a_tensor_without_a_value_is_named():
    with pytest.raises(PolygraphyException, match=r"Input 'x' of node 'n' \(Identity\) has no value"):
        references.run_identity(node("Identity"), {})


def test_one_array_is_a_list_of_one(monkeypatch):
    monkeypatch.setattr(references, "OP_REGISTRY", {})
    references.register("Twice")(lambda attrs, x: 2 * x)
    outputs = references.OP_REGISTRY["Twice"](node("Twice"), {"x": np.float32([1, 2])})
    assert np.array_equal(outputs["y"], [2, 4])
