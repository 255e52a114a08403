"""Functions on outputs before the comparison."""

from __future__ import annotations

from typing import Any, Optional

from polygraphy import mod, util


@mod.export()
class BasePostprocessFunc:
    """A function from IterationResult to IterationResult, as an object."""

    def __call__(self, iter_result):
        """Changes the result of one iteration.

        Args:
            iter_result: The result. It may be changed in place.

        Returns:
            IterationResult: The changed result.
        """
        raise NotImplementedError()


@mod.export()
class TopKPostprocessFunc(BasePostprocessFunc):
    """Puts in place of outputs the indices of their greatest values, in falling order.

    Args:
        k: How many, 10 if left out; or a pair of that and the axis, else the last one; or
            name of an output -> either of these, with `""` for the others. Outputs without a
            value, or with 0, stay as they are.
    """

    def __init__(self, k: Any = None):
        self.k = util.default(k, 10)

    def __call__(self, iter_result):
        for name, output in iter_result.items():
            k = util.value_or_from_dict(self.k, name)
            if not k:
                continue
            k, axis = k if util.is_sequence(k) else (k, -1)
            iter_result[name] = util.array.topk(output, k, axis)[1]
        return iter_result


@mod.export()
class PostprocessFunc:
    """The names that older versions have for these functions."""

    @staticmethod
    @mod.deprecate(
        remove_in="0.60.0", use_instead="TopKPostprocessFunc", name="PostprocessFunc.top_k"
    )
    def top_k(k: Optional[Any] = None):
        """A TopKPostprocessFunc."""
        return TopKPostprocessFunc(k)
