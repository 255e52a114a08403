"""Sets of models with 10 to 16 layers against all 2^n sets."""

import numpy as np
import pytest

import models

SEEDS = [*range(100, 124), *range(400, 424)]


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
    """The errors of all sets, by NumPy, with the weights as the format has them."""

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

    @staticmethod
    def after(product, kind):
        return np.tanh(product) if kind == "Tanh" else np.where(product < 0, 0.01 * product, product)

    def errors(self):
        """Of all sets of quantised layers: a set's number has a bit for each layer."""
        results = self.x[None].astype(np.float32)
        for w, rounded, kind in self.steps:
            results = np.concatenate([self.after(results @ v.astype(np.float32), kind) for v in (w, rounded)])
        results = results.reshape(len(results), -1)
        return np.linalg.norm(results - results[0], axis=1) / np.linalg.norm(results[0])

    def kept_costs(self):
        """Of all sets of quantised layers."""
        costs = np.zeros(1, np.int64)
        for cost in self.costs:
            costs = np.concatenate([costs + cost, costs])
        return costs

def judged(polygraphy, seed, *words, form="int4:block=16", share=0.6):
    model = random_model(seed)
    feeds = models.samples(model, 2, seed=seed)
    judge = Oracle(model, feeds, form)
    errors = judge.errors()
    limit = float(errors[-1]) * share
    result = polygraphy(model, feeds, "--format", form, "--limit", limit, *words, code=0)
    # Float32 may put a set on the other side of the limit: sets so near to it do not count.
    return result, judge.kept_costs()[errors <= limit * (1 - 1e-5)].min()


@pytest.mark.parametrize("seed", [0, 6, 16, 20])
def test_proven_against_all_sets(polygraphy, seed):
    result, least = judged(polygraphy, seed, "--most-sets", 2 ** 16 + 16)
    # A second search, with a stricter limit for the model as written, claims nothing.
    assert result["cheapest"] == (result["sessions"] < 5)
    assert not result["cheapest"] or result["kept_bytes"] <= least


def test_few_sets_are_mostly_enough(polygraphy):
    every = []
    for share in (0.4, 0.6, 0.8):
        found = []
        for seed in SEEDS:
            result, least = judged(polygraphy, seed, share=share)
            found.append(result["kept_bytes"] / least)
            assert result["sessions"] <= 5
            assert not result["cheapest"] or result["kept_bytes"] <= least, "a claim that is not so"
        found = np.array(found)
        print(f"limit {share} of all: {np.mean(found < 1.0001):.0%} cheapest, mean {found.mean():.3f} and "
              f"at most {found.max():.2f} times the bytes")
        every.append(found)
    assert np.mean(np.concatenate(every) < 1.0001) >= 0.8
    assert np.mean(every) <= 1.1
