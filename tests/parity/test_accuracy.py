"""Comparison functions and their thresholds, accuracy files and `check accuracy`."""
import json
import re

import numpy as np
import pytest
from differences import expect
from harness import NEXT_STEP, both, run_original, run_ours
from models import save
from onnx import TensorProto as T
from onnx import helper, numpy_helper

AVERAGE = re.compile(r"^\[I\] onnxrt-runner-N\d\s+\| Completed .*\n", re.M)
NOTHING = re.compile(r"^\[W\] Nothing was compared: .*\n", re.M)
RUNS = {"ours": run_ours, "original": run_original}


def scaled(path, scale):
    """y = relu(scale * x), z = scale * x."""
    shape = ["N", 5]
    graph = helper.make_graph(
        [helper.make_node("Mul", ["x", "s"], ["z"]), helper.make_node("Relu", ["z"], ["y"])], "g",
        [helper.make_tensor_value_info("x", T.FLOAT, shape)],
        [helper.make_tensor_value_info("y", T.FLOAT, shape), helper.make_tensor_value_info("z", T.FLOAT, shape)],
        initializer=[numpy_helper.from_array(np.float32(scale), "s")])
    return save(graph, path)


def feeds_json(path, arrays):
    """Saved outputs that hold these arrays: [{name: array}, ...], one per iteration."""
    from polygraphy.comparator import IterationResult, RunResults
    results = RunResults()
    results.append((path.stem, [IterationResult(dict(feed), runtime=0.1, runner_name=path.stem) for feed in arrays]))
    results.save(str(path))


@pytest.fixture
def runs(tmp_path):
    scaled(tmp_path / "a.onnx", 1.0)
    scaled(tmp_path / "b.onnx", 1.01)
    run_original(["run", "b.onnx", "--onnxrt", "--iterations", "2", "--save-outputs", "b.json"], str(tmp_path))
    return tmp_path


def equal_logs(args, cwd, code=None):
    ours, original = both(args, cwd)
    ours_out = ours.stdout
    nothing = bool(NOTHING.search(ours_out))
    assert ours.code == (1 if nothing else original.code), ours.stdout + ours.stderr
    assert code is None or original.code == code
    if "Average inference time" in ours_out and "Average inference time" not in original.stdout:
        expect("average-line-when-streaming", ours_out, original.stdout)
        ours_out = AVERAGE.sub("", ours_out)
    if nothing:
        expect("nothing-was-compared", ours_out, original.stdout)
        ours_out = NOTHING.sub("", ours_out).replace("[E] FAILED | Runtime", "[I] PASSED | Runtime")
    ours_out = NEXT_STEP.sub("", ours_out)
    assert ours_out == original.stdout
    assert ours.stderr == original.stderr
    return ours


COMPARED = [
    ["l2"], ["cosine_similarity"], ["psnr"], ["snr"], ["indices"], ["distance_metrics"], ["quality_metrics"],
    ["l2", "cosine_similarity", "psnr", "snr", "simple", "indices", "distance_metrics"],
    ["quality_metrics", "l2", "psnr", "distance_metrics"],
]


@pytest.mark.parametrize("functions", COMPARED, ids=" ".join)
@pytest.mark.parametrize("options", [[], ["--fail-fast"], ["--iterations", "2", "-v"]], ids=lambda o: " ".join(o) or "plain")
def test_functions(runs, functions, options):
    verbose = "-v" in options
    args = ["run", "a.onnx", "--onnxrt", "--load-outputs", "b.json", *options, "--compare", *functions]
    if verbose:
        ours, original = both(args, runs)
        drop = re.compile(r"^\[V\] *(Loaded Module|Loaded extension modules|Loaded Library).*\n", re.M)
        assert drop.sub("", NEXT_STEP.sub("", AVERAGE.sub("", ours.stdout))) == drop.sub("", original.stdout)
        assert ours.code == original.code
    else:
        equal_logs(args, runs)


THRESHOLDS = [
    ["--compare", "l2", "--l2-threshold", "y:5", "1e-3"],
    ["--compare", "l2", "--l2-tolerance", "5", "--atol", "1", "--psnr-threshold", "3", "--index-tolerance", "2"],
    ["--compare", "l2", "--l2-threshold", "0.0123", "nosuch:3"],
    ["--compare", "l2", "--l2-threshold", "inf"],
    ["--compare", "psnr", "--psnr-tolerance", "44", "z:10"],
    ["--compare", "snr", "psnr", "--snr-threshold", "40", "--psnr-threshold", "y:+50"],
    ["--compare", "cosine_similarity", "--cosine-similarity-threshold", "1"],
    ["--compare", "indices", "--index-tolerance", "3", "y:1"],
    ["--compare", "quality_metrics", "--rtol", "1", "--l2-threshold", "2"],
    ["--compare", "simple", "--l2-threshold", "2", "--lpips-threshold", "1"],
    ["--compare", "l2", "--no-shape-check"],
]


@pytest.mark.parametrize("options", THRESHOLDS, ids=" ".join)
def test_thresholds(runs, options):
    equal_logs(["run", "a.onnx", "--onnxrt", "--load-outputs", "b.json", *options], runs)


RNG = np.random.default_rng(0)


def near(dtype, shape=(37, 101)):
    if np.issubdtype(dtype, np.floating):
        a = RNG.random(shape).astype(dtype)
        return a, (a + RNG.random(shape) * 0.01).astype(dtype)
    return RNG.integers(0, 100, shape).astype(dtype), RNG.integers(0, 100, shape).astype(dtype)


def values(*pair, dtype=np.float32):
    return np.array(pair[0], dtype), np.array(pair[1], dtype)


inf, nan = np.inf, np.nan
PAIRS = {
    **{np.dtype(t).name: near(t) for t in (np.float16, np.float32, np.float64, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32,
                                            np.int64)},
    "large": near(np.float32, (300, 1000)),
    "mixed": (near(np.float32)[0], near(np.float64)[1]),
    "float-and-int": (near(np.float32)[0], near(np.int32)[1]),
    "zero": values([0, 0], [0, 0]), "one-zero": values([0, 0], [1, 2]), "other-zero": values([1, 2], [0, 0]),
    "nan": values([1, nan], [1, nan]), "inf": values([1, inf], [1, inf]), "one-inf": values([1, inf], [1, 2]),
    "minus-inf": values([-inf, 1], [inf, 1]), "negative": values([-1, -2], [-1, -3]), "scalar": values(2, 3),
    "huge": values([3e30, 1], [-2e30, 1]), "tiny": values([1e-200], [3e-200], dtype=np.float64),
    "huge-double": values([1e200], [3e200], dtype=np.float64), "empty": values(np.zeros((0, 3)), np.zeros((0, 3))),
    "shapes": (np.ones((2, 3), np.float32), np.ones((3, 2), np.float32)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_figures_equal_numpys(tmp_path, name):
    a, b = PAIRS[name]
    feeds_json(tmp_path / "a.json", [{"y": a}])
    feeds_json(tmp_path / "b.json", [{"y": b}])
    args = ["run", "--load-outputs", "a.json", "b.json", "--compare", "l2", "cosine_similarity", "psnr", "snr"]
    ours, original = both(args, tmp_path)
    assert (ours.code, ours.stdout) == (original.code, original.stdout)


def test_integer_sums_do_not_wrap(tmp_path):
    feeds_json(tmp_path / "a.json", [{"y": np.array([2**31 - 1, 1], np.int32)}])
    feeds_json(tmp_path / "b.json", [{"y": np.array([-2**31, 1], np.int32)}])
    ours, original = both(["run", "--load-outputs", "a.json", "b.json", "--compare", "l2"], tmp_path)
    expect("integer-sums-do-not-wrap", ours.stdout, original.stdout)


ROUNDED_ROOT = "Cosine Similarity: 0.9999999999999998 (min required: 1) | FAILED"


@pytest.mark.parametrize("values, of_original", [([-142214], "Cosine Similarity: -0.0618"), ([1, 1], ROUNDED_ROOT)])
def test_equal_integers_are_similar(tmp_path, values, of_original):
    ours, original = similarity_to_itself(tmp_path, np.array(values, np.int32))
    assert (ours.code, original.code) == (0, 1)
    assert "Cosine Similarity: 1 (min required: 1) | PASSED" in ours.stdout
    assert of_original in original.stdout


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("values", [[1, 1], [3, 4], [0.1, 0.7, 0.3], [0, 0], [1, nan], [inf, 1]])
def test_equal_floats_are_as_similar_as_the_originals(tmp_path, dtype, values):
    ours, original = similarity_to_itself(tmp_path, np.array(values, dtype))
    assert (ours.code, ours.stdout) == (original.code, original.stdout)


def similarity_to_itself(folder, array):
    for name in ("a", "b"):
        feeds_json(folder / f"{name}.json", [{"y": array}])
    return both(["run", "--load-outputs", "a.json", "b.json", "--compare", "cosine_similarity", "--cosine-similarity-threshold", "1"], folder)


def test_bools_have_a_distance(tmp_path):
    feeds_json(tmp_path / "a.json", [{"y": np.array([True, False, True])}])
    ours, original = both(["run", "--load-outputs", "a.json", "a.json", "--compare", "l2", "psnr", "snr"], tmp_path)
    assert (ours.code, original.code) == (0, 1)
    expect("metrics-of-bools", ours.stdout + ours.stderr, original.stdout + original.stderr)


def test_threshold_that_is_no_number(runs):
    ours, original = both(["run", "a.onnx", "--onnxrt", "--load-outputs", "b.json", "--compare", "l2", "--l2-threshold", "abc"], runs)
    assert ours.code == original.code == 1
    expect("threshold-that-is-no-number", ours.stdout + ours.stderr, original.stdout + original.stderr)


def test_limits_that_pass_everything(runs):
    ours, original = both(["run", "a.onnx", "--onnxrt", "--load-outputs", "b.json", "--atol", "nan"], runs)
    assert (ours.code, original.code) == (1, 0)
    expect("limits-that-pass-everything", ours.stdout + ours.stderr, original.stdout + original.stderr)


def test_perceptual_metrics_need_torch(runs):
    ours, original = both(["run", "a.onnx", "--onnxrt", "--load-outputs", "b.json", "--compare", "perceptual_metrics"], runs)
    assert ours.code == original.code == 1
    line = "Module: 'torch' is required but could not be imported."
    assert line in original.stderr and ours.stderr.startswith(f"[!] {line}")


INDICES = {
    "rows": ([[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 2, 3]]], [[[2, 1, 3], [4, 6, 5]], [[9, 8, 7], [1, 2, 4]]], np.int64),
    "floats": ([0.1, 0.2], [0.1, 0.3], np.float32),
    "bools": ([True, False], [True, True], bool),
    "repeated": ([1, 1, 2], [2, 1, 1], np.int32),
    "empty": (np.zeros((2, 0)), np.zeros((2, 0)), np.int32),
    "unsigned": ([2**40, 3], [3, 2**40], np.uint64),
    "shapes": ([1, 2], [[1, 2]], np.int64),
}


@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize("options", [[], ["--index-tolerance", "1"], ["--index-tolerance", "y:2"], ["--fail-fast"]], ids=" ".join)
def test_indices(tmp_path, name, options):
    a, b, dtype = INDICES[name]
    feeds_json(tmp_path / "a.json", [{"y": np.array(a, dtype)}])
    feeds_json(tmp_path / "b.json", [{"y": np.array(b, dtype)}])
    equal_logs(["run", "--load-outputs", "a.json", "b.json", "--compare", "indices", *options], tmp_path)


AVERAGED = [
    ["--compare", "l2"],
    ["--compare", "l2", "psnr", "cosine_similarity", "--l2-threshold", "y:1", "1e-9"],
    ["--compare", "simple"],
    ["--compare", "simple", "--check-error-stat", "y:max"],
    ["--compare", "simple", "--check-error-stat", "y:max", "elemwise"],
    ["--compare", "simple", "l2", "--check-error-stat", "y:max", "mean", "--atol", "z:1"],
    ["--compare", "simple", "--check-error-stat", "quantile", "--error-quantile", "y:0.5"],
    ["--compare", "indices", "l2"],
    ["--compare", "l2", "--fail-fast"],
]


@pytest.mark.parametrize("options", AVERAGED, ids=" ".join)
def test_check_average(runs, options):
    equal_logs(["run", "a.onnx", "--onnxrt", "--load-outputs", "b.json", "--iterations", "2", "--check-average", *options], runs)


def shapes_differ(folder):
    feeds_json(folder / "p.json", [{"y": np.ones((2, 3), np.float32)}] * 2)
    feeds_json(folder / "q.json", [{"y": np.ones((2, 3), np.float32)}, {"y": np.ones((3, 3), np.float32)}])
    feeds_json(folder / "nan.json", [{"y": np.full((2, 3), nan, np.float32)}, {"y": np.ones((2, 3), np.float32)}])


@pytest.mark.parametrize("other", ["q.json", "nan.json"])
def test_check_average_of_what_cannot_be_measured(tmp_path, other):
    shapes_differ(tmp_path)
    equal_logs(["run", "--load-outputs", "p.json", other, "--compare", "l2", "psnr", "--check-average"], tmp_path, code=1)


SAVED = {
    "all": ["--iterations", "2", "--compare", "simple", "l2", "psnr", "indices", "snr", "cosine_similarity", "--psnr-threshold", "5"],
    "max": ["--iterations", "2", "--compare", "simple", "l2", "--check-error-stat", "max", "--atol", "1", "z:0.5", "--l2-threshold", "1"],
    "quantile": ["--check-error-stat", "quantile", "--error-quantile", "0.5"],
    "average": ["--iterations", "2", "--compare", "l2", "psnr", "--check-average"],
    "fail-fast": ["--iterations", "2", "--compare", "l2", "psnr", "--fail-fast"],
}


def save_with(run, name, folder):
    result = run(["run", "a.onnx", "--onnxrt", "--load-outputs", "b.json", *SAVED[name], "--save-accuracy-results", f"{name}.json"],
                 str(folder))
    assert result.stdout.count(f"[I] Saving accuracy results to {name}.json\n") == 1
    return result


@pytest.mark.parametrize("name", SAVED)
def test_accuracy_files_are_equal(runs, name):
    texts = []
    for run in RUNS.values():
        save_with(run, name, runs)
        texts.append(re.sub(r"-N0-[\d/:-]+( \(2\))?", "-N0", (runs / f"{name}.json").read_text()))
    assert texts[0] == texts[1]


def test_accuracy_file_of_a_single_runner(runs):
    texts = []
    for run in RUNS.values():
        run(["run", "a.onnx", "--onnxrt", "--compare", "l2", "psnr", "--save-accuracy-results", "one.json"], str(runs))
        texts.append((runs / "one.json").read_text())
    assert texts[0] == texts[1]


CHECKS = {
    "all": [
        ["--compare", "l2"], ["--compare", "psnr", "l2", "--l2-threshold", "1"], ["--compare", "l2", "psnr", "--check-average"],
        ["--compare", "simple", "--check-error-stat", "max", "--atol", "1"], ["--compare", "simple", "--check-error-stat", "quantile"],
        ["--compare", "simple", "--atol", "1"], ["--compare", "simple", "--check-error-stat", "elemwise"], ["--atol", "1"],
        ["--compare", "perceptual_metrics"], ["--compare", "snr", "perceptual_metrics"], ["--check-error-stat", "median"],
        ["--compare", "distance_metrics", "--l2-threshold", "y:1", "--rtol", "2", "--fail-fast", "--no-shape-check"],
    ],
    "max": [
        ["--check-error-stat", "max"], ["--check-error-stat", "mean", "--atol", "1", "--check-average"], ["--compare", "snr"],
        ["--compare", "l2", "simple", "--check-error-stat", "z:max", "mean", "--check-average"], ["--compare", "l2", "--l2-threshold", "no:3"],
    ],
    "quantile": [["--check-error-stat", "quantile", "--rtol", "1"], ["--check-error-stat", "quantile", "--check-average"]],
    "average": [["--compare", "l2"], ["--compare", "l2", "psnr", "--check-average"]],
}


@pytest.mark.parametrize("name, options", [(n, o) for n in CHECKS for o in CHECKS[n]], ids=lambda v: v if isinstance(v, str) else " ".join(v))
@pytest.mark.parametrize("writer", RUNS)
def test_check_accuracy(runs, name, options, writer):
    save_with(RUNS[writer], name, runs)
    equal_logs(["check", "accuracy", f"{name}.json", *options], runs)


def test_check_accuracy_saves_what_it_judged(runs):
    save_with(run_original, "all", runs)
    options = ["--compare", "psnr", "l2", "--l2-threshold", "5", "z:2.5", "--check-average"]
    texts = []
    for run in RUNS.values():
        run(["check", "accuracy", "all.json", *options, "--save-accuracy-results", "again.json"], str(runs))
        texts.append((runs / "again.json").read_text())
    assert texts[0] == texts[1]


def test_check_accuracy_of_shape_mismatches(tmp_path):
    shapes_differ(tmp_path)
    run_original(["run", "--load-outputs", "p.json", "q.json", "--compare", "l2", "--save-accuracy-results", "acc.json"], str(tmp_path))
    for options in [[], ["--check-average"]]:
        equal_logs(["check", "accuracy", "acc.json", "--compare", "l2", *options], tmp_path, code=1)


@pytest.mark.parametrize("options", [[], ["--compare", "simple"], ["--compare", "indices"], ["--compare", "simple", "indices"]], ids=" ".join)
def test_without_a_threshold_the_saved_verdict_counts(runs, options):
    save_with(run_original, "all", runs)
    ours, original = both(["check", "accuracy", "all.json", *options], runs)
    assert (ours.code, original.code) == (1, 0)
    expect("saved-verdicts", ours.stdout + ours.stderr, original.stdout + original.stderr)


@pytest.mark.parametrize("name", SAVED)
@pytest.mark.parametrize("options", [[], ["--all"]], ids=" ".join)
def test_inspect_accuracy_files(runs, name, options):
    for run in RUNS.values():
        save_with(run, name, runs)
        ours, original = both(["inspect", "data", f"{name}.json", *options], runs)
        assert ours == original


def test_files_that_are_none(runs):
    ours, original = both(["check", "accuracy", "b.json", "--compare", "l2"], runs)
    line = "[!] Provided JSON cannot be decoded into a AccuracyResults.\n    Note: JSON was decoded into a <class '"
    assert ours.code == original.code == 1 and ours.stderr.startswith(line) and original.stderr.startswith(line)
    ours, original = both(["check", "accuracy", "nosuch.json"], runs)
    assert ours.code == original.code == 1 and "Traceback" in original.stderr
    assert "nosuch.json" in ours.stderr and "Traceback" not in ours.stderr


POSTPROCESSED = [
    ["top-2"], ["y:top-2"], ["top-9"], ["top-2,axis=0"], ["y:top-1,axis=0", "z:top-2"], ["y:top-2", "top-1,axis=0"], ["top-2,axis=-2"],
    ["top-2,0"], ["q:top-2"], ["bottom-2"],
]


@pytest.mark.parametrize("functions", POSTPROCESSED, ids=" ".join)
@pytest.mark.parametrize("options", [[], ["-v", "--validate"], ["--sequential-runners", "--compare", "indices", "simple"]], ids=" ".join)
def test_postprocess(tmp_path, functions, options):
    a = np.array([[3, 1, 2, 3], [0, 5, 7, 5]], np.float32)
    z = np.arange(1, 7).reshape(2, 3)
    feeds_json(tmp_path / "a.json", [{"y": a, "z": z}])
    feeds_json(tmp_path / "b.json", [{"y": a + 1, "z": z[::-1].copy()}])
    args = ["run", "--load-outputs", "a.json", "b.json", "--compare", "indices", *options, "--postprocess", *functions]
    ours, original = both(args, tmp_path)
    drop = re.compile(r"^\[V\] *(Loaded Module|Loaded extension modules|Loaded Library).*\n", re.M)
    assert (ours.code, drop.sub("", ours.stdout)) == (original.code, drop.sub("", original.stdout))
    if functions == ["bottom-2"]:
        assert ours.stderr == original.stderr


def test_postprocess_of_inference(runs):
    for order in [[], ["--sequential-runners"]]:
        args = ["run", "a.onnx", "--onnxrt", "--onnxrt", *order, "--compare", "indices", "--postprocess", "top-3", "--save-outputs", "o.json"]
        ours, original = both(args, runs)
        assert AVERAGE.sub("", ours.stdout) == AVERAGE.sub("", original.stdout)
        both(["inspect", "data", "o.json"], runs)
    ours, _ = both(["inspect", "data", "o.json"], runs)
    assert "y [dtype=float32" in ours.stdout, "what is saved is what the engine returned"


def test_top_k_of_unsigned_numbers(tmp_path):
    feeds_json(tmp_path / "a.json", [{"y": np.array([0, 250, 3], np.uint8)}])
    ours, original = both(["run", "--load-outputs", "a.json", "a.json", "--compare", "indices", "--postprocess", "top-2"], tmp_path)
    expect("top-k-of-unsigned", ours.stdout, original.stdout)


@pytest.mark.parametrize("function", ["top-x", "top-1.5", "5", "top-2,axis=7"])
def test_postprocess_that_cannot_be(tmp_path, function):
    feeds_json(tmp_path / "a.json", [{"y": np.ones((2, 2), np.float32)}])
    ours, original = both(["run", "--load-outputs", "a.json", "a.json", "--postprocess", function], tmp_path)
    assert ours.code == original.code == 1
    expect("traceback-postprocess", ours.stdout + ours.stderr, original.stdout + original.stderr)


@pytest.mark.parametrize("order", [[], ["--sequential-runners"]], ids=["streaming", "sequential"])
def test_input_blobs(runs, order):
    texts = {}
    for who, run in RUNS.items():
        (runs / who).mkdir()
        run(["run", "../a.onnx", "--onnxrt", "--iterations", "2", *order, "--save-input-blob", "blobs"], str(runs / who))
        texts[who] = {str(f.relative_to(runs / who)): f.read_bytes() for f in sorted((runs / who).rglob("*")) if f.is_file()}
    assert texts["ours"] == texts["original"]
    assert list(texts["ours"]) == ["blobs/0000000000/x.bin", "blobs/0000000001/x.bin"]


@pytest.mark.parametrize("options", [
    ["--save-input-blob", "blobs", "--save-inputs", "i.json", "--save-outputs", "o.json"],
    ["--save-inputs", "same.json", "--save-input-blob", "same.json"],
], ids=" ".join)
def test_log_of_input_blobs(runs, options):
    equal_logs(["run", "a.onnx", "--onnxrt", *options], runs)


@pytest.mark.parametrize("options", [
    ["--load-inputs", "in.json", "--save-input-blob", "in.json"],
    ["--save-input-blob", "b.onnx"],
], ids=" ".join)
def test_input_blobs_where_files_are(runs, options):
    run_original(["run", "a.onnx", "--onnxrt", "--save-inputs", "in.json"], str(runs))
    before = {f: f.read_bytes() for f in runs.iterdir() if f.is_file()}
    ours, original = both(["run", "a.onnx", "--onnxrt", *options], runs)
    assert ours.code == original.code == 1 and options[-1] in ours.stderr
    assert {f: f.read_bytes() for f in before} == before
