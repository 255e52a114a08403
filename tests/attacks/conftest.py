"""Hostile files: each is refused in one sentence or shown harmlessly, quickly and in little memory."""
import json
import os
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(ROOT, "tests", "python"))

POLYGRAPHY = os.path.abspath(
    os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy")))
MOST_BYTES = 100 << 20
MOST_SECONDS = 1
SECONDS_TO_HANG = 20
# A message of an error, with the lines that belong to it. The line about the whole command is none, nor
# are findings of check lint, which has further lines of the original and of the verdict on them.
ERROR = re.compile(r"^\[(?:E|!)\] (?!FAILED \||LINT \||Invalid ONNX model given|Could not be checked|"
                   r"\d+ (?:of \d+ )?nodes? fail).*(?:\n {4}.*)*", re.M)


def check(condition, problem, ran):
    __tracebackhide__ = True
    if not condition:
        raise AssertionError("%s: %s" % (problem, ran))


# Reads it, judges it without an engine, changes it, compares it.
INSPECT = ["inspect", "model", "FILE", "--show", "layers", "attrs", "weights"]
LINT = ["check", "lint", "FILE", "--skip-rule", "loads", "runs"]
SANITIZE = ["surgeon", "sanitize", "FILE", "--fold-constants", "--cleanup", "--toposort", "-o", "out.onnx"]
WITHOUT_ENGINE = [INSPECT, LINT, SANITIZE, ["surgeon", "diff", "FILE", "FILE"],
                  ["surgeon", "prune", "FILE", "-o", "pruned.onnx"],
                  ["surgeon", "weight-strip", "FILE", "-o", "stripped.onnx"], ["inspect", "sparsity", "FILE"],
                  ["surgeon", "sanitize", "FILE", "--fp-to-fp16", "-o", "half.onnx"],
                  ["inspect", "model", "FILE", "--visual", "--save-visual", "graph.html"]]


def of_file(commands, file):
    return [[file if word == "FILE" else word for word in command] for command in commands]


def both(file, sentence):
    """A pattern of texts with both, in any order."""
    return "(?=.*%s)(?=.*(?:%s))" % (re.escape(file), sentence)


class Ran:
    def __init__(self, command, measured, out, err):
        self.command, self.out, self.err = command, out, err
        self.code, self.bytes, self.seconds = measured["code"], measured["bytes"], measured["seconds"]
        self.text = out + err
        self.errors = ERROR.findall(self.text)

    def __str__(self):
        return "%s\nexit %d, %.2f s, %.1f MB\n%s" % (
            self.command, self.code, self.seconds, self.bytes / 1e6, self.text[:4000])


class Runner:
    """Runs the command in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *args, most_bytes=MOST_BYTES, most_seconds=MOST_SECONDS, **variables):
        """Checks that it neither crashes, nor hangs, nor needs much, nor shows more than one error."""
        __tracebackhide__ = True
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        environment.update(variables)
        result = os.path.join(self.folder, ".measured")
        command = [POLYGRAPHY, *map(str, args)]
        done = subprocess.run(
            [sys.executable, "-I", "-S", os.path.join(HERE, "measure.py"), result, str(SECONDS_TO_HANG), *command],
            cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        with open(result) as file:
            measured = json.load(file)
        os.remove(result)
        ran = Ran(" ".join(command), measured, *(text.decode(errors="replace") for text in (done.stdout, done.stderr)))
        check(ran.code in (0, 1, 2, 3), "crashed, or hung", ran)
        check(ran.bytes <= most_bytes, "too much memory", ran)
        check(ran.seconds <= most_seconds, "too slow", ran)
        check(len(ran.errors) <= 1, "several errors", ran)
        return ran

    def refused(self, pattern, *args, **limits):
        """With one error, which matches the pattern."""
        __tracebackhide__ = True
        ran = self(*args, **limits)
        said = ran.errors or re.findall(r"^\[E\] LINT \| .*", ran.text, re.M)
        check(ran.code != 0 and said, "not refused", ran)
        check(re.search(pattern, said[0], re.S), "not %r" % pattern, ran)
        return ran

    def shown(self, pattern, *args, **limits):
        __tracebackhide__ = True
        ran = self(*args, **limits)
        check(ran.code == 0 and not ran.errors, "not shown", ran)
        check(re.search(pattern, ran.text, re.S), "not %r" % pattern, ran)
        return ran

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return path


@pytest.fixture
def polygraphy(tmp_path):
    return Runner(str(tmp_path))
