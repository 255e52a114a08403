"""Surgery on structure, whose cost must not depend on the weights."""
import os

import models
from measure import MIB, median

CLEANUP = ["--cleanup"]


def sanitize(model, *options):
    return ["surgeon", "sanitize", model, "-o", "out.onnx", *options]


def run(bench):
    chain(bench)
    inline(bench)
    external(bench)


def chain(bench):
    small = models.make("chain.py", bench.path("chain_small.onnx"), "--nodes", "1000", env=bench.env)
    bench.output([bench.ours, *sanitize(small, *CLEANUP)])
    models.assert_same_outputs(small, bench.path("out.onnx"), bench.env)
    counts = (1000, 10000) if bench.options.quick else (100000, 1000000)
    per_node = {}
    for i, count in enumerate(counts):
        model = models.make("chain.py", bench.path(f"chain_{count}.onnx"), "--nodes", str(count), env=bench.env)
        for extra, bar in (([], 1.5), (["--no-shape-inference"], 0.4)):
            pair = bench.time_both(sanitize(model, *CLEANUP, *extra), runs=3, original_runs=1 if i == 0 and not extra else 0)
            job = f"sanitize --cleanup {' '.join(extra)}, chain {count}"
            if i == 0:
                per_node[bar] = pair[0].cpu / count
                bench.row(job, *pair, f"<= {bar} s", pair[0].cpu <= bar)
            else:
                bench.row(job, *pair, "linear: <= 1.3 x per node", pair[0].cpu <= 1.3 * per_node[bar] * count)


def extract(model, bench, *options):
    inputs, outputs = models.fat_layer(model, bench.env)
    return ["surgeon", "extract", model, "-o", "out.onnx", "--inputs", f"{inputs}:auto:auto", "--outputs", f"{outputs}:auto", *options]


def inline(bench):
    gib = 0.2 if bench.options.quick else 1.5
    model = models.make("fat.py", bench.path("fat_inline.onnx"), "--gib", str(gib), env=bench.env)
    copy = median(["cp", "--reflink=never", model, "out.onnx"], 3, cwd=bench.work)
    pair = bench.time_both(sanitize(model, *CLEANUP), runs=3, original_runs=1, memory=True)
    print(f"    cp {copy.cpu:.2f} s of CPU")
    bench.row(f"sanitize --cleanup, {gib} GiB inline", *pair, "<= 1.2 x cp, <= 64 MiB",
              pair[0].cpu <= 1.2 * copy.cpu and pair[0].anonymous <= 64 * MIB)
    pair = bench.time_both(extract(model, bench), runs=3, original_runs=1, memory=True)
    models.assert_same_outputs(bench.path("out.onnx"), bench.path("out.onnx"), bench.env)
    bench.row(f"extract 64 MiB out of {gib} GiB inline", *pair, "<= 0.15 s, <= 64 MiB",
              pair[0].cpu <= 0.15 and pair[0].anonymous <= 64 * MIB)
    models.remove(model)


def external(bench):
    for gib, sparse in ((0.5, False), (1, True)) if bench.options.quick else ((6, False), (30, True)):
        kind = "sparse external" if sparse else "external"
        model = models.fat_external(bench.path("fat_external.onnx"), gib, sparse, bench.env)
        copy = median(["cp", "--reflink=never", "--sparse=auto", f"{model}.data", "out.data"], 1, cwd=bench.work)
        os.remove(bench.path("out.data"))
        print(f"    cp of the data file {copy.cpu:.2f} s of CPU")
        pair = bench.time_both(extract(model, bench), runs=3, original_runs=0, memory=True)
        models.assert_same_outputs(bench.path("out.onnx"), bench.path("out.onnx"), bench.env)
        bench.row(f"extract 64 MiB out of {gib} GiB {kind}", *pair, "<= 0.15 s, <= 64 MiB",
                  pair[0].cpu <= 0.15 and pair[0].anonymous <= 64 * MIB)
        first, second = models.fat_layer(model, bench.env)
        jobs = (("cleanup", sanitize(model, *CLEANUP)),
                ("shape override", sanitize(model, "--override-input-shapes", "x:[2,4096]", "--no-shape-inference")),
                ("insert", ["surgeon", "insert", model, "-o", "out.onnx", "--inputs", first, "--outputs", second, "--op", "Relu"]))
        for name, arguments in jobs:
            pair = bench.time_both(arguments, runs=1, original_runs=0, memory=True)
            models.remove(bench.path("out.onnx"))
            # cp of a hole costs nothing at all
            bench.row(f"{name}, {gib} GiB {kind}", *pair, "<= 1.2 x cp (sparse: or 0.1 s), <= 64 MiB",
                      pair[0].cpu <= max(1.2 * copy.cpu, 0.1 * sparse) and pair[0].anonymous <= 64 * MIB)
            pair = bench.time_both([*arguments, "--share-external-data"], runs=3, original_runs=0, memory=True)
            models.remove(bench.path("out.onnx"))
            bench.row(f"{name}, {gib} GiB {kind}, shared", *pair, "<= 0.1 s, <= 64 MiB",
                      pair[0].cpu <= 0.1 and pair[0].anonymous <= 64 * MIB)
        models.remove(model)
