#!/usr/bin/env python3
"""check_docs.py POLYGRAPHY: the documents fit a terminal and name things that exist.

In every *.md of the tree:
- lines have at most 100 columns, except tables, code blocks and links that are longer on their own;
- relative links lead to a file, and their anchors to a heading of it; pictures are small;
- paths in code spans that begin with a folder of the tree exist (`<name>` and `*` stand for anything);
- options in code spans and in commands of code blocks are options of POLYGRAPHY, or of the original
  (tests/cli/options_0.53.6.tsv).

Their sentences use plain words (plain_words.py).
"""

import itertools
import pathlib
import re
import subprocess
import sys

import plain_words

WIDTH = 100
MOST_BYTES_OF_PICTURE = 60_000
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*(?![\w<*-])")
# Options that no help lists, and those in examples of what a misspelt one looks like.
UNLISTED = {"--generate", "--python-path", "--runner-process"}
EXAMPLES = {"--option", "--fail-fast--validate"}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def options_of(program):
    manual = output(program, "--generate", "man").replace("\\-", "-")
    original = pathlib.Path("tests/cli/options_0.53.6.tsv").read_text(encoding="utf-8")
    return set(re.findall(r"--[a-z][a-z0-9-]*", manual + original)) | UNLISTED | EXAMPLES


def blocks(text):
    """Yields (number, line, is_code) for each line; a block of code is fenced or indented by four blanks."""
    fenced = False
    before = ""
    indented = False
    for number, line in enumerate(text.split("\n"), 1):
        fence = line.lstrip().startswith("```")
        if not fenced and not fence:
            indented = line.startswith("    ") and (indented or not before.strip())
        yield number, line, fenced or fence or indented
        fenced ^= fence
        before = line


def anchors(path):
    headings = [line.lstrip("#").strip() for _, line, code in blocks(path.read_text(encoding="utf-8"))
                if line.startswith("#") and not code]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_link(path, target):
    if re.match(r"[a-z]+:", target):
        return []
    name, _, anchor = target.partition("#")
    there = path if not name else path.parent / name
    if not there.exists():
        return [f"links to {target}, which is not there"]
    if there.suffix == ".png" and there.stat().st_size > MOST_BYTES_OF_PICTURE:
        return [f"shows {target}, which has more than {MOST_BYTES_OF_PICTURE} bytes (scripts/pictures.py)"]
    if anchor and anchor not in anchors(there):
        return [f"links to {target}, which has no such heading"]
    return []


def check_path(span, folders):
    name = span.split(":")[0].rstrip("/")
    if "/" not in name or " " in name or name.split("/")[0] not in folders:
        return []
    pattern = re.sub(r"<[^>]*>", "*", name)
    return [] if any(pathlib.Path().glob(pattern)) else [f"names {name}, which is not there"]


def check_options(text, known, commands):
    """`text`: a code span or a line of code; other programs' options are their own business."""
    first = text.split()[0] if text.split() else ""
    if not first.startswith("-") and first not in commands:
        return []
    # The text after a command of one word, '...', belongs to another program.
    text = re.sub(r"'[^']*'", "", text)
    return [f"names {option}, which does not exist" for option in OPTION.findall(text) if option not in known]


def check(path, known, commands, folders):
    problems = []
    for number, line, code in blocks(path.read_text(encoding="utf-8")):
        found = []
        table = line.startswith("|")
        if len(line) > WIDTH and not code and not table and max(map(len, line.split())) < WIDTH - 10:
            found.append(f"{len(line)} columns")
        if code:
            found += check_options(line.strip().removeprefix("$ "), known, commands)
        else:
            for span in SPAN.findall(line):
                found += check_path(span, folders) + check_options(span, known, commands)
            for target in LINK.findall(SPAN.sub("", line)):
                found += check_link(path, target)
        problems += [f"{path}:{number}: {what}" for what in found]
    return problems


def check_words(path, lines):
    """`lines`: numbers and texts, empty ones between paragraphs."""
    problems = []
    for has_text, group in itertools.groupby(lines, lambda line: bool(line[1].strip())):
        group = list(group)
        text = LINK.sub("]", SPAN.sub("`", " ".join(text.strip() for _, text in group))) if has_text else ""
        problems += [f"{path}:{group[0][0]}: says {words!r}: {reason}" for words, reason in plain_words.found(text)]
    return problems


def check_document_words(path):
    return check_words(path, [(number, "" if code else line)
                              for number, line, code in blocks(path.read_text(encoding="utf-8"))])


program = sys.argv[1]
known = options_of(program)
commands = {"polygraphy"} | set(re.search(r"\{([^}]+)\}", output(program, "--help")).group(1).split(","))
files = [pathlib.Path(name) for name in output("git", "ls-files", "*.md").split("\n")[:-1]]
files = [path for path in files if "testdata" not in path.parts and path.exists()]
folders = {name.split("/")[0] for name in output("git", "ls-files").split("\n") if "/" in name}
problems = [problem for path in files for problem in check(path, known, commands, folders)]
problems += [problem for path in files for problem in check_document_words(path)]
for problem in problems:
    print(problem)
print(f"{len(files)} documents, {len(problems)} problems")
sys.exit(1 if problems or not files else 0)
