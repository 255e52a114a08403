"""Options that select runners."""

from __future__ import annotations

import argparse
from typing import Tuple

from polygraphy import mod
from polygraphy.common.interface import TypedList
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.base import BaseArgs, BaseRunnerArgs


class RunnerOptList(TypedList(lambda: tuple)):
    """Options and names of runners, in order; each may be there more than once."""

    def keys(self):
        """The options, without dashes."""
        return (opt for opt, _ in self.lst)

    def values(self):
        """The runners' names."""
        return (name for _, name in self.lst)

    def items(self):
        """Both."""
        return iter(self.lst)


def make_action_cls(runner_opt: Tuple[str, str]) -> type:
    """A class of actions of `argparse` that append a runner to the list.

    Args:
        runner_opt: Its option, without dashes, and its name.
    """

    class StoreRunnerOrdered(argparse.Action):
        def __call__(self, parser, namespace, values, option_string=None):
            # The default must not change: it is that of the next command line, too.
            runners = RunnerOptList(list(getattr(namespace, self.dest, None) or []))
            runners.append(runner_opt)
            setattr(namespace, self.dest, runners)

    return StoreRunnerOrdered


@mod.export()
class RunnerSelectArgs(BaseArgs):
    """
    Runners: the runners, in this order; each may be given more than once

    Depends on the groups of all runners that can be selected, those derived from BaseRunnerArgs.
    """

    def _runner_groups(self) -> list:
        return [group for group in self.arg_groups.values() if isinstance(group, BaseRunnerArgs)]

    def add_parser_args_impl(self) -> None:
        for group in self._runner_groups():
            name, opt = group.get_name_opt()
            self.group.add_argument(
                f"--{opt}",
                help=f"Run inference using {name}. {group.get_extra_help_text()}",
                action=make_action_cls((opt, name)),
                dest="runners",
                default=RunnerOptList(),
                nargs=0,
            )

    def parse_impl(self, args) -> None:
        """Sets the attributes.

        Attributes:
            runners (RunnerOptList): Options, without dashes, and names of the selected runners.
        """
        self.runners = args_util.get(args, "runners", default=RunnerOptList())

    def add_to_script_impl(self, script):
        """Adds the selected runners. Warns if no runner was selected.

        Returns:
            Script.String: The variable with the list of runners.
        """
        if not self.runners:
            G_LOGGER.warning("No runners have been selected. Inference will not be run!")
        by_opt = {group.get_name_opt()[1]: group for group in self._runner_groups()}
        for opt in self.runners.keys():
            by_opt[opt].add_to_script(script)
        return script.get_runners()
