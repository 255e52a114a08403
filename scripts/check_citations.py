#!/usr/bin/env python3
"""check_citations.py: nothing in the tree cites a document that is not in the tree.

Names of documents end in .md; those of this repository may be named. Section signs, numbers of sections of a
specification, and numbers of issues refer to something that readers cannot open.
"""

import pathlib
import re
import subprocess
import sys

CITATION = re.compile(r"""
    §
    | \bspec\s+[A-Z]\.?\d | \bspec/\w+\.md
    | \bdelta\s+\d
    | \b[Ll]edger\s+[A-Z]?\d
    | \bDESIGN\b | \bHOUSE\b
    | \bissues?\s+\#?\d+\b(?!\s+of)
    """, re.X)
DOCUMENT = re.compile(r"\b[\w.-]+\.md\b")
SUFFIXES = {".h", ".cpp", ".c", ".py", ".md", ".sh", ".cmake", ".txt"}
# Where texts of others stand as they are.
EXCEPT = ("LICENSE", "fuzz/corpus/", "bench/results/", "scripts/check_citations.py")

files = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
known = {pathlib.Path(name).name for name in files}
problems, count = [], 0
for name in files:
    path = pathlib.Path(name)
    if path.suffix not in SUFFIXES or name.startswith(EXCEPT) or "testdata" in path.parts or not path.exists():
        continue
    count += 1
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        cited = [m.group() for m in CITATION.finditer(line)]
        cited += [m.group() for m in DOCUMENT.finditer(line) if m.group() not in known]
        problems += [f"{name}:{number}: cites {what!r}, which is not in this repository" for what in cited]
for problem in problems:
    print(problem)
print(f"{count} files, {len(problems)} problems")
sys.exit(1 if problems or not count else 0)
