"""Results, statistics, comparison functions, accuracy, validation."""

import numpy as np, json
from polygraphy.comparator import *
from polygraphy.comparator import struct, util as cu
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = 10


def T(f, *a, **k):
    try:
        r = f(*a, **k)
        print(repr(r))
    except BaseException as e:
        print(type(e).__name__, str(e)[:300])


r0 = IterationResult(
    {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([1, 2])},
    runtime=0.5,
    runner_name="R0",
)
r1 = IterationResult(
    {"a": np.arange(6, dtype=np.float32).reshape(2, 3) + 1e-6, "b": np.array([1, 3])},
    runtime=0.5,
    runner_name="R1",
)
print(r0)
T(repr, r0)
print(dict(r0), vars(r0).keys(), r0.runtime, r0.runner_name, IterationResult().runner_name)
T(lambda: r0 == r0)
T(lambda: r0 == r1)
T(lambda: IterationResult({"a": r0["a"]}) == r0)
T(lambda: list(r0.keys()))
T(lambda: list(r0.values()))
T(lambda: r0["zz"])
T(lambda: r0.update({"c": np.zeros(1)}))
T(lambda: r0.__setitem__("q", 5))
T(lambda: r0.__setitem__("q", [1]))
T(lambda: "a" in r0)
r0 = IterationResult(
    {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([1, 2])},
    runtime=0.5,
    runner_name="R0",
)
rr = RunResults([("R0", [r0]), ("R1", [r1])])
print(
    len(rr),
    rr[0][0],
    rr["R0"] == [r0],
    list(rr.keys()),
    list(rr.items())[0][0],
    "R0" in rr,
    "zz" in rr,
    ("R0", [r0]) in rr,
)
T(lambda: rr["zz"])
T(lambda: rr[5])
T(lambda: rr.add([{"a": np.zeros(2)}], runtime=3, runner_name="N"))
T(lambda: rr.add([{"a": np.zeros(2)}]))
print(list(rr.keys()))
T(lambda: rr["custom_runner"][0].runtime)
T(lambda: rr.append(5))
T(lambda: rr.append(("a", 5)))
T(lambda: rr.append(("a", [5])))
T(lambda: rr.__setitem__("R0", [r1]))
T(lambda: rr.__setitem__("new", [r1]))
print(list(rr.keys()))
T(lambda: rr.__setitem__(0, ("RR", [r0])))
T(lambda: rr == rr)
del rr.lst[2:]
rr = RunResults([("R0", [r0]), ("R1", [r1])])
s = rr.to_json()
print(s)
q = RunResults.from_json(s)
print(type(q), q == rr, type(q["R0"][0]), q["R0"][0].runtime, q["R0"][0]["a"])
print(str(rr)[:200])
print([list(x.keys()) for x in rr.split()], RunResults.concat(rr.split()) == rr)
rr.save("rr.json")
print(len(list(RunResults.load_streaming("rr.json"))))
print(cu.str_histogram(r0["a"]))
print(cu.str_output_stats(r0["a"], "R0"))
cu.log_output_stats(r0["a"], True, "R0", (0, 1))
cu.log_output_stats(r0["b"])
cu.log_output_stats(np.array([True, False]))
cu.log_output_stats(np.array([np.nan, 1, np.inf]))
cu.log_output_stats(np.arange(200.0, dtype=np.float16))
cu.log_output_stats(np.full(50, 3, np.uint8), True)
for (
    n
) in "compute_max compute_argmax compute_min compute_argmin compute_mean compute_std compute_variance compute_median compute_average_magnitude cast_up".split():
    for a in [
        r0["a"],
        r0["b"],
        np.array([True, False]),
        np.array([250, 250], np.uint8),
        np.array([60000, 60000.0], np.float16),
        np.zeros(0),
    ]:
        print(n, end=" ")
        T(getattr(cu, n), a)
T(cu.compute_quantile, r0["a"], 0.9)
for cf in [
    SimpleCompareFunc(),
    SimpleCompareFunc(rtol=1e-9, atol={"a": 1e-9, "": 5}),
    SimpleCompareFunc(check_error_stat="max"),
    SimpleCompareFunc(check_error_stat={"a": "mean", "b": "quantile"}, error_quantile=0.5),
    L2CompareFunc(),
    CosineSimilarityCompareFunc(),
    PsnrCompareFunc(),
    SnrCompareFunc(),
    IndicesCompareFunc(),
    IndicesCompareFunc(index_tolerance=1),
]:
    print("####", type(cf).__name__, vars(cf))
    T(lambda: cf(r0, r1))
    try:
        d = cf(r0, r1)
        for v in d.values():
            print(bool(v), str(v))
            print(vars(v) if hasattr(v, "__dict__") else "")
        print(cf.thresholds_for("a"), vars(cf.thresholds_for("a")))
    except BaseException as e:
        print(type(e), e)
ar = Comparator.compare_accuracy(rr)
print(type(ar), bool(ar), len(ar))
print(ar.to_json())
ar = Comparator.compare_accuracy(
    rr, compare_func=[L2CompareFunc(), PsnrCompareFunc()], check_average=True
)
print(bool(ar))
print(ar[0].stats(), ar.output_names())
ar = Comparator.compare_accuracy(rr, compare_func=L2CompareFunc(l2_threshold=10))
print(bool(ar), ar[0].keys(), ar[0].stats(), ar[0].percentage())
print(
    Comparator.validate(rr),
    Comparator.validate(
        RunResults([("x", [IterationResult({"o": np.array([1, np.nan, np.inf])})])]), check_inf=True
    ),
)
