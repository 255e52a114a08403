"""Ranks, sizes and names that shape inference knows, ours and the original's (ONNX Runtime's symbolic inference), on the models of the
benchmark, of the onnx test data, and of the folder of --zoo; both checked against real runs of the models. A model on which ours knows less
of a tensor than is true of the original's, or says what is not true, is listed, and misses the bar. `--case NAME`: only models with this in
their paths."""
import glob
import json
import os
import subprocess
import sys

import models
from measure import HERE, ROOT, Sample
from python_scripts import BUILT, PACKAGES
from shapes.verdict import Counts, judge

MOST_SHOWN = 5  # tensors of a model


def made(bench):
    """Those of the generators; static and open sizes."""
    cases = [("bert_open", "transformer.py", "--style bert --layers 3 --batch batch --seq seq"),
             ("swin_4", "transformer.py", "--layers 4"), ("swin_4_open", "transformer.py", "--layers 4 --batch N"),
             ("conv", "conv.py", "--width 16"), ("nan", "nan.py", ""), ("chain", "chain.py", "--nodes 1000"),
             ("bigconst", "bigconst.py", "--mib 8")]
    if not bench.options.quick:
        cases += [("bert", "transformer.py", "--style bert --dim 384 --layers 6 --heads 12"), ("swin", "transformer.py", ""),
                  ("swin_open", "transformer.py", "--batch N")]
    return [models.make(generator, bench.path(f"{name}.onnx"), *arguments.split(), env=bench.env) for name, generator, arguments in cases]


def run_script(bench, name, ours, paths):
    packages = [os.path.join(PACKAGES, "polygraphy_native", "compat"), PACKAGES] if ours else []
    output = bench.path("facts.jsonl")
    subprocess.run([sys.executable, os.path.join(HERE, "shapes", name), paths, output], check=True, cwd=bench.work,
                   stderr=subprocess.DEVNULL, env=dict(bench.env, PYTHONPATH=os.pathsep.join([*packages, bench.parity])))
    with open(output) as f:
        return [json.loads(line) for line in f]


def show(path, verdict):
    print(f"    {path}: {len(verdict.below)} tensors below the original, {len(verdict.untrue)} untrue")
    for what, tensors in (("below ", verdict.below), ("untrue", verdict.untrue)):
        for name, mine, other in tensors[:MOST_SHOWN]:
            print(f"        {what} {name}: {mine}, {'original' if what == 'below ' else 'real'} {other}")


def judge_all(bench, title, paths, faster):
    paths = [path for path in paths if bench.wants(path)]
    if not paths:
        return
    listing = bench.path("models.txt")
    with open(listing, "w") as f:
        f.write("\n".join(paths))
    ours, original = (run_script(bench, "infer.py", is_ours, listing) for is_ours in (True, False))
    runs = run_script(bench, "real.py", False, listing)
    total, below, untrue = (Counts(), Counts()), 0, 0
    for path, mine, other, real in zip(paths, ours, original, runs, strict=True):
        verdict = judge(mine["shapes"], other["shapes"], mine["inputs"], real)
        total = total[0] + verdict.ours, total[1] + verdict.original
        below, untrue = below + bool(verdict.below), untrue + bool(verdict.untrue)
        if verdict.below or verdict.untrue:
            show(path, verdict)
    for who, counts in zip(("ours", "original"), total):
        print(f"    {title}, {who}: {counts.ranks} ranks, {counts.static} sizes, {counts.named} names, {counts.derived} of them of the model")
    seconds = [sum(model["seconds"] for model in facts) for facts in (ours, original)]
    bench.row(f"infer_shapes, {title}: {len(paths)} models, {sum(map(bool, runs))} run", *(Sample(s, s, 0, 0) for s in seconds),
              f"nothing below ({below}), nothing untrue ({untrue}), >= {faster} x", not below and not untrue and seconds[1] >= faster * seconds[0])


def run(bench):
    if not os.path.exists(BUILT):
        print("shapes: the Python packages are not built")
        return
    judge_all(bench, "generated", made(bench), 20)
    found = lambda folder: sorted(glob.glob(os.path.join(folder, "**", "*.onnx"), recursive=True))
    deps = os.path.join(ROOT, ".deps")
    tests = found(os.path.join(deps, "onnx-testdata"))
    # Small models: most of the time goes to messages of Python.
    judge_all(bench, "onnx test data", tests[::20] if bench.options.quick else tests, 3)
    judge_all(bench, "magika", found(os.path.join(deps, "models")), 5)
    if bench.options.zoo:
        judge_all(bench, "zoo", found(bench.options.zoo), 5)
