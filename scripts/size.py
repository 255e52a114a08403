#!/usr/bin/env python3
"""Product lines per wing: size.py [BASE] compares with a revision; --write puts them into
ARCHITECTURE.md, --check fails where a row of its table is off by more than a tenth.

Product: C++, Python, JavaScript, CSS, CMake and shell in src, include, backends, sdk, tools and
python, without tests and fuzz targets."""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
ROOMS = ("src", "include", "backends", "sdk", "tools", "python")
SUFFIXES = (".cpp", ".h", ".inc", ".py", ".js", ".css", ".cmake", ".sh")

# A path belongs to the first wing with a prefix of it; headers lie below include/ as sources do
# below src/.
WINGS = [
    ("graphsurgeon", "the graph library: load, edit, fold, infer, diff", ["graphsurgeon/"]),
    ("data", "tensors, inputs, results, the user's scripts", ["polygraphy/data/"]),
    ("models", "models on their way to an engine: noise, parts, decoders, sharding", ["polygraphy/models/"]),
    ("runtimes", "back ends, runners, isolation, engines, the contract", ["polygraphy/runtimes/"]),
    ("comparison", "run, metrics, verdicts, task metrics, benchmark", ["polygraphy/comparison/"]),
    ("model_tools", "inspect, surgeon, lint, viewer, scripts for the original", ["polygraphy/model_tools/"]),
    ("diagnosis", "reduce, locate, sensitivity, consistency, zoo, autotune", ["polygraphy/diagnosis/"]),
    ("facade", "the original's names for C++ programs", ["polygraphy/"]),
    ("cli", "the commands and their options", ["cli/"]),
    ("ground floor", "files, JSON, arrays, numerics, pictures, tasks", [""]),
]  # fmt: skip
OUTSIDE = [
    ("backends", "nine engines as plugins, with the SDK", ["backends/", "sdk/", "tools/"]),
    ("python: polygraphy", "the original's package", ["python/polygraphy/"]),
    ("python: others", "onnx_graphsurgeon, polygraphy_native, extension, wheel", ["python/"]),
]


def is_product(path):
    name = path.rpartition("/")[2]
    is_test = (re.search(r"_(test|fuzz)\.\w+$", name) or re.search("/test(s|data)/", path)
               or name.startswith("test_"))
    return path.startswith(tuple(room + "/" for room in ROOMS)) and path.endswith(SUFFIXES) and not is_test


def wing_of(path):
    if path.startswith(("src/", "include/")):
        inner = path.partition("/")[2]
        return next(wing for wing, _, prefixes in WINGS if inner.startswith(tuple(prefixes)))
    return next(wing for wing, _, prefixes in OUTSIDE if path.startswith(tuple(prefixes)))


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


def lines_now():
    lines = collections.Counter()
    for path in git("ls-files", "-z", *ROOMS).decode().split("\0"):
        if path and is_product(path) and (ROOT / path).is_file():
            lines[wing_of(path)] += (ROOT / path).read_bytes().count(b"\n")
    return lines


def lines_of(revision):
    empty = git("hash-object", "-t", "tree", "/dev/null").decode().strip()
    lines = collections.Counter()
    for row in git("diff", "--numstat", "-z", "--no-renames", empty, revision, "--", *ROOMS).decode().split("\0"):
        added, _, path = row.split("\t") if row else ("", "", "")
        if path and is_product(path):
            lines[wing_of(path)] += int(added)
    return lines


def table(lines):
    rows = [f"| {wing} | {round(lines[wing], -2):,} | {buys} |" for wing, buys, _ in WINGS + OUTSIDE]
    total = f"| together | {round(sum(lines.values()), -2):,} | |"
    return "\n".join(["| wing | lines | gives |", "|---|---|---|", *rows, total]) + "\n"


def difference(now, base):
    text = ""
    for wing in [wing for wing, _, _ in WINGS + OUTSIDE]:
        text += f"{wing:20} {base[wing]:8,} {now[wing]:8,} {now[wing] - base[wing]:+8,}\n"
    before, after = sum(base.values()), sum(now.values())
    return text + f"{'together':20} {before:8,} {after:8,} {after - before:+8,}\n"


def main():
    page = ROOT / "ARCHITECTURE.md"
    place = re.compile(r"\| wing \| lines \| gives \|\n(\|.*\n)+")
    if sys.argv[1:] == ["--check"] and not (ROOT / ".git").exists():
        return  # a tarball
    now = lines_now()
    if sys.argv[1:] == ["--write"]:
        page.write_text(place.sub(lambda _: table(now), page.read_text()))
    elif sys.argv[1:] == ["--check"]:
        for wing, lines in re.findall(r"\| ([^|]+) \| ([\d,]+) \|", place.search(page.read_text())[0]):
            real = now[wing] if wing in now else sum(now.values())
            if abs(int(lines.replace(",", "")) - real) > real / 10:
                sys.exit(f"ARCHITECTURE.md: {wing} has {real:,} lines, not {lines}: scripts/size.py --write")
    elif sys.argv[1:]:
        print(difference(now, lines_of(sys.argv[1])), end="")
    else:
        print(table(now), end="")


main()
