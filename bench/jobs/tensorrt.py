"""TensorRT-RTX, which needs no GPU up to the plan: a build against the bare builder, and questions about a large model.
Needs its libraries, which `scripts/setup.sh ci` brings."""
import os
import subprocess

import models
from measure import HERE, ROOT, in_turns, once

LIBRARIES = os.path.join(ROOT, ".deps", "tensorrt", "rtx-lib")
LIBRARY = os.path.join(LIBRARIES, "libtensorrt_rtx.so.1")
PARSER = os.path.join(LIBRARIES, "libtensorrt_onnxparser_rtx.so.1")


def build(bench):
    model = models.make("transformer.py", bench.path("bert.onnx"), "--style", "bert", "--dim", "384", "--layers", "6", "--heads", "12",
                              env=bench.env)
    plan, floor_plan = bench.path("ours.engine"), bench.path("floor.engine")
    floor = bench.path("builder_alone")
    subprocess.run(["g++", "-O2", "-std=c++20", "-w", "-isystem", os.path.join(ROOT, ".deps/tensorrt/include/rtx"), "-isystem",
                    os.path.join(ROOT, "backends/tensorrt/cuda"), os.path.join(HERE, "builder_alone.cpp"), "-o", floor, "-ldl"],
                   check=True)
    ours = [bench.ours, "convert", model, "-o", plan, "--convert-to", "trt", "--trt-lib", LIBRARY]
    bare = [floor, LIBRARY, PARSER, model, floor_plan]
    with_ours, alone = in_turns([(ours, 5), (bare, 5)], cwd=bench.work, env=bench.env)
    assert os.path.getsize(plan) > 1e6 and os.path.getsize(floor_plan) > 1e6
    added = with_ours.cpu / alone.cpu - 1
    memory = [once(command, cwd=bench.work, env=bench.env, memory=True).anonymous for command in (ours, bare)]
    with_ours.anonymous = memory[0]
    bench.row("convert bert-like with TensorRT-RTX, against the bare builder", with_ours, alone,
              f"<= 5 % CPU more: {added * 100:+.1f} %; memory {memory[0] / memory[1]:.2f} of the builder's", added <= 0.05)


def ask(bench):
    model = models.make("transformer.py", bench.path("swin.onnx"), env=bench.env)
    for arguments, seconds in ((["inspect", "capability", model, "-o", "capability"], 1.0),
                               (["inspect", "model", model, "--display-as", "trt", "--show", "layers"], 1.5)):
        command = [bench.ours, *arguments, "--trt-lib", LIBRARY]
        assert bench.output(command)[0] == 0, command
        took, = in_turns([(command, 5)], cwd=bench.work, env=bench.env)
        bench.row(f"{' '.join(arguments[:2])} of swin-like, {arguments[-1]}", took, None,
                  f"<= {seconds} s: {took.wall:.2f} s of the wall's clock", took.cpu <= seconds)


def run(bench):
    if not os.path.exists(LIBRARY):
        print("tensorrt: no TensorRT-RTX here (scripts/setup.sh ci brings it)")
        return
    build(bench)
    ask(bench)
