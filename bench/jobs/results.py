"""Comparing, saving and loading large outputs."""
import models
from measure import MIB


def run(bench):
    mib = 32 if bench.options.quick else 256
    a, b = models.two_results(bench.work, mib, bench.env)
    arguments = ["run", "--load-outputs", a, b]
    ours, original = bench.output([bench.ours, *arguments]), bench.output([*bench.original, *arguments])
    figures = [[line.split("]", 1)[1] for line in text.splitlines() if "Stats:" in line or "Required" in line]
               for _, text in (ours, original)]
    assert figures[0] == figures[1] and figures[0], "the statistics differ"
    times = bench.time_both(arguments, runs=3, original_runs=1, memory=True)
    bench.row(f"load and compare 2 x {mib} MiB float32", *times, ">= 20 x", times[1].cpu >= 20 * times[0].cpu)
    model = models.identity(bench.path("identity.onnx"), mib, bench.env)
    plain = bench.time_both(["run", model, "--onnxrt"], runs=3, original_runs=1, memory=True)
    saving = bench.time_both(["run", model, "--onnxrt", "--save-outputs", "saved.json"], runs=3, original_runs=1, memory=True)
    ours = type(saving[0])(saving[0].cpu - plain[0].cpu, 0, saving[0].anonymous - plain[0].anonymous, 0)
    original = type(saving[1])(saving[1].cpu - plain[1].cpu, 0, 0, 0)
    bench.row(f"save {mib} MiB of outputs (run with less run without)", ours, original, ">= 10 x", original.cpu >= 10 * ours.cpu)
    loading = bench.time_both(["inspect", "data", a], runs=3, original_runs=1, memory=True)
    bench.row(f"inspect data, {mib} MiB (load, statistics)", *loading, f">= 10 x, <= {int(mib * 1.5)} MiB",
             loading[1].cpu >= 10 * loading[0].cpu and loading[0].anonymous <= 1.5 * mib * MIB)
