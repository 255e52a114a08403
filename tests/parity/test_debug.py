"""`debug`: the same checks in the same order, the same verdicts, texts, artifacts and replays."""
import json
import os
import re
import sys

import pytest
from harness import Result, mask, run_original, run_ours


def mask_debug(text):
    text = re.sub(r"Duration [\d.e-]+s", "Duration <t>s", mask(text))
    return re.sub(r"\d\d-\d\d-\d\d_\d\d-\d\d-\d\d_N", "<date>_N", text)


def both(folder, args, prepare=lambda where: None):
    """Runs both, each in a folder of its own: (ours, original), and the folders."""
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
