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

POLYGRAPHY = os.path.abspath(
    os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy")))
MOST_BYTES = 100 << 20
MOST_SECONDS = 1
SECONDS_TO_HANG = 20
# A message of an error, with the lines that belong to it. The pattern leaves out the line about the
# whole command, and findings of check lint with the original's and the verdict's lines on them.
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

    def __init__(self, launcher, folder, streams):
        self.launcher, self.folder = launcher, folder
        self.out, self.err = (os.path.join(streams, name) for name in ("out", "err"))

    def __call__(self, *args, most_bytes=MOST_BYTES, most_seconds=MOST_SECONDS, **variables):
        """Checks that it neither crashes, nor hangs, nor needs much, nor shows more than one error."""
        __tracebackhide__ = True
        request = {"command": [POLYGRAPHY, *map(str, args)], "folder": self.folder, "variables": variables,
                   "seconds": SECONDS_TO_HANG, "out": self.out, "err": self.err}
        self.launcher.stdin.write(json.dumps(request) + "\n")
        self.launcher.stdin.flush()
        measured = json.loads(self.launcher.stdout.readline())
        texts = []
        for path in (self.out, self.err):
            with open(path, errors="replace", newline="") as file:
                texts.append(file.read())
        ran = Ran(" ".join(request["command"]), measured, *texts)
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


@pytest.fixture(scope="session")
def launcher():
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    command = [sys.executable, "-I", "-S", os.path.join(HERE, "measure.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
                          text=True) as process:
        yield process
        process.stdin.close()


@pytest.fixture
def polygraphy(launcher, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    return Runner(launcher, str(folder), str(tmp_path))
