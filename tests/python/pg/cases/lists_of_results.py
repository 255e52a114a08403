"""Comparator takes lists of results and of comparison functions."""

import numpy as np
from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata
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

three = RunResults([(name, [IterationResult({"y": np.array([value])}, runner_name=name)]) for name, value in
                    (("a", 1.0), ("b", 2.0), ("c", 3.0))])
for fail_fast in (False, True):
    found = Comparator.compare_accuracy(three, comparisons=[(0, 1), (1, 2), (0, 2)], fail_fast=fail_fast)
    print({pair: len(outcomes) for pair, outcomes in found[0].items()})


class Loader:
    def __iter__(self):
        print(self.input_metadata)
        yield {"x": np.zeros(2, "f4")}


class Same(BaseRunner):
    def get_input_metadata_impl(self):
        return TensorMetadata().add("x", np.float32, (2,))

    def infer_impl(self, feed_dict):
        self.inference_time = 0.001
        return {"y": feed_dict["x"]}


for loader in (Loader(), [{"x": np.zeros(2, "f4")}]):
    print(len(Comparator.run([Same(name="same")], data_loader=loader)))
