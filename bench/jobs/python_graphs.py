"""Scripts that edit graphs with onnx_graphsurgeon: the same script with the original and with ours, step by step. Each
step is timed by the script itself, in CPU seconds without the interpreter's start; results are equal before times count."""
import json
import os
import subprocess
import sys

import models
from measure import ROOT, Sample

BUILT = os.path.join(ROOT, "build", "release", "python")
OURS = os.pathsep.join([os.path.join(BUILT, "polygraphy_native", "compat"), BUILT])

SCRIPT = """
import gc, json, resource, sys, time
begin = time.process_time()
import onnx_graphsurgeon as gs
steps = {"import of the package": time.process_time() - begin}
import numpy, onnx

def step(name, work):
    gc.collect()
    begin = time.process_time()
    result = work()
    steps[name] = time.process_time() - begin
    return result

def edit():
    graph = gs.import_onnx(model)
    seen = sum(len(node.inputs) for node in graph.nodes)
    graph.cleanup().toposort()
    return gs.export_onnx(graph)

def pass_through():
    return gs.export_onnx(gs.import_onnx(model).cleanup().toposort())

gs.logger.G_LOGGER.severity = 50
model = onnx.load(sys.argv[1])
edited = step("import, look, cleanup, toposort, export", edit)
step("import, cleanup, toposort, export", pass_through)
graph = gs.import_onnx(model)
copied = step("copy", graph.copy)
del copied
if sys.argv[2] == "fold":
    step("fold_constants", graph.fold_constants)
    graph.cleanup()
print(json.dumps({"steps": steps, "nodes": len(graph.nodes), "edited": [node.name for node in edited.graph.node][-3:],
                  "size": len(edited.graph.node), "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
"""


def measured(bench, path, model, fold):
    """The steps of one run each, of several runs the best."""
    best = None
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", SCRIPT, model, fold], env=dict(bench.env, PYTHONPATH=path), check=True,
                              capture_output=True, text=True, cwd=bench.work)
        result = json.loads(done.stdout.splitlines()[-1])
        if best is None:
            best = result
        else:
            best["steps"] = {name: min(seconds, best["steps"][name]) for name, seconds in result["steps"].items()}
    return best


def run(bench):
    if not os.path.exists(os.path.join(BUILT, "polygraphy_native", "_native.abi3.so")):
        print("python_graphs: the Python packages are not built")
        return
    chain = models.make("chain.py", bench.path("chain_1e5.onnx"), "-n", "100000", env=bench.env)
    swin = models.make("transformer.py", bench.path("swin.onnx"), env=bench.env)
    bars = [(chain, "", {"import of the package": 0.02, "import, look, cleanup, toposort, export": 1.0,
                         "import, cleanup, toposort, export": 0.25, "copy": 0.5}),
            (swin, "fold", {"fold_constants": 0.15})]
    for model, fold, seconds in bars:
        ours = measured(bench, os.pathsep.join([OURS, bench.parity]), model, fold)
        original = measured(bench, bench.parity, model, fold)
        for what in ("edited", "size"):
            assert ours[what] == original[what], (model, what, ours[what], original[what])
        assert ours["nodes"] <= original["nodes"]
        name = os.path.basename(model).removesuffix(".onnx")
        for step, bar in seconds.items():
            took = Sample(ours["steps"][step], 0.0, ours["memory"], 0)
            bench.row(f"onnx_graphsurgeon, {name}: {step}", took, Sample(original["steps"][step], 0.0, 0, 0),
                      f"<= {bar} s; memory {ours['memory'] / original['memory']:.2f} of the original's", took.cpu <= bar)
