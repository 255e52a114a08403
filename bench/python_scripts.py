"""Scripts that time their own steps, run with our Python packages and with the originals.

A script calls step(name, function), which returns what the function does, and sets `found` to a dictionary of what has to
be equal.
"""
import json
import os
import subprocess
import sys

from measure import ROOT

PACKAGES = os.path.join(ROOT, "build", "release", "python")
BUILT = os.path.join(PACKAGES, "polygraphy_native", "_native.abi3.so")

BEFORE = """
import gc, json, resource, sys, time
steps = {}

def step(name, work):
    gc.collect()
    begin = time.process_time()
    result = work()
    steps[name] = time.process_time() - begin
    return result
"""
AFTER = """
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"steps": steps, "memory": memory, **found}))
"""


def best_of_each(bench, script, ours, *arguments, runs=3):
    """The output of one run, with the least CPU seconds of each step among several runs: `steps`, peak `memory` in bytes, and
    the findings of the script."""
    packages = [os.path.join(PACKAGES, "polygraphy_native", "compat"), PACKAGES] if ours else []
    # Compiled modules are kept, as those of an installed package are; the first run makes them.
    env = dict(bench.env, PYTHONPATH=os.pathsep.join([*packages, bench.parity]),
               PYTHONPYCACHEPREFIX=bench.path("pycache"), OURS=str(int(ours)))
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    best = None
    for _ in range(runs):
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", BEFORE + script + AFTER, *arguments], env=env, check=True,
                              capture_output=True, text=True, cwd=bench.work)
        result = json.loads(done.stdout.splitlines()[-1])
        if best is None:
            best = result
        else:
            best["steps"] = {name: min(seconds, best["steps"][name]) for name, seconds in result["steps"].items()}
    return best
