"""`python -m polygraphy_native SCRIPT [ARG...]`: a script with the native packages.

Also `-m MODULE` and `-c CODE`, as Python itself takes them.
"""

from __future__ import annotations

import os
import runpy
import sys

from polygraphy_native import install

_USAGE = "usage: python -m polygraphy_native (SCRIPT | -m MODULE | -c CODE) [ARG...]"


def main(arguments: list[str]) -> None:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, file=sys.stderr if not arguments else sys.stdout)
        sys.exit(2 if not arguments else 0)
    first, rest = arguments[0], arguments[1:]
    if first in ("-m", "-c") and not rest:
        sys.exit(f"{_USAGE}\n{first} needs a value")
    install()
    if first == "-m":
        sys.argv = rest
        sys.path.insert(1, os.getcwd())
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = ["-c", *rest[1:]]
        sys.path.insert(1, os.getcwd())
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = arguments
        sys.path.insert(1, os.path.dirname(os.path.abspath(first)))
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
