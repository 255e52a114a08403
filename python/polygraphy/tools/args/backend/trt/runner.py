"""Options of the runner of TensorRT."""

from __future__ import annotations

from typing import Tuple

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.trt.loader import TrtLoadEngineArgs
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.script import Script, make_invocable


def _parse_percent(text: str) -> float:
    """`"30%"` -> `30.0`."""
    try:
        percent = float(text[:-1])
    except ValueError:
        percent = -1.0
    # NaN is not in the range, either.
    if not 0 <= percent <= 100:
        G_LOGGER.critical("Invalid percentage for --weight-streaming-budget!")
    return percent


def _parse_budget(text: str) -> int:
    """`"1G"` -> `1073741824`; -1 and -2 stand for themselves."""
    budget = args_util.parse_num_bytes(text)
    if budget < -2:
        G_LOGGER.critical("Invalid amount for --weight-streaming-budget!")
    return budget


@mod.export()
class TrtRunnerArgs(BaseRunnerArgs):
    """TensorRT Inference: running TensorRT

    Needs TrtLoadEngineArgs.
    """

    def get_name_opt_impl(self) -> Tuple[str, str]:
        return "TensorRT", "trt"

    def add_parser_args_impl(self):
        add = self.group.add_argument
        add(
            "--optimization-profile",
            type=int,
            default=None,
            help="The profile to run with, by number. Default: 0.",
        )
        add(
            "--allocation-strategy",
            type=str,
            choices=["static", "profile", "runtime"],
            default=None,
            help="When memory for activations is taken: once for all profiles (static, the "
            "default), for the profile, or for the shapes of each run.",
        )
        add(
            "--weight-streaming-budget",
            type=str,
            default=None,
            help="Of streamable weights, what stays in the GPU's memory: bytes, a share (30%%), -1 "
            "(TensorRT decides) or -2 (all).",
        )

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            optimization_profile (int): The profile to run with
            allocation_strategy (str): When memory for activations is taken
            weight_streaming_budget (int): Bytes of weights in the GPU's memory; -1: TensorRT
                decides, -2: all
            weight_streaming_percent (float): The same, in percent of streamable weights

        Raises:
            PolygraphyException: If a budget makes no sense.
        """
        self.optimization_profile = args_util.get(args, "optimization_profile")
        self.allocation_strategy = args_util.get(args, "allocation_strategy")
        self.weight_streaming_budget = None
        self.weight_streaming_percent = None
        budget = args_util.get(args, "weight_streaming_budget")
        if budget is None:
            return
        if budget.endswith("%"):
            self.weight_streaming_percent = _parse_percent(budget)
        else:
            self.weight_streaming_budget = _parse_budget(budget)

    def add_to_script_impl(self, script: Script) -> None:
        """Adds the runner to a script."""
        script.add_import(imports=["TrtRunner"], frm="polygraphy.backend.trt")
        script.add_runner(
            make_invocable(
                "TrtRunner",
                self.arg_groups[TrtLoadEngineArgs].add_to_script(script),
                optimization_profile=self.optimization_profile,
                allocation_strategy=self.allocation_strategy,
                weight_streaming_budget=self.weight_streaming_budget,
                weight_streaming_percent=self.weight_streaming_percent,
            )
        )
