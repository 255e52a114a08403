"""Prints what argument groups make of command lines."""

import argparse
import random
import sys

from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER
from polygraphy.tools.script import Script


def text(value) -> str:
    """A value without the parts that differ between runs or packages."""
    if isinstance(value, argparse.Namespace):
        return str({key: text(val) for key, val in sorted(vars(value).items())})
    # The original's metadata has no `repr` where shapes are missing.
    return str(value) if isinstance(value, TensorMetadata) else repr(value)


def make_parser(groups) -> argparse.ArgumentParser:
    """A parser with all options of some groups, which know each other."""
    arg_groups = {type(group): group for group in groups}  # a tool's own are ArgGroups
    for group in groups:
        group.register(arg_groups)
    parser = argparse.ArgumentParser(
        prog="prog", allow_abbrev=all(group.allows_abbreviation() for group in groups)
    )
    for group in groups:
        group.add_parser_args(parser)
    return parser


def describe_parser(groups) -> None:
    """Prints everything that a parser knows of its options, except help texts."""
    parser = make_parser(groups)
    for group in parser._action_groups:
        print("group", group.title)
        for action in group._group_actions:
            type_name = getattr(action.type, "__name__", action.type)
            facts = (action.dest, action.nargs, action.const, action.default, type_name)
            more = (action.choices, action.required, action.metavar)
            print("  ", action.option_strings, type(action).__name__, facts, more)
    for group in parser._mutually_exclusive_groups:
        print("exclusive", [action.dest for action in group._group_actions], group.required)


def attributes(group) -> dict:
    """The documented attributes of a group."""
    return {
        key: text(val)
        for key, val in sorted(vars(group).items())
        if key not in ("group", "arg_groups") and not key.startswith("_")
    }


def attempt(function, *args, **kwargs):
    """Calls something and prints its exception, if there is one, in place of a result."""
    try:
        return function(*args, **kwargs)
    except (Exception, SystemExit) as err:
        sys.stdout.flush()
        print(f"{type(err).__name__}: {err}")
        return None


def parse(groups, argv) -> bool:
    """Parses a command line and prints the attributes of all groups; whether that worked."""
    print("----", argv)
    G_LOGGER.once_logged = set()

    def parse_all():
        args = make_parser(groups).parse_args(argv)
        for group in groups:
            group.parse(args)
        return True

    if not attempt(parse_all):
        return False
    for group in groups:
        print("  ", type(group).__name__, attributes(group))
    return True


def add_to_script(group, *args, **kwargs) -> None:
    """Prints what a group adds to a script."""
    script = Script(summary="Summary", always_create_runners=False)
    result = attempt(group.add_to_script, script, *args, **kwargs)
    print("   returned", repr(result))
    body = str(script).split("# Summary\n", 1)[1]
    print("".join(f"   | {line}\n" for line in body.splitlines()), end="")


def command_lines(required, options, count, seed=0):
    """Command lines: one for each value of each option, and random ones of up to five options.

    Args:
        required: The beginning of each of them.
        options: Option -> values, each a list of texts.
    """
    yield []
    yield list(required)
    for option, values in options.items():
        for value in values:
            yield [*required, option, *value]
    rng = random.Random(seed)
    for _ in range(count):
        line = list(required)
        for option in rng.sample(sorted(options), rng.randint(2, min(5, len(options)))):
            line += [option, *rng.choice(options[option])]
        yield line
