"""Options as data.

A row is a dictionary with the fields of `pgb_option_spec`, the C struct that a back end's table of
options consists of: spellings, key, nargs, choices, help, type, repeats, exclusive, ours, the
loader that takes the option as an argument, the argument, enumeration and enumerator. In rows of
groups, the type may also be "by_name": texts like `NAME:VALUE`. A group may add:

    dest: The name in `argparse.Namespace`. The key if left out.
    attribute: The attribute of the group. The argument, else `dest`, if left out.
    offered: Whether there is an option, not only an attribute. True if left out.
    default: Of `argparse`. None, or an empty list of an option that repeats, if left out.
    missing: The value if the parser lacks the option. None, or an empty list of an option that
        repeats, if left out.
    const, required, metavar: Of `argparse`. The metavars of back ends' tables are left out: usage
        lines are those of the original.
    off: Whether a flag means False.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.base import BaseArgs

Row = Dict[str, Any]

_FIELDS: Row = {
    "nargs": "1",
    "choices": None,
    "type": "text",
    "repeats": False,
    "exclusive": 0,
    "ours": False,
    "loader": None,
    "argument": None,
    "enumeration": None,
    "enumerator": None,
}

_KEYWORDS = ("const", "required", "metavar")

# argparse converts these.
_TYPES = {"integer": int, "number": float}


def table_of(backend: str) -> List[Row]:
    """The options of a back end, without keys that only programs set, and deprecated options."""
    from polygraphy_native import _native

    rows = _native.option_table(backend)
    return [{**row, "metavar": None} for row in rows if row["spellings"] and not row["instead"]]


def option(spellings: str, help: str, **fields) -> Row:
    """A row for a group that needs no table of a back end.

    Args:
        spellings: The spellings, separated by spaces. The first one gives the key.
        help: The help text.
        fields: Further fields.
    """
    names = spellings.split()
    key = names[0].lstrip("-").replace("-", "_")
    return {**_FIELDS, "spellings": names, "key": key, "help": help, **fields}


def flag(spellings: str, help: str, **fields) -> Row:
    """A row for an option without a value."""
    return option(spellings, help, nargs="0", **fields)


def dest_of(row: Row) -> str:
    """The name of the option's value in `argparse.Namespace`."""
    return row.get("dest") or row["key"]


def attribute_of(row: Row) -> str:
    """The attribute of a group that has the option's value."""
    return row.get("attribute") or row["argument"] or dest_of(row)


def argument_of(row: Row) -> str:
    """The argument of the loader that takes the option."""
    return row["argument"] or row["key"]


def is_code(row: Row) -> bool:
    """Whether the value is code with enumerators of TensorRT."""
    return row["enumeration"] is not None and row["enumerator"] is None


def add_option(group, row: Row) -> None:
    """Adds an option to a group of `argparse`."""
    keywords = {
        "dest": dest_of(row),
        "default": row.get("default", [] if row["repeats"] else None),
        "help": row["help"].replace("%", "%%"),
    }
    if row["nargs"] == "0":
        keywords["action"] = "store_false" if row.get("off") else "store_true"
    else:
        keywords["nargs"] = None if row["nargs"] == "1" else row["nargs"]
        keywords["type"] = _TYPES.get(row["type"])
        keywords["choices"] = row["choices"]
        keywords["action"] = "append" if row["repeats"] else "store"
    keywords.update({name: row[name] for name in _KEYWORDS if row.get(name)})
    group.add_argument(*row["spellings"], **keywords)


def add_options(group, rows: List[Row]) -> None:
    """Adds options to a group of `argparse`; those with the same number exclude each other."""
    exclusive: dict = {}
    for row in rows:
        number = row["exclusive"]
        if number and number not in exclusive:
            exclusive[number] = group.add_mutually_exclusive_group()
        add_option(exclusive.get(number, group), row)


def value_of(row: Row, args) -> Any:
    """The value of an option in an `argparse.Namespace`, as a group has it."""
    missing = row.get("missing", [] if row["repeats"] else None)
    value = args_util.get(args, dest_of(row), default=missing)
    if value is None:
        return None
    if row["type"] == "by_name":
        return args_util.parse_arglist_to_dict(value)
    if row["type"] == "size":
        return _sizes(row, value)
    if not is_code(row):
        return value
    if isinstance(value, list):
        return [args_util.make_trt_enum_val(row["enumeration"], name) for name in value]
    return args_util.make_trt_enum_val(row["enumeration"], value)


def _sizes(row: Row, value: Any) -> Any:
    """Bytes, by name if an option has several values."""
    if row["nargs"] == "1":
        return args_util.parse_num_bytes(value)
    sizes = args_util.parse_arglist_to_dict(
        value, cast_to=args_util.parse_num_bytes, allow_empty_key=False
    )
    if not is_code(row):
        return sizes
    return {
        args_util.make_trt_enum_val(row["enumeration"], name): size for name, size in sizes.items()
    }


class TableArgs(BaseArgs):
    """A group whose options are rows of a table."""

    _BACKEND: Optional[str] = None
    """The back end whose table has the options"""
    _OWN: Dict[str, tuple] = {}
    """Field of the table -> the values that it has for options of this group"""

    def rows(self) -> List[Row]:
        """The options of the group, offered or not, in order.

        Options that the original lacks (`ours`) are for the program, unless _changes() says when
        they are offered.
        """
        rows = table_of(self._BACKEND) if self._BACKEND else self._options()
        changes = self._changes()
        own = [row for row in rows if all(row[key] in self._OWN[key] for key in self._OWN)]
        changed = [{**row, **changes.get(row["key"], {})} for row in own]
        return [row for row in changed if not row["ours"] or "offered" in row]

    def _options(self) -> List[Row]:
        """The options of a group without a back end. To be overridden."""
        return []

    def _changes(self) -> Dict[str, Row]:
        """Key -> fields that take the place of the table's. To be overridden."""
        return {}

    def _value(self, row: Row, args) -> Any:
        """The value of an option. To be overridden if the table does not say how to read it."""
        return value_of(row, args)

    def add_parser_args_impl(self) -> None:
        add_options(self.group, [row for row in self.rows() if row.get("offered", True)])

    def parse_impl(self, args) -> None:
        """Sets an attribute for each option. Of options with the same attribute, the last one that
        was given counts."""
        done = set()
        for row in self.rows():
            value, attribute = self._value(row, args), attribute_of(row)
            if attribute not in done or value is not None:
                setattr(self, attribute, value)
            done.add(attribute)

    def arguments_of(self, *loaders: str) -> Dict[str, Any]:
        """Argument -> value, of the options that are arguments of these loaders."""
        return {
            argument_of(row): getattr(self, attribute_of(row))
            for row in self.rows()
            if row["loader"] in loaders
        }
