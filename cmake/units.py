#!/usr/bin/env python3
"""Groups the sources of each target into units that are compiled as one (PG_UNITS).

units.py TARGETS OUT ROOT...: TARGETS holds a line per target, "<target>|<source>|<source>...".
Writes OUT/<target>/unit<n>.cpp and OUT/units.txt, which has the same form as TARGETS with the units
in the place of the sources. ROOT are the folders where our headers lie.

Two sources share a unit only where neither can see the private names of the other: a name that one
defines for itself (in an anonymous namespace, static, constexpr, by `using`) does not occur in the
other at all, nor is it declared in a header that the other includes. Nothing is parsed in earnest:
where the words of a source leave a doubt, two sources stay apart. A private name that means nothing
else in its source is numbered by a macro: it may occur in several, and in a header of the library
that another of them includes (std::quoted). A unit includes the headers of all
its sources first, so that no header sees a private name.
"""

import functools
import os
import pathlib
import re
import sys

LARGEST_UNIT = 120_000  # bytes of sources: as much as one processor compiles in some ten seconds

NOT_CODE = re.compile(
    r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|'
    r"//[^\n]*|/\*(?:.|\n)*?\*/")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"][^>"]+[>"])', re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|\d[\w.']*|[^\s\w]")
WORD = re.compile(r"[A-Za-z_]\w*$")
MACRO = re.compile(r"[A-Z][A-Z0-9_]+$")
KEYWORDS = set("""alignas alignof and asm auto bool break case catch char class const consteval constexpr
constinit const_cast continue decltype default defined delete do double dynamic_cast else enum explicit
extern false final float for friend goto if inline int long mutable namespace new noexcept not nullptr
operator or override private protected public register reinterpret_cast requires return short signed
sizeof static static_assert static_cast struct switch template this throw true try typedef typeid
typename union unsigned using virtual void volatile while
int8_t int16_t int32_t int64_t nullptr size_t uint8_t uint16_t uint32_t uint64_t""".split())
FOLLOW_A_NAME = set("(={;[:}")
# Libraries and templates call functions of these names, which they find by types of arguments.
CALLED_BY_LIBRARIES = {"PrintTo", "swap", "begin", "end", "to_string", "record_of", "all_of"}
OTHER, ENUM, LINKAGE = "{other}", "{enum}", '{extern "C"}'


class Code:
    """The words of a file: which it uses, and which it declares at the scope of a namespace."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        # A header beside this file by its path, all others as they stand.
        self.includes = [_beside(path, include) or include for include in INCLUDE.findall(text)]
        bare = NOT_CODE.sub(lambda m: '""' if m[0][0] in "R\"'" else " ", text)
        directives = [d.split()[0] for d in re.findall(r"^[ \t]*#[ \t]*(.*)", bare, re.M) if d.strip()]
        self.pragmas = "pragma" in directives
        self.macros = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", bare, re.M))
        # Whether an `#include` stands below another directive.
        self.conditional = "include" in directives[next(
            (at for at, d in enumerate(directives) if d != "include"), len(directives)):]
        bare = DIRECTIVE.sub("", bare)
        self.tokens = TOKEN.findall(bare)
        # Names by themselves, and those after a dot, an arrow, a scope.
        self.words, self.members = set(), set()
        for before, word in zip(["", *self.tokens], self.tokens):
            if WORD.match(word):
                (self.members if before in ("::", ".", "->") else self.words).add(word)
        self.derives = re.search(r"\b(class|struct)\s[\w\s:]*[^:]:[^:]", bare) is not None
        self.declared = set()  # (namespace, name)
        self.private, self.external = set(), set()
        self.aliased = {}  # (namespace, name): the line that defines the alias
        self._scan()
        # GoogleTest makes texts of what its macros are given.
        for of_test in re.findall(r"\b(?:TYPED_)?TEST(?:_\w+)?\s*\(([^()]*)", bare):
            self.members |= set(TOKEN.findall(of_test))

    def _scan(self):
        # Of open braces: the name of a namespace, which may be empty, or one of those above.
        scopes = []
        parens = 0
        statement = []
        for at, token in enumerate(self.tokens):
            if token in "([":
                parens += 1
            elif token in ")]":
                parens -= 1
            outside = not parens and OTHER not in scopes and ENUM not in scopes
            if token == ";" and outside:
                self._alias(_space(scopes), statement)
            if token == "{":
                scopes.append(_scope(statement) if outside else OTHER)
            elif token == "}" and scopes:
                scopes.pop()
            if token in ";{}":
                statement = []
                continue
            statement.append(token)
            following = self.tokens[at + 1] if at + 1 < len(self.tokens) else ""
            enumerator = scopes[-1:] == [ENUM] and WORD.match(token)
            if enumerator or outside and _is_name(statement, following):
                name = (_space(scopes), token)
                self.declared.add(name)
                if "extern" in statement:
                    self.external.add(name)
                if enumerator or "" in scopes or _internal(statement, following):
                    self.private.add(name)

    def _alias(self, space, statement):
        """`using a::b;`, `using b = ...;` or `namespace b = ...;`"""
        if statement[:1] in (["using"], ["namespace"]):
            name = statement[1] if "=" in statement else statement[-1]
            self.aliased[space, name] = " ".join(statement)


def _beside(path, include):
    header = path.parent / include[1:-1]
    return header if include[0] == '"' and header.is_file() else None


def _is_name(statement, following):
    followed = following in FOLLOW_A_NAME or following == "," and "extern" in statement
    return (followed and WORD.match(statement[-1])
            and statement[-1] not in KEYWORDS and statement[-1][:2] != "__"
            and statement[-2:-1] not in (["::"], [":"], ["->"])
            and not (statement[-2:-1] == [","] and following in "({")  # a member that is initialized
            and not (":" in statement and {"class", "struct"} & set(statement)))  # a base class


def _internal(statement, following):
    """Whether a declaration in a namespace with a name is of this source alone."""
    return bool({"static", "constexpr"} & set(statement)) or "const" in statement and following in "={"


def _space(scopes):
    return "::".join(scope for scope in scopes if scope not in ("", ENUM, LINKAGE))


def _scope(statement):
    if "namespace" in statement:
        return "".join(statement[statement.index("namespace") + 1:])
    if statement == ["extern", '"', '"']:
        return LINKAGE
    if "enum" in statement and not {"class", "struct"} & set(statement):
        return ENUM
    return OTHER


class Source:
    def __init__(self, path, headers):
        code = Code(path)
        self.path, self.includes, self.aliased = path, code.includes, code.aliased
        self.pragmas, self.macros = code.pragmas, code.macros
        self.alone = (code.conditional or any(".inc" in str(i) for i in code.includes)
                      or any("using namespace" in a for a in code.aliased.values()))
        # check_binaries.py allows these calls by the name of the object.
        self.alone = self.alone or bool({"_exit", "environ"} & set(code.tokens))
        self.private = {name for name in code.private - set(code.aliased) - code.external
                        if not MACRO.match(name[1])}
        self.of_headers, words = headers.names_for(code.includes)
        # Words that can be renamed: those without another meaning in this source.
        taken = code.members | (words if code.derives else {name for _, name in self.of_headers})
        self.renamed = {word for _, word in self.private} - taken - CALLED_BY_LIBRARIES
        self.private = {name for name in self.private if name[1] not in self.renamed}
        self.words = (code.words - self.renamed) | self.macros
        self.tokens = set(code.tokens) | self.macros
        self.size = path.stat().st_size


class Headers:
    """Our headers, each read once."""

    def __init__(self, roots):
        self.roots = roots

    @functools.lru_cache(maxsize=None)
    def find(self, include):
        if isinstance(include, pathlib.Path):
            return include.resolve()
        paths = (root / include[1:-1] for root in self.roots)
        return next((path for path in paths if path.is_file()), None)

    @functools.lru_cache(maxsize=None)
    def code(self, path):
        return Code(path)

    def names_for(self, includes):
        """The names that the headers declare at the scope of a namespace, and all their words."""
        found, names, words, todo = set(), set(), set(), list(includes)
        while todo:
            include = todo.pop()
            header = self.find(include)
            if header is None or header in found:
                continue
            found.add(header)
            code = self.code(header)
            names |= code.declared
            words |= code.words | code.members
            todo += code.includes
        return names, words


class Unit:
    def __init__(self):
        self.sources, self.size = [], 0

    def takes(self, source):
        if not self.sources:
            return True
        if source.alone or self.sources[0].alone or self.sources[-1].pragmas:
            return False
        if self.size + source.size > LARGEST_UNIT:
            return False
        return not any(clash(a, source) or clash(source, a) for a in self.sources)

    def add(self, source):
        self.sources.append(source)
        self.size += source.size

    def text(self, folder):
        """Paths are relative to the folder of the unit: the same in every checkout."""
        lines = ["// Generated by cmake/units.py: sources that are compiled as one."]
        includes = dict.fromkeys(i for source in self.sources for i in source.includes)
        for include in includes:
            if isinstance(include, pathlib.Path):
                include = f'"{os.path.relpath(include, folder)}"'
            lines.append(f"#include {include}")
        for number, source in enumerate(self.sources):
            renamed = sorted(source.renamed)
            lines += [f"#define {word} {word}_{number}" for word in renamed]
            lines += [f'#include "{os.path.relpath(source.path, folder)}"']
            lines += [f"#undef {word}" for word in renamed]
        return "\n".join(lines) + "\n"


def clash(a, b):
    """Names of a's own that b has another meaning for, perhaps."""
    private = {name for name in a.private if name[1] in b.words or name in b.of_headers}
    aliased = {name for name, alias in a.aliased.items()
               if b.aliased.get(name) != alias and (name[1] in b.words or name in b.of_headers)}
    return private | aliased | (a.macros & b.tokens)


def grouped(sources):
    units = []
    for source in sorted(sources, key=lambda source: source.pragmas):  # they last to the end
        for unit in units:
            if unit.takes(source):
                break
        else:
            unit = Unit()
            units.append(unit)
        unit.add(source)
    return units


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main():
    targets, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    headers = Headers([pathlib.Path(root) for root in sys.argv[3:]])
    lines = []
    for line in targets.read_text().splitlines():
        target, *paths = line.split("|")
        units = []
        for number, unit in enumerate(grouped([Source(pathlib.Path(p), headers) for p in paths])):
            if len(unit.sources) == 1:
                units.append(str(unit.sources[0].path))
            else:
                path = out / target / f"unit{number}.cpp"
                write(path, unit.text(path.parent))
                units.append(str(path))
        lines.append("|".join([target, *units]))
    write(out / "units.txt", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
