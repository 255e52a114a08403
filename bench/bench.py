#!/usr/bin/env python3
"""Against the original, in the same run: equal results are proven first, then both are timed.

Prints one row per job: CPU seconds (whole process tree, median), the ratio, peak anonymous memory, and the bar. Nothing here is a
test: a busy machine may miss a bar. A job is a file in jobs/ with a function run(bench). `make bench` runs it; `--quick` makes
smaller models and fewer runs.
"""
import argparse
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

from measure import HERE, MIB, ROOT, in_turns, once


class Bench:
    def __init__(self, options):
        self.options = options
        self.ours = os.path.join(ROOT, "build", "release", "bin", "polygraphy")
        self.parity = os.path.join(ROOT, ".deps", "parity")
        # As ours: ONNX Runtime reports nothing to its maker, for either program.
        self.env = dict(os.environ, PYTHONPATH=self.parity, ORT_DISABLE_TELEMETRY="1")
        self.original = [sys.executable, os.path.join(self.parity, "bin", "polygraphy")]
        self.work = tempfile.mkdtemp(prefix="bench-", dir=options.work)
        self.rows = []

    def wants(self, case):
        return self.options.case in case

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
        commands = [([self.ours, *arguments], runs)]
        if original_runs:
            commands.append(([*self.original, *arguments], original_runs))
        ours, *original = in_turns(commands, cwd=self.work, env=self.env)
        if memory:
            ours.anonymous = once([self.ours, *arguments], cwd=self.work, env=self.env, memory=True).anonymous
        return ours, original[0] if original else None

    def same_stdout(self, arguments):
        ours, original = self.output([self.ours, *arguments]), self.output([*self.original, *arguments])
        colored = [line for line in original[1].splitlines() if "'colored' module" not in line]
        assert ours[0] == original[0] == 0, (arguments, ours[0], original[0])
        assert ours[1].splitlines() == colored, f"{arguments}: the texts differ"

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)


JOBS = sorted(name[:-3] for name in os.listdir(os.path.join(HERE, "jobs")) if name.endswith(".py"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", nargs="*", default=JOBS, help=" ".join(JOBS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--case", default="", help="of a job with several cases, only those with this in their names (see the job)")
    parser.add_argument("--zoo", default=None, help="folder with further models for the job `shapes`")
    parser.add_argument("--work", default=None, help="folder with room for the models (12 GiB)")
    options = parser.parse_args()
    bench = Bench(options)
    try:
        print(f"{'job':<58} {'ours, CPU':>13} {'original':>13} {'ratio':>9} {'anonymous':>12}  bar")
        for job in options.jobs:
            importlib.import_module(f"jobs.{job}").run(bench)
    finally:
        bench.close()
    missed = [job for job, met in bench.rows if not met]
    print(json.dumps({"jobs": len(bench.rows), "missed": missed}))


if __name__ == "__main__":
    main()
