"""Scripts that edit graphs with onnx_graphsurgeon: the same script with the original and with ours, step by step. Each
step is timed by the script itself, in CPU seconds without the interpreter's start; results are equal before times count."""
import os

import models
from measure import Sample
from python_scripts import BUILT, best_of_each

SCRIPT = """
gs = step("import of the package", lambda: __import__("onnx_graphsurgeon"))
import numpy, onnx

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
found = {"nodes": len(graph.nodes), "size": len(edited.graph.node), "edited": [n.name for n in edited.graph.node][-3:]}
"""


def run(bench):
    if not os.path.exists(BUILT):
        print("python_graphs: the Python packages are not built")
        return
    chain = models.make("chain.py", bench.path("chain_1e5.onnx"), "-n", "100000", env=bench.env)
    swin = models.make("transformer.py", bench.path("swin.onnx"), env=bench.env)
    bars = [(chain, "", {"import of the package": 0.02, "import, look, cleanup, toposort, export": 1.0,
                         "import, cleanup, toposort, export": 0.25, "copy": 0.5}),
            (swin, "fold", {"fold_constants": 0.15})]
    for model, fold, seconds in bars:
        ours, original = (best_of_each(bench, SCRIPT, is_ours, model, fold) for is_ours in (True, False))
        for what in ("edited", "size"):
            assert ours[what] == original[what], (model, what, ours[what], original[what])
        assert ours["nodes"] <= original["nodes"]
        name = os.path.basename(model).removesuffix(".onnx")
        for step, bar in seconds.items():
            took = Sample(ours["steps"][step], 0.0, ours["memory"], 0)
            bench.row(f"onnx_graphsurgeon, {name}: {step}", took, Sample(original["steps"][step], 0.0, 0, 0),
                      f"<= {bar} s; memory {ours['memory'] / original['memory']:.2f} of the original's", took.cpu <= bar)
