"""Sets of models with 10 to 16 layers against all 2^n sets. Half of the seeds tuned the search, the others did not."""

import numpy as np
import pytest

import models

SEEDS = {"tuned": range(8), "held out": range(16, 24)}


def random_model(seed):
    """A chain of 10 to 16 layers with other widths, and outliers in some."""
    rng = np.random.default_rng(1000 + seed)
    count = int(rng.integers(10, 17))
    widths = rng.choice([16, 24, 32, 48], count + 1)
    nodes, weights, at = [], [], "x"
    for i in range(count):
        values = models.weight(rng, widths[i], widths[i + 1], outlier=float(rng.choice([0, 0, 3, 8])))
        weights.append(models.numpy_helper.from_array(values, f"w{i}"))
        nodes.append(models.helper.make_node("MatMul", [at, f"w{i}"], [f"m{i}"], f"layer{i}"))
        nodes.append(models.helper.make_node("Tanh" if rng.random() < 0.6 else "LeakyRelu", [f"m{i}"], [f"a{i}"], f"a{i}"))
        at = f"a{i}"
    graph = models.helper.make_graph(
        nodes, "random", [models.helper.make_tensor_value_info("x", 1, [4, int(widths[0])])],
        [models.helper.make_tensor_value_info(at, 1, [4, int(widths[-1])])], weights)
    return models.helper.make_model(graph, opset_imports=[models.helper.make_opsetid("", 17)], ir_version=8)


class Oracle:
    """The error of any set, by NumPy in float64, with the weights as the format has them."""

    def __init__(self, model, feeds, form):
        import oracle
        values = {i.name: models.numpy_helper.to_array(i) for i in model.graph.initializer}
        self.steps, self.costs = [], []
        nodes = list(model.graph.node)
        for product, activation in zip(nodes[::2], nodes[1::2]):
            w = values[product.input[1]]
            rounded, size = oracle.rounded(w, form, 1, 0)
            self.steps.append((w.astype(np.float64), rounded.astype(np.float64), activation.op_type))
            self.costs.append(w.nbytes - size)
        self.x = np.concatenate([feed["x"] for feed in feeds]).astype(np.float64)
        self.expected = self.run(0)

    @staticmethod
    def after(product, kind):
        return np.tanh(product) if kind == "Tanh" else np.where(product < 0, 0.01 * product, product)

    def run(self, quantised):
        at = self.x
        for i, (w, rounded, kind) in enumerate(self.steps):
            at = self.after(at @ (rounded if quantised >> i & 1 else w), kind)
        return at

    def errors(self):
        """Of all sets of quantised layers: a set's number has a bit for each layer."""
        results, norm = {0: self.x}, np.linalg.norm(self.expected)
        for i, (w, rounded, kind) in enumerate(self.steps):
            results = {quantised | bit << i: self.after(at @ (rounded if bit else w), kind)
                       for quantised, at in results.items() for bit in (0, 1)}
        return {quantised: np.linalg.norm(at - self.expected) / norm for quantised, at in results.items()}

    def kept_cost(self, quantised):
        return sum(cost for i, cost in enumerate(self.costs) if not quantised >> i & 1)


def judged(polygraphy, seed, *words, form="int4:block=16", share=0.6):
    model = random_model(seed)
    feeds = models.samples(model, 2, seed=seed)
    judge = Oracle(model, feeds, form)
    errors = judge.errors()
    limit = errors[2 ** len(judge.steps) - 1] * share
    result = polygraphy(model, feeds, "--format", form, "--limit", limit, *words, code=0)
    # Float32 may put a set on the other side of the limit: sets so near to it do not count.
    passing = [judge.kept_cost(q) for q, error in errors.items() if error <= limit * (1 - 1e-5)]
    return result, min(passing)


@pytest.mark.parametrize("seed", [0, 6, 16, 20])
def test_proven_against_all_sets(polygraphy, seed):
    result, least = judged(polygraphy, seed, "--most-sets", 2 ** 16 + 16)
    # A second search, with a stricter limit for the model as written, claims nothing.
    assert result["cheapest"] == (result["sessions"] < 5)
    assert not result["cheapest"] or result["kept_bytes"] <= least


def shares(polygraphy, seeds, share):
    found = []
    for seed in seeds:
        result, least = judged(polygraphy, seed, share=share)
        found.append(result["kept_bytes"] / least)
        assert result["sessions"] <= 5
        assert not result["cheapest"] or result["kept_bytes"] <= least, "a claim that is not so"
    return np.array(found)


@pytest.mark.parametrize("share", [0.4, 0.6, 0.8])
@pytest.mark.parametrize("half", SEEDS)
def test_few_sets_are_mostly_enough(polygraphy, half, share):
    found = shares(polygraphy, SEEDS[half], share)
    print(f"{half}, limit {share} of all: {np.mean(found < 1.0001):.0%} cheapest, mean {found.mean():.3f} and "
          f"at most {found.max():.2f} times the bytes")
    # Nothing is claimed of these sets; they are not far off.
    assert np.mean(found) <= 2
