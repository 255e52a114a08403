"""SQLite's method: of each command, the first call of a kind fails, then the second, and so on to the last one.

Afterwards the process has ended by itself, with a documented exit code. It says why it failed, or it did its work all
the same. Each output file has its old bytes or all of its new ones, and there are no other files.

Of thousands of calls of a kind, the first and an even choice of the others fail. FAILING_CALLS=many in the environment
makes a hundred times as many fail: each call of the commands that start no engine.
"""
import concurrent.futures
import dataclasses
import errno
import functools
import os
import resource
import shutil
import tempfile

import commands
import failing
import pytest

FACTOR = 100 if os.environ.get("FAILING_CALLS") == "many" else 1
COMMANDS = commands.commands()


def choice(count, first, even):
    """The first ones, and some of the others at equal distances."""
    first, even = FACTOR * first, FACTOR * even
    if count <= first + even:
        return range(1, count + 1)
    return [*range(1, first + 1), *(first + 1 + i * (count - first - 1) // (even - 1) for i in range(even))]


class Runs:
    """Of one command, each in a folder that has an old file for each output, or nothing."""

    def __init__(self, program, given, command, folder):
        self.program, self.command, self.folder = program, command, folder
        self.words = [word.replace("{given}", str(given)) for word in command.words.split()]
        self.whole = self.run()[1]

    def run(self, call="", limit=None):
        folder = tempfile.mkdtemp(dir=self.folder)
        for name in self.command.outputs:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(b"old")
        before = failing.tree(folder)
        ran = self.program.run(self.words, folder, call, self.command.word, limit=limit)
        shutil.rmtree(folder)
        return before, ran

    def faults(self, kind, nth, error):
        before, ran = self.run(f"{kind}:{nth}:{failing.number(error)}")
        if ran.failed == 0 and ran.counts[kind] < nth:
            return []  # fewer calls than before: threads took the work in another order
        found = failing.faults(self.command, before, self.whole, ran, error)
        where = " ".join(f"{address:#x}" for address in ran.callers)
        text = (ran.out + ran.err)[-300:].decode(errors="replace")
        return [f"call {nth} of {kind} with {error}: {fault} [{where}]\n{text}" for fault in found]


@pytest.fixture(scope="session")
def runs(program, given, tmp_path_factory):
    @functools.cache
    def of(command):
        return Runs(program, given, command, tmp_path_factory.mktemp("runs"))
    return of


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name + f"-{i}" for i, command in enumerate(COMMANDS)])
def test_a_command_says_so_or_does_its_work(runs, command):
    of = runs(command)
    assert of.whole.code in failing.CODES and not of.whole.temporaries, of.whole
    tries = []
    for kind, count in of.whole.counts.items():
        errors = failing.ERRORS[kind]
        for nth in choice(count, *command.tries):
            # Of slow commands, one error for each call.
            in_turn = command.tries != commands.QUICK and FACTOR == 1
            tries += [(kind, nth, error) for error in ([errors[nth % len(errors)]] if in_turn else errors)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [fault for some in pool.map(lambda each: of.faults(*each), tries) for fault in some]
    assert not found, f"{len(found)} of {len(tries)}:\n" + "\n".join(found[:40])


@pytest.mark.parametrize("command", COMMANDS[:5], ids=lambda command: command.name)
def test_a_command_says_that_there_is_no_memory_any_more(runs, command):
    """Nor any for the sentence about it."""
    of = runs(command)
    calls = choice(of.whole.counts["memory"], 20, 10)
    found = [fault for nth in calls for fault in of.faults("memory", nth, "ENOMEM+")]
    assert not found, "\n".join(found[:10])


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name + f"-{i}" for i, command in enumerate(COMMANDS)])
def test_a_small_stack_changes_nothing(runs, command):
    of = runs(command)
    small = of.run(limit=lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 16, 1 << 16)))[1]
    # Python itself takes more.
    assert small.code == of.whole.code or small.code == failing.COULD_NOT_RUN and b"python3 cannot" in small.err, small


def test_a_half_written_file_and_a_silent_end_are_found(program, tmp_path):
    """Of a program that has these faults: a shell copies a file in place, and hides its errors."""
    faulty = failing.Program("/bin/sh", program.library)
    script = ["-c", "{ echo new; echo lines; } > out.txt; true"]

    def run(name, call=""):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "out.txt").write_bytes(b"old")
        return faulty.run(script, folder, call)

    whole, failed = run("whole"), run("failed", f"write:2:{errno.ENOSPC}")
    assert (whole.code, whole.counts["write"], failed.failed) == (0, 2, 1)
    assert failed.files == {"out.txt": b"new\n"}
    found = failing.faults(commands.Command(""), {"out.txt": b"old"}, whole, failed, "ENOSPC")
    assert found == ["neither old nor new: out.txt", "success, but not the same output, and no warning"]
    left = dataclasses.replace(whole, code=-6, files={**whole.files, ".out.tmp": b""}, temporaries=["x"])
    assert failing.faults(commands.Command(""), {"out.txt": b"old"}, whole, left, "EIO") == [
        "it ended with -6", "left behind: .out.tmp", "left in TMPDIR: ['x']", "exit code -6, neither 0 nor 3"]
