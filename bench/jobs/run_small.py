"""`run` on small models, against the engine alone."""
import os
import subprocess

import models
from measure import HERE, ROOT, median


def run(bench):
    engine = bench.path("engine_alone")
    subprocess.run(["g++", "-O2", "-std=c++20", "-I", os.path.join(ROOT, ".deps/ort/include"),
                    os.path.join(HERE, "engine_alone.cpp"), "-o", engine, "-ldl"], check=True)
    library = os.path.join(ROOT, ".deps/ort/lib/libonnxruntime.so")
    for name, model in (("small", models.small(bench.path("small.onnx"), bench.env)),
                        ("magika", os.path.join(ROOT, ".deps/models/magika.onnx"))):
        floor = median([engine, library, model], 15)
        ours, original = bench.time_both(["run", model, "--onnxrt"], runs=15)
        print(f"    engine alone: {floor.cpu * 1e3:.1f} ms of CPU; ratio to it {ours.cpu / floor.cpu:.2f}")
        bench.row(f"run --onnxrt, {name}", ours, original, "<= 1.3 x the engine alone", ours.cpu <= 1.3 * floor.cpu)
