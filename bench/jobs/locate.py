"""Which node is guilty: `debug locate` against one comparison of all tensors. The original has nothing of the kind.

Cases for --case: cost, resnet50, limit, swin.
"""
import json
import os

import models
from measure import MIB, ROOT, in_turns, once

TARGET = ["--onnxrt", "--openvino", "--openvino-precision", "bf16"]


def cost_models(bench):
    bert = ["--style", "bert", "--dim", "384", "--layers", "6", "--heads", "12"]
    return {"magika": os.path.join(ROOT, ".deps", "models", "magika.onnx"),
            **{name: models.light(f"light_{name}", bench.env) for name in ("squeezenet", "resnet50")},
            "bert-like": models.make("transformer.py", bench.path("bert.onnx"), *bert, env=bench.env),
            "swin-like": models.make("transformer.py", bench.path("swin_cost.onnx"), "--layers", "4", env=bench.env)}


def run(bench):
    runs = 1 if bench.options.quick else 3
    light = models.light("light_resnet50", bench.env)
    if bench.wants("cost"):
        for name, model in cost_models(bench).items():
            # Tensors that are bitwise equal have no noise, and nothing to find alone.
            for pair, bar in (("openvino", 2.5), ("onnxrt", 1.3)):
                sides = ["--onnxrt", f"--{pair}", "-q"]
                compare = [bench.ours, "run", model, *sides, "--onnx-outputs", "mark", "all"]
                locate = [bench.ours, "debug", "locate", model, *sides]
                both = in_turns([(compare, runs), (locate, runs)], cwd=bench.work, env=bench.env)
                ratio = both[1].cpu / both[0].cpu
                bench.row(f"{name}, onnxrt and {pair}: located, {ratio:.2f} x one comparison", both[1], None, f"<= {bar} x", ratio <= bar)
    if bench.wants("resnet50"):
        compare = [bench.ours, "run", light, *TARGET, "--onnx-outputs", "mark", "all", "-q"]
        locate = [bench.ours, "debug", "locate", light, *TARGET, "-q"]
        both = in_turns([(compare, runs), (locate, runs)], cwd=bench.work, env=bench.env)
        assert all(sample.code in (0, 1) for sample in both), both
        ratio = both[1].cpu / both[0].cpu
        wall = both[1].wall / both[0].wall
        bench.row("light_resnet50 in bf16: one comparison of all tensors", both[0], None, "", True)
        bench.row(f"light_resnet50 in bf16: located, {ratio:.1f} x its CPU time, {wall:.1f} x its time", both[1], None, "<= 6 x", wall <= 6)
    if bench.wants("limit"):
        for limit in (512, 768, 1024):
            command = [bench.ours, "debug", "locate", light, *TARGET, "-q", "--mem-limit", f"{limit}M"]
            took = once(command, cwd=bench.work, env=bench.env, memory=True)
            assert took.code in (0, 1), took
            bench.row(f"light_resnet50 in bf16, --mem-limit {limit}M", took, None, f"<= {limit} MiB", took.anonymous <= limit * MIB)
    if bench.wants("swin"):
        layers = "4" if bench.options.quick else "33"
        swin = models.make("transformer.py", bench.path("swin.onnx"), "--layers", layers, env=bench.env)
        report = bench.path("swin.json")
        took = once([bench.ours, "debug", "locate", swin, *TARGET, "-q", "--json", report], cwd=bench.work, env=bench.env)
        assert took.code in (0, 1), took
        with open(report, encoding="utf-8") as file:
            nodes = len(json.load(file)["nodes"])
        bench.row(f"swin-like in bf16, {nodes} nodes: {took.wall:.1f} s", took, None, "<= 60 s", took.wall <= 60)
        os.remove(report)
