"""Options of the functions that compare outputs, a group for each."""

from __future__ import annotations

from typing import Optional

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.script import Script, make_invocable, make_invocable_if_nondefault

_ERROR_STATS = ["max", "mean", "median", "elemwise", "quantile"]


class _CompareFuncArgs(BaseArgs):
    """What the groups have in common.

    Options of all functions are those of ComparatorCompareArgs, if it is there.
    """

    _FUNCTION = ""
    """The class of the function"""
    _VARIABLE = ""
    """What it is called in scripts"""

    def _common_option(self, name: str):
        return getattr(self.arg_groups.named("ComparatorCompareArgs"), name, None)

    def _shape_option(self) -> Optional[bool]:
        """Of all functions that compare values."""
        return False if self._common_option("no_shape_check") else None

    def _add_function(self, script: Script, function: Script.String) -> Script.String:
        script.add_import(imports=[self._FUNCTION], frm="polygraphy.comparator")
        return script.add_var(function, self._VARIABLE, category="Comparison Functions")


class _ThresholdArgs(_CompareFuncArgs):
    """A function that compares one figure of each output with a threshold."""

    _OPTIONS: tuple = ()
    _THRESHOLD = ""
    """The attribute with the thresholds, also the argument of the function"""
    _HELP = ""

    def add_parser_args_impl(self):
        self.group.add_argument(
            *self._OPTIONS, dest=self._THRESHOLD, nargs="+", default=None, help=self._HELP
        )

    def parse_impl(self, args):
        """Sets the attribute with the thresholds: output, `""` for all others -> threshold."""
        thresholds = args_util.parse_arglist_to_dict(args_util.get(args, self._THRESHOLD))
        setattr(self, self._THRESHOLD, thresholds)

    def add_to_script_impl(self, script: Script) -> Script.String:
        """Adds the function to a script.

        Returns:
            The variable with the function.
        """
        function = make_invocable(
            self._FUNCTION,
            **{self._THRESHOLD: getattr(self, self._THRESHOLD)},
            check_shapes=self._shape_option(),
            fail_fast=self._common_option("fail_fast"),
        )
        return self._add_function(script, function)


@mod.export()
class CompareFuncSimpleArgs(_CompareFuncArgs):
    """Comparison Function: `simple`: absolute and relative errors against tolerances"""

    _FUNCTION = "SimpleCompareFunc"
    _VARIABLE = "simple_compare_func"

    def add_parser_args_impl(self):
        add = self.group.add_argument
        add(
            "--rtol",
            "--rel-tol",
            dest="rtol",
            nargs="+",
            default=None,
            help="Tolerance of relative errors, for all outputs or for one: 1e-3 y:1e-5. Default: "
            "1e-5.",
        )
        add(
            "--atol",
            "--abs-tol",
            dest="atol",
            nargs="+",
            default=None,
            help="Tolerance of absolute errors, likewise. Default: 1e-5.",
        )
        add(
            "--check-error-stat",
            nargs="+",
            default=None,
            help="What is compared with the tolerances, for all outputs or for one: the error of "
            "every element (elemwise, the default), or one figure of an output: max, mean, "
            "median, quantile.",
        )
        add(
            "--infinities-compare-equal",
            action="store_true",
            default=None,
            help="Infinities of the same sign do not differ.",
        )
        self._add_pictures()
        add(
            "--error-quantile",
            nargs="+",
            default=None,
            help="Which quantile of the errors, of 0 to 1, for all outputs or for one. Default: "
            "0.99.",
        )

    def _add_pictures(self) -> None:
        add = self.group.add_argument
        add(
            "--save-heatmaps",
            default=None,
            help="A folder to save pictures of the errors in, by element of the outputs.",
        )
        add(
            "--show-heatmaps",
            action="store_true",
            default=None,
            help="Show these pictures.",
        )
        add(
            "--save-error-metrics-plot",
            default=None,
            help="A folder to save pictures of the errors in, by magnitude of the values.",
        )
        add(
            "--show-error-metrics-plot",
            action="store_true",
            default=None,
            help="Show these pictures.",
        )

    def parse_impl(self, args):
        """Sets these attributes; dictionaries are by output, with `""` for all others:

        Attributes:
            rtol (Dict[str, float]): Tolerance of relative errors
            atol (Dict[str, float]): Tolerance of absolute errors
            check_error_stat (Dict[str, str]): What is compared with the tolerances
            infinities_compare_equal (bool): Whether equal infinities do not differ
            save_heatmaps (str): A folder for pictures by element
            show_heatmaps (bool): Whether they are shown
            save_error_metrics_plot (str): A folder for pictures by magnitude
            show_error_metrics_plot (bool): Whether they are shown
            error_quantile (Dict[str, float]): Which quantile of errors

        Raises:
            PolygraphyException: If a figure is none.
        """
        for name in ("rtol", "atol", "check_error_stat", "error_quantile"):
            setattr(self, name, args_util.parse_arglist_to_dict(args_util.get(args, name)))
        for name in (
            "infinities_compare_equal",
            "save_heatmaps",
            "show_heatmaps",
            "save_error_metrics_plot",
            "show_error_metrics_plot",
        ):
            setattr(self, name, args_util.get(args, name))
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
        function = make_invocable_if_nondefault(
            self._FUNCTION,
            rtol=self.rtol,
            atol=self.atol,
            check_shapes=self._shape_option(),
            fail_fast=self._common_option("fail_fast"),
            check_error_stat=self.check_error_stat,
            infinities_compare_equal=self.infinities_compare_equal,
            save_heatmaps=self.save_heatmaps,
            show_heatmaps=self.show_heatmaps,
            save_error_metrics_plot=self.save_error_metrics_plot,
            show_error_metrics_plot=self.show_error_metrics_plot,
            error_quantile=self.error_quantile,
        )
        return None if function is None else self._add_function(script, function)


@mod.export()
class CompareFuncIndicesArgs(_CompareFuncArgs):
    """Comparison Function: `indices`: how far apart the same values are in two lists"""

    _FUNCTION = "IndicesCompareFunc"
    _VARIABLE = "indices_compare_func"

    def add_parser_args_impl(self):
        self.group.add_argument(
            "--index-tolerance",
            nargs="+",
            default=None,
            help="How many places a value may be away from its place in the other output, for all "
            "outputs or for one. Default: 0.",
        )

    def parse_impl(self, args):
        """Sets this attribute:

        Attributes:
            index_tolerance (Dict[str, int]): Output, `""` for all others -> how many places
        """
        self.index_tolerance = args_util.parse_arglist_to_dict(
            args_util.get(args, "index_tolerance")
        )

    def add_to_script_impl(self, script: Script) -> Script.String:
        """Adds the function to a script.

        Returns:
            The variable with the function.
        """
        function = make_invocable(
            self._FUNCTION,
            index_tolerance=self.index_tolerance,
            fail_fast=self._common_option("fail_fast"),
        )
        return self._add_function(script, function)


@mod.export()
class CompareFuncL2Args(_ThresholdArgs):
    """Comparison Function: `l2`: the L2 norm of the differences

    Attributes:
        l2_threshold (Dict[str, float]): Output, `""` for all others -> the greatest norm that
            passes
    """

    _FUNCTION = "L2CompareFunc"
    _VARIABLE = "l2_compare_func"
    _OPTIONS = ("--l2-threshold", "--l2-tolerance")
    _THRESHOLD = "l2_threshold"
    _HELP = (
        "The greatest L2 norm of the differences that passes, for all outputs or for one. "
        "Default: 1e-5."
    )


@mod.export()
class CompareFuncCosineSimilarityArgs(_ThresholdArgs):
    """Comparison Function: `cosine_similarity`: the cosine of the angle between outputs

    Attributes:
        cosine_similarity_threshold (Dict[str, float]): Output, `""` for all others -> the least
            cosine that passes
    """

    _FUNCTION = "CosineSimilarityCompareFunc"
    _VARIABLE = "cosine_similarity_compare_func"
    _OPTIONS = ("--cosine-similarity-threshold",)
    _THRESHOLD = "cosine_similarity_threshold"
    _HELP = (
        "The least cosine of the angle between two outputs that passes, for all outputs or for "
        "one. Default: 0.997."
    )


@mod.export()
class CompareFuncPsnrArgs(_ThresholdArgs):
    """Comparison Function: `psnr`: the peak signal-to-noise ratio

    Attributes:
        psnr_threshold (Dict[str, float]): Output, `""` for all others -> the least ratio that
            passes, in dB
    """

    _FUNCTION = "PsnrCompareFunc"
    _VARIABLE = "psnr_compare_func"
    _OPTIONS = ("--psnr-threshold", "--psnr-tolerance")
    _THRESHOLD = "psnr_threshold"
    _HELP = (
        "The least peak signal-to-noise ratio that passes, in dB, for all outputs or for one. "
        "Default: 30."
    )


@mod.export()
class CompareFuncSnrArgs(_ThresholdArgs):
    """Comparison Function: `snr`: the signal-to-noise ratio

    Attributes:
        snr_threshold (Dict[str, float]): Output, `""` for all others -> the least ratio that
            passes, in dB
    """

    _FUNCTION = "SnrCompareFunc"
    _VARIABLE = "snr_compare_func"
    _OPTIONS = ("--snr-threshold", "--snr-tolerance")
    _THRESHOLD = "snr_threshold"
    _HELP = (
        "The least signal-to-noise ratio that passes, in dB, for all outputs or for one. "
        "Default: 20."
    )


@mod.export()
class CompareFuncPerceptualMetricsArgs(_ThresholdArgs):
    """Comparison Function: `perceptual_metrics`: how different images look, by LPIPS

    Attributes:
        lpips_threshold (Dict[str, float]): Output, `""` for all others -> the greatest distance
            that passes
    """

    _FUNCTION = "PerceptualMetricsCompareFunc"
    _VARIABLE = "perceptual_metrics_compare_func"
    _OPTIONS = ("--lpips-threshold", "--lpips-tolerance")
    _THRESHOLD = "lpips_threshold"
    _HELP = (
        "The greatest LPIPS distance of two images that passes, for all outputs or for one. "
        "Default: 0.1."
    )
