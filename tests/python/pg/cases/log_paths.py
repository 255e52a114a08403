"""Which file a message belongs to: thresholds of single files."""

import pickle

import numpy as np
from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata
from polygraphy.comparator import *
from polygraphy.comparator import compare
from polygraphy.logger import G_LOGGER


class Doubling(BaseRunner):
    def get_input_metadata_impl(self):
        return TensorMetadata().add("x", np.float32, (2,))

    def infer_impl(self, feed_dict):
        self.inference_time = 0.0
        return {"y": feed_dict["x"] * 2}


def run():
    """All messages of the comparator, from each of its modules."""
    G_LOGGER.once_logged.clear()
    results = Comparator.run([Doubling(name="a"), Doubling(name="b")])
    Comparator.validate(results, check_inf=True)
    for func in (
        SimpleCompareFunc(check_error_stat="mean"),
        SimpleCompareFunc(atol={"z": 1}),
        IndicesCompareFunc(),
        L2CompareFunc(),
    ):
        Comparator.compare_accuracy(results, compare_func=func)


for path in (
    "comparator/compare.py",
    "comparator/comparator.py",
    "comparator/data_loader.py",
    "comparator/util.py",
    "comparator",
    "compare.py",
):
    print("--", path)
    G_LOGGER.module_severity = {"": G_LOGGER.CRITICAL, path: G_LOGGER.VERBOSE}
    run()

# Names that do not depend on the file that something is defined in.
for name in sorted(set(compare.__all__) - {"DistanceMetricsResult", "QualityMetricsResult"}):
    print(getattr(compare, name))
print(Comparator)
result = pickle.loads(pickle.dumps(compare.L2Result(1.0, compare.L2Threshold(2.0))))
print(type(result), vars(result.thresholds))
