"""Saved inputs and results: JSON as the original's, binary files at the speed of reading them, many samples in constant memory."""
import os
import subprocess

import models
from measure import HERE, MIB, in_turns, median, on_top, once


def run(bench):
    conv(bench)
    all_statistics(bench)
    samples(bench)


def floor(bench, *files):
    """CPU of reading the bytes: `cat` into another program, which is what has to look at them at least once."""
    names = " ".join(files)
    return median(["sh", "-c", f"cat {names} | cat > /dev/null"], 5, cwd=bench.work).cpu


def conv(bench):
    """192 tensors, 164 MiB."""
    small = ["--side", "64"] if bench.options.quick else []
    model = models.make("conv.py", bench.path("conv.onnx"), *small, env=bench.env)
    everything = ["run", model, "--onnxrt", "--onnx-outputs", "*"]
    twice = ["run", model, "--onnxrt", "--onnxrt", "--onnx-outputs", "*"]
    commands = [([*tool, *arguments], runs) for tool, runs in (([bench.ours], 9), (bench.original, 3)) for arguments in (everything, twice)]
    alone, both, original_alone, original_both = in_turns(commands, cwd=bench.work, env=bench.env)
    both.anonymous = once([bench.ours, *twice], cwd=bench.work, env=bench.env, memory=True).anonymous
    bench.row("conv: --onnxrt --onnxrt, 192 tensors compared", both, original_both, ">= 7 x", original_both.cpu >= 7 * both.cpu)
    for one, two in ((alone, both), (original_alone, original_both)):
        two.cpu -= 2 * one.cpu
    print(f"    one runner alone: {alone.cpu * 1e3:.0f} ms, the original {original_alone.cpu * 1e3:.0f} ms")
    bench.row("conv: comparing itself, without both runners", both, original_both, ">= 25 x", original_both.cpu >= 25 * both.cpu)

    originals, saving = on_top([(bench.original, 1), ([bench.ours], 4)], everything, ["--save-outputs", "a.json"],
                               2 if bench.options.quick else 5, cwd=bench.work, env=bench.env)
    bench.row("conv: --save-outputs .json, on top of the run", saving, originals, ">= 10 x", originals.cpu >= 10 * saving.cpu)
    bench.output([bench.ours, *everything, "--save-outputs", "b.json", "--seed", "2"])
    size = os.path.getsize(bench.path("a.json")) / MIB / 1.337
    json = bench.time_both(["run", "--load-outputs", "a.json", "b.json"], runs=9, original_runs=1, memory=True)
    bench.row(f"compare 2 saved results, JSON, {size:.0f} MiB of tensors each", *json, "<= 0.5 s, <= 1.3 x the tensors",
              json[0].cpu <= 0.5 and json[0].anonymous <= 1.3 * 2 * size * MIB)
    inspect = bench.time_both(["inspect", "data", "a.json"], runs=5, original_runs=1, memory=True)
    bench.row("inspect data, JSON", *inspect, ">= 15 x", inspect[1].cpu >= 15 * inspect[0].cpu)
    merge = bench.time_both(["data", "merge", "a.json", "-o", "merged.json"], runs=5, original_runs=1, memory=True)
    bench.row("data merge, JSON", *merge, ">= 15 x", merge[1].cpu >= 15 * merge[0].cpu)

    for kind in ("safetensors", "npz"):
        [extra] = on_top([([bench.ours], 3)], everything, ["--save-outputs", f"a.{kind}"], 3, cwd=bench.work, env=bench.env)
        cat, merge = ["sh", "-c", f"cat a.{kind} > copy"], [bench.ours, "data", "merge", f"a.{kind}", "-o", f"merged.{kind}"]
        copied, merged = in_turns([(cat, 9), (merge, 9)], cwd=bench.work, env=bench.env)
        merged.anonymous = once(merge, cwd=bench.work, env=bench.env, memory=True).anonymous
        copy = copied.cpu
        bench.row(f"conv: --save-outputs .{kind}, on top of the run", extra, None, f"<= 2 x writing it with cat ({copy * 1e3:.0f} ms)",
                  extra.cpu <= 2 * copy)
        read = floor(bench, f"a.{kind}")
        one = bench.time_both(["inspect", "data", f"a.{kind}", "--tensors", "logits", "0/0/logits"], runs=5, original_runs=0, memory=True)
        bench.row(f"inspect data --tensors, one of 192, .{kind}", *one, "<= 20 ms", one[0].cpu <= 0.02)
        bench.row(f"data merge, .{kind}", merged, None, f"<= 2 x cat to a file ({copy * 1e3:.0f} ms)", merged.cpu <= 2 * copy)
        bench.output([bench.ours, *everything, "--save-outputs", f"b.{kind}", "--seed", "2"])
        compared = bench.time_both(["run", "--load-outputs", f"a.{kind}", f"b.{kind}"], runs=5, original_runs=0, memory=True)
        print(f"    cat a.{kind} | cat: {read * 1e3:.0f} ms of CPU")
        bench.row(f"compare 2 saved results, .{kind}", *compared, "<= JSON", compared[0].cpu <= json[0].cpu)


def all_statistics(bench):
    mib = 64 if bench.options.quick else 1024
    a, b = models.two_results(bench.work, mib, bench.env)
    for name, path in (("x", a), ("y", b)):
        bench.output([bench.ours, "data", "concat", path, "-o", f"{name}.safetensors"])
        os.remove(path)
    plain = bench.path("max_abs_difference")
    subprocess.run(["g++", "-O3", "-march=native", "-std=c++20", os.path.join(HERE, "max_abs_difference.cpp"), "-o", plain], check=True)
    least = median([plain, "x.safetensors", "y.safetensors", str(mib * MIB)], 3, cwd=bench.work)
    ours = bench.time_both(["run", "--load-outputs", "x.safetensors", "y.safetensors"], runs=3, original_runs=0, memory=True)
    print(f"    plain pass: {least.cpu * 1e3:.0f} ms of CPU; ratio {ours[0].cpu / least.cpu:.1f}")
    bench.row(f"all statistics of 2 x {mib} MiB", *ours, "<= 6 x a plain max-abs-difference pass", ours[0].cpu <= 6 * least.cpu)
    for name in ("x", "y"):
        os.remove(bench.path(f"{name}.safetensors"))


def samples(bench):
    model = models.identity(bench.path("wide.onnx"), 1, bench.env)
    peaks = []
    for count in (10, 1000):
        command = [bench.ours, "run", model, "--onnxrt", "--iterations", str(count), "--save-outputs", "many.safetensors"]
        sample = once(command, cwd=bench.work, env=bench.env, memory=True)
        peaks.append(sample.anonymous)
    bench.row("1000 iterations of 1 MiB, --save-outputs", sample, None, "memory as for 10", peaks[1] <= peaks[0] + 4 * MIB)
    command = [bench.ours, "run", model, "--onnxrt", "--load-outputs", "many.safetensors", "--iterations", "1000"]
    sample = once(command, cwd=bench.work, env=bench.env, memory=True)
    bench.row("1000 iterations against the saved ones", sample, None, "memory as for 10", sample.anonymous <= peaks[0] + 8 * MIB)
    os.remove(bench.path("many.safetensors"))
