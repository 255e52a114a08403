"""The base class of commands."""

from __future__ import annotations

import argparse
import inspect
import sys
from typing import List, Optional, Tuple

import polygraphy
from polygraphy import mod
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args.base import ArgGroups
from polygraphy.tools.args.logger import LoggerArgs


@mod.export()
class Tool:
    """A command with options, or with subcommands.

    A derived class names the argument groups that it needs (`get_subscriptions_impl`), adds further
    options if it has any (`add_parser_args_impl`), and does its work (`run_impl`). Its docstring is
    its help text. It becomes a program by `main`, or a command of `polygraphy` by being
    appended to `polygraphy.tools.TOOL_REGISTRY`.

    Args:
        name: The name of the command.
    """

    def __init__(self, name: Optional[str] = None):
        self.name = name
        self.arg_groups = ArgGroups()
        """ArgGroups: The argument groups, once there is a parser; messages are always there"""

    def get_subscriptions_impl(self) -> list:
        """The argument groups that the tool needs, those that others need included. To be
        overridden."""
        return []

    def get_subscriptions(self) -> list:
        """The argument groups that the tool needs, new ones at each call."""
        return self.get_subscriptions_impl()

    def add_parser_args_impl(self, parser) -> None:
        """Adds options that are in no group to a parser. To be overridden."""

    def get_subtools_impl(self) -> Tuple[str, List["Tool"]]:
        """A heading, and the commands that the tool has. To be overridden."""
        return "", []

    def get_subtools(self) -> Tuple[str, List["Tool"]]:
        """A heading, and the commands that the tool has; none for a tool without."""
        return self.get_subtools_impl()

    def show_start_end_logging_impl(self, args) -> bool:
        """Whether messages say that the tool starts and how it ended. To be overridden."""
        return False

    def show_start_end_logging(self, args) -> bool:
        """Whether messages say that the tool starts and how it ended.

        Args:
            args: The parsed options, an `argparse.Namespace`.
        """
        return self.show_start_end_logging_impl(args)

    def run_impl(self, args):
        """Does the work. To be overridden.

        Returns:
            The exit status; None for 0.
        """
        raise NotImplementedError("run_impl() must be implemented by child classes")

    def add_parser_args(self, parser) -> None:
        """Adds the options of the argument groups and of the tool itself to a parser, and its
        commands.

        Args:
            parser: The parser.
        """
        for group in self.arg_groups.values():
            group.add_parser_args(parser)
        # A broken tool must not keep others from running.
        try:
            self.add_parser_args_impl(parser)
            title, subtools = self.get_subtools()
            if subtools:
                subparsers = parser.add_subparsers(title=title, dest="subtool", required=True)
                for tool in subtools:
                    tool.setup_parser(subparsers)
        except Exception as err:
            message = f"Could not register tool argument parser for: {self.name}\n"
            message += f"Note: Error was: {err}"
            G_LOGGER.internal_error(message)
            G_LOGGER.error(message)

    def setup_parser(self, subparsers=None):
        """Makes a parser, and the argument groups that fill it.

        Args:
            subparsers: Where to add it under the tool's name, what
                `argparse.ArgumentParser.add_subparsers` returned. If left out, it stands alone.

        Returns:
            The parser. Its results have the tool itself as `subcommand`, unless it stands alone.
        """
        self.arg_groups = ArgGroups()
        for group in [LoggerArgs(), *self.get_subscriptions()]:
            self.arg_groups[type(group)] = group
        for group in self.arg_groups.values():
            group.register(self.arg_groups)

        doc = inspect.getdoc(self) or self.name or type(self).__name__
        options = {
            "description": doc,
            "allow_abbrev": all(group.allows_abbreviation() for group in self.arg_groups.values()),
        }
        if subparsers is None:
            parser = argparse.ArgumentParser(**options)
        else:
            parser = subparsers.add_parser(
                self.name,
                # Percent signs mean something in help texts.
                help=doc.split("\n\n")[0].replace("%", "%%"),
                formatter_class=argparse.RawDescriptionHelpFormatter,
                **options,
            )
            parser.set_defaults(subcommand=self)
        self.add_parser_args(parser)
        return parser

    def parse(self, args) -> None:
        """Hands parsed options, an `argparse.Namespace`, to the argument groups.

        Args:
            args: The parsed options.
        """
        for group in self.arg_groups.values():
            group.parse(args)

    def run(self, args):
        """Runs the tool with options that were parsed.

        Args:
            args: The parsed options.

        Returns:
            The exit status, 0 if the tool says nothing.
        """
        G_LOGGER.module_info(polygraphy)
        status = self.run_impl(args)
        return 0 if status is None else status

    def main(self) -> None:
        """Runs the tool as a program, with the options of the command line.

        Raises:
            SystemExit: In the end, with the exit status; 1 after an error that was reported.
        """
        args = self.setup_parser().parse_args()
        tool = getattr(args, "subcommand", self)
        try:
            tool.parse(args)
            status = tool.run(args)
        except PolygraphyException:
            status = 1
        sys.exit(status)
