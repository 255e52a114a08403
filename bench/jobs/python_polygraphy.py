"""Scripts of the Polygraphy API: arrays are compared, saved and loaded; shapes inferred; a large model passed through. The
same script with the original and with ours, step by step, in CPU seconds without the interpreter's start."""
import os

import models
from measure import Sample
from python_scripts import BUILT, best_of_each

ARRAYS = """
comparator = step("import of polygraphy.comparator", lambda: __import__("polygraphy.comparator").comparator)
import numpy as np
from polygraphy.logger import G_LOGGER
G_LOGGER.module_severity = G_LOGGER.CRITICAL
random = np.random.RandomState(0)
reference = random.rand(16 << 20).astype("float32")
close = reference * np.float32(1 + 1e-6)
results = [comparator.IterationResult({"y": array}, runner_name=name) for name, array in (("a", close), ("b", reference))]
compare = comparator.CompareFunc.simple()
verdict = step("CompareFunc.simple, 64 MiB", lambda: compare(*results))["y"]
saved = comparator.RunResults([("a", [results[0]]), ("b", [results[1]])])
step("RunResults.save, 128 MiB", lambda: saved.save("results.json"))
loaded = step("RunResults.load, 128 MiB", lambda: comparator.RunResults.load("results.json"))
assert np.array_equal(loaded["b"][0]["y"], reference)
found = {"verdict": [bool(verdict), float("%.5g" % verdict.max_absdiff), float("%.5g" % verdict.mean_reldiff)]}
"""

SHAPES = """
import onnx
from polygraphy.backend.onnx import infer_shapes, onnx_from_path
from polygraphy.logger import G_LOGGER
G_LOGGER.module_severity = G_LOGGER.CRITICAL
model = onnx_from_path(sys.argv[1])
inferred = step("infer_shapes", lambda: infer_shapes(model))
outputs = {output.name for output in inferred.graph.output}
known = [v.name for v in inferred.graph.value_info if v.type.tensor_type.HasField("shape") and v.name not in outputs]
found = {"known": len(known)}
"""

LARGE = """
import os
import onnx, onnx_graphsurgeon as gs
from polygraphy.backend.onnx import gs_from_onnx, OnnxFromPath, save_onnx
from polygraphy.logger import G_LOGGER
G_LOGGER.module_severity = G_LOGGER.CRITICAL

def loaders():
    graph = gs_from_onnx(OnnxFromPath(sys.argv[1]))
    save_onnx(gs.export_onnx(graph.cleanup()), "out.onnx")

def native():
    if os.environ["OURS"] != "1":
        return messages()
    import polygraphy_native
    model = polygraphy_native.load(sys.argv[1])
    model.cleanup()
    model.save("out.onnx")

def messages():
    onnx.save(gs.export_onnx(gs.import_onnx(onnx.load(sys.argv[1])).cleanup()), "out.onnx")

step("import, cleanup, export", {"native": native, "loaders": loaders, "messages": messages}[sys.argv[2]])
os.remove("out.onnx")
found = {}
"""


def compare(bench, name, script, bars, *arguments, runs=3):
    """A row for each step. `bars`: the name of a step, and the CPU seconds that it may take."""
    ours, original = (best_of_each(bench, script, is_ours, *arguments, runs=runs) for is_ours in (True, False))
    for what in set(original) - {"steps", "memory", "known"}:
        assert ours[what] == original[what], (what, ours[what], original[what])
    assert ours.get("known", 0) >= original.get("known", 0)
    for step, bar in bars.items():
        took = Sample(ours["steps"][step], 0.0, ours["memory"], 0)
        bench.row(f"polygraphy, {name}: {step}", took, Sample(original["steps"][step], 0.0, 0, 0),
                  f"<= {bar} s; memory {ours['memory'] / original['memory']:.2f} of the original's", took.cpu <= bar)


def run(bench):
    if not os.path.exists(BUILT):
        print("python_polygraphy: the Python packages are not built")
        return
    compare(bench, "arrays", ARRAYS, {"import of polygraphy.comparator": 0.03, "CompareFunc.simple, 64 MiB": 0.06,
                                      "RunResults.save, 128 MiB": 0.15, "RunResults.load, 128 MiB": 0.1})
    swin = models.make("transformer.py", bench.path("swin.onnx"), env=bench.env)
    compare(bench, "swin", SHAPES, {"infer_shapes": 0.1}, swin, runs=1)  # a minute for the original
    if bench.options.quick:
        return
    fat = models.make("fat.py", bench.path("fat_inline.onnx"), "--gib", "1.5", env=bench.env)
    for way, bar in (("native", 2.5), ("loaders", 24), ("messages", 24)):
        compare(bench, f"1.5 GiB, {way}", LARGE, {"import, cleanup, export": bar}, fat, way, runs=1)
    models.remove(fat)
