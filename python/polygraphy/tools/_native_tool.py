"""Commands of the executable as tools."""

from __future__ import annotations

import io
import sys
from typing import List

from polygraphy.logger import G_LOGGER
from polygraphy.tools.base import Tool


def _executable() -> str:
    try:
        from polygraphy_native import executable

        return executable()
    except (ImportError, FileNotFoundError) as err:
        G_LOGGER.critical(
            "The executable of polygraphy-native is needed but could not be found.\n"
            f"Note: Error was: {err}"
        )


def _target(stream) -> int:
    """Where a child process writes to what the program writes to `stream`."""
    import subprocess

    stream.flush()
    try:
        return stream.fileno()
    except (AttributeError, OSError, io.UnsupportedOperation):
        # An object without a file, such as a test's stand-in for standard output.
        return subprocess.PIPE


def run_executable(argv: List[str]) -> int:
    """Runs the executable, in place of this program: it has its input and its outputs.

    Args:
        argv: The words after the program's name.

    Returns:
        The exit status.
    """
    import subprocess

    command = [sys.argv[0] or "polygraphy", *argv]
    process = subprocess.Popen(
        command,
        executable=_executable(),
        stdout=_target(sys.stdout),
        stderr=_target(sys.stderr),
        text=True,
    )
    while True:
        try:
            out, err = process.communicate()
            break
        except KeyboardInterrupt:
            # It was interrupted, too, and knows what to do about it.
            continue
    sys.stdout.write(out or "")
    sys.stderr.write(err or "")
    status = process.returncode
    return status if status >= 0 else 128 - status


class NativeTool(Tool):
    """A command of the executable. All that follows its name is passed on.

    Args:
        name: The name of the command.
        summary: Its purpose, for lists of tools.
    """

    def __init__(self, name: str, summary: str):
        super().__init__(name)
        self.__doc__ = summary

    def setup_parser(self, subparsers=None):
        import argparse

        # Nothing begins with a null character, so nothing is taken for an option here.
        options = {"prefix_chars": "\0", "add_help": False}
        if subparsers is None:
            parser = argparse.ArgumentParser(**options)
        else:
            parser = subparsers.add_parser(self.name, help=self.__doc__, **options)
            parser.set_defaults(subcommand=self)
        parser.add_argument("arguments", nargs=argparse.REMAINDER)
        return parser

    def parse(self, args) -> None:
        pass

    def run(self, args) -> int:
        return self.run_impl(args)

    def run_impl(self, args) -> int:
        return run_executable([self.name, *args.arguments])
