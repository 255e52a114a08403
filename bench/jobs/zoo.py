"""All models of onnx' node tests on ONNX Runtime, OpenVINO and the reference evaluator, by two workers."""
import os

from measure import ROOT, once

LIMIT = 120  # seconds, on two cores


def run(bench):
    nodes = os.path.join(ROOT, ".deps", "onnx-testdata", "node")
    names = sorted(name for name in os.listdir(nodes) if os.path.exists(os.path.join(nodes, name, "model.onnx")))
    if bench.options.quick:
        names = names[::20]
    models = bench.path("zoo.txt")
    with open(models, "w") as file:
        file.writelines(os.path.join(nodes, name, "model.onnx") + "\n" for name in names)
    took = once([bench.ours, "zoo", models, "--onnxrt", "--openvino", "--reference", "--on", "local:2", "-o", bench.path("zoo.json")],
                cwd=bench.work, env=bench.env)
    assert took.code in (0, 1), f"the zoo did not run: {took.code}"
    bench.row(f"zoo: {len(names)} models on three engines, {took.wall:.0f} s", took, None, f"wall <= {LIMIT} s", took.wall <= LIMIT)
