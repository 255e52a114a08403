"""Comparator takes lists of results and of comparison functions."""

import numpy as np
from polygraphy.comparator import *
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = {"": G_LOGGER.EXTRA_VERBOSE}


def results(*values):
    iterations = [IterationResult({"y": np.array([v, 2.0], "f4")}, runner_name="r") for v in values]
    return RunResults([("r", iterations), ("s", iterations)])


def shown(obj):
    if isinstance(obj, list) and not isinstance(obj, RunResults):
        return [shown(each) for each in obj]
    return str(dict(obj[0][1][0].items())) if isinstance(obj, RunResults) else repr(obj)


print(shown(Comparator.postprocess([results(1), results(3)], PostprocessFunc.top_k(1))))
print(shown(Comparator.postprocess(results(1), PostprocessFunc.top_k(1))))
print(shown(Comparator.validate([results(1), results(float("nan"))], check_inf=True)))
print(shown(Comparator.validate(results(1))))
for func in (None, [None], [None, L2CompareFunc()]):
    found = Comparator.compare_accuracy(results(1), compare_func=func)
    print(type(found).__name__, bool(found))
