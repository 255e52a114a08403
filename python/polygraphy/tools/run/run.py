"""The command `run` in Python, which packages extend by further argument groups."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import *
from polygraphy.tools.args.base import ArgGroups, BaseArgs
from polygraphy.tools.base import Tool
from polygraphy.tools.script import Script, inline, safe

PLUGIN_ENTRY_POINT = "polygraphy.run.plugins"


def _extensions() -> dict:
    """The functions of installed packages that make further argument groups, by name."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=PLUGIN_ENTRY_POINT)}


def generate_summary(
    model_file: Optional[str], runners: List[str], load_results: Optional[List[str]]
) -> str:
    """A sentence about a script: `runners` are options, `load_results` files."""
    if not runners:
        return "This script compares saved results." if load_results else ""
    verb, how = ("compares", "between") if len(runners) > 1 else ("runs", "using")
    names = " and ".join([", ".join(runners[:-1]), runners[-1]] if runners[1:] else runners)
    return f"This script {verb} {model_file or 'a model'} {how} {names}."


@mod.export()
class Run(Tool):
    """
    Run a model on one or more runtimes and compare the outputs.

    The executable hands a command line to this tool if it has options that only an extension knows:
    the options of the executable that the original lacks are missing here.
    """

    def __init__(self):
        super().__init__("run")
        self.loaded_plugins: List[str] = []

    @staticmethod
    def own_groups() -> List[BaseArgs]:
        """The groups without those of installed packages."""
        return [
            RunnerSelectArgs(),
            ModelArgs(guess_model_type_from_runners=True),
            TfTrtArgs(),
            TfLoadArgs(),
            TfConfigArgs(),
            TfRunnerArgs(),
            OnnxFromTfArgs(),
            OnnxSaveArgs(output_opt="save-onnx", output_short_opt=False),
            OnnxInferShapesArgs(),
            OnnxLoadArgs(allow_saving=True, allow_from_tf=True),
            OnnxrtSessionArgs(),
            OnnxrtRunnerArgs(),
            PluginRefRunnerArgs(),
            # Calibration uses the same data as inference, so random data needs no warning.
            TrtConfigArgs(allow_random_data_calib_warning=False),
            TrtLoadPluginsArgs(),
            TrtOnnxFlagArgs(),
            TrtLoadNetworkArgs(),
            TrtSaveEngineBytesArgs(output_opt="save-engine", output_short_opt=False),
            TrtLoadEngineBytesArgs(allow_saving=True),
            TrtLoadEngineArgs(),
            TrtRunnerArgs(),
            DataLoaderArgs(),
            ComparatorRunArgs(),
            ComparatorPostprocessArgs(),
            ComparatorCompareArgs(),
            CompareFuncSimpleArgs(),
            CompareFuncIndicesArgs(),
            CompareFuncL2Args(),
            CompareFuncCosineSimilarityArgs(),
            CompareFuncPsnrArgs(),
            CompareFuncSnrArgs(),
            CompareFuncPerceptualMetricsArgs(),
        ]

    def get_subscriptions_impl(self) -> list:
        groups = self.own_groups()
        self.loaded_plugins = []
        for name, point in _extensions().items():
            try:
                groups += point.load()()
            except Exception as err:
                G_LOGGER.warning(f"Failed to load plugin: {name}.\nNote: Error was:\n{err}")
            else:
                self.loaded_plugins.append(name)
        return groups

    def add_parser_args_impl(self, parser) -> None:
        parser.add_argument(
            "--gen",
            "--gen-script",
            dest="gen_script",
            type=argparse.FileType("w"),
            help="Write a Python script that does the same as this command, and do nothing else. "
            "- prints it.",
        )

    def show_start_end_logging_impl(self, args) -> bool:
        return not args.gen_script

    def run_impl(self, args) -> None:
        G_LOGGER.verbose(f"Loaded extension modules: {self.loaded_plugins}")
        model = self.arg_groups[ModelArgs].path
        runners = list(self.arg_groups[RunnerSelectArgs].runners.values())
        if runners and model is None:
            G_LOGGER.critical(
                "Runners need a model, but the path of a model is missing. "
                "Is it taken for a value of the option before it?"
            )
        saved = self.arg_groups[ComparatorCompareArgs].load_outputs_paths
        script = Script(summary=generate_summary(model, runners, saved))
        self.arg_groups[LoggerArgs].add_to_script(script)
        self.arg_groups[RunnerSelectArgs].add_to_script(script)
        results = self.arg_groups[ComparatorRunArgs].add_to_script(script)
        success = self.arg_groups[ComparatorCompareArgs].add_to_script(script, results_name=results)
        script.add_import(["PolygraphyException"], frm="polygraphy.exception")
        script.append_suffix(safe("# Report Results"))
        script.append_suffix(
            safe("if not {:}:\n    raise PolygraphyException('FAILED')", inline(success))
        )
        if args.gen_script:
            script.save(args.gen_script)
        else:
            exec(str(script), {})


def print_extension_options() -> None:
    """Prints the options that installed packages add: their spellings in a line, then their help."""

    def parser_of(groups: List[BaseArgs]) -> argparse.ArgumentParser:
        arg_groups = ArgGroups({type(group): group for group in groups})
        parser = argparse.ArgumentParser(add_help=False)
        for group in groups:
            group.register(arg_groups)
        for group in groups:
            group.add_parser_args(parser)
        return parser

    tool = Run()
    with G_LOGGER.verbosity(G_LOGGER.CRITICAL):
        own = parser_of(tool.own_groups())
        extended = parser_of(tool.get_subscriptions_impl())
    known = own._option_string_actions
    added = [name for name in extended._option_string_actions if name not in known]
    print(*added)
    formatter = argparse.HelpFormatter("")
    for section in extended._action_groups:
        actions = [each for each in section._group_actions if {*each.option_strings} & {*added}]
        if not actions:
            continue
        formatter.start_section(section.title)
        formatter.add_text(section.description)
        formatter.add_arguments(actions)
        formatter.end_section()
    print("\n" + formatter.format_help(), end="")


def main() -> None:
    """Runs `polygraphy run`, whose words follow the name of the program in `sys.argv`."""
    from polygraphy.tools import _main

    sys.exit(_main.run_in_python([Run()], sys.argv[1:]))
