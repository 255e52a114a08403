#!/usr/bin/env python3
"""Says which pinned version is no longer the newest.

newer_pins.py [--all]   a line per pin with a newer version (--all: per pin): name, pinned, newest,
                        file:line, and the comment beside the pin, which may say why it stays

Pins are the variables of scripts/setup/pins.sh and backends/*/setup.sh, "name==version" there and in
scripts/setup/*-requirements.txt, and the system's packages that are linked in, as installed. It asks as
the set-up does: pip's index, npm, cargo, apt-cache; settings of these clients (PIP_INDEX_URL,
PIP_FIND_LINKS) hold here, too. Moves nothing, and always succeeds: "?" is an answer that was not to be had.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
NAME = r"[A-Za-z][\w.-]*"
# A variable of a version, anywhere in a line: a=1 b=2.
VARIABLE = re.compile(r"(?:^|(?<=[ ;]))(\w+_(?:version|crate|wheel))=([\w.+-]+)")
WRITTEN = re.compile(rf"({NAME})(?:\[[\w,-]+\])?==([0-9][\w.]*)")
# How set-up uses a variable: with a client and a name.
USES = [
    ("pip", re.compile(rf'\b(?:wheel|sdist) ({NAME}) "\$(\w+)"')),
    ("pip", re.compile(rf"({NAME})==\$(\w+)")),
    ("npm", re.compile(rf"({NAME})@\$(\w+)")),
]
# Without a use of that form: fetch_crate puts the name of the variable together.
CRATES = {f"tensorrt_{headers}_crate": "trtx-sys" for headers in ("10", "11", "rtx")}


def lines():
    """(file, number, line) of all files with pins."""
    for path in [*sorted(ROOT.glob("scripts/setup/*.sh")), *sorted(ROOT.glob("scripts/setup/*-requirements.txt")),
                 *sorted(ROOT.glob("backends/*/setup.sh"))]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield path.relative_to(ROOT), number, line


def packages_of(variables):
    """{variable: {(client, name)}}"""
    found = {variable: {("cargo", crate)} for variable, crate in CRATES.items()}
    for _, _, line in lines():
        for client, use in USES:
            for name, variable in use.findall(line):
                found.setdefault(variable, set()).add((client, name))
    nameless = sorted(set(variables) - set(found))
    if nameless:
        sys.exit(f"{', '.join(nameless)}: no line of the set-up shows which package this is the version of")
    return found


def pins():
    """(client, name, version, place, comment) of each pin."""
    variables = [variable for _, _, line in lines() for variable, _ in VARIABLE.findall(line)]
    packages = packages_of(variables)
    for file, number, line in lines():
        code, _, comment = line.partition("#")
        place = f"{file}:{number}"
        for variable, version in VARIABLE.findall(code):
            for client, name in sorted(packages[variable]):
                yield client, name, version, place, comment.strip()
        for name, version in WRITTEN.findall(code):
            yield "pip", name, version, place, comment.strip()
    for package in output(ROOT / "scripts/release/sbom.py", "packages").split():
        installed = re.search(r"Installed: (\S+)", output("apt-cache", "policy", package))
        yield "apt", package, installed[1] if installed else "(none)", listed_at(package), ""


def listed_at(package):
    for number, line in enumerate((ROOT / "scripts/setup.sh").read_text(encoding="utf-8").splitlines(), 1):
        if package in line.split():
            return f"scripts/setup.sh:{number}"
    return "scripts/setup.sh"


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""


def newest(client, name):
    """The newest version, or "?"."""
    if client == "pip":
        said = output(sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check", name)
        found = re.search(r"\(([^)]+)\)", said)
    elif client == "npm":
        found = re.search(r"^(\d\S*)$", output("npm", "view", name, "version"), re.M)
    elif client == "cargo":
        found = re.search(r"^version: ([\d.]+)", output("cargo", "info", name), re.M)
    else:
        found = re.search(r"Candidate: (\S+)", output("apt-cache", "policy", name))
    return found[1] if found else "?"


def is_newer(client, version, pinned):
    """Whether it is newer, or may be."""
    if client == "apt" or version == "?":
        return version != pinned
    return [int(n) for n in re.findall(r"\d+", version)] > [int(n) for n in re.findall(r"\d+", pinned)]


def main():
    found = list(pins())
    asked = sorted({(client, name) for client, name, *_ in found})
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        answers = dict(zip(asked, threads.map(lambda package: newest(*package), asked)))
    rows = [(name, pinned, answers[client, name], place, comment) for client, name, pinned, place, comment in found
            if "--all" in sys.argv or is_newer(client, answers[client, name], pinned)]
    table = [("name", "pinned", "newest", "where", ""), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(4)] + [0]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    unknown = sum(answers[client, name] == "?" for client, name, *_ in found)
    newer = sum(is_newer(client, answers[client, name], pinned) for client, name, pinned, *_ in found) - unknown
    print(f"{len(found)} pins, {newer} not the newest, {unknown} unknown")


if __name__ == "__main__":
    main()
