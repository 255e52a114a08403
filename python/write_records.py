#!/usr/bin/env python3
"""write_records.py POLYGRAPHY MODULE.PY DOCS.MD: the classes of results, and the page about them.

POLYGRAPHY is the executable; `schema` prints the tables of the C++ structs (include/base/record.h).
Each definition becomes a frozen dataclass whose `_of()` takes the object of a JSON document, and a
table in docs/results.md.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import textwrap
from typing import Any

_SIMPLE = {"boolean": "bool", "integer": "int", "string": "str"}
# Which objects are true.
_TRUE = {"Verdict": 'self.agreement == "agrees"'}
# Documents of commands alone, and their parts.
_WITHOUT_CLASS = {"AccuracyReport", "ReportedPair", "ComparedTensor", "ElementDifference", "FailingNode",
                  "FunctionResult", "JudgedComparison", "JudgedOutput", "Layer", "ReductionFigures", "RunReport",
                  "TensorForm", "ValidatedTensor"}  # fmt: skip
_HEAD = '''"""The classes of results. Made by write_records.py from the tables of the C++ structs."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping

from polygraphy_native._reports import _Shown

if TYPE_CHECKING:
    from typing_extensions import Self

'''
_PAGE = """# The members of results

`--json FILE` or `--save-benchmark FILE` writes the results as one JSON object. Python's calls
return most of them as objects, and those of `debug precision`, `plugin autotune` and `inspect
capability`. Numbers that are not finite are the texts `"NaN"`, `"Infinity"` and `"-Infinity"`,
which `float()` reads. Members that may be missing are in *italics*. `polygraphy schema COMMAND`
prints the JSON Schema of a document.

This page is made by `python/write_records.py`.
"""


def _name_of(schema: dict[str, Any]) -> str:
    return schema["$ref"].rpartition("/")[2]


def _type(schema: dict[str, Any]) -> str:
    """The type of Python."""
    if "$ref" in schema:
        return "float" if _name_of(schema) == "number" else _name_of(schema)
    if "anyOf" in schema:
        return f"{_type(schema['anyOf'][0])} | None"
    if "contentEncoding" in schema:
        return "bytes"
    if "enum" in schema:
        return "str"
    if schema["type"] == "array":
        return f"tuple[{_type(schema['items'])}, ...]"
    if schema["type"] == "object":
        return f"dict[str, {_type(schema['additionalProperties'])}]"
    return _SIMPLE[schema["type"]]


def _made(schema: dict[str, Any], value: str) -> str:
    """The expression for a value of JSON."""
    if "$ref" in schema:
        return f"float({value})" if _name_of(schema) == "number" else f"{_name_of(schema)}._of({value})"
    if "anyOf" in schema:
        inner = _made(schema["anyOf"][0], value)
        return inner if inner == value else f"None if {value} is None else {inner}"
    if "contentEncoding" in schema:
        return f"base64.b64decode({value})"
    if schema.get("type") == "array":
        inner = _made(schema["items"], "each")
        return f"tuple({value})" if inner == "each" else f"tuple({inner} for each in {value})"
    return value


def _members(definition: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """The name in JSON, that in Python, and the schema, of those that the class has."""
    return [
        (name, schema.get("x-python", name), schema)
        for name, schema in definition["properties"].items()
        if schema.get("x-python", name) and "const" not in schema
    ]


def _class(name: str, definition: dict[str, Any]) -> str:
    members = _members(definition)
    lines = ["", "@dataclass(frozen=True, kw_only=True)", f"class {name}(_Shown):"]
    lines += textwrap.wrap(f'"""{definition["description"]}', 96, initial_indent="    ",
                           subsequent_indent="    ")  # fmt: skip
    lines += ["", "    Attributes:"]
    for _, python, schema in members:
        lines += textwrap.wrap(f"{python}: {schema['description']}", 100, initial_indent=" " * 8,
                               subsequent_indent=" " * 12)  # fmt: skip
    lines += ['    """', ""]
    for _, python, schema in members:
        default = ""
        if "default" in schema:
            default = f" = {() if schema['default'] == [] else schema['default']!r}"
            if schema["default"] == {}:
                default = " = field(default_factory=dict)"
        lines.append(f"    {python}: {_type(schema)}{default}")
    if name in _TRUE:
        lines += ["", "    def __bool__(self) -> bool:", f"        return {_TRUE[name]}"]
    lines += ["", "    @staticmethod", "    def _values(found: Mapping[str, Any]) -> dict[str, Any]:",
              "        values: dict[str, Any] = {}"]  # fmt: skip
    for json_name, python, schema in members:
        value = f"found[{json_name!r}]"
        line = f"values[{python!r}] = {_made(schema, value)}"
        if "default" in schema:
            lines += [f"        if {json_name!r} in found:", f"            {line}"]
        else:
            lines.append(f"        {line}")
    lines += ["        return values", "", "    @classmethod",
              "    def _of(cls, found: Mapping[str, Any], **more: Any) -> Self:",
              "        return cls(**cls._values(found), **more)", ""]  # fmt: skip
    return "\n".join(lines)


def _kind(schema: dict[str, Any]) -> str:
    """The type, for docs."""
    if "const" in schema:
        return f"{schema['const']}"
    if "enum" in schema:
        return ", ".join(f'"{each}"' for each in schema["enum"])
    if "anyOf" in schema:
        return f"{_kind(schema['anyOf'][0])} or null"
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    if schema.get("type") == "object":
        return f"object of {_kind(schema['additionalProperties'])}"
    if "$ref" in schema and _name_of(schema) != "number":
        return f"[{_name_of(schema)}](#{_name_of(schema).lower()})"
    return {"float": "number", "int": "integer", "str": "text", "bool": "true or false",
            "bytes": "text in base64"}[_type(schema)]  # fmt: skip


def _table(name: str, definition: dict[str, Any]) -> str:
    lines = ["", f"## {name}", "", *textwrap.wrap(definition["description"], 100), "", "| Member | Value | Meaning |",
             "|---|---|---|"]  # fmt: skip
    for member, schema in definition["properties"].items():
        mark = "`" if member in definition["required"] else "*"
        lines.append(f"| {mark}{member}{mark} | {_kind(schema)} | {schema['description']} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    program, module, page = sys.argv[1:]
    schemas = subprocess.run([program, "schema"], check=True, stdout=subprocess.PIPE).stdout
    definitions = json.loads(schemas)["$defs"]
    del definitions["number"]
    classes = (_class(*each) for each in definitions.items() if each[0] not in _WITHOUT_CLASS)
    pathlib.Path(module).write_text(_HEAD + "\n".join(classes), "utf-8")
    pathlib.Path(page).write_text(_PAGE + "".join(_table(*each) for each in definitions.items()), "utf-8")


if __name__ == "__main__":
    main()
