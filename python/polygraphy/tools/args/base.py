"""Base classes of argument groups."""

from __future__ import annotations

import functools
import inspect
from typing import Optional, Tuple

from polygraphy.common.interface import TypedDict


class ArgGroups(TypedDict(lambda: type, lambda: BaseArgs)):
    """The argument groups of a tool by their classes."""


def _section(doc: Optional[str], heading: str) -> str:
    """The section of a docstring that begins with a heading; empty if it has no such section."""
    lines = inspect.cleandoc(doc or "").splitlines()
    if heading not in lines:
        return ""
    begin = end = lines.index(heading)
    while end + 1 < len(lines) and (not lines[end + 1] or lines[end + 1].startswith(" ")):
        end += 1
    return "\n".join(lines[begin : end + 1]).rstrip()


def _title_and_subject(cls: type) -> Tuple[str, str]:
    """Title and subject of a class: the first line of its docstring is `Title: subject`."""
    doc = (inspect.getdoc(cls) or cls.__name__).strip()
    title, _, subject = doc.splitlines()[0].rpartition(":")
    return title.strip(), subject.strip()


class BaseArgs:
    """Options of a command line, their values, and code for scripts.

    A derived class adds options to a parser (`add_parser_args_impl`), sets its attributes from
    their values (`parse_impl`), and writes code with them (`add_to_script_impl`). Most have further
    methods that run this code. The first line of its docstring, `Title: subject`, is the heading of
    its options in help texts.

    Groups use each other through `self.arg_groups`. A tool may leave groups out, unless the
    docstring forbids it.
    """

    def __init_subclass__(cls, **kwargs) -> None:
        """Lists the attributes of a class in the docstring of its `parse_impl`, too."""
        super().__init_subclass__(**kwargs)
        attributes = _section(cls.__doc__, "Attributes:")
        if not attributes or _section(cls.parse_impl.__doc__, "Attributes:"):
            return
        inherited = cls.parse_impl

        @functools.wraps(inherited)
        def parse_impl(self, args) -> None:
            inherited(self, args)

        parse_impl.__doc__ = f"{inspect.cleandoc(inherited.__doc__ or '')}\n\n{attributes}\n"
        parse_impl.__qualname__ = f"{cls.__qualname__}.parse_impl"
        cls.parse_impl = parse_impl  # type: ignore[method-assign]

    def __init__(self):
        self.group = None
        """The group of `argparse` with the options, once they were added; None without options"""
        self.arg_groups: Optional[ArgGroups] = None
        """ArgGroups: all groups of the tool, once they were registered"""

    def allows_abbreviation_impl(self) -> bool:
        """Whether options may be abbreviated. To be overridden."""
        return True

    def add_parser_args_impl(self) -> None:
        """Adds options to `self.group`. To be overridden by groups that have any."""

    def parse_impl(self, args) -> None:
        """Sets attributes from parsed options, an `argparse.Namespace`. To be overridden."""

    def add_to_script_impl(self, script, *args, **kwargs):
        """Adds code to a script. To be overridden by groups that can."""
        raise NotImplementedError()

    def register(self, arg_groups: ArgGroups) -> None:
        """Gives this group access to the other groups of a tool.

        Args:
            arg_groups: All groups of the tool by class, this one among them.
        """
        self.arg_groups = arg_groups

    def _group_named(self, name: str) -> Optional["BaseArgs"]:
        """The group of the tool whose class has this name, or None.

        For groups that use each other, as only one of two modules can import the other. Tools may
        register groups in any dict.
        """
        groups = self.arg_groups or {}
        return next((group for cls, group in groups.items() if cls.__name__ == name), None)

    def allows_abbreviation(self) -> bool:
        """Whether options of the tool that has this group may be abbreviated."""
        return self.allows_abbreviation_impl()

    def add_parser_args(self, parser) -> None:
        """Adds the options to an `argparse.ArgumentParser`, under a heading.

        Args:
            parser: The parser.
        """
        title, subject = _title_and_subject(type(self))
        group = parser.add_argument_group(title, f"Options related to {subject}")
        self.group = group
        self.add_parser_args_impl()
        if not group._group_actions:
            # A heading with nothing under it.
            parser._action_groups.remove(group)
            self.group = None

    def parse(self, args) -> None:
        """Sets attributes from parsed options, an `argparse.Namespace`.

        Args:
            args: The parsed options.
        """
        self.parse_impl(args)

    def add_to_script(self, script, *args, **kwargs) -> str:
        """Adds code for the options to a script.

        Args:
            script: The script.
            args: Further arguments of the group.
            kwargs: The same by name.

        Returns:
            Usually the variable with the result of the code.
        """
        return self.add_to_script_impl(script, *args, **kwargs)


class BaseRunnerArgs(BaseArgs):
    """Options of a runner, and the runner itself.

    A derived class names the runner (`get_name_opt_impl`) and adds it to a script
    (`add_to_script_impl`).
    """

    def get_name_opt_impl(self) -> Tuple[str, str]:
        """The runner's name for people, and the option that selects it, without dashes."""
        raise NotImplementedError()

    def get_name_opt(self) -> Tuple[str, str]:
        """The runner's name for people, and the option that selects it, without dashes."""
        return self.get_name_opt_impl()

    def get_extra_help_text_impl(self) -> str:
        """More text for the help of the runner's option. To be overridden."""
        return ""

    def get_extra_help_text(self) -> str:
        """More text for the help of the runner's option."""
        return self.get_extra_help_text_impl()

    def add_to_script(self, script) -> str:
        """Adds the runner to a script.

        Returns:
            The variable with the list of runners.
        """
        self.add_to_script_impl(script)
        return script.get_runners()
