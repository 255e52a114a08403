"""The library that makes calls fail, and the files of the commands."""
import os
import pathlib
import platform
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import commands  # noqa: E402
import failing  # noqa: E402

POLYGRAPHY = os.path.abspath(os.environ.get("POLYGRAPHY", HERE.parents[1] / "build" / "release" / "bin" / "polygraphy"))


@pytest.fixture(scope="session")
def given(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given")
    commands.give(folder, POLYGRAPHY)
    return folder


@pytest.fixture(scope="session")
def program(given, tmp_path_factory):
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("the library stands in front of glibc")
    library = tmp_path_factory.mktemp("library") / "failing_calls.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror",
                    "-fexceptions", "-ftls-model=initial-exec", HERE / "failing_calls.c", "-o", library, "-ldl",
                    "-lpthread"], check=True)
    return failing.Program(POLYGRAPHY, library, [given])
