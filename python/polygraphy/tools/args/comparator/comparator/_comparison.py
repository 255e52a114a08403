"""Options of comparing outputs."""

from __future__ import annotations

import os
from typing import List, Optional

from polygraphy import mod, util
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.base import BaseArgs
from polygraphy.tools.args.comparator.comparator._inference import ComparatorRunArgs
from polygraphy.tools.args.comparator.compare import (
    CompareFuncCosineSimilarityArgs,
    CompareFuncIndicesArgs,
    CompareFuncL2Args,
    CompareFuncPerceptualMetricsArgs,
    CompareFuncPsnrArgs,
    CompareFuncSimpleArgs,
    CompareFuncSnrArgs,
)
from polygraphy.tools.args.comparator.data_loader import DataLoaderArgs
from polygraphy.tools.args.comparator.postprocess import ComparatorPostprocessArgs
from polygraphy.tools.args.table import Row, TableArgs, flag, option
from polygraphy.tools.script import Script, inline, make_invocable, safe

# Function -> its group of options; or, for a name of several functions, these.
_FUNCTIONS = {
    "simple": CompareFuncSimpleArgs,
    "indices": CompareFuncIndicesArgs,
    "l2": CompareFuncL2Args,
    "cosine_similarity": CompareFuncCosineSimilarityArgs,
    "distance_metrics": ["l2", "cosine_similarity"],
    "psnr": CompareFuncPsnrArgs,
    "snr": CompareFuncSnrArgs,
    "quality_metrics": ["psnr", "snr"],
    "perceptual_metrics": CompareFuncPerceptualMetricsArgs,
}
_ALIASES = {name: meant for name, meant in _FUNCTIONS.items() if isinstance(meant, list)}
_GROUPS = {name: group for name, group in _FUNCTIONS.items() if name not in _ALIASES}


def _is_same_or_inside(path: str, folder: str) -> bool:
    path, folder = (os.path.realpath(each) for each in (path, folder))
    return path == folder or path.startswith(os.path.join(folder, ""))


@mod.export()
class ComparatorCompareArgs(TableArgs):
    """Comparator Comparisons: how outputs are compared

    Depends on:

        - CompareFuncSimpleArgs
        - CompareFuncIndicesArgs
        - CompareFuncL2Args
        - CompareFuncCosineSimilarityArgs
        - CompareFuncPsnrArgs
        - CompareFuncSnrArgs
        - CompareFuncPerceptualMetricsArgs
        - RunnerSelectArgs
        - DataLoaderArgs
        - ComparatorRunArgs
        - ComparatorPostprocessArgs: if `allow_postprocessing` is True

    Args:
        allow_postprocessing: Whether outputs may be changed before they are compared. True if left
            out, like all of these.
        allow_validate: Whether outputs may be checked for NaNs and infinities.
        allow_load_outputs: Whether saved outputs may be compared, too.
        allow_sequential_runners: Whether runners may run one after the other.
    """

    def __init__(
        self,
        allow_postprocessing: Optional[bool] = None,
        allow_validate: Optional[bool] = None,
        allow_load_outputs: Optional[bool] = None,
        allow_sequential_runners: Optional[bool] = None,
    ):
        super().__init__()
        self._allow_postprocessing = util.default(allow_postprocessing, True)
        self._allow_validate = util.default(allow_validate, True)
        self._allow_load_outputs = util.default(allow_load_outputs, True)
        self._allow_sequential_runners = util.default(allow_sequential_runners, True)

    def _options(self) -> List[Row]:
        return [
            flag(
                "--no-shape-check",
                "Reshape or broadcast outputs of different shapes if possible, instead of failing.",
            ),
            flag(
                "--validate",
                "Fail if an output holds a NaN or an infinity.",
                offered=self._allow_validate,
            ),
            flag("--fail-fast", "Stop at the first output that fails."),
            flag(
                "--check-average",
                "Judge the mean of each figure over all iterations, not every iteration.",
            ),
            flag(
                "--sequential-runners",
                "Run all iterations on one runner, then on the next, and compare at the end. Keeps "
                "every output in memory.",
                attribute="_sequential_runners",
                offered=self._allow_sequential_runners,
            ),
            option(
                "--compare --compare-func",
                "How outputs are compared; with several functions, all must pass. "
                "distance_metrics: l2 and cosine_similarity. quality_metrics: psnr and snr. "
                "Default: simple, tolerances of errors.",
                nargs="+",
                choices=list(_FUNCTIONS),
                default=["simple"],
                attribute="compare_funcs",
            ),
            option(
                "--compare-func-script",
                "Compare with a Python function instead, as SCRIPT[:FUNCTION]: it gets two "
                "IterationResults and returns a dict of output name to verdict. Default function: "
                "compare_outputs.",
            ),
            option(
                "--load-outputs --load-results",
                "Compare these saved outputs too: files of --save-outputs, or folders of one file "
                "per iteration. Each path is a separate run, after the runners.",
                nargs="+",
                default=[],
                missing=[],
                dest="load_outputs_paths",
                offered=self._allow_load_outputs,
            ),
            option(
                "--save-accuracy-results",
                "Save the results of the comparisons as JSON, for `check accuracy` and `inspect "
                "data`.",
                dest="save_accuracy_results_path",
            ),
        ]

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            no_shape_check (bool): Whether to reshape or broadcast outputs of different shapes
            validate (bool): Whether to check outputs for NaNs and infinities
            fail_fast (bool): Whether to stop at the first output that fails
            check_average (bool): Whether to judge means over all iterations
            streaming (bool): Whether to compare each iteration before the next one runs
            compare_funcs (List[str]): Names of comparison functions
            compare_func_script (str): Python file with a function that compares outputs
            compare_func_name (str): The function
            load_outputs_paths (List[str]): Files and folders with saved outputs
            save_accuracy_results_path (str): File that the results of comparisons are saved to
        """
        super().parse_impl(args)
        self.streaming = not self._sequential_runners
        self.compare_func_script, self.compare_func_name = args_util.parse_script_and_func_name(
            self.compare_func_script, default_func_name="compare_outputs"
        )
        self._warn_of_ignored(args)

    def _selected(self) -> List[str]:
        """The functions, without aliases, each once."""
        return util.unique_list(
            function for name in self.compare_funcs for function in _ALIASES.get(name, [name])
        )

    def _warn_of_ignored(self, args) -> None:
        selected = self._selected()
        for function, group_type in _GROUPS.items():
            if function in selected or group_type not in self.arg_groups:
                continue
            names = [function] + [name for name, meant in _ALIASES.items() if function in meant]
            for action in self.arg_groups[group_type].group._group_actions:
                if args_util.get(args, action.dest) is None:
                    continue
                G_LOGGER.warning(
                    f"Option: {'/'.join(action.option_strings)} is only valid for comparison "
                    f"function(s): {names}. The selected comparison functions are: "
                    f"{self.compare_funcs}, so this option will be ignored."
                )

    def _group_of(self, function: str) -> BaseArgs:
        group_type = _GROUPS[function]
        if group_type not in self.arg_groups:
            G_LOGGER.critical(f"The comparison function: '{function}' is not available here.")
        return self.arg_groups[group_type]

    def _check_average_options(self) -> None:
        if not self.check_average:
            return
        if self.fail_fast:
            G_LOGGER.critical("--check-average cannot be combined with --fail-fast.")
        if self.compare_func_script or "simple" not in self._selected():
            return
        stats = self._group_of("simple").check_error_stat or {}
        if "elemwise" in {stats.get("", "elemwise"), *stats.values()}:
            G_LOGGER.critical(
                "--check-average is not supported with check_error_stat='elemwise' (the default). "
                "Specify --check-error-stat max, mean, median, or quantile."
            )

    def _check_paths(self) -> None:
        """Fails if saving would overwrite loaded files."""
        groups = self.arg_groups
        loaded = list(groups[DataLoaderArgs].load_inputs_paths) if DataLoaderArgs in groups else []
        loaded += self.load_outputs_paths
        run = groups[ComparatorRunArgs]
        for saved in (run.save_inputs_path, run.save_outputs_path, run.save_input_blob_path):
            for path in loaded:
                if saved and _is_same_or_inside(path, saved):
                    G_LOGGER.critical(
                        f"The load path '{path}' overlaps the save path '{saved}'. Saving would "
                        "overwrite or conflict with the data being loaded. Use distinct paths for "
                        "loading and saving."
                    )

    def _warn_of_unused_inputs(self) -> None:
        groups = self.arg_groups
        run = groups[ComparatorRunArgs]
        if not self.load_outputs_paths or run.has_runners():
            return
        inputs = groups[DataLoaderArgs] if DataLoaderArgs in groups else None
        if (inputs and not inputs.is_using_random_data()) or (
            run.save_inputs_path or run.save_input_blob_path
        ):
            G_LOGGER.warning(
                "No runners were specified, so inference will not be run and input-related options "
                "(e.g. --load-inputs/--save-inputs/--save-input-blob/--data-loader-script) will be "
                "ignored. Comparison will use only the loaded outputs."
            )

    def _check_run_options(self) -> None:
        if ComparatorRunArgs not in self.arg_groups:
            return
        self._check_paths()
        self._warn_of_unused_inputs()
        if not self.streaming:
            return
        run = self.arg_groups[ComparatorRunArgs]
        if run.use_subprocess:
            G_LOGGER.critical("--use-subprocess requires --sequential-runners.")
        if run.warm_up is not None:
            G_LOGGER.critical("--warm-up requires --sequential-runners.")

    def _compare_funcs(self, script: Script) -> list:
        """Code of the functions; None for the default one."""
        if self.compare_func_script:
            return [script.invoke_from_script(self.compare_func_script, self.compare_func_name)]
        return [self._group_of(function).add_to_script(script) for function in self._selected()]

    def _runs(self, script: Script, results_name: Optional[Script.String]) -> list:
        runs = [] if results_name is None else [results_name]
        if not self._allow_load_outputs or not self.load_outputs_paths:
            return runs
        script.add_import(imports=["RunResults"], frm="polygraphy.comparator")
        for path in self.load_outputs_paths:
            if self.streaming:
                runs.append(make_invocable("RunResults.load_streaming", path, allow_dirs=True))
            else:
                runs.append(make_invocable("RunResults.load", path))
        return runs

    def add_to_script_impl(
        self, script: Script, results_name: Optional[Script.String]
    ) -> Script.String:
        """Compares results.

        Args:
            script: The script.
            results_name: The variable with the results of runners; None without runners.

        Returns:
            The variable with the verdict.

        Raises:
            PolygraphyException: If options exclude each other.
        """
        self._check_average_options()
        self._check_run_options()
        functions = self._compare_funcs(script)

        script.add_import(imports=["Comparator"], frm="polygraphy.comparator")
        script.append_suffix(
            safe("\n# Comparison Inputs\nruns = {}", self._runs(script, results_name))
        )
        runs = inline(safe("runs"))
        if self._allow_postprocessing and ComparatorPostprocessArgs in self.arg_groups:
            runs = self.arg_groups[ComparatorPostprocessArgs].add_to_script(script, runs)
        validate = self.validate and self._allow_validate
        validation = make_invocable("Comparator.validate", runs, check_inf=True, check_nan=True)
        if validate and self.streaming:
            script.append_suffix(safe("\n# Output Validation\n{} = {}", runs, validation))
        success = self._add_comparison(script, runs, functions)
        if validate and not self.streaming:
            script.append_suffix(safe("{} &= all({})\n", success, validation))
        return success

    def _add_comparison(self, script: Script, runs, functions: list) -> Script.String:
        call = make_invocable(
            "Comparator.compare_accuracy",
            runs,
            compare_func=functions,
            fail_fast=self.fail_fast,
            check_average=self.check_average,
        )
        success = inline(safe("success"))
        path = self.save_accuracy_results_path
        if not path:
            script.append_suffix(safe("\n# Accuracy Comparison\n{} = bool({})", success, call))
        else:
            results = inline(safe("accuracy_results"))
            script.append_suffix(safe("\n# Accuracy Comparison\n{} = {}", results, call))
            script.append_suffix(
                safe("{res}.save({path})\n{} = bool({res})", success, res=results, path=path)
            )
        return success

    def build_compare_funcs(self) -> list:
        """Makes the comparison functions, for callers that compare by themselves.

        Returns:
            List[Optional[BaseCompareFunc]]: The functions; None for the default one.
        """
        if self.compare_func_script:
            from polygraphy.backend.common import InvokeFromScript

            return [InvokeFromScript(self.compare_func_script, name=self.compare_func_name)]
        return [
            args_util.run_script(self._group_of(function).add_to_script)
            for function in self._selected()
        ]
