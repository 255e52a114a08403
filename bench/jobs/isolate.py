"""Runners in separate processes, against the same runners in ours; and all tensors of a model that memory cannot hold at once."""
import models
from measure import MIB, in_turns, once


def run(bench):
    quick = bench.options.quick
    for name, model, outputs, runs in (
            ("small, one runner", models.small(bench.path("small.onnx"), bench.env), [], 21),
            ("small, two runners", models.small(bench.path("small.onnx"), bench.env), ["--onnxrt"], 21),
            ("conv, all tensors", models.make("conv.py", bench.path("conv.onnx"), *(["--side", "64"] if quick else []), env=bench.env),
             ["--onnxrt", "--onnx-outputs", "*", "--compare", "l2"], 9)):
        command = [bench.ours, "run", model, "--onnxrt", *outputs]
        here, apart = in_turns([(command, runs), ([*command, "--isolate"], runs)], cwd=bench.work, env=bench.env)
        print(f"    wall: {here.wall * 1e3:.1f} ms in our process, {apart.wall * 1e3:.1f} ms isolated")
        bench.row(f"--isolate, {name}", apart, here, "wall <= 15 ms + 10 %", apart.wall <= here.wall * 1.1 + 0.015)

    # 160 tensors of 128 MiB, each made of the one before.
    gib, limit, tensor = (1, "512M", 16) if quick else (20, "4G", 128)
    model = models.layers(bench.path("layers.onnx"), gib * 1024 // tensor, tensor, bench.env)
    for more in ([], ["--isolate"]):
        command = [bench.ours, "run", model, "--onnxrt", "--onnxrt", "--onnx-outputs", "*", "--mem-limit", limit, *more]
        code, text = bench.output(command)
        compared = text.count("PASSED | Output: ")
        assert code == 0 and compared == gib * 1024 // tensor, (code, compared)
        sample = once(command, cwd=bench.work, env=bench.env, memory=True)
        bench.row(f"all {gib} GiB of tensors, --mem-limit {limit} {' '.join(more)}", sample, None, f"<= {limit}",
                  sample.anonymous <= {"512M": 512, "4G": 4096}[limit] * MIB)
