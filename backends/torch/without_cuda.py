#!/usr/bin/env python3
"""Lets the published torch, which is built for CUDA, be imported without CUDA's libraries (2 GB more).

Usage: without_cuda.py FOLDER     the folder torch/lib of an unpacked wheel

Writes, beside torch's own libraries, one of a few kilobytes for each library that they need and that is nowhere: it
has the symbols that the loader asks for, and every function returns 100, cudaErrorNoDevice.
"""
import collections
import functools
import pathlib
import re
import subprocess
import sys
import tempfile


@functools.cache  # called several times for each library
def read(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", read("readelf", "-dW", library))


def on_this_machine():
    return {line.split()[0] for line in read("/sbin/ldconfig", "-p").splitlines()[1:] if "=>" in line}


def versions(library):
    """{soname: {version}} that the library asks for."""
    found, soname = collections.defaultdict(set), None
    for line in read("readelf", "-VW", library).splitlines():
        file = re.search(r"\bFile: (\S+)", line)
        soname = file.group(1) if file else soname
        name = re.search(r"\bName: (\S+)", line)
        if soname and name:
            found[soname].add(name.group(1))
    return found


def symbols_of(library):
    """(symbol, version or "", whether the library itself has it)."""
    for line in read("readelf", "--dyn-syms", "-W", library).splitlines():
        parts = line.split()
        if len(parts) >= 8 and parts[4] in ("GLOBAL", "WEAK"):
            symbol, _, version = parts[7].partition("@")
            if parts[6] != "UND" or parts[4] == "GLOBAL":
                yield symbol, version.lstrip("@"), parts[6] != "UND"


def make(folder, soname, by_version):
    source, script = [], []
    for version, symbols in sorted(by_version.items()):
        source += [f"int {symbol}(void) {{ return 100; }}" for symbol in sorted(symbols)]
        if version:
            script.append("%s { %s };" % (version, " ".join(f"{symbol};" for symbol in sorted(symbols))))
    with tempfile.TemporaryDirectory() as work:
        code, map_file = pathlib.Path(work, "library.c"), pathlib.Path(work, "library.map")
        code.write_text("\n".join(source) + "\n")
        map_file.write_text("\n".join(script) + "\n")
        versioned = [f"-Wl,--version-script={map_file}"] if script else []
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", "-o", str(folder / soname), f"-Wl,-soname,{soname}", str(code),
                        *versioned], check=True)


def main(folder):
    folder = pathlib.Path(folder)
    libraries = sorted(folder.glob("*.so*"))
    present = {library.name for library in libraries} | on_this_machine()
    missing = {soname for library in libraries for soname in needed(library)} - present
    symbols = {soname: collections.defaultdict(set) for soname in missing}
    defined = {symbol for library in libraries for symbol, _, here in symbols_of(library) if here}
    for library in libraries:
        owner = {version: soname for soname, names in versions(library).items() for version in names}
        asked = [soname for soname in needed(library) if soname in missing]
        for soname in asked:
            for version in versions(library).get(soname, ()):
                symbols[soname][version]
        for symbol, version, here in symbols_of(library):
            if here:
                continue
            if version and owner.get(version) in missing:
                symbols[owner[version]][version].add(symbol)
            elif not version and asked and symbol not in defined:
                symbols[asked[0]][""].add(symbol)  # the loader takes it from any library
    for soname in sorted(missing):
        make(folder, soname, symbols[soname])
    print("torch without CUDA: stand-ins for " + ", ".join(sorted(missing)))


main(sys.argv[1])
