#!/usr/bin/env python3
"""Against the original, in the same run: equal results are proven first, then both are timed.

Prints one row per job: CPU seconds (whole process tree, median), the ratio, peak anonymous memory, and the bar. Nothing here is a
test: a figure on a busy machine fails nobody. `make bench` runs it; `--quick` makes smaller models and fewer runs.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import models  # noqa: E402
from measure import median, once  # noqa: E402

MIB = 2**20


class Bench:
    def __init__(self, options):
        self.options = options
        self.ours = os.path.join(ROOT, "build", "release", "bin", "polygraphy")
        self.parity = os.path.join(ROOT, ".deps", "parity")
        self.env = dict(os.environ, PYTHONPATH=self.parity)
        self.original = [sys.executable, os.path.join(self.parity, "bin", "polygraphy")]
        self.work = tempfile.mkdtemp(prefix="bench-", dir=options.work)
        self.rows = []

    def path(self, name):
        return os.path.join(self.work, name)

    def output(self, command):
        done = subprocess.run(command, env=self.env, cwd=self.work, capture_output=True, text=True)
        return done.returncode, done.stdout

    def row(self, job, ours, original, bar, met):
        ratio = f"{original.cpu / ours.cpu:8.1f}x" if original and ours.cpu > 0 else "        -"
        self.rows.append((job, met))
        print(f"{job:<58} {ours.cpu * 1e3:10.1f} ms {original.cpu * 1e3 if original else float('nan'):10.1f} ms {ratio} "
              f"{ours.anonymous / MIB:8.1f} MiB  {'ok ' if met else 'NOT'} {bar}", flush=True)

    def time_both(self, arguments, runs=5, original_runs=3, memory=False):
        ours = median([self.ours, *arguments], runs, cwd=self.work, env=self.env)
        if memory:
            ours.anonymous = once([self.ours, *arguments], cwd=self.work, env=self.env, memory=True).anonymous
        original = median([*self.original, *arguments], original_runs, cwd=self.work, env=self.env) if original_runs else None
        return ours, original

    def same_stdout(self, arguments):
        ours, original = self.output([self.ours, *arguments]), self.output([*self.original, *arguments])
        colored = [line for line in original[1].splitlines() if "'colored' module" not in line]
        assert ours[0] == original[0] == 0, (arguments, ours[0], original[0])
        assert ours[1].splitlines() == colored, f"{arguments}: the texts differ"

    # ---- jobs ----

    def start_up(self):
        for arguments in (["--version"], ["run", "--help"]):
            ours, original = self.time_both(arguments, runs=21, original_runs=5)
            self.row("polygraphy " + " ".join(arguments), ours, original, "<= 5 ms", ours.cpu <= 0.005)

    def inspect_fat(self):
        gib_inline, gib_external = (0.2, 0.5) if self.options.quick else (1.5, 6)
        for name, arguments, gib in (("inline", [], gib_inline), ("external", ["--external"], gib_external)):
            model = models.make("fat.py", self.path(f"fat_{name}.onnx"), "--gib", str(gib), *arguments, env=self.env)
            self.same_stdout(["inspect", "model", model])
            ours, original = self.time_both(["inspect", "model", model], memory=True, original_runs=1)
            self.row(f"inspect model, fat {name} {gib} GiB", ours, original, "<= 20 ms, <= 32 MiB",
                     ours.cpu <= 0.020 and ours.anonymous <= 32 * MIB)
            models.drop_from_cache(self.work)
            cold = once([self.ours, "inspect", "model", model], cwd=self.work, env=self.env)
            self.row(f"inspect model, fat {name} {gib} GiB, cold (wall)", type(cold)(cold.wall, cold.wall, 0, 0), None,
                     "<= 0.3 s", cold.wall <= 0.3)
            if name == "external":
                models.remove(model)
        # the inline model stays for nobody
        models.remove(self.path("fat_inline.onnx"))

    def inspect_chain(self):
        show = ["--show", "layers", "attrs", "weights"]
        small = models.make("chain.py", self.path("chain_small.onnx"), "--nodes", "1000", env=self.env)
        self.same_stdout(["inspect", "model", small, *show])
        chain = models.make("chain.py", self.path("chain.onnx"), "--nodes", "100000", env=self.env)
        for extra, bar in (([], 0.15), (show, 0.5)):
            ours, original = self.time_both(["inspect", "model", chain, *extra], memory=True, original_runs=1)
            self.row("inspect model, chain 1e5 " + " ".join(extra[1:]), ours, original, f"<= {bar} s", ours.cpu <= bar)
            self.per_node = ours.cpu / 1e5
        if not self.options.quick:
            chain6 = models.make("chain.py", self.path("chain6.onnx"), "--nodes", "1000000", env=self.env)
            ours, _ = self.time_both(["inspect", "model", chain6, *show], runs=2, original_runs=0)
            self.row("inspect model, chain 1e6, all shown", ours, None, "linear: <= 12 x the 1e5 one",
                     ours.cpu <= 12e5 * self.per_node)

    def run_small(self):
        engine = self.path("engine_alone")
        subprocess.run(["g++", "-O2", "-std=c++20", "-I", os.path.join(ROOT, ".deps/ort/include"),
                        os.path.join(HERE, "engine_alone.cpp"), "-o", engine, "-ldl"], check=True)
        library = os.path.join(ROOT, ".deps/ort/lib/libonnxruntime.so")
        for name, model in (("small", models.small(self.path("small.onnx"), self.env)),
                            ("magika", os.path.join(ROOT, ".deps/models/magika.onnx"))):
            floor = median([engine, library, model], 15)
            ours, original = self.time_both(["run", model, "--onnxrt"], runs=15)
            print(f"    engine alone: {floor.cpu * 1e3:.1f} ms of CPU; ratio to it {ours.cpu / floor.cpu:.2f}")
            self.row(f"run --onnxrt, {name}", ours, original, "<= 1.3 x the engine alone", ours.cpu <= 1.3 * floor.cpu)

    def results(self):
        mib = 32 if self.options.quick else 256
        a, b = models.two_results(self.work, mib, self.env)
        arguments = ["run", "--load-outputs", a, b]
        ours, original = self.output([self.ours, *arguments]), self.output([*self.original, *arguments])
        figures = [[line.split("]", 1)[1] for line in text.splitlines() if "Stats:" in line or "Required" in line]
                   for _, text in (ours, original)]
        assert figures[0] == figures[1] and figures[0], "the statistics differ"
        times = self.time_both(arguments, runs=3, original_runs=1, memory=True)
        self.row(f"load and compare 2 x {mib} MiB float32", *times, ">= 20 x", times[1].cpu >= 20 * times[0].cpu)
        model = models.identity(self.path("identity.onnx"), mib, self.env)
        plain = self.time_both(["run", model, "--onnxrt"], runs=3, original_runs=1, memory=True)
        saving = self.time_both(["run", model, "--onnxrt", "--save-outputs", "saved.json"], runs=3, original_runs=1, memory=True)
        ours = type(saving[0])(saving[0].cpu - plain[0].cpu, 0, saving[0].anonymous - plain[0].anonymous, 0)
        original = type(saving[1])(saving[1].cpu - plain[1].cpu, 0, 0, 0)
        self.row(f"save {mib} MiB of outputs (run with less run without)", ours, original, ">= 10 x", original.cpu >= 10 * ours.cpu)
        loading = self.time_both(["inspect", "data", a], runs=3, original_runs=1, memory=True)
        self.row(f"inspect data, {mib} MiB (load, statistics)", *loading, f">= 10 x, <= {int(mib * 1.5)} MiB",
                 loading[1].cpu >= 10 * loading[0].cpu and loading[0].anonymous <= 1.5 * mib * MIB)

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)


JOBS = ["start_up", "run_small", "inspect_chain", "results", "inspect_fat"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", nargs="*", default=JOBS, help=" ".join(JOBS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--work", default=None, help="folder with room for the models (12 GiB)")
    options = parser.parse_args()
    bench = Bench(options)
    try:
        print(f"{'job':<58} {'ours, CPU':>13} {'original':>13} {'ratio':>9} {'anonymous':>12}  bar")
        for job in options.jobs:
            getattr(bench, job)()
    finally:
        bench.close()
    missed = [job for job, met in bench.rows if not met]
    print(json.dumps({"jobs": len(bench.rows), "missed": missed}))


if __name__ == "__main__":
    main()
