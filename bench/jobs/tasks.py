"""Plans of a million tasks, the merge of 100,000 samples, and samples on two workers against one. No other tool has such work."""
import os
import subprocess
import time

from measure import MIB, ROOT

MODEL = os.path.join(ROOT, ".deps", "models", "magika.onnx")


def plans(bench):
    build = os.path.join(ROOT, "build", "release")
    subprocess.run(["cmake", "--build", build, "--target", "tasks_bench"], check=True, capture_output=True)
    done = subprocess.run([os.path.join(build, "bin", "tasks_bench"), bench.path("plans")], check=True, capture_output=True)
    write, status, memory, merge = (float(number) for number in done.stdout.split())
    for name, seconds in (("a plan of 1,000,000 tasks", write), ("its status", status), ("merge of 100,000 samples", merge)):
        bench.rows.append((name, seconds < 1))
        print(f"{name}: {seconds:.2f} s  {'ok ' if seconds < 1 else 'NOT'} < 1 s")
    bench.rows.append(("memory of a plan", memory <= 110 * MIB))
    print(f"memory of a plan of 1,000,000 tasks: {memory / MIB:.0f} MiB")


def workers(bench):
    """The first run proves that both results are the same bytes."""
    samples = 1000 if bench.options.quick else 10_000
    seconds, merged = {}, {}
    for on in ("local:1", "local:2"):
        name = on.replace(":", "_")
        start = time.monotonic()
        subprocess.run([bench.ours, "run", MODEL, "--onnxrt", "--openvino", "--val-range", "bytes:[0,255]",
                        "--iterations", str(samples), "--on", on, "--tasks", name,
                        "--save-accuracy-results", f"{name}.json"], cwd=bench.work, check=True, capture_output=True)
        seconds[on] = time.monotonic() - start
        with open(bench.path(f"{name}.json"), "rb") as file:
            merged[on] = file.read()
    assert merged["local:1"] == merged["local:2"], "one and two workers give other results"
    ratio = seconds["local:1"] / seconds["local:2"]
    bench.rows.append((f"{samples} samples on two workers", ratio >= 1.8))
    print(f"{samples} samples of magika, ONNX Runtime against OpenVINO: {seconds['local:1']:.1f} s on one worker, "
          f"{seconds['local:2']:.1f} s on two: {ratio:.2f} x  {'ok ' if ratio >= 1.8 else 'NOT'} >= 1.8 x")


def run(bench):
    plans(bench)
    workers(bench)
