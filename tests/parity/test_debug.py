"""`debug`: the same checks in the same order, the same verdicts, texts, artifacts and replays."""
import json
import os
import re
import sys

import onnx
import onnx.parser
import pytest
from differences import expect
from harness import Result, mask, run_original, run_ours


def mask_debug(text):
    text = re.sub(r"Duration [\d.e-]+s", "Duration <t>s", mask(text))
    return re.sub(r"\d\d-\d\d-\d\d_\d\d-\d\d-\d\d_N", "<date>_N", text)


def both(folder, args, prepare=lambda where: None):
    """Runs both, each in a separate folder: (ours, original), and the folders."""
    results, folders = [], []
    for name, run in (("ours", run_ours), ("original", run_original)):
        where = folder / name
        where.mkdir()
        prepare(where)
        r = run(args, str(where))
        results.append(Result(r.code, mask_debug(r.stdout), mask_debug(r.stderr)))
        folders.append(where)
    return results, folders


def artifacts(folder):
    return sorted(mask_debug(str(path.relative_to(folder))) for path in folder.rglob("*") if path.is_file())


CHECK = [sys.executable, "-S", "-c"]
# Fails when the iteration's number is odd; leaves a file behind.
ODD = CHECK + ["import json,sys; i = json.load(open('iter.json'))['iteration']; open('left.txt', 'w').write(str(i)); "
               "print('number', i); print('to stderr', file=sys.stderr); sys.exit(3 * (i % 2))"]


@pytest.mark.parametrize("options", [
    ["--until", "3"], ["--until", "bad"], ["--until", "good"], ["--until", "3", "--show-output"],
    ["--until", "2", "--hide-fail-output"], ["--until", "3", "--fail-code", "1"], ["--until", "3", "--ignore-fail-code", "3"],
    ["--until", "3", "--fail-regex", r"number (?!1)\d"], ["--until", "3", "--fail-code", "3", "--fail-regex", "nothing"],
    ["--until", "3", "--fail-regex", "stderr", "nothing"],
], ids=" ".join)
def test_repeat(tmp_path, options):
    (ours, original), folders = both(tmp_path, ["debug", "repeat", *options, "--iter-info", "iter.json", "--artifacts", "left.txt",
                                                "--check", *ODD])
    assert ours.code == original.code == 0
    assert ours.stdout == original.stdout
    assert artifacts(folders[0]) == artifacts(folders[1])
    replays = [json.loads((folder / "polygraphy_debug_replay.json").read_text()) for folder in folders]
    assert replays[0] == replays[1]


def test_replays_of_the_original_are_understood(tmp_path):
    run_original(["debug", "repeat", "--until", "3", "--iter-info", "iter.json", "--check", *ODD], str(tmp_path))
    os.rename(tmp_path / "polygraphy_debug_replay.json", tmp_path / "old.json")
    results, _ = both(tmp_path, ["debug", "repeat", "--until", "4", "--artifacts", "x", "--load-debug-replay", "../old.json", "--check", *ODD[:-1],
                                 "import sys; sys.exit('only the last is checked')"])
    lines = [re.findall(r"^\[.\]     (?:PASSED|FAILED|Loading).*", r.stdout, re.M) for r in results]
    assert lines[0] == lines[1]
    assert results[0].stdout.count("Running check command") == 1
    replays = [(tmp_path / name / "polygraphy_debug_replay.json").read_text() for name in ("ours", "original")]
    assert replays[0] == replays[1]


# --- reduce

CHAIN = """<ir_version: 8, opset_import: ["": 17]>
g (float[1,3,4,4] x) => (float[1,48] y) <float[1] c = {1}, int64[2] s = {1, 48}> {
  a = Identity(x) b = LeakyRelu(a) d = Add(b, c) e = Reshape(d, s) f = Identity(e) y = Relu(f)
}"""
BRANCHES = """<ir_version: 8, opset_import: ["": 17]>
g (float[1,4] x) => (float[1,4] y) {
  a = Identity(x) b = Relu(a) c = Neg(a) d = Sin(c) e = Add(b, d) f = Cos(e) y = Relu(f)
}"""
LONG = '<ir_version: 8, opset_import: ["": 17]> g (float[2] x0) => (float[2] x40) {' + " ".join(
    f"x{i + 1} = {'Sin' if i == 23 else 'Neg'}(x{i})" for i in range(40)) + "}"

# Fails when all of the operators are in the file.
HAS = CHECK + ["import sys; b = open('polygraphy_debug.onnx', 'rb').read(); "
               "print('seen'); sys.exit(all(op.encode() in b for op in sys.argv[1:]))"]


def reduce_both(folder, text, options, check):
    def prepare(where):
        onnx.save(onnx.parser.parse_model(text), where / "m.onnx")
    results, folders = both(folder, ["debug", "reduce", "m.onnx", "-o", "red.onnx", *options, "--artifacts", "polygraphy_debug.onnx",
                                     "--check", *check], prepare)
    for r in results:
        r.stdout = re.sub(r"Loading model: .*", "Loading model: <path>", r.stdout)
        r.stdout = r.stdout.replace("[W] Could not clean up: polygraphy_debug.onnx\n", "")  # we know that it has been moved
        r.stdout = re.sub(r"[ ]+$", "", r.stdout, flags=re.M)
    return results, folders


def nodes(path):
    graph = onnx.load(path).graph
    return [i.name for i in graph.input], [(n.op_type, list(n.input), list(n.output)) for n in graph.node], [o.name for o in graph.output]


@pytest.mark.parametrize("options", [[], ["--mode", "linear"], ["--no-reduce-inputs"], ["--no-reduce-outputs"]], ids=" ".join)
@pytest.mark.parametrize("text,ops", [(CHAIN, ["Reshape"]), (CHAIN, ["LeakyRelu"]), (CHAIN, ["LeakyRelu", "Reshape"]), (LONG, ["Sin"])],
                         ids=["reshape", "leakyrelu", "pair", "long"])
def test_reduce_goes_the_same_way(tmp_path, text, ops, options):
    (ours, original), folders = reduce_both(tmp_path, text, options, HAS + ops)
    assert ours.code == original.code == 0
    assert ours.stdout == original.stdout
    assert nodes(folders[0] / "red.onnx") == nodes(folders[1] / "red.onnx")
    assert artifacts(folders[0] / "polygraphy_artifacts") == artifacts(folders[1] / "polygraphy_artifacts")
    replays = [(folder / "polygraphy_debug_replay.json").read_text() for folder in folders]
    assert replays[0] == replays[1]


@pytest.mark.parametrize("ops", [["Sin"], ["Cos"], ["Neg", "Add"]], ids=" ".join)
def test_reduce_branches_to_the_same_nodes(tmp_path, ops):
    results, folders = reduce_both(tmp_path, BRANCHES, [], HAS + ops)
    assert nodes(folders[0] / "red.onnx") == nodes(folders[1] / "red.onnx")
    verdicts = [re.findall(r"(PASSED|FAILED) \| Iteration", r.stdout) for r in results]
    assert verdicts[0] == verdicts[1]


def test_reduce_understands_replays_of_the_original(tmp_path):
    _, folders = reduce_both(tmp_path, LONG, [], HAS + ["Sin"])
    os.rename(folders[1] / "polygraphy_debug_replay.json", tmp_path / "old.json")
    onnx.save(onnx.parser.parse_model(LONG), tmp_path / "m.onnx")
    ours = run_ours(["debug", "reduce", "m.onnx", "-o", "red.onnx", "--load-debug-replay", "old.json", "--check", *ODD], str(tmp_path))
    assert "Running check command" not in ours.stdout
    assert nodes(tmp_path / "red.onnx") == nodes(folders[1] / "red.onnx")

    onnx.save(onnx.parser.parse_model(CHAIN), tmp_path / "other.onnx")
    refused = run_ours(["debug", "reduce", "other.onnx", "-o", "no.onnx", "--load-debug-replay", "old.json", "--check", *ODD], str(tmp_path))
    assert refused.code == 1 and not (tmp_path / "no.onnx").exists()
    assert "iteration 1 has 21 nodes, but the candidate has 4" in refused.stderr


def test_reduce_checks_the_model_itself_before_it_calls_it_the_minimum(tmp_path):
    results, folders = reduce_both(tmp_path, CHAIN, [], CHECK + ["pass"])
    expect("nothing-fails", results[0].stdout + results[0].stderr, results[1].stdout + results[1].stderr)
    assert (results[0].code, results[1].code) == (1, 0)
    assert not (folders[0] / "red.onnx").exists()


def test_reduce_good_models_have_been_checked(tmp_path):
    def good(folder):
        return [op for op, _, _ in nodes(folder / "good.onnx")[1]]
    _, folders = reduce_both(tmp_path, CHAIN, ["--min-good", "good.onnx"], HAS + ["LeakyRelu", "Reshape"])
    assert good(folders[0]) == ["Add", "Reshape"]   # passed in the second phase
    assert good(folders[1]) == ["Add"]              # the good ends of both phases, put together and never checked


def test_reduce_needs_somewhere_to_write(tmp_path):
    onnx.save(onnx.parser.parse_model(CHAIN), tmp_path / "m.onnx")
    results = [run(["debug", "reduce", "m.onnx", "--check", "true"], str(tmp_path)) for run in (run_ours, run_original)]
    assert [r.code for r in results] == [1, 1]
    assert results[0].stderr.splitlines()[0] in results[1].stderr + results[1].stdout
