"""Shrinking a model around one planted operator: the number of checks, the nodes left, and the cost of each check.

Cases for --case: light, heavy, in-process, transformer, "side by side, bisect" (linear, auto).
"""
import json
import os

import models
from measure import MIB, median, once, once_without_children

# Fails when the planted operator is in the file; counts its calls.
CHECK = "#!/bin/sh\necho >> asked\ngrep -q Softsign polygraphy_debug.onnx && exit 1\nexit 0\n"


def run(bench):
    with open(bench.path("check.sh"), "w", encoding="utf-8") as script:
        script.write(CHECK)
    os.chmod(bench.path("check.sh"), 0o755)
    quick = bench.options.quick
    blocks = ["--blocks", "2" if quick else "16"]
    if bench.wants("light"):
        light = models.planted_light_resnet(bench.path("light.onnx"), bench.env)
        shrink(bench, "light_resnet50, bisect", light, [], most_left=25, mib=100)
        if not quick:
            shrink(bench, "light_resnet50, linear", light, ["--mode", "linear"], most_left=1, mib=200, original=False)
        ours, checks = measure(bench, [bench.ours, "debug", "reduce", light, "-o", "red.onnx", "--mode", "auto", "--check", "./check.sh"], memory=True)
        left = models.node_count(bench.path("red.onnx"), bench.env)
        bench.row(f"light_resnet50, auto: {checks} checks, {left} node(s) left", ours, None, "<= 30 checks, 1 node, <= 1 s",
                  checks <= 30 and left == 1 and ours.cpu <= 1)
    if bench.wants("heavy"):
        heavy = models.make("conv.py", bench.path("conv_softsign.onnx"), *blocks, "--bad", "Softsign", env=bench.env)
        shrink(bench, f"resnet-like, {os.path.getsize(heavy) // 2**20} MiB, bisect", heavy, [], most_left=25, mib=64)
    if bench.wants("in-process"):
        in_process = models.make("conv.py", bench.path("conv_sqrt.onnx"), *blocks, "--bad", "Sqrt", env=bench.env)
        without_a_command(bench, f"resnet-like, {os.path.getsize(in_process) // 2**20} MiB, --check-nan", in_process)
    if bench.wants("transformer"):
        transformer(bench)
    for mode, nodes, positions, bar in (("bisect", 415, 12, 1.45), ("linear", 12, 3, 1.8), ("auto", 415, 12, 1.8)):
        if bench.wants(f"side by side, {mode}"):
            side_by_side(bench, mode, nodes, 3 if quick else positions, bar)


# Checks without a command, which the original lacks. Our own cost shows if candidates begin with the model's inputs, so that no
# engine has to run for their feeds.
def without_a_command(bench, name, model):
    arguments = [bench.ours, "debug", "reduce", model, "-o", "red.onnx", "--save-debug-replay", "replay.json", "--check-nan"]
    checks, whole = in_process_checks(bench, arguments, lambda command: once(command, cwd=bench.work, env=bench.env))
    left = models.node_count(bench.path("red.onnx"), bench.env)
    bench.row(f"{name}: {checks} checks, {left} node(s) left, {60 * checks / whole.cpu:.0f} checks a minute of CPU time", whole, None, ">= 100 a minute, 1 node",
              left == 1 and 60 * checks / whole.cpu >= 100)
    checks, alone = in_process_checks(bench, [*arguments, "--no-reduce-inputs"], lambda command: once_without_children(command, cwd=bench.work, env=bench.env))
    alone.cpu /= checks
    bench.row(f"{name}: per check, without the engine", alone, None, "<= 10 ms, <= 64 MiB", alone.cpu <= 0.01 and alone.anonymous <= 64 * MIB)


def in_process_checks(bench, command, measure_it):
    result = measure_it(command)
    with open(bench.path("replay.json"), encoding="utf-8") as replay:
        return len(json.load(replay)), result


# The first takes a second for every model; the second fails only when all of the operators are there.
SLOW = "#!/bin/sh\nsleep $SECONDS_EACH\n! grep -q Softsign \"$1\"\n"
ALL = "#!/bin/sh\necho >> asked\nmodel=$1; shift\nfor op in \"$@\"; do grep -q $op \"$model\" || exit 0; done\nexit 1\n"


def script(bench, name, text):
    with open(bench.path(name), "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(bench.path(name), 0o755)
    return "./" + name


def side_by_side(bench, mode, nodes, positions, bar):
    """Seconds of wall time: the check sleeps, so that other work on the machine hardly matters."""
    check = script(bench, "slow.sh", SLOW)
    env = {**bench.env, "SECONDS_EACH": "0.3" if bench.options.quick else "1"}
    total = {}
    for jobs in "1", "2":
        total[jobs] = 0
        for i in range(positions):
            model = models.planted_chain(bench.path("chain.onnx"), nodes, (2 * i + 1) * nodes // (2 * positions), bench.env)
            took = once([bench.ours, "debug", "reduce", model, "-o", "red.onnx", "--mode", mode, "-j", jobs, "--check", check, "{model}"],
                        cwd=bench.work, env=env)
            total[jobs] += took.wall
    ratio = total["1"] / total["2"]
    bench.row(f"-j 2, {mode}, {positions} positions: {total['1']:.1f} s -> {total['2']:.1f} s, {ratio:.2f} x", took, None, f">= {bar} x",
              ratio >= bar)


def transformer(bench):
    check = script(bench, "all.sh", ALL)
    layers = "4" if bench.options.quick else "33"
    source = models.make("transformer.py", bench.path("swin.onnx"), "--layers", layers, env=bench.env)
    nodes = models.node_count(source, bench.env)
    for name, places, ops, most in (("one fault", [0.37], ["Softsign"], 60), ("two far apart", [0.12, 0.81], ["Softsign", "Sinh"], 150)):
        model = models.planted_transformer(bench.path("planted.onnx"), source, places, bench.env)
        ours, checks = measure(bench, [bench.ours, "debug", "reduce", model, "-o", "red.onnx", "--mode", "auto", "--check", check, "{model}",
                                       *ops], memory=False)
        left = models.node_count(bench.path("red.onnx"), bench.env)
        bench.row(f"auto, {nodes} nodes, {name}: {checks} checks, {left} left", ours, None, f"<= {most} checks, {len(ops)} left",
                  checks <= most and left == len(ops))


def shrink(bench, name, model, options, most_left, mib, original=True):
    arguments = ["debug", "reduce", model, "-o", "red.onnx", *options, "--save-debug-replay", "replay.json", "--check", "./check.sh"]
    theirs, their_checks = None, float("inf")
    if original:
        theirs, their_checks = measure(bench, [*bench.original, *arguments], memory=False)
        their_left = models.node_count(bench.path("red.onnx"), bench.env)
    ours, checks = measure(bench, [bench.ours, *arguments], memory=True, runs=7)
    left = models.node_count(bench.path("red.onnx"), bench.env)
    if original:
        print(f"    {their_checks} checks and {their_left} nodes left; we: {checks} and {left}")
    bench.row(f"{name}: {checks} checks, {left} node(s) left", ours, theirs, f"no more checks, <= {most_left} nodes, <= {mib} MiB",
              checks <= their_checks and left <= most_left and ours.anonymous <= mib * MIB)
    # The cost of the check itself, with its reading, and of writing a file of that size.
    with open(bench.path("polygraphy_debug.onnx"), "wb") as smallest:
        smallest.write(b"")
    alone = median(["./check.sh"], 20, cwd=bench.work)
    copy = median(["cp", model, "copy.onnx"], 5, cwd=bench.work)
    os.remove(bench.path("polygraphy_debug.onnx"))
    ours.cpu = ours.cpu / checks - alone.cpu
    if theirs:
        theirs.cpu = theirs.cpu / their_checks - alone.cpu
    # Most of it belongs to the engine, which computes tensors past a cut on another branch, in a separate process.
    own = once_without_children([bench.ours, *arguments], cwd=bench.work, env=bench.env).cpu / checks
    bench.row(f"{name}: per check, without it (without the engine, {1000 * own:.1f} ms)", ours, theirs, "<= 10 ms + cp",
              ours.cpu <= 0.01 + copy.cpu)


def measure(bench, command, memory, runs=1):
    asked = bench.path("asked")
    if os.path.exists(asked):
        os.remove(asked)
    result = once(command, cwd=bench.work, env=bench.env)
    with open(asked, encoding="utf-8") as lines:
        checks = len(lines.readlines())
    if runs > 1:
        result = median(command, runs, cwd=bench.work, env=bench.env)
    if memory:
        result.anonymous = once(command, cwd=bench.work, env=bench.env, memory=True).anonymous
    return result, checks
