"""Texts and verdicts at the edges of what can be compared."""

import numpy as np
from polygraphy.comparator import *
from polygraphy.comparator import util as cu
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.EXTRA_VERBOSE
np.seterr(all="ignore")


def results(*arrays) -> list:
    return [IterationResult({"x": np.array(a)}, runner_name=n) for a, n in zip(arrays, "AB")]


def metrics(func, *arrays) -> None:
    values = func(*results(*arrays))["x"].metric_values()
    print({name: None if value is None else float(value) for name, value in values.items()})


# The first column of a histogram is as wide as any edge.
for array in (np.arange(11), np.arange(101), np.array([1e-20, 1]), np.array([-1e5, 1e-5])):
    print(cu.str_histogram(array))
print(repr(cu.str_output_stats(np.array([True, False, True]), "r")))

# Messages before the comparison of shapes.
for func in (SimpleCompareFunc(), L2CompareFunc(), IndicesCompareFunc()):
    print(func(*results(np.zeros(2), np.zeros(3))))

print(SimpleCompareFunc()(IterationResult(), IterationResult()))
print(IndicesCompareFunc()(*results(np.zeros((3, 0)), np.zeros((3, 0)))))

# Too far apart for ten bins.
extreme = np.full(2, np.finfo("f4").max)
metrics(SimpleCompareFunc(check_error_stat="max"), extreme, np.zeros(2))

for signal in ([1.0, 2.0], [0.0, 0.0], [np.inf, 1.0]):
    for noisy in ([np.inf, 1.0], [0.0, 3.0]):
        for func in (SnrCompareFunc(), PsnrCompareFunc(), L2CompareFunc()):
            metrics(func, signal, noisy)

# Zeros of booleans are not replaced.
for equal in (False, True):
    func = SimpleCompareFunc(check_error_stat="max", infinities_compare_equal=equal)
    metrics(func, [0.0, 1.0, np.inf], [False, False, True])

# Outputs of the first function are shown, in full where any function found a difference.
run_results = RunResults(
    [
        (name, [IterationResult({"x": np.zeros(2), "y": np.full(2, value)}, runner_name=name)])
        for name, value in (("A", 0.0), ("B", 1.0))
    ]
)
G_LOGGER.module_severity = G_LOGGER.INFO
only_x = lambda name, index, result: ["x"] if name == "x" else []
for funcs in (
    [L2CompareFunc(find_output_func=only_x), PsnrCompareFunc()],
    [PsnrCompareFunc(), L2CompareFunc(find_output_func=only_x)],
    [L2CompareFunc(2.0), L2CompareFunc()],
):
    print(bool(Comparator.compare_accuracy(run_results, compare_func=funcs)))
