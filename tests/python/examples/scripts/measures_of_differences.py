"""The comparison functions of the package on the same pair of results."""

import numpy as np
from polygraphy.comparator import (
    Comparator,
    CosineSimilarityCompareFunc,
    L2CompareFunc,
    PsnrCompareFunc,
    RunResults,
    SimpleCompareFunc,
    SnrCompareFunc,
)

rng = np.random.default_rng(3)
base = rng.random((2, 3, 5), np.float32)
results = RunResults()
results.add([{"y": base, "z": np.arange(4)}], runner_name="base")
results.add(
    [{"y": base + rng.random(base.shape, np.float32) * np.float32(1e-3), "z": np.arange(4)}],
    runner_name="noisy",
)

CASES = [
    SimpleCompareFunc(atol=1e-2),
    SimpleCompareFunc(atol=1e-6, rtol=1e-6, check_error_stat="median"),
    SimpleCompareFunc(
        check_error_stat={"y": "quantile", "z": "max"}, error_quantile=0.5, atol=1e-3
    ),
    L2CompareFunc(l2_threshold=1e-6),
    CosineSimilarityCompareFunc(cosine_similarity_threshold=0.9),
    PsnrCompareFunc(psnr_threshold=20),
    SnrCompareFunc(snr_threshold={"y": 100.0, "z": 1.0}),
]
with open("accuracies.txt", "w") as table:
    for function in CASES:
        accuracy = Comparator.compare_accuracy(results, compare_func=function)
        print(
            type(function).__name__,
            bool(accuracy),
            accuracy[0].percentage(),
            accuracy.output_names(),
            file=table,
        )
