"""Options of the functions that compare outputs, a group for each."""

from __future__ import annotations

from typing import List, Optional

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.mod.exporter import _snake_case
from polygraphy.tools.args.table import Row, TableArgs, attribute_of, flag, option
from polygraphy.tools.script import Script, make_invocable, make_invocable_if_nondefault

_ERROR_STATS = ["max", "mean", "median", "elemwise", "quantile"]


class _CompareFuncArgs(TableArgs):
    """Base class of the groups.

    Options of all functions are those of ComparatorCompareArgs, if the tool has it.
    """

    _FUNCTION = ""
    """The class of the function"""

    def _common_option(self, name: str):
        return getattr(self._group_named("ComparatorCompareArgs"), name, None)

    def _shape_option(self) -> Optional[bool]:
        """Of all functions that compare values."""
        return False if self._common_option("no_shape_check") else None

    def _add_function(self, script: Script, function: Script.String) -> Script.String:
        script.add_import(imports=[self._FUNCTION], frm="polygraphy.comparator")
        return script.add_var(function, _snake_case(self._FUNCTION), "Comparison Functions")


class _ThresholdArgs(_CompareFuncArgs):
    """A function that compares one figure of each output with a threshold."""

    _SPELLINGS = ""
    """Of the option with the thresholds; the first one is also the argument of the function"""
    _HELP = ""

    def _options(self) -> List[Row]:
        return [option(self._SPELLINGS, self._HELP, nargs="+", type="by_name")]

    def add_to_script_impl(self, script: Script) -> Script.String:
        """Adds the function to a script.

        Returns:
            The variable with the function.
        """
        function = make_invocable(
            self._FUNCTION,
            **{attribute_of(row): getattr(self, attribute_of(row)) for row in self.rows()},
            check_shapes=self._shape_option(),
            fail_fast=self._common_option("fail_fast"),
        )
        return self._add_function(script, function)


@mod.export()
class CompareFuncSimpleArgs(_CompareFuncArgs):
    """Comparison Function: `simple`: absolute and relative errors against tolerances

    Depends on:

        - ComparatorCompareArgs
    """

    _FUNCTION = "SimpleCompareFunc"

    def _options(self) -> List[Row]:
        by_output = {"nargs": "+", "type": "by_name"}
        return [
            option(
                "--rtol --rel-tol",
                "Tolerance of relative errors, for all outputs or for one: 1e-3 y:1e-5. Default: "
                "1e-5.",
                **by_output,
            ),
            option(
                "--atol --abs-tol",
                "Tolerance of absolute errors, likewise. Default: 1e-5.",
                **by_output,
            ),
            option(
                "--check-error-stat",
                "Figure to compare with the tolerances, for all outputs or for one: the error of "
                "every element (elemwise, the default), or one figure of an output: max, mean, "
                "median, quantile.",
                **by_output,
            ),
            flag(
                "--infinities-compare-equal",
                "Accept infinities of the same sign as equal.",
            ),
            option(
                "--save-heatmaps",
                "Folder to save pictures of the errors in, by element of the outputs.",
            ),
            flag("--show-heatmaps", "Show these pictures."),
            option(
                "--save-error-metrics-plot",
                "Folder to save pictures of the errors in, by magnitude of the values.",
            ),
            flag("--show-error-metrics-plot", "Show these pictures."),
            option(
                "--error-quantile",
                "Quantile of the errors, of 0 to 1, for all outputs or for one. Default: 0.99.",
                **by_output,
            ),
        ]

    def parse_impl(self, args):
        """Sets these attributes; dictionaries are by output, with `""` for all others:

        Attributes:
            rtol (Dict[str, float]): Tolerance of relative errors
            atol (Dict[str, float]): Tolerance of absolute errors
            check_error_stat (Dict[str, str]): Figure to compare with the tolerances
            infinities_compare_equal (bool): Whether infinities of the same sign are equal
            save_heatmaps (str): Folder for pictures by element
            show_heatmaps (bool): Whether to show them
            save_error_metrics_plot (str): Folder for pictures by magnitude
            show_error_metrics_plot (bool): Whether to show them
            error_quantile (Dict[str, float]): Quantile of the errors

        Raises:
            PolygraphyException: If a figure is unknown.
        """
        super().parse_impl(args)
        for stat in (self.check_error_stat or {}).values():
            if stat not in _ERROR_STATS:
                G_LOGGER.critical(
                    f"Invalid choice for check_error_stat: {stat}.\n"
                    f"Note: Valid choices are: {_ERROR_STATS}"
                )

    def add_to_script_impl(self, script: Script) -> Optional[Script.String]:
        """Adds the function to a script.

        Returns:
            The variable with the function; None if it is the default one.
        """
        names = [attribute_of(row) for row in self.rows()]
        values = {name: getattr(self, name) for name in names}
        function = make_invocable_if_nondefault(
            self._FUNCTION,
            rtol=values.pop("rtol"),
            atol=values.pop("atol"),
            check_shapes=self._shape_option(),
            fail_fast=self._common_option("fail_fast"),
            **values,
        )
        return None if function is None else self._add_function(script, function)


@mod.export()
class CompareFuncIndicesArgs(_ThresholdArgs):
    """Comparison Function: `indices`: how far apart the same values are in two lists

    Depends on:

        - ComparatorCompareArgs

    Attributes:
        index_tolerance (Dict[str, int]): Output, `""` for all others -> number of places
    """

    _FUNCTION = "IndicesCompareFunc"
    _SPELLINGS = "--index-tolerance"
    _HELP = (
        "Number of places that a value may move between both outputs, for all outputs or for one. "
        "Default: 0."
    )

    def _shape_option(self) -> None:
        """The function takes no such option."""


@mod.export()
class CompareFuncL2Args(_ThresholdArgs):
    """Comparison Function: `l2`: the L2 norm of the differences

    Depends on:

        - ComparatorCompareArgs

    Attributes:
        l2_threshold (Dict[str, float]): Output, `""` for all others -> the largest norm that
            passes
    """

    _FUNCTION = "L2CompareFunc"
    _SPELLINGS = "--l2-threshold --l2-tolerance"
    _HELP = (
        "The largest L2 norm of the differences that passes, for all outputs or for one. "
        "Default: 1e-5."
    )


@mod.export()
class CompareFuncCosineSimilarityArgs(_ThresholdArgs):
    """Comparison Function: `cosine_similarity`: the cosine of the angle between outputs

    Depends on:

        - ComparatorCompareArgs

    Attributes:
        cosine_similarity_threshold (Dict[str, float]): Output, `""` for all others -> the smallest
            cosine that passes
    """

    _FUNCTION = "CosineSimilarityCompareFunc"
    _SPELLINGS = "--cosine-similarity-threshold"
    _HELP = (
        "The smallest cosine of the angle between two outputs that passes, for all outputs or for "
        "one. Default: 0.997."
    )


@mod.export()
class CompareFuncPsnrArgs(_ThresholdArgs):
    """Comparison Function: `psnr`: the peak signal-to-noise ratio

    Depends on:

        - ComparatorCompareArgs

    Attributes:
        psnr_threshold (Dict[str, float]): Output, `""` for all others -> the smallest ratio that
            passes, in dB
    """

    _FUNCTION = "PsnrCompareFunc"
    _SPELLINGS = "--psnr-threshold --psnr-tolerance"
    _HELP = (
        "The smallest peak signal-to-noise ratio that passes, in dB, for all outputs or for one. "
        "Default: 30."
    )


@mod.export()
class CompareFuncSnrArgs(_ThresholdArgs):
    """Comparison Function: `snr`: the signal-to-noise ratio

    Depends on:

        - ComparatorCompareArgs

    Attributes:
        snr_threshold (Dict[str, float]): Output, `""` for all others -> the smallest ratio that
            passes, in dB
    """

    _FUNCTION = "SnrCompareFunc"
    _SPELLINGS = "--snr-threshold --snr-tolerance"
    _HELP = (
        "The smallest signal-to-noise ratio that passes, in dB, for all outputs or for one. "
        "Default: 20."
    )


@mod.export()
class CompareFuncPerceptualMetricsArgs(_ThresholdArgs):
    """Comparison Function: `perceptual_metrics`: how different images look, by LPIPS

    Depends on:

        - ComparatorCompareArgs

    Attributes:
        lpips_threshold (Dict[str, float]): Output, `""` for all others -> the largest distance
            that passes
    """

    _FUNCTION = "PerceptualMetricsCompareFunc"
    _SPELLINGS = "--lpips-threshold --lpips-tolerance"
    _HELP = (
        "The largest LPIPS distance of two images that passes, for all outputs or for one. "
        "Default: 0.1."
    )
