"""Thresholds, their results, averages, re-evaluation; random inputs."""

import numpy as np, json
from polygraphy.comparator import *
from polygraphy.comparator import compare, struct
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = 50


def T(f, *a, **k):
    try:
        r = f(*a, **k)
        print(repr(r))
    except BaseException as e:
        print(type(e).__name__, str(e)[:400])


from polygraphy.json import *

r0 = IterationResult({"a": np.arange(6, dtype=np.float32).reshape(2, 3)}, runner_name="R0")
r1 = IterationResult({"a": np.arange(6, dtype=np.float32).reshape(2, 3) + 1}, runner_name="R1")
rr = RunResults([("R0", [r0, r0]), ("R1", [r1, r0])])
ars = Comparator.compare_accuracy(
    rr,
    compare_func=[
        L2CompareFunc(),
        PsnrCompareFunc(),
        SimpleCompareFunc(check_error_stat="max"),
        IndicesCompareFunc(),
    ],
)
print(ars.to_json())
for v, t in [
    (1e-5, 1e-5),
    (1.0000001e-05, 1e-5),
    (float("inf"), 30),
    (float("nan"), 1),
    (29.999999999, 30),
]:
    T(lambda: L2Threshold(t).describe({"l2_norm": v}))
    T(lambda: PsnrThreshold(t).describe({"psnr": v}))
    T(lambda: L2Threshold(t).passed({"l2_norm": v}))
    T(lambda: PsnrThreshold(t).passed({"psnr": v}))
    T(lambda: CosineSimilarityThreshold(t).describe({"cosine_similarity": v}))
    T(lambda: LpipsThreshold(t).describe({"lpips": v}))
    T(lambda: LpipsThreshold(t).passed({"lpips": None}))
print(vars(L2Threshold(3)), vars(SimpleThreshold("max", 1, 2)))
T(lambda: SimpleThreshold("max", 1, 2).passed({"max_absdiff": 3, "max_reldiff": 1}))
T(lambda: SimpleThreshold("elemwise", 1, 2).passed({}))
T(
    lambda: SimpleThreshold("quantile", 1, 2).passed(
        {"quantile_absdiff": None, "quantile_reldiff": None}
    )
)
T(lambda: SimpleThreshold("zz", 1, 2).passed({}))
T(lambda: SimpleThreshold("max", 1, 2).describe({}))
T(lambda: Threshold().describe({}))
T(lambda: Threshold().passed({}))
a = ars[0]
T(lambda: a.stats())
T(lambda: a.average_results())
T(lambda: a.describe_average())
T(lambda: a.output_names())
T(lambda: ars[2].average_results())
T(lambda: ars[2].describe_average())
T(lambda: bool(a))
T(lambda: vars(a))
T(lambda: a.stats(("R0", "R1")))
T(lambda: a.stats(("R0", "R9")))
T(lambda: {k: (bool(v), v.metric_values()) for k, v in a.average_results().items()})
T(lambda: (ars.reevaluate(L2Threshold(100)), len(ars), bool(ars[0]), ars[0].aggregation))
T(
    lambda: (
        ars.reevaluate({"a": L2Threshold(100), "": L2Threshold(1)}, aggregation="average"),
        ars[0].aggregation,
    )
)
T(lambda: ars.reevaluate(PsnrThreshold(3)))
T(lambda: ars.reevaluate({}))
T(lambda: a.reevaluate({"q": L2Threshold(3)}))
T(lambda: a.reevaluate(PsnrThreshold(3)))
ars = Comparator.compare_accuracy(
    rr, compare_func=[L2CompareFunc(), PsnrCompareFunc(), IndicesCompareFunc()]
)
T(
    lambda: (
        ars.reevaluate([PsnrThreshold(3), L2Threshold(100)]),
        len(ars),
        [r[("R0", "R1")][0]["a"] for r in ars],
    )
)
T(lambda: ars[5])
T(lambda: AccuracyResults([5]))
T(lambda: bool(AccuracyResults()))
T(lambda: bool(AccuracyResult()))
T(lambda: AccuracyResult().percentage())
o = OutputCompareResult(1, 2, 3, 4, 5, 6, 7, 8)
T(lambda: str(o))
o.set_thresholds(SimpleThreshold("max", 10, 0))
T(lambda: bool(o))
T(lambda: o.metric_values())
T(lambda: to_json(o))
T(lambda: vars(o))
o2 = OutputCompareResult(1, 2, 3, 4, 5, 6, 7, 8, passed=True)
T(lambda: bool(o2))
T(lambda: to_json(o2))
l = L2Result(3.0)
T(lambda: vars(l))
T(lambda: to_json(l))
l = L2Result(3.0, L2Threshold(5))
T(lambda: bool(l))
T(lambda: l.describe())
T(lambda: str(l))
T(lambda: bool(PerceptualMetricsResult(None, LpipsThreshold(1))))
T(lambda: PerceptualMetricsResult(None, LpipsThreshold(1)).describe())
T(lambda: compare.metric_fields_for_func(L2CompareFunc()))
T(lambda: compare.metric_fields_for_func(SimpleCompareFunc()))
T(lambda: compare.metric_fields_for_func(IndicesCompareFunc()))
T(lambda: compare.metric_fields_for_func(lambda a, b: 1))
T(lambda: CompareFunc.simple())
T(lambda: CompareFunc.indices())
for kw in [
    dict(check_average=True, fail_fast=True),
    dict(check_average=True),
    dict(check_average=True, compare_func=IndicesCompareFunc()),
    dict(check_average=True, compare_func=lambda a, b: {"a": True}),
    dict(check_average=True, compare_func=SimpleCompareFunc(check_error_stat={"a": "max"})),
    dict(compare_func=lambda a, b: {"a": True}),
    dict(comparisons=[(0, 0)]),
]:
    T(lambda: [x.stats() for x in Comparator.compare_accuracy(rr, **kw)])
sh = IterationResult({"a": np.zeros((3, 2), np.float32)}, runner_name="R1")
for cs in (True, False):
    T(lambda: {k: bool(v) for k, v in SimpleCompareFunc(check_shapes=cs)(r0, sh).items()})
T(lambda: SimpleCompareFunc()(r0, IterationResult({"zz": 1 + r0["a"]})))
T(lambda: SimpleCompareFunc()(r0, IterationResult({"q": r0["a"], "a": r0["a"]})))
T(lambda: SimpleCompareFunc()(r0, IterationResult({})))
T(lambda: SimpleCompareFunc()(IterationResult({}), IterationResult({})))
T(lambda: SimpleCompareFunc(check_error_stat="x")(r0, r1))
T(lambda: SimpleCompareFunc(find_output_func=lambda n, i, r: None)(r0, r1))
T(lambda: TopKPostprocessFunc(k=2)(r0))
print(r0["a"], vars(TopKPostprocessFunc()), vars(TopKPostprocessFunc((3, 1))))
T(lambda: PostprocessFunc.top_k(3))
from polygraphy.comparator.data_loader import *
from polygraphy.comparator import data_loader as dl
from polygraphy.common import TensorMetadata

m = (
    TensorMetadata()
    .add("x", np.float32, (2, -1))
    .add("y", np.int64, (2,))
    .add("b", bool, (3,))
    .add("i", np.int8, (5,))
    .add("u", np.uint16, (3,))
    .add("h", np.float16, (2,))
    .add("d", np.float64, ())
)
d = DataLoader(input_metadata=m)
print(repr(d), vars(d).keys())
d.input_metadata = m
for i in (0, 1, 2):
    T(lambda: d[i])
print(len(list(DataLoader(iterations=3, input_metadata=m))))
T(lambda: DataLoader(val_range={"x": (5, 6), "": (0, 3)}, input_metadata=m)[0])
T(lambda: DataLoader()[0])
T(lambda: DataLoader(val_range=[1, 2]))
T(lambda: DataLoader(val_range=(1,)))
T(
    lambda: DataLoader(
        val_range=(-np.inf, np.inf), input_metadata=TensorMetadata().add("x", np.float32, (2,))
    )[0]
)
T(lambda: DataLoader(input_metadata=TensorMetadata().add("x", 5, (2,)).add("q", 16, (1,)))[0])
T(lambda: DataLoader(seed=4, data_loader_backend_module="zz"))
print(repr(DataLoader(4, 2, val_range=(0, 1))), DataLoader(val_range=None).val_range)
