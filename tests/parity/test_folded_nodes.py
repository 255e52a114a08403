"""Folding leaves no more nodes than the original does.

More models: RANDOM_MODELS=1000:3000 (seeds). The remaining nodes differ on purpose (docs/differences): random operators
and results that are too large stay, a Slice that the standard and ONNX Runtime read differently, too, and open
dimensions of inputs are given a size only where no other runs.
"""
import os

import onnx
import pytest
from harness import run_original, run_ours
from random_models import random_model

try:  # Once, so that every forked run of the original finds it in memory; it needs sympy.
    import onnxruntime.tools.symbolic_shape_infer  # noqa: F401
except ImportError:
    pass

GIVEN = os.environ.get("RANDOM_MODELS")
# Shapes that a Loop does not change: 197; operators of ONNX Runtime's own: 302, 464; TopK with open dimensions: 595;
# sizes that a MatMul or Split requires: 116, 2071, 3809; a Reshape that keeps an open dimension: 2079; parts of a Split:
# 3141; results that are declared to be sparse: 3422.
SEEDS = range(*map(int, GIVEN.split(":"))) if GIVEN else (*range(12), 116, 197, 302, 464, 595, 2071, 2079, 3141, 3422, 3809)


def nodes_of(graph):
    found = []
    for node in graph.node:
        found.append(node.op_type)
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                found += [f"{node.op_type}/{op}" for op in nodes_of(inner)]
    return found


def folded(run, folder, options):
    (folder / "out.onnx").unlink(missing_ok=True)
    run(["surgeon", "sanitize", "m.onnx", "--fold-constants", *options, "-o", "out.onnx"], folder)
    return nodes_of(onnx.load(folder / "out.onnx").graph)


@pytest.mark.parametrize("options", [[], ["--partitioning", "recursive"]], ids=["whole", "in parts"])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_more_nodes_than_the_original(seed, options, tmp_path):
    model, _ = random_model(seed)
    onnx.save(model, tmp_path / "m.onnx")
    ours, original = folded(run_ours, tmp_path, options), folded(run_original, tmp_path, options)
    assert len(ours) <= len(original), (ours, original)
