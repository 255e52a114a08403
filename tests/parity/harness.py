"""Runs a command line with us and with the original and makes the two comparable.

The original runs in a fork of this process, which has it imported already, so that a case takes milliseconds and
starts from a fresh state. Times, dates, absolute paths and the name of the program are masked.
"""
import io
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OURS = os.path.abspath(os.environ.get("POLYGRAPHY", os.path.join(ROOT, "build", "release", "bin", "polygraphy")))

# The line before the last one of a run whose outputs differ ("next-step" of differences.py).
NEXT_STEP = re.compile(r"^\[I\] .*Which node\? .*\n", re.M)


@dataclass
class Result:
    code: int
    stdout: str
    stderr: str


def run_ours(args, cwd):
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX")}
    done = subprocess.run([OURS, *args], cwd=cwd, env=env, capture_output=True, timeout=120)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_original(args, cwd):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                os.chdir(cwd)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), write_through=True)
                sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb", closefd=False), write_through=True)
                sys.argv = ["polygraphy", *args]
                code = _original_main()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode())
        return Result(os.waitstatus_to_exitcode(status), *texts)


def _original_main():
    import traceback

    from polygraphy.tools import main

    try:
        return main() or 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1


_MASKS = [
    # Ours warns of integers that are only 0 and 1 (docs/differences/new.md).
    (re.compile(r"^\[W\] .* \| All values are 0 or 1, the default range of integers\. .*\n", re.M), ""),
    (re.compile(r"^.*'colored' module is not installed.*\n", re.M), ""),
    # Of runners of one name, ours counts the later ones; runs often fall into one second. Names are padded to 35 characters.
    (re.compile(r"^(\[.\] *\S+:\d\d) \(\d+\) \|", re.M), r"\1  |"),
    (re.compile(r"(-N\d+-\S+:\d\d) \(\d+\)"), r"\1"),
    (re.compile(r"(-N\d+)-\d\d/\d\d/\d\d-\d\d:\d\d:\d\d"), r"\1"),
    (re.compile(r"Runtime: [\d.]+s"), "Runtime: <t>"),
    (re.compile(r"in [\d.e+-]+ ms \| Average inference time: [\d.e+-]+ ms"), "in <t> ms | Average inference time: <t> ms"),
    (re.compile(r"(Inference Time: |Time: )[\d.]+ ms"), r"\1<t> ms"),
    (re.compile(r"Command: \S*polygraphy "), "Command: polygraphy "),
]


def mask(text):
    for pattern, replacement in _MASKS:
        text = pattern.sub(replacement, text)
    # Sets print in the order of their hashes, which change from run to run.
    return re.sub(r"\{('[^'{}:]*'(?:, '[^'{}:]*')*)\}", lambda m: "{" + ", ".join(sorted(m[1].split(", "))) + "}", text)


def both(args, cwd):
    """(ours, original) with masked texts."""
    results = []
    for run in (run_ours, run_original):
        r = run([str(a) for a in args], str(cwd))
        results.append(Result(r.code, mask(r.stdout), mask(r.stderr)))
    return tuple(results)
