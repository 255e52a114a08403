"""Tests that need the native extension. They fail without it: put the folder of the built package
polygraphy_native on PYTHONPATH."""

import pytest


@pytest.fixture(autouse=True)
def extension():
    from onnx_graphsurgeon import _core

    return _core.native()
