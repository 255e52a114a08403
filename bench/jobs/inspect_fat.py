"""`inspect model` on models of a few nodes and very many bytes."""
import models
from measure import MIB, once


def run(bench):
    gib_inline, gib_external = (0.2, 0.5) if bench.options.quick else (1.5, 6)
    for name, arguments, gib in (("inline", [], gib_inline), ("external", ["--external"], gib_external)):
        model = models.make("fat.py", bench.path(f"fat_{name}.onnx"), "--gib", str(gib), *arguments, env=bench.env)
        bench.same_stdout(["inspect", "model", model])
        ours, original = bench.time_both(["inspect", "model", model], memory=True, original_runs=1)
        bench.row(f"inspect model, fat {name} {gib} GiB", ours, original, "<= 20 ms, <= 32 MiB",
                 ours.cpu <= 0.020 and ours.anonymous <= 32 * MIB)
        models.drop_from_cache(bench.work)
        cold = once([bench.ours, "inspect", "model", model], cwd=bench.work, env=bench.env)
        bench.row(f"inspect model, fat {name} {gib} GiB, cold (wall)", type(cold)(cold.wall, cold.wall, 0, 0), None,
                 "<= 0.3 s", cold.wall <= 0.3)
        if name == "external":
            models.remove(model)
    # no other job needs the inline model
    models.remove(bench.path("fat_inline.onnx"))
