"""A Python for the scripts of the user's: a program that finds its packages by itself, as in an environment."""
import os
import sys

PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__import__("numpy").__file__)))


def make(folder, *packages):
    """The program's path; `packages` are folders to import from."""
    program = os.path.join(str(folder), "python")
    path = os.pathsep.join(str(p) for p in packages)
    with open(program, "w") as file:
        file.write(f'#!/bin/sh\nPYTHONPATH="{path}" PYTHONDONTWRITEBYTECODE=1 exec "{sys.executable}" "$@"\n')
    os.chmod(program, 0o755)
    return program


def only_numpy(folder):
    """A folder with NumPy and nothing else."""
    os.mkdir(folder)
    for name in ("numpy", "numpy.libs"):
        os.symlink(os.path.join(PACKAGES, name), os.path.join(folder, name))
    return folder
