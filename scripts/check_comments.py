#!/usr/bin/env python3
"""check_comments.py: comments and docstrings use plain words (plain_words.py).

In C and C++, Python, CMake, shell and JavaScript files of the tree. Quoted texts and code spans are exempt.
"""

import ast
import io
import itertools
import pathlib
import re
import subprocess
import sys
import tokenize

import plain_words

C_TOKEN = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"'  # a raw string
                     r"""|'(?:[^'\\\n]|\\.)'|"(?:[^"\\\n]|\\.)*\""""
                     r"|(//[^\n]*|/\*(?:.|\n)*?\*/)")
C_MARK = re.compile(r"^\s*(?:/\*|//|\*/?(?= |$))|\*/$")
HASH_COMMENT = re.compile(r"""^(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*?(?:^|\s)#(?!!)(.*)""")
# Rooms with "whose" in comments.
SAY_WHOSE = ("CMakeLists.txt", "bench/", "cmake/", "python/extension/", "python/polygraphy/", "python/write_records.py",
             "scripts/", "src/cli/args/", "src/cli/distribution/", "src/cli/jobs/", "src/numerics/", "src/pictures/",
             "src/polygraphy/comparison/", "src/polygraphy/data/", "src/polygraphy/diagnosis/", "tests/", "tools/")
QUOTED = re.compile(r'`[^`]*`|"[^"]*"')


def c_lines(text):
    """Yields (number, text) of each line of a comment.

    >>> list(c_lines('f();  // one\\n/* two\\n * three */ char* s = "// none";'))
    [(1, ' one'), (2, ' two'), (3, ' three ')]
    """
    for match in C_TOKEN.finditer(text):
        if match.group(2):
            first = text.count("\n", 0, match.start()) + 1
            for number, line in enumerate(match.group(2).split("\n"), first):
                yield number, C_MARK.sub("", C_MARK.sub("", line))


def python_lines(text):
    """Yields (number, text) of each line of a comment or docstring.

    >>> list(python_lines('"One."\\nx = "none"  # two\\ndef f():\\n    \\'\\'\\'Three,\\n    four.\\'\\'\\''))
    [(1, 'One.'), (2, ' two'), (4, 'Three,'), (5, '    four.')]
    """
    lines = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            lines.append((token.start[0], token.string.lstrip("#")))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines += enumerate(node.value.value.split("\n"), node.lineno)
    return sorted(lines)


def hash_lines(text):
    """Yields (number, text) of each comment behind a hash.

    >>> list(hash_lines('#!/bin/sh\\n# one\\nset(x "# none")  # two'))
    [(2, ' one'), (3, ' two')]
    """
    for number, line in enumerate(text.split("\n"), 1):
        if match := HASH_COMMENT.match(line):
            yield number, match.group(1)


READERS = {".c": c_lines, ".cmake": hash_lines, ".cpp": c_lines, ".h": c_lines, ".inc": c_lines, ".js": c_lines, ".py": python_lines,
           ".sh": hash_lines, ".txt": hash_lines}


def paragraphs(lines):
    """Yields (number, text) of runs of lines one below the other that are not empty."""
    lines = [(number, line.strip()) for number, line in lines if line.strip()]
    for _, group in itertools.groupby(enumerate(lines), lambda item: item[1][0] - item[0]):
        group = [line for _, line in group]
        yield group[0][0], QUOTED.sub("`", " ".join(text for _, text in group))


def problems(lines):
    """(number, words, reason) of words in comments that are not plain.

    The words of a paragraph have the number of its first line:

    >>> comment = [(1, " What fails."), (2, ""), (3, " The limit shall be"), (4, " set by nobody.")]
    >>> [place[:2] for place in problems(comment)] == [(1, "What"), (3, "nobody"), (3, "shall")]
    True

    Code spans and quoted texts are exempt:

    >>> problems([(1, ' The command `tell "nobody"` has no problem.')])
    []
    """
    return [(number, words, reason) for number, text in paragraphs(lines)
            for words, reason in plain_words.found_in_comment(text)]


def main():
    names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    paths = [path for path in map(pathlib.Path, names) if path.suffix in READERS and "testdata" not in path.parts
             and (path.suffix != ".txt" or path.name == "CMakeLists.txt") and path.exists()]
    count = 0
    for path in paths:
        lines = READERS[path.suffix](path.read_text(encoding="utf-8"))
        for number, words, reason in problems(lines):
            if words.lower() == "whose" and str(path).startswith(SAY_WHOSE):
                continue
            count += 1
            print(f"{path}:{number}: says {words!r}: {reason}")
    print(f"{len(paths)} files, {count} problems")
    return 1 if count or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
