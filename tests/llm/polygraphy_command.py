"""The command under test."""

import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
POLYGRAPHY = os.path.abspath(os.environ.get(
    "POLYGRAPHY", os.path.join(HERE, "..", "..", "build", "release", "bin", "polygraphy")))


class Done:
    def __init__(self, done):
        self.code, self.text = done.returncode, done.stdout + done.stderr


def polygraphy(*arguments, cwd=None, code=None):
    done = Done(subprocess.run([POLYGRAPHY, *map(str, arguments)], cwd=cwd, capture_output=True, text=True))
    if code is not None:
        assert done.code == code, done.text
    return done
