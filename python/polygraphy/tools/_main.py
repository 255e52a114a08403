"""The program `polygraphy`, as a function."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import List, Optional

import polygraphy
from polygraphy import mod
from polygraphy.exception import PolygraphyException
from polygraphy.logger import G_LOGGER
from polygraphy.tools._native_tool import NativeTool, run_executable


def _version_text() -> str:
    folders = [os.path.realpath(folder) for folder in polygraphy.__path__]
    return f"Polygraphy | Version: {polygraphy.__version__} | Path: {folders}"


def _parser(registry: list) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Run a neural network on several runtimes with the same inputs, compare the "
        "outputs layer by layer, and inspect models and saved data."
    )
    parser.add_argument(
        "-v",
        "--version",
        action="version",
        version=_version_text().replace("%", "%%"),
        help="Show the version and exit.",
    )
    subparsers = parser.add_subparsers(title="Tools", dest="tools", required=True)
    for tool in registry:
        tool.setup_parser(subparsers)
    return parser


def _run(tool, args) -> int:
    """Runs a tool between messages that say that it starts and how it ended."""
    started = time.time()
    announced = False
    command = " ".join(sys.argv)
    try:
        tool.parse(args)
        announced = tool.show_start_end_logging(args)
        if announced:
            G_LOGGER.start(f"RUNNING | Command: {command}")
        status = tool.run(args)
    except PolygraphyException:
        status = 1
    if announced:
        runtime = f"Runtime: {time.time() - started:.3f}s | Command: {command}"
        if status:
            G_LOGGER.error(f"FAILED | {runtime}")
        else:
            G_LOGGER.finish(f"PASSED | {runtime}")
    return status


def run_in_python(tools: list, argv: List[str]) -> int:
    """Runs one of some tools in this process.

    Args:
        tools: The tools.
        argv: The words after the program's name.

    Returns:
        The exit status.
    """
    args, unknown = _parser(tools).parse_known_args(argv)
    if unknown:
        G_LOGGER.error(f"Unrecognized Options: {unknown}")
        return 1
    return _run(args.subcommand, args)


@mod.export()
def main(run_opts: Optional[List[str]] = None):
    """Runs `polygraphy`.

    Tools in `TOOL_REGISTRY` that are written in Python run here, the commands of the executable
    there.

    Args:
        run_opts: The words after the program's name. Those of the command line if left out.

    Returns:
        The exit status.

    Raises:
        SystemExit: With status 2 if the command line is wrong; with 0 after help.
    """
    from polygraphy.tools.registry import TOOL_REGISTRY

    argv = list(run_opts or sys.argv[1:])
    in_python = [tool.name for tool in TOOL_REGISTRY if not isinstance(tool, NativeTool)]
    has_executable = len(in_python) < len(TOOL_REGISTRY)
    for_python = in_python and (not argv or argv[0] in in_python or argv[0].startswith("-"))
    if has_executable and not for_python:
        try:
            status = run_executable(argv)
        except PolygraphyException:
            status = 1
        if status == 2:
            sys.exit(status)
        return status

    return run_in_python(TOOL_REGISTRY, argv)
