"""Options of the runner of TensorRT."""

from __future__ import annotations

from typing import Tuple

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.backend.trt.loader import TrtLoadEngineArgs
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.args.table import TableArgs
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
class TrtRunnerArgs(TableArgs, BaseRunnerArgs):
    """TensorRT Inference: running TensorRT

    Depends on:

        - TrtLoadEngineArgs
    """

    _BACKEND = "tensorrt"
    _OWN = {"loader": ("TrtRunner",)}

    def get_name_opt_impl(self) -> Tuple[str, str]:
        return "TensorRT", "trt"

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            optimization_profile (int): Index of the optimization profile to run with
            allocation_strategy (str): Allocation of activation memory
            weight_streaming_budget (int): Bytes of GPU memory for streamable weights; -1: TensorRT
                chooses, -2: all
            weight_streaming_percent (float): The same, in percent of the streamable weights

        Raises:
            PolygraphyException: If a budget is invalid.
        """
        super().parse_impl(args)
        self.weight_streaming_percent = None
        budget = self.weight_streaming_budget
        if budget is not None and budget.endswith("%"):
            self.weight_streaming_budget = None
            self.weight_streaming_percent = _parse_percent(budget)
        elif budget is not None:
            self.weight_streaming_budget = _parse_budget(budget)

    def add_to_script_impl(self, script: Script) -> None:
        """Adds the runner to a script."""
        script.add_import(imports=["TrtRunner"], frm="polygraphy.backend.trt")
        script.add_runner(
            make_invocable(
                "TrtRunner",
                self.arg_groups[TrtLoadEngineArgs].add_to_script(script),
                **self.arguments_of("TrtRunner"),
                weight_streaming_percent=self.weight_streaming_percent,
            )
        )
