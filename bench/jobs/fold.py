"""`surgeon sanitize --fold-constants --cleanup`: time, and nodes that are left."""
import os

import models
from measure import MIB, median, once

FOLD = ["--fold-constants", "--cleanup"]
UNLIMITED = ["--max-growth", "unlimited"]


def sanitize(model, output, *options):
    return ["surgeon", "sanitize", model, "-o", output, *FOLD, *options]


def run(bench):
    transformer(bench)
    light(bench)
    bigconst(bench)


def transformer(bench):
    layers = (4, 8) if bench.options.quick else (33, 65, 130)
    per_node = 0
    for i, count in enumerate(layers):
        model = models.make("transformer.py", bench.path(f"swin_{count}.onnx"), "--layers", str(count), env=bench.env)
        nodes = models.node_count(model, bench.env)
        pair = bench.time_both(sanitize(model, "folded.onnx"), runs=3, original_runs=0)
        if i == 0:
            pair = pair[0], once([*bench.original, *sanitize(model, "folded_original.onnx")], cwd=bench.work, env=bench.env)
            left = models.node_count(bench.path("folded.onnx"), bench.env)
            left_original = models.node_count(bench.path("folded_original.onnx"), bench.env)
            models.assert_same_outputs(model, bench.path("folded.onnx"), bench.env)
            print(f"    nodes left: {left}, the original's {left_original}")
            bench.row(f"fold + cleanup, swin-like, {nodes} nodes", *pair, ">= 50 x, no more nodes than the original",
                      pair[1].cpu >= 50 * pair[0].cpu and left <= left_original)
            per_node = pair[0].cpu / nodes
        else:
            bench.row(f"fold + cleanup, swin-like, {nodes} nodes", *pair, "linear: <= 1.3 x per node",
                      pair[0].cpu <= 1.3 * per_node * nodes)


def light(bench):
    for name in ("light_densenet121", "light_resnet50"):
        model = models.light(name, bench.env)
        pair = bench.time_both(sanitize(model, f"{name}.onnx"), runs=5, original_runs=1)
        bench.row(f"fold + cleanup, {name}, growth deferred", *pair, ">= 10 x", pair[1].cpu >= 10 * pair[0].cpu)
        pair = bench.time_both(sanitize(model, f"{name}.onnx", *UNLIMITED), runs=5, original_runs=0)
        once([*bench.original, *sanitize(model, "original.onnx")], cwd=bench.work, env=bench.env)
        left = models.node_count(bench.path(f"{name}.onnx"), bench.env)
        left_original = models.node_count(bench.path("original.onnx"), bench.env)
        models.assert_same_outputs(model, bench.path(f"{name}.onnx"), bench.env)
        copy = median(["cp", f"{name}.onnx", "copy.onnx"], 5, cwd=bench.work)
        print(f"    nodes left: {left}, the original's {left_original}; cp of the result {copy.cpu * 1e3:.1f} ms")
        bench.row(f"fold + cleanup, {name}, growth allowed", *pair, "<= 0.15 s + 1.5 x cp, no more nodes",
                  pair[0].cpu <= 0.15 + 1.5 * copy.cpu and left <= left_original)


def bigconst(bench):
    model = models.make("bigconst.py", bench.path("bigconst.onnx"), env=bench.env)
    pair = bench.time_both(sanitize(model, "small.onnx"), runs=5, original_runs=0, memory=True)
    size = os.path.getsize(bench.path("small.onnx"))
    bench.row("fold + cleanup, bigconst (2 x 550 MiB when computed)", *pair, "<= 0.1 s, <= 64 MiB, file in KB",
              pair[0].cpu <= 0.1 and pair[0].anonymous <= 64 * MIB and size < 100 * 1024)
