"""Comparison functions on values that are hard to compare."""

import numpy as np
from polygraphy.comparator import *
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER


def T(f, *a, **k):
    try:
        r = f(*a, **k)
        print(repr(r))
    except BaseException as e:
        print(type(e).__name__, str(e)[:400])


d = DataLoader(input_metadata=TensorMetadata().add("X", None, (5, 3)).add("zz", None, (1,)))
d.input_metadata = TensorMetadata().add("x", np.float32, ("N", 3))
T(lambda: d[0]["x"].shape)
d = DataLoader(val_range=(1,))
d.input_metadata = TensorMetadata().add("x", np.float32, (2,))
T(lambda: d[0])
r0 = IterationResult(
    {
        "a": np.array([1.0, np.nan, np.inf, 0]),
        "b": np.array([True, False]),
        "h": np.array([1, 2], np.float32),
        "u": np.array([1, 2], np.uint8),
        "s": np.array(3.0),
    },
    runner_name="R0",
)
r1 = IterationResult(
    {
        "a": np.array([1.0, 2, np.inf, 0]),
        "b": np.array([True, True]),
        "h": np.array([1, 2.5], np.float32),
        "u": np.array([2, 1], np.uint8),
        "s": np.array(3.0),
    },
    runner_name="R1",
)
for kw in [
    {},
    dict(infinities_compare_equal=True),
    dict(check_error_stat="median"),
    dict(check_error_stat="mean"),
    dict(fail_fast=True),
    dict(find_output_func=lambda n, i, r: ["a", "zz"] if n == "a" else [n]),
]:
    T(lambda: {k: (bool(v), str(v)) for k, v in SimpleCompareFunc(**kw)(r0, r1).items()})
del r0.dct["b"], r1.dct["b"]
T(lambda: {k: str(v) for k, v in SimpleCompareFunc(check_error_stat="quantile")(r0, r1).items()})
for c in [L2CompareFunc, CosineSimilarityCompareFunc, PsnrCompareFunc, SnrCompareFunc]:
    T(lambda: {k: (bool(v), list(v.metric_values().items())) for k, v in c()(r0, r1).items()})
    T(lambda: {k: (bool(v), v.metric_values()) for k, v in c({"": 4})(r0, r1).items()})
z = IterationResult({"a": np.zeros(3), "b": np.zeros(3), "c": np.full(3, -2.0)})
o = IterationResult({"a": np.ones(3), "b": np.zeros(3), "c": np.full(3, 2.0)})
for c in [L2CompareFunc, CosineSimilarityCompareFunc, PsnrCompareFunc, SnrCompareFunc]:
    T(lambda: {k: (bool(v), v.metric_values()) for k, v in c()(z, o).items()})
    T(lambda: {k: (bool(v), v.metric_values()) for k, v in c()(o, z).items()})
i0 = IterationResult({"a": np.array([[1, 2, 3, 4], [4, 3, 2, 1]])})
i1 = IterationResult({"a": np.array([[2, 1, 3, 4], [4, 3, 1, 2]])})
for t in (0, 1, 2, {"a": 3}, {"": 1}):
    T(lambda: IndicesCompareFunc(index_tolerance=t)(i0, i1))
T(lambda: IndicesCompareFunc(fail_fast=True)(i0, i1))
T(lambda: IndicesCompareFunc()(i0, IterationResult({"a": np.zeros(4)})))
rr = RunResults([("A", [i0, i1]), ("B", [i1, i1]), ("C", [i0, i0])])
ar = Comparator.compare_accuracy(
    rr, fail_fast=True, compare_func=IndicesCompareFunc(index_tolerance=1)
)
print(ar[0].keys(), [len(v) for v in ar[0].values()])
ar = Comparator.compare_accuracy(rr, compare_func=[IndicesCompareFunc(), L2CompareFunc()])
print([(k, len(v)) for k, v in ar[0].items()])
ar = Comparator.compare_accuracy(
    [rr.split(), RunResults([("D", [i0])]).split()],
    comparisons=[(0, 3)],
    compare_func=IndicesCompareFunc(),
)
print(ar[0].keys())
T(lambda: Comparator.compare_accuracy(RunResults()))
T(lambda: Comparator.compare_accuracy([]))
T(lambda: Comparator.compare_accuracy(RunResults([("A", [i0])])))
