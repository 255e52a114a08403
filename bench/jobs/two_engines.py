"""All tensors of two engines compared, against the two engines alone."""
import os

import models
from measure import ROOT, in_turns


def run(bench):
    quick = bench.options.quick
    transformers = ["--layers", "4"] if quick else []
    for name, model in (
            ("swin", models.make("transformer.py", bench.path("swin.onnx"), *transformers, env=bench.env)),
            ("bert", models.make("transformer.py", bench.path("bert_small.onnx"), "--style", "bert", *transformers, env=bench.env)),
            ("conv", models.make("conv.py", bench.path("conv.onnx"), *(["--side", "64"] if quick else []), env=bench.env)),
            ("magika", os.path.join(ROOT, ".deps/models/magika.onnx")),
            ("light_resnet50", os.path.join(ROOT, ".deps/onnx-testdata/light/light_resnet50.onnx"))):
        outputs = ["--onnx-outputs", "mark", "all"]
        runs = 3 if quick else 9
        one, two = in_turns([([bench.ours, "run", model, "--onnxrt", *outputs], runs),
                             ([bench.ours, "run", model, "--onnxrt", "--onnxrt", *outputs], runs)], cwd=bench.work, env=bench.env)
        ratio = two.wall / (2 * one.wall)
        bench.row(f"all tensors of two engines, {name}: {ratio:.2f} x the engines", two, one, "wall <= 1.2 x two engines", ratio <= 1.2)
