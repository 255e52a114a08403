#!/usr/bin/env python3
"""The names that programs can use: those that headers under include/ declare, public members included.

    public_names.py           compares them with tests/install/public_names.txt (exit code 1: they differ)
    public_names.py --write   writes that file

So a name that goes, comes or changes is seen in review. Reads C++ as clang-format leaves it.
"""
import difflib
import pathlib
import re
import sys

GOLDEN = pathlib.Path("tests/install/public_names.txt")
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*|"(?:\\.|[^"\\\n])*"', re.S | re.M)
TYPE = re.compile(r"(?:class|struct|union|enum class|enum)\s+(?:\[\[.*?\]\]\s*)?(\w+)")
FUNCTION = re.compile(r"(operator\s*(?:\(\)|[^\s\w(]+|[\w:<>*& ]+)|~?\w+)\s*\(")
ACCESS = r"(public|private|protected)\s*:\s*"
DETAIL = re.compile(r"_detail\b|::detail\b")


def closing(text, start):
    """The place behind the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise ValueError("unbalanced: " + text[start:start + 80])


def without_templates(text):
    """Without template parameters and arguments, so that what is left shows brackets of calls only."""
    text = text.replace("<=>", "\0").replace("operator<", "operator\1").replace("operator>", "operator\2")
    text = text.replace("->", "\3")
    while True:
        shorter = re.sub(r"<[^<>]*>", "", text)
        if shorter == text:
            return text.replace("\0", "<=>").replace("\1", "<").replace("\2", ">").replace("\3", "->")
        text = shorter


def statements(text):
    """(head, body or None) of the declarations of a scope."""
    start = at = 0
    while at < len(text):
        char = text[at]
        if char == ";":
            yield text[start:at].strip(), None
            start = at = at + 1
        elif char == "{":
            head, end = text[start:at].strip(), closing(text, at)
            plain = re.sub(ACCESS, "", without_templates(head))
            scope = re.match(r"(template\s+)?(inline )?namespace\b|(template\s+)?(class|struct|union|enum)\b", plain)
            function = "(" in plain and text[at - 1] == " " and not re.search(r"[^=!<>]=[^=]", plain)
            if scope:
                yield head, text[at + 1:end - 1]
            elif function:
                yield head, None
            at = end
            if scope or function:
                start = at
        elif char == "(":  # default arguments may contain brackets and semicolons
            depth = 0
            while True:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
                if depth == 0:
                    break
        else:
            at += 1


def declared(head):
    """The names that a declaration without a scope declares."""
    plain = re.sub(r"^template\s*", "", without_templates(head)).strip()
    plain = re.sub(r"^requires\b[^;]*?\)\s*(?=\w)", "", plain)
    if not plain or plain.startswith(("friend", "static_assert", "extern")):
        return []
    if plain.startswith("using"):
        return re.findall(r"^using (?:(\w+) =|(?:[\w:]+::)?(\w+)$)", plain)[0]
    if re.match(TYPE.pattern + r"(?:\s*:\s*\w+)?$", plain):
        return []  # it only says that there is such a type
    function = FUNCTION.search(plain if "operator" in plain else re.split(r"(?<![=!<>])=(?!=)", plain)[0])
    if function:
        return [re.sub(r"\s+", " ", function.group(1)).strip()]
    plain = re.sub(r"\[\[.*?\]\]|\[[^\]]*\]|\{[^{}]*\}|\([^()]*\)", "", plain)
    return [words[-1] for part in plain.split(",") if (words := re.findall(r"\w+", part.split("=")[0]))]


def names_of(text, scope, public=True):
    for head, body in statements(text):
        while access := re.match(ACCESS, head):
            public, head = access.group(1) != "private", head[access.end():].strip()
        plain = without_templates(head)
        space = re.match(r"(?:inline )?namespace ([\w:]*)", plain)
        kind = TYPE.search(plain) if body is not None else None
        if space:
            yield from names_of(body, space.group(1) if not scope else scope + "::" + space.group(1))
        elif not public:
            continue
        elif kind:
            name = scope + "::" + kind.group(1)
            yield name
            if "enum" in kind.group(0):
                values = re.sub(r"=[^,]*", "", body).split(",")
                yield from (name + "::" + value.strip() for value in values if value.strip())
            else:
                yield from names_of(body, name, "class" not in kind.group(0))
        else:  # constructors and destructors stand and fall with their class
            names = {name for name in declared(head) if name and not name.startswith("~")}
            yield from (scope + "::" + name for name in names - {scope.rsplit("::", 1)[-1]})


def with_rows(text):
    """Includes of rows of tables as what they become in these headers: members, or enumerators."""
    def members(include):
        rows = pathlib.Path("backends", include.group(1)).read_text(encoding="utf-8")
        return "".join("%s %s = {};\n" % row for row in re.findall(r"^PGB_OPTION\(([^,]+), (\w+),", rows, re.M))

    def enumerators(_):
        rows = pathlib.Path("sdk/include/polygraphy/element_types.inc").read_text(encoding="utf-8")
        return "\n%s," % ",".join(re.findall(r"^(?:PGB_ELEMENT_TYPE|PGB_SMALL_FLOAT)\((\w+),", rows, re.M))

    text = re.sub(r'#include "polygraphy/options/([\w/]+\.inc)"', members, text)
    return re.sub(r'#include "polygraphy/element_types\.inc"', enumerators, text)


def public_names():
    names = set()
    for path in sorted(pathlib.Path("include").rglob("*.h")):
        text = with_rows(path.read_text(encoding="utf-8"))
        names |= set(names_of(NOISE.sub(" ", text), ""))
    return sorted(name.lstrip(":") for name in names if not DETAIL.search(name))


def main():
    text = "\n".join(public_names()) + "\n"
    if "--write" in sys.argv:
        GOLDEN.write_text(text)
        return
    diff = list(difflib.unified_diff(GOLDEN.read_text().splitlines(), text.splitlines(), str(GOLDEN), "include/",
                                     lineterm="", n=0))
    if diff:
        print("\n".join(diff))
        sys.exit("Names that programs use have changed. If that is meant: python3 scripts/public_names.py --write")


main()
