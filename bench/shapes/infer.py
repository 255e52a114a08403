"""Infers the shapes of models with Polygraphy's infer_shapes, ours or the original's, as PYTHONPATH has it.

infer.py MODELS OUTPUT: a text file with a path per line; per model one line of JSON with the shapes by name of tensor, the inputs' names, and the CPU seconds.
"""
import json
import os
import resource
import sys
import time
import warnings

warnings.simplefilter("ignore")
import onnx
from polygraphy.backend.onnx import infer_shapes
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.CRITICAL


def dims_of(value):
    """Numbers and names; None for what is open; None in place of the list without a rank."""
    kind = value.type.WhichOneof("value")
    if kind not in ("tensor_type", "sparse_tensor_type"):
        return None
    tensor = getattr(value.type, kind)
    if not tensor.HasField("shape"):
        return None
    return [d.dim_param or None if not d.HasField("dim_value") or d.dim_value < 0 else d.dim_value for d in tensor.shape.dim]


def shapes_of(graph, prefix=""):
    """Of the graph and its subgraphs, whose tensors are called 'output of the node/attribute/name'."""
    shapes = {prefix + v.name: dims_of(v) for v in (*graph.value_info, *graph.output, *graph.input)}
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                shapes.update(shapes_of(attribute.g, f"{prefix}{node.output[0]}/{attribute.name}/"))
    return shapes


def facts_of(path):
    model = onnx.load(path, load_external_data=False)
    begin = time.process_time()
    try:
        inferred = infer_shapes(model)
    except Exception as error:  # of the original
        print(f"{path}: {error}", file=sys.stderr)
        inferred = None
    seconds = time.process_time() - begin
    return {"shapes": shapes_of(inferred.graph) if inferred is not None else {}, "inputs": [i.name for i in model.graph.input],
            "seconds": seconds}


def main(models, output):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(models) as file:
        paths = file.read().splitlines()
    facts_of(min(paths, key=os.path.getsize))  # imports take their time
    with open(output, "w") as out:
        for path in paths:
            json.dump(facts_of(path), out)
            out.write("\n")


main(*sys.argv[1:])
