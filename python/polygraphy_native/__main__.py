"""`python -m polygraphy_native SCRIPT [ARG...]`: a script with the native packages.

Also `-m MODULE` and `-c CODE`, as Python itself takes them.
"""

from __future__ import annotations

import builtins
import os
import sys
from types import ModuleType

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
        import runpy

        sys.argv = rest
        sys.path.insert(1, os.getcwd())
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = ["-c", *rest[1:]]
        sys.path.insert(1, os.getcwd())
        _run(rest[0], "<string>", None)
    else:
        sys.argv = arguments
        path = os.path.abspath(first)
        try:
            with open(path, "rb") as file:
                source = file.read()
        except OSError as error:
            # A command of the program, perhaps.
            program = f"\nThe program itself: polygraphy {' '.join(arguments)}"
            hint = "" if os.path.splitext(first)[1] else program
            sys.exit(f"{_USAGE}\ncannot open {first!r}: {error.strerror}{hint}")
        sys.path.insert(1, os.path.dirname(path))
        _run(source, path, path)


def _run(source: str | bytes, name: str, path: str | None) -> None:
    """Runs a program as Python itself does: as the module __main__, which stays that to the end."""
    module = ModuleType("__main__")
    vars(module).update(__builtins__=builtins, __file__=path)
    if path is None:
        del module.__file__
    sys.modules["__main__"] = module
    exec(compile(source, name, "exec", dont_inherit=True), vars(module))


if __name__ == "__main__":
    main(sys.argv[1:])
