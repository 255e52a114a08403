#!/usr/bin/env python3
"""Checks which functions the built binaries need, export and call.

check_binaries.py executable FILE   needs the C and C++ runtimes only; exports no symbols
check_binaries.py plugins FILE...   the same, and each exports exactly polygraphy_backend
check_binaries.py extension FILE    the same for the Python extension, which exports PyInit__native and the program
check_binaries.py portable GLIBC FILE...  needs no newer C runtime; 2.35: nor a newer one of C++ than Ubuntu 22.04 has
check_binaries.py silent ARCHIVE... the libraries below cli neither print, nor exit, nor read the
                                    environment (calls to such functions are listed)
"""

import os
import re
import subprocess
import sys

RUNTIMES = re.compile(r"^(libc|libm|libdl|libpthread|libgcc_s|libstdc\+\+|ld-linux[-\w]*)\.so\.\d+$")
# Versioned symbols in our own table are copies of the runtime's data (copy relocations).
RUNTIME_SYMBOL = re.compile(r"@@?(GLIBC|GLIBCXX|CXXABI|GCC)_")
# The newest versions of symbols beside glibc's. Files for an older one have their own C++ runtime.
NEWEST = {"2.28": {"GCC": (8, 0, 0)}, "2.35": {"GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}}
FORBIDDEN = {
    "print": {"printf", "puts", "putchar", "perror", "stdout", "stderr", "_ZSt4cout", "_ZSt4cerr",
              "_ZSt4clog", "__printf_chk", "vprintf"},
    "exit": {"exit", "_exit", "_Exit", "quick_exit"},
    "read the environment": {"getenv", "secure_getenv", "setenv", "environ"},
}
# Requests of the command line: a SIGBUS, or an engine that ends the process, cannot be reported in any other way.
# A child process that cannot become the program that it should be has to end; it gets our environment.
# A command sets variables for its sandbox, and for a program that takes its place.
# Programs without a command line name engines' libraries by the same variables.
ALLOWED = {("mapped_file.cpp.o", "_exit"), ("crash_message.cpp.o", "_exit"), ("child_start.cpp.o", "_exit"),
           ("child_start.cpp.o", "environ"), ("libpg_os.a", "setenv"), ("libpg_polygraphy.a", "getenv")}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def needed(path):
    return [m.group(1) for line in output("readelf", "-dW", path)
            if (m := re.search(r"\(NEEDED\).*\[(.+)\]", line))]


def exported(path):
    symbols = [line.split()[-1] for line in output("nm", "-D", "--defined-only", path)]
    return sorted(s for s in symbols if not RUNTIME_SYMBOL.search(s))


def check_linkage(path, expected_exports):
    problems = [f"{path}: needs {name}, which is not a runtime library" for name in needed(path)
                if not RUNTIMES.match(name)]
    symbols = exported(path)
    if symbols != expected_exports:
        problems.append(f"{path}: exports {symbols[:20]} ({len(symbols)}), "
                        f"expected {expected_exports}")
    return problems


def check_portable(glibc, path):
    problems = []
    if glibc != "2.35":
        # The library at hand has other names for a variable than the one that is linked with.
        problems = [f"{path}: copies the C library's {line.split()[4]}"
                    for line in output("readelf", "-rW", path) if re.search(r" R_\w+_COPY ", line)]
    allowed = {"GLIBC": tuple(map(int, glibc.split("."))), **NEWEST.get(glibc, {})}
    for symbol in output("nm", "-D", "--with-symbol-versions", path):
        if m := re.search(r"(\S+?)@@?([A-Z]+)_([\d.]+)$", symbol):
            name, library, version = m.groups()
            if tuple(map(int, version.split("."))) > allowed.get(library, ()):
                newest = ".".join(map(str, allowed.get(library, ("none",))))
                problems.append(f"{path}: {name} needs {library}_{version}, newer than {newest}")
    return problems


def check_silent(archive):
    problems, member = [], ""
    for line in output("nm", "-u", archive):
        if line.endswith(":"):
            member = line[:-1]
        fields = line.split()
        for what, names in FORBIDDEN.items():
            if (len(fields) == 2 and fields[0] == "U" and fields[1] in names
                    and not {(member, fields[1]), (os.path.basename(archive), fields[1])} & ALLOWED):
                problems.append(f"{archive}({member}): would {what}: {fields[1]}")
    return problems


def main():
    what, files = sys.argv[1], sys.argv[2:]
    glibc = files.pop(0) if what == "portable" else ""
    check = {
        "executable": lambda path: check_linkage(path, []),
        "plugins": lambda path: check_linkage(path, ["polygraphy_backend"]),
        "extension": lambda path: check_linkage(path, ["PyInit__native", "polygraphy_program"]),
        "portable": lambda path: check_portable(glibc, path),
        "silent": check_silent,
    }[what]
    problems = [f"{path}: not built" for path in files if not os.path.exists(path)]
    problems += [problem for path in files if os.path.exists(path) for problem in check(path)]
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} problems")
    sys.exit(1 if problems or not files else 0)


main()
