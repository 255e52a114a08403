"""LPIPS where its packages are missing, and where there is nothing to compute."""

import sys

sys.modules["torch"] = None  # Even if it is installed here.
import numpy as np
from polygraphy.comparator import *
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.ERROR


def T(f):
    try:
        print(repr(f()))
    except BaseException as e:
        print(type(e).__name__, str(e).splitlines()[0])


def compare(array, **kwargs):
    both = [IterationResult({"y": array}, runner_name=name) for name in "ab"]
    results = PerceptualMetricsCompareFunc(**kwargs)(*both)
    return {name: (bool(r), r.metric_values()) for name, r in results.items()}


T(lambda: compare(np.zeros((1, 3, 8, 8), np.float32)))
T(lambda: compare(np.zeros(8, np.float32)))
T(lambda: CompareFunc.perceptual_metrics(0.3).thresholds_for("x").threshold)
T(lambda: PerceptualMetricsCompareFunc({"": 0.3, "y": 0.2}).thresholds_for("y").threshold)
T(lambda: PerceptualMetricsCompareFunc(lpips_threshold=0).threshold)
