"""`--compare tokens` against NumPy, and on models."""

import json

import numpy as np
import pytest

from polygraphy_command import polygraphy as run


def log_softmax(logits):
    shifted = logits - logits.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def percentile(numbers, percent):
    """Linear between neighbours; infinities are not an obstacle."""
    return np.percentile(numbers, percent, method="linear")


def figures(reference, target):
    """llama.cpp's figures, with the reference's token in the place of the text's next one."""
    p = log_softmax(reference.astype(np.float64)).reshape(-1, reference.shape[-1])
    q = log_softmax(target.astype(np.float64)).reshape(-1, reference.shape[-1])
    rows = np.arange(len(p))
    top, other = p.argmax(-1), q.argmax(-1)
    kl = (np.exp(p) * (p - q)).sum(-1)
    change = np.exp(q[rows, top]) - np.exp(p[rows, top])
    flips = np.flatnonzero(top != other)
    return {
        "kl_mean": kl.mean(),
        "kl_median": percentile(kl, 50),
        "kl_90": percentile(kl, 90),
        "kl_99": percentile(kl, 99),
        "kl_99_9": percentile(kl, 99.9),
        "kl_max": kl.max(),
        "delta_p_mean": change.mean(),
        "delta_p_rms": np.sqrt((change**2).mean()),
        "delta_p_1": percentile(change, 1),
        "delta_p_99": percentile(change, 99),
        "same_top1": (top == other).mean(),
        "worst_rank": (q > q[rows, top][:, None]).sum(-1).max(),
        "tokens": len(p),
        "flips": len(flips),
        "ties": sum(p[i, top[i]] == p[i, other[i]] for i in flips),  # float16 has equal logits
        "first_flip": flips[0] if len(flips) else None,
    }


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
def test_figures_are_those_of_numpy(tmp_path, seed, dtype):
    random = np.random.default_rng(seed)
    shape = (2, int(random.integers(1, 300)), int(random.integers(2, 9000)))
    reference = (3 * random.standard_normal(shape)).astype(dtype)
    noise = 10.0 ** -random.integers(0, 4) * random.standard_normal(shape)
    target = (reference + noise).astype(dtype)
    np.savez(tmp_path / "a.npz", logits=reference)
    np.savez(tmp_path / "b.npz", logits=target)
    run("run", "--load-outputs", tmp_path / "a.npz", tmp_path / "b.npz", "--compare", "tokens",
        "--save-accuracy-results", tmp_path / "accuracy.json")
    saved = json.loads((tmp_path / "accuracy.json").read_text())
    found = find(saved, "kl_mean")
    expected = figures(reference, target)
    for name, value in expected.items():
        if value is None:
            assert found[name] is None
        elif name != "ties":
            assert found[name] == pytest.approx(value, rel=1e-12, abs=1e-12), name
    assert found["wrong"] == expected["flips"] - expected["ties"]  # no noise is known


def find(document, key):
    """The object that has the key."""
    if isinstance(document, dict):
        if key in document:
            return document
        document = list(document.values())
    if isinstance(document, list):
        for item in document:
            if (found := find(item, key)) is not None:
                return found
    return None


def test_a_saved_verdict_is_judged_again(tmp_path):
    np.savez(tmp_path / "a.npz", logits=np.float32([[1, 2], [2, 1]]))
    np.savez(tmp_path / "b.npz", logits=np.float32([[1, 2], [1, 2]]))
    done = run("run", "--load-outputs", tmp_path / "a.npz", tmp_path / "b.npz", "--compare",
               "tokens", "--save-accuracy-results", tmp_path / "accuracy.json", code=1)
    assert "1 of 2 tokens flips, the first is logits[1]" in done.text
    run("check", "accuracy", tmp_path / "accuracy.json", code=1)
    run("check", "accuracy", tmp_path / "accuracy.json", "--compare", "tokens", code=1)
    run("run", "--load-outputs", tmp_path / "a.npz", tmp_path / "b.npz", "--compare",
        "tokens:margin=1", code=0)
    run("run", "--load-outputs", tmp_path / "a.npz", tmp_path / "b.npz", "--compare",
        "tokens:axis=0", code=1)


def test_margins_are_not_judged_again(tmp_path):
    np.savez(tmp_path / "a.npz", logits=np.float32([[1, 2], [2, 1]]))
    run("run", "--load-outputs", tmp_path / "a.npz", tmp_path / "a.npz", "--compare", "tokens",
        "--save-accuracy-results", tmp_path / "accuracy.json", code=0)
    done = run("check", "accuracy", tmp_path / "accuracy.json", "--compare", "tokens:margin=1")
    assert done.code != 0
    assert "tokens_margin cannot be judged again" in done.text


def test_a_large_divergence_is_named(tmp_path):
    np.savez(tmp_path / "a.npz", logits=np.float32([[1, 2]]))
    np.savez(tmp_path / "b.npz", logits=np.float32([[1, 9]]))
    done = run("run", "--load-outputs", tmp_path / "a.npz", tmp_path / "b.npz", "--compare", "tokens:kl=0.01",
               code=1)
    assert "the mean divergence of" in done.text


@pytest.mark.parametrize("argument, answer", [
    ("tokens:axes=1", "no argument 'axes'"),
    ("tokens:axis=x", "'x' is not a whole number"),
    ("tokens:axis=7", "there is no axis 7"),
    ("tokens:margin=-1", "Invalid tokens_margin: -1."),
    ("simple:axis=1", "no argument 'axis'"),
    ("token:axis=1", "tokens"),
])
def test_wrong_arguments_get_a_sentence(tmp_path, argument, answer):
    np.savez(tmp_path / "a.npz", logits=np.float32([[1, 2], [2, 1]]))
    done = run("run", "--load-outputs", tmp_path / "a.npz", tmp_path / "a.npz", "--compare",
               argument)
    assert done.code != 0
    assert answer in done.text


def test_the_log_has_what_the_metric_judges(tmp_path):
    """Neither lines about caches nor histograms of logits, however many prompts there are."""
    random = np.random.default_rng(0)
    for name in "ab":
        caches = {f"present.{i}.key": np.ones((1, 2, 5, 4), np.float32) for i in range(9)}
        np.savez(tmp_path / f"{name}.npz", logits=random.standard_normal((1, 5, 30)), **caches)
    command = ["run", "--load-outputs", tmp_path / "a.npz", tmp_path / "b.npz", "--compare", "tokens"]
    log = run(*command, code=1).text
    assert "FAILED | Output: 'logits'" in log and "logits | Stats" in log
    assert "present.0" not in log and "Histogram" not in log and len(log.splitlines()) < 40, log
    assert "Not compared: 'present.0.key'" in run(*command, "-v", code=1).text
