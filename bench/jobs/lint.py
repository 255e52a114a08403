"""`check lint`: models that run as a whole, and one that has to be run node by node."""
import models


def run(bench):
    light = models.light("light_resnet50", bench.env)
    # The original takes it for wrong, and then runs each of its nodes.
    ours, original = bench.time_both(["check", "lint", light], memory=True, original_runs=1)
    bench.row("check lint, light_resnet50", ours, original, ">= 20 x", original.cpu >= 20 * ours.cpu)

    layers = "4" if bench.options.quick else "33"
    swin = models.make("transformer.py", bench.path("swin.onnx"), "--layers", layers, env=bench.env)
    nodes = models.node_count(swin, bench.env)
    ours, _ = bench.time_both(["check", "lint", swin], memory=True, original_runs=0)
    bench.row(f"check lint, swin-like, {nodes} nodes", ours, None, "<= 1.5 s", ours.cpu <= 1.5)
