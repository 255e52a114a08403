"""Comparing lists of indices."""

from __future__ import annotations

from typing import Any, Dict, Optional

from polygraphy import mod, util
from polygraphy.comparator.compare._base import (
    BaseCompareFunc,
    default_find_output_func,
    run_comparison,
)
from polygraphy.logger import G_LOGGER


@mod.export()
class IndicesCompareFunc(BaseCompareFunc):
    """Compares lists of indices along the last axis: each has to be found near its place.

    Args:
        index_tolerance: How many places away it may be; the last as many are not looked for. 0 if
            left out. Or a dictionary by name of an output, with `""` for the others.
        fail_fast: Whether to stop at the first mismatch.
    """

    _SUMMARY_LABEL = "indices"
    check_shapes = True
    find_output_func = None

    def __init__(self, index_tolerance: Any = None, fail_fast: Optional[bool] = None):
        self.index_tolerance = util.default(index_tolerance, 0)
        self.fail_fast = util.default(fail_fast, False)

    def __call__(self, iter_result0, iter_result1) -> Dict[str, bool]:
        """Compares two results.

        Returns:
            Dict[str, bool]: Name of an output of the first one -> whether it matches.
        """

        def match(out0_name, out0, _, out1) -> bool:
            tolerance = util.value_or_from_dict(self.index_tolerance, out0_name, 0)
            shape0, shape1 = util.array.shape(out0), util.array.shape(out1)
            if tuple(shape0) != tuple(shape1):
                G_LOGGER.error("Cannot compare outputs of different shapes.")
                return False

            width = shape0[-1] if len(shape0) else 1
            num_rows = util.array.size(out0) // max(width, 1)
            rows0 = util.array.to_numpy(out0).reshape(num_rows, width)
            rows1 = util.array.to_numpy(out1).reshape(num_rows, width)
            passed = True
            for row0, row1 in zip(rows0, rows1):
                places: Dict[Any, list] = {}
                for place, value in enumerate(row1.tolist()):
                    places.setdefault(value, []).append(place)
                for place, value in enumerate(row0.tolist()[: max(width - tolerance, 0)]):
                    if value not in places:
                        G_LOGGER.error(f"FAILED | Value: {value} not found in output")
                        passed = False
                    elif min(abs(place - other) for other in places[value]) > tolerance:
                        G_LOGGER.error(f"FAILED | Difference exceeds index tolerance ({tolerance})")
                        passed = False
                    if not passed and self.fail_fast:
                        return False
            if passed:
                G_LOGGER.finish(f"PASSED | Difference is within index tolerance ({tolerance})")
            return passed

        return run_comparison(
            match,
            self.fail_fast,
            iter_result0,
            iter_result1,
            lambda name, index, result: default_find_output_func(name, index, result, iter_result0),
            self._SUMMARY_LABEL,
        )
