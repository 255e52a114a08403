"""Combining saved files; several inputs in a row; inspecting folders."""
import json
import re

import numpy as np
import pytest
from differences import expect
from harness import both, run_original, run_ours
from models import many_inputs
from onnx import TensorProto as T

RUNS = {"ours": run_ours, "original": run_original}


def value(v, shape=(2,)):
    return np.full(shape, v, np.float32)


def results(path, runners):
    from polygraphy.comparator import IterationResult, RunResults
    saved = RunResults()
    for name, iterations in runners:
        saved.append((name, [IterationResult(dict(feed), runtime=0.5 + i, runner_name=name) for i, feed in enumerate(iterations)]))
    saved.save(str(path))


@pytest.fixture
def files(tmp_path):
    from polygraphy.json import save_json
    feeds = {
        "a3": [{"a": value(i), "x": value(i, (3, 1))} for i in range(3)], "b2": [{"b": value(10)}, {"b": value(11)}], "c1": {"c": value(5)},
        "a1": [{"a": value(7)}], "empty": [], "d1": [{"d": value(8)}], "xa": [{"x": value(1, (1,)), "a": value(2)}],
        "types": [{"i": np.arange(3), "b": np.array([True, False]), "h": np.ones((2, 2), np.float16), "s": np.array(["é", "b"]),
                   "f": np.asfortranarray(np.arange(6.0).reshape(2, 3)), "0": np.array(1.5)}],
    }
    for name, content in feeds.items():
        save_json(content, str(tmp_path / f"{name}.json"))
    results(tmp_path / "r.json", [("R0", [{"o": value(20)}, {"o": value(21)}]), ("R1", [{"o": value(30)}, {"o": value(31)}])])
    results(tmp_path / "r2.json", [("R1", [{"o": value(40)}, {"q": value(41)}]), ("R2", [{"p": value(50)}])])
    results(tmp_path / "one.json", [("R0", [{"o": value(1), "p": value(2)}])])
    results(tmp_path / "twice.json", [("R", [{"o": value(1)}]), ("R", [{"o": value(2)}])])
    results(tmp_path / "none.json", [])
    return tmp_path


def outcome(run, args, folder):
    """(code, log, contents of the written file)"""
    (folder / "out.json").unlink(missing_ok=True)
    done = run([*args, "-o", "out.json"], str(folder))
    written = (folder / "out.json").read_text() if (folder / "out.json").exists() else None
    log = re.sub(r"^.*'colored' module is not installed.*\n", "", done.stdout, flags=re.M)
    return done.code, log, done.stderr, written


def numbers(text):
    """{name: first value} per iteration."""
    from polygraphy.json import from_json
    return [{name: float(np.ravel(array)[0]) for name, array in feed.items()} for feed in from_json(text)]


@pytest.mark.parametrize("names", [
    ["a3.json"], ["a3.json", "a1.json"], ["a3.json", "b2.json"], ["c1.json", "a1.json"], ["types.json", "types.json"], ["empty.json"],
    ["empty.json", "a1.json"], ["a3.json", "xa.json"], ["r.json"], ["r.json", "r2.json"], ["r2.json", "r.json", "r2.json"], ["twice.json"],
    ["none.json", "r.json"], ["none.json"], ["r.json", "a1.json"], ["a1.json", "r.json"],
], ids=" ".join)
def test_concat(files, names):
    outcomes = [outcome(run, ["data", "concat", *names], files) for run in RUNS.values()]
    assert outcomes[0] == outcomes[1]


# One iteration each: where the original's shared dictionaries do no harm.
@pytest.mark.parametrize("names", [
    ["a1.json"], ["a1.json", "c1.json"], ["a1.json", "d1.json", "c1.json"], ["a1.json", "xa.json"], ["one.json"], ["one.json", "a1.json"],
    ["twice.json"], ["empty.json"], ["none.json"], ["empty.json", "a1.json"], ["types.json", "c1.json"],
], ids=" ".join)
def test_merge(files, names):
    outcomes = [outcome(run, ["data", "merge", *names], files) for run in RUNS.values()]
    assert outcomes[0] == outcomes[1]


def test_merge_keeps_iterations_apart(files):
    ours, original = (outcome(run, ["data", "merge", "a3.json", "b2.json"], files) for run in RUNS.values())
    assert numbers(ours[3]) == [{"a": 0, "x": 0, "b": 10}, {"a": 1, "x": 1, "b": 11}, {"a": 2, "x": 2}]
    assert numbers(original[3]) == [{"a": 2, "x": 2, "b": 11}] * 3
    expect("merge-keeps-iterations-apart", ours[1], original[1])
    note = "Inputs currently contains 3 iterations, but the data in b2.json contains 2 iterations. Some iterations will contain incomplete data."
    assert note in ours[1] and note in original[1]


def test_merge_of_results(files):
    code, log, _, written = outcome(run_ours, ["data", "merge", "r.json", "a3.json"], files)
    assert code == 0
    assert numbers(written) == [{"o": 30, "a": 0, "x": 0}, {"o": 31, "a": 1, "x": 1}, {"a": 2, "x": 2}]
    assert log.count("[W] Overwriting input 'o' while merging data from r.json.") == 1
    assert "[I] Saving input file containing 3 iteration(s) to out.json\n" in log


def test_to_input_is_merge(files):
    code, log, _, written = outcome(run_ours, ["data", "to-input", "r.json"], files)
    assert code == 0 and numbers(written) == [{"o": 30}, {"o": 31}]
    assert log.startswith("[W] Polygraphy 0.53 renamed `data to-input` to `data merge`")
    original = run_original(["data", "to-input", "r.json", "-o", "out.json"], str(files))
    assert original.code == 2, "0.53 has no such command"


def test_arrays_are_copied_byte_for_byte(files):
    outcome(run_ours, ["data", "concat", "types.json"], files)
    assert json.loads((files / "out.json").read_text()) == json.loads((files / "types.json").read_text())


def test_folders(tmp_path):
    model = many_inputs(tmp_path / "m.onnx", [("a", T.FLOAT, (2, 3)), ("b", T.INT64, (4,))])
    run_original(["run", model, "--onnxrt", "--iterations", "3", "--save-inputs", "i", "--save-outputs", "o"], str(tmp_path))
    for command in "merge", "concat":
        for folder in "i", "o":
            ours, original = both(["data", command, folder, "-o", "out.json"], tmp_path)
            assert (ours.code, original.code) == (0, 1)
            expect("traceback-data-of-folders", ours.stdout + ours.stderr, original.stdout + original.stderr)
            text = (tmp_path / "out.json").read_text()
            assert len(json.loads(text) if isinstance(json.loads(text), list) else json.loads(text)["lst"][0][1]) == 3
    done = run_ours(["run", model, "--onnxrt", "--load-inputs", "i", "--load-outputs", "out.json"], str(tmp_path))
    assert done.code == 0 and "Passed: 3/3 iterations" in done.stdout


def test_output_may_be_an_input(files):
    for run in RUNS.values():
        (files / "same.json").write_text((files / "a1.json").read_text())
        assert run(["data", "concat", "same.json", "same.json", "-o", "same.json"], str(files)).code == 0
        assert numbers((files / "same.json").read_text()) == [{"a": 7}, {"a": 7}]


@pytest.mark.parametrize("command", ["merge", "concat"])
def test_what_is_no_saved_data(files, command):
    (files / "bad.json").write_text('{"x": null}')
    (files / "cut.json").write_text((files / "a3.json").read_text()[:200])
    (files / "broken.json").write_text((files / "a1.json").read_text().replace("AOBAAADgQA==", "AOB!AADgQA=="))
    for name in "nosuch.json", "bad.json", "cut.json", "broken.json":
        code, _, err, written = outcome(run_ours, ["data", command, "a1.json", name], files)
        assert code == 1 and written is None and name in err, err


def test_merged_outputs_feed_another_model(tmp_path):
    first = many_inputs(tmp_path / "first.onnx", [("a", T.FLOAT, (2, 3))])
    second = many_inputs(tmp_path / "second.onnx", [("a_out", T.FLOAT, (2, 3))])
    for write, read in [("ours", "original"), ("original", "ours")]:
        assert RUNS[write](["run", first, "--onnxrt", "--save-outputs", "o.json"], str(tmp_path)).code == 0
        assert RUNS[write](["data", "merge", "o.json", "-o", "i.json"], str(tmp_path)).code == 0
        assert RUNS[read](["run", second, "--onnxrt", "--load-inputs", "i.json"], str(tmp_path)).code == 0


AVERAGE = re.compile(r"^\[I\] onnxrt-runner-N\d\s+\| Completed .*\n", re.M)


def test_several_load_inputs(tmp_path):
    model = many_inputs(tmp_path / "m.onnx", [("a", T.FLOAT, (2, 3))])
    for seed, target in ("1", "i1.json"), ("2", "folder"), ("3", "i3.json"):
        run_original(["run", model, "--onnxrt", "--iterations", "2", "--seed", seed, "--save-inputs", target], str(tmp_path))
    for order in [[], ["--sequential-runners"]]:
        args = ["run", model, "--onnxrt", "--load-inputs", "i1.json", "folder", "i3.json", *order, "--save-outputs", "o.json"]
        ours, original = both(args, tmp_path)
        assert ours.code == original.code == 0
        drop = re.compile(r"^\[W\] Saving streamed results to a single file accumulates .*\n", re.M)
        assert AVERAGE.sub("", ours.stdout) == AVERAGE.sub("", drop.sub("", original.stdout))
        shown = both(["inspect", "data", "o.json", "--all"], tmp_path)
        assert shown[0] == shown[1] and "(6 iterations)" in shown[0].stdout


def test_inspect_folders_and_results_without_runners(files):
    (files / "nothing").mkdir()
    (files / "results").mkdir()
    for i in range(2):
        results(files / "results" / f"{i:010}.json", [("R0", [{"o": value(i)}]), ("R1", [{"o": value(i + 1)}])])
    for path in "none.json", "results", "twice.json":
        for options in [], ["--all"], ["--all", "-s"]:
            ours, original = both(["inspect", "data", path, *options], files)
            assert ours == original, path
    ours, original = both(["inspect", "data", "nothing"], files)
    assert ours == original and ours.code == 1
