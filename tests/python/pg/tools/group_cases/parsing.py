"""Argument groups: command lines in, attributes and code out."""

import argparse

from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args.base import ArgGroups
from polygraphy.tools.script import Script


def make_parser(groups: list) -> argparse.ArgumentParser:
    """A parser with the options of all groups, which know each other from then on."""
    arg_groups = ArgGroups()
    for group in groups:
        arg_groups[type(group)] = group
    parser = argparse.ArgumentParser(prog="prog")
    for group in groups:
        group.register(arg_groups)
        group.add_parser_args(parser)
    return parser


def parsed(groups: list, line: list) -> list:
    """The groups, after they have parsed a command line."""
    args = make_parser(groups).parse_args(line)
    for group in groups:
        group.parse(args)
    return groups


def attributes(group) -> dict:
    """The public attributes of a group, in order of their names."""
    public = {name: value for name, value in sorted(vars(group).items()) if name[0] != "_"}
    del public["group"], public["arg_groups"]
    return public


def code(group, *args, **kwargs) -> str:
    """The lines that a group adds to an empty script."""
    script = Script(summary="Summary")
    group.add_to_script(script, *args, **kwargs)
    return body(script)


def body(script: Script) -> str:
    """A script without its head, which has the time."""
    return str(script).split("# Summary\n", 1)[1]


# The output of scripts that are run with the original, too.


def attempt(function, *args, **kwargs):
    """The result of a function; None, and prints its exception, if it raises one."""
    try:
        return function(*args, **kwargs)
    except (Exception, SystemExit) as err:
        print(f"{type(err).__name__}: {err}", flush=True)
        return None


def show_parser(parser: argparse.ArgumentParser) -> None:
    """Prints all that a parser knows of its options, without help texts."""
    for group in parser._action_groups:
        print("group", group.title)
        for action in group._group_actions:
            # No type is the same as `str`, and a tuple of choices as a list of them.
            kind, choices = action.type or str, action.choices and list(action.choices)
            facts = (action.nargs, action.const, action.default, kind, choices)
            print("  ", action.option_strings, action.dest, type(action).__name__, facts)
    for group in parser._mutually_exclusive_groups:
        # A single option excludes nothing.
        if len(group._group_actions) > 1:
            print("exclusive", [action.dest for action in group._group_actions], group.required)
    print(parser.format_usage())


def show_parsed(groups: list, line: list) -> bool:
    """Parses a command line and prints the attributes of all groups; whether that worked."""
    print("----", line)
    G_LOGGER.once_logged = set()
    if attempt(parsed, groups, line) is None:
        return False
    for group in groups:
        print("  ", type(group).__name__, {k: _text(v) for k, v in attributes(group).items()})
    return True


def _text(value) -> str:
    # The original's metadata has no `repr` where shapes are missing.
    return str(value) if isinstance(value, TensorMetadata) else repr(value)


def show_code(group, *args, **kwargs) -> None:
    """Prints what a group returns and adds to a script."""
    script = Script(summary="Summary")
    result = attempt(group.add_to_script, script, *args, **kwargs)
    print(f"{type(group).__name__} returned {result!r}\n{body(script)}")
