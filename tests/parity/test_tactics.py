"""Tactic replays: printed, and good ones compared with bad ones. The original resolves types in the module tensorrt."""
import os

import pytest
from differences import expect
from harness import ROOT, both, run_ours


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "tests", "doubles", "trt_module"))
    import tensorrt
    from polygraphy.backend.trt.algorithm_selector import Algorithm, TacticReplayData, TensorInfo

    def algorithm(implementation, tactic, inputs=1):
        return Algorithm(implementation, tactic, [TensorInfo(tensorrt.DataType.FLOAT, (1, 2), -1, 1)] * inputs,
                         [TensorInfo(tensorrt.DataType.HALF, (3,), None, None)])

    def save(path, **layers):
        path = tmp_path / path
        path.parent.mkdir(parents=True, exist_ok=True)
        replay = TacticReplayData()
        for name, chosen in layers.items():
            replay.add(name, chosen)
        replay.save(str(path))

    save("good/a.json", layer0=algorithm(1, 2), layer1=algorithm(3, -4, 2))
    save("good/deep/b.json", layer0=algorithm(1, 3))
    save("bad/a.json", layer0=algorithm(0, 1), layer1=algorithm(3, -4, 2))
    save("bad/b.json", other=algorithm(9, 9, 0))
    (tmp_path / "bad" / "notes.txt").write_text("no replay")
    (tmp_path / "results.json").write_text('{"lst": [], "polygraphy_class": "RunResults"}')
    return tmp_path


def lines(result):
    """Without those of folders, which the original tries to read."""
    assert result.code == 0, result.stderr
    return sorted(line for line in (result.stdout + result.stderr).splitlines()
                  if "Loading tactic replay file from" not in line and "'colored'" not in line)


@pytest.mark.parametrize("args", [
    ["inspect", "tactics", "good/a.json"],
    ["inspect", "tactics", "bad/b.json"],
    ["inspect", "diff-tactics"],
    ["inspect", "diff-tactics", "--dir", "."],
    ["inspect", "diff-tactics", "--good", "good/a.json", "--bad", "bad"],
    ["inspect", "diff-tactics", "--good", "bad", "--bad", "good/a.json"],
    ["inspect", "diff-tactics", "--bad", "good"],
])
def test_the_same_is_said(folder, args):
    ours, original = both(args, folder)
    assert lines(ours) == lines(original)


def test_the_name_of_0_49(folder):
    assert lines(run_ours(["debug", "diff-tactics"], folder)) == lines(run_ours(["inspect", "diff-tactics"], folder))


def test_what_is_no_replay(folder):
    ours, original = both(["inspect", "tactics", "results.json"], folder)
    first = "[!] Provided JSON cannot be decoded into a TacticReplayData."
    assert ours.code == original.code == 1
    assert first in ours.stdout + ours.stderr and first in original.stdout + original.stderr


def test_a_folder_that_is_not_there(folder):
    """It holds nothing for the original, which then finds nothing wrong, or everything."""
    ours, original = both(["inspect", "diff-tactics", "--good", "goood"], folder)
    assert ours.code == 1 and original.code == 0
    expect("missing-tactics", ours.stdout + ours.stderr, original.stdout + original.stderr)
