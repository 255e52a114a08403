"""Every command that writes models, on random ones: ONNX Runtime loads what comes out, the checker has nothing against
it, it computes what the model did, and doing it again changes nothing.

More of them: RANDOM_MODELS=1000:3000 (seeds).
"""
import json
import os
import random
import subprocess
import sys

import numpy
import onnx
import pytest
from harness import run_ours
from random_models import random_model

HERE = os.path.dirname(os.path.abspath(__file__))
SEEDS = range(*map(int, os.environ.get("RANDOM_MODELS", "0:40").split(":")))
# The checker requires shapes of all outputs, even if they cannot be inferred.
UNKNOWN = "is required but missing"


def run_models(jobs):
    program = [sys.executable, os.path.join(HERE, "run_models.py")]
    done = subprocess.run(program, input=json.dumps(jobs), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def checker_says(path):
    try:
        onnx.checker.check_model(path)
    except Exception as error:  # noqa: BLE001: any error is an answer
        return None if UNKNOWN in str(error) else str(error)
    return None


class Sample:
    """A random model that the checker takes and that runs."""

    def __init__(self, seed, folder):
        self.seed, self.folder = seed, folder
        self.model, self.feed = random_model(seed)
        self.shapes = [f"{name}:[{','.join(map(str, v.shape))}]" for name, v in self.feed.items()]
        produced = [t for n in self.model.graph.node for t in n.output]
        self.tensor = random.Random(seed).choice(produced)
        folder.mkdir()
        onnx.save(self.model, folder / "m.onnx")
        numpy.savez(folder / "in.npz", **self.feed)

    def path(self, name):
        return str(self.folder / name)

    def job(self, name, outputs=None):
        return [self.path(name), self.path("in.npz"), outputs and self.path(outputs)]


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("random")
    made = [Sample(seed, folder / str(seed)) for seed in SEEDS]
    wrong = run_models([s.job("m.onnx", "expected.npz") for s in made])
    usable = [s for s, w in zip(made, wrong) if w is None and checker_says(s.path("m.onnx")) is None]
    assert len(usable) > len(made) * 0.9
    return usable


def close(a, b):
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind != "f":
        return bool((a == b).all())
    rough = 1e-2 if a.dtype == numpy.float16 else 1e-4
    return numpy.allclose(a.astype(float), b.astype(float), rtol=rough, atol=1e-4, equal_nan=True)


def differences(sample, name):
    expected, got = numpy.load(sample.path("expected.npz")), numpy.load(sample.path(name))
    return [o for o in expected.files if o not in got.files or not close(expected[o], got[o])]


def write(samples, command):
    """The errors, by seed; every other seed has an out.onnx."""
    wrong = {}
    for s in samples:
        (s.folder / "out.onnx").unlink(missing_ok=True)
        done = run_ours([*command(s), "-o", "out.onnx"], s.folder)
        if done.code != 0:
            wrong[s.seed] = done.stderr
        elif complaint := checker_says(s.path("out.onnx")):
            wrong[s.seed] = f"checker: {complaint}"
    return wrong


SANITIZE = {
    "cleanup": ["--cleanup"],
    "toposort": ["--toposort"],
    "fold": ["--fold-constants"],
    "fold, sort and clean up": ["--fold-constants", "--toposort", "--cleanup"],
    "fold once, no shapes": ["--fold-constants", "--num-passes", "1", "--no-fold-shapes"],
    "fold in parts": ["--fold-constants", "--partitioning", "recursive"],
    "fold without inference": ["--fold-constants", "--no-shape-inference"],
    "mark all": ["--outputs", "mark", "all"],
    "external data": ["--cleanup", "--save-external-data", "out.data"],
    "upper bounds": ["--fold-constants", "--set-unbounded-dds-upper-bound", "1000"],
}


def shapes_of(sample, *options):
    return ["surgeon", "sanitize", "m.onnx", "--fold-constants", "--override-input-shapes", *sample.shapes, *options]


KEEP_RESULTS = {name: lambda s, options=options: ["surgeon", "sanitize", "m.onnx", *options] for name, options in SANITIZE.items()}
KEEP_RESULTS["input shapes"] = shapes_of
KEEP_RESULTS["observed shapes"] = lambda s: shapes_of(s, "--force-fallback-shape-inference")


@pytest.mark.parametrize("name", KEEP_RESULTS)
def test_results_stay(samples, name):
    wrong = write(samples, KEEP_RESULTS[name])
    written = [s for s in samples if s.seed not in wrong]
    for s, problem in zip(written, run_models([s.job("out.onnx", "out.npz") for s in written])):
        if problem or (problem := differences(s, "out.npz")):
            wrong[s.seed] = problem
    assert wrong == {}


@pytest.mark.parametrize("name", [n for n in SANITIZE if "fold" in n])
def test_a_second_time_changes_nothing(samples, name):
    wrong = []
    for s in samples:
        for source, result in (("m.onnx", "once.onnx"), ("once.onnx", "twice.onnx")):
            done = run_ours(["surgeon", "sanitize", source, *SANITIZE[name], "-o", result], s.folder)
            assert done.code == 0, done.stderr
        if (s.folder / "once.onnx").read_bytes() != (s.folder / "twice.onnx").read_bytes():
            wrong.append(s.seed)
    assert wrong == []


def test_float16_models_run(samples):
    wrong = write(samples, lambda s: ["surgeon", "sanitize", "m.onnx", "--fp-to-fp16"])
    written = [s for s in samples if s.seed not in wrong]
    for s, problem in zip(written, run_models([s.job("out.onnx", "out.npz") for s in written])):
        expected = numpy.load(s.path("expected.npz"))
        if not problem:
            got = numpy.load(s.path("out.npz"))
            problem = [o for o in expected.files if (expected[o].shape, expected[o].dtype) != (got[o].shape, got[o].dtype)]
        if problem:
            wrong[s.seed] = problem
    assert wrong == {}


def auto(sample):
    return [f"{name}:auto:auto" for name in sample.feed]


PARTS = {
    "extract to a tensor": lambda s: ["surgeon", "extract", "m.onnx", "--outputs", f"{s.tensor}:auto"],
    "extract from a tensor": lambda s: ["surgeon", "extract", "m.onnx", "--inputs", *auto(s), f"{s.tensor}:auto:auto"],
    "insert": lambda s: ["surgeon", "insert", "m.onnx", "--op", "Identity", "--name", "added", "--inputs", s.tensor,
                         "--outputs", s.tensor],
    "prune": lambda s: ["surgeon", "prune", "m.onnx"],
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_load(samples, name):
    wrong = write(samples, PARTS[name])
    # Unknown types are observed by running the model with its open dimensions at 1, which some models cannot.
    wrong = {seed: problem for seed, problem in wrong.items() if "cannot determine shapes by running" not in problem}
    written = [s for s in samples if s.seed not in wrong and os.path.exists(s.path("out.onnx"))]
    for s, problem in zip(written, run_models([[s.path("out.onnx"), None, None] for s in written])):
        if problem:
            wrong[s.seed] = problem
    assert wrong == {}


def test_weights_are_stripped_and_made_again(samples):
    for s in samples:
        for args in (["weight-strip", "m.onnx", "-o", "stripped.onnx"], ["weight-reconstruct", "stripped.onnx", "-o", "out.onnx"]):
            done = run_ours(["surgeon", *args], s.folder)
            assert done.code == 0, (s.seed, done.stderr)
    wrong = {s.seed: c for s in samples if (c := checker_says(s.path("out.onnx")))}
    for s, problem in zip(samples, run_models([[s.path("out.onnx"), None, None] for s in samples])):
        if problem:
            wrong[s.seed] = problem
    assert wrong == {}


def test_all_tensors_can_be_outputs(samples):
    wrong = {}
    for s in samples:
        done = run_ours(["run", "m.onnx", "--onnxrt", "--onnx-outputs", "mark", "all", "--load-inputs", "in.npz"], s.folder)
        if done.code != 0:
            wrong[s.seed] = done.stderr
    assert wrong == {}
