"""Runs a polygraphy process in which one call of the system fails, and says what is wrong with what it left behind."""
import dataclasses
import errno
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess

KINDS = ["memory", "read", "write", "open", "map", "sync", "rename", "link", "folder", "truncate", "copy", "list",
         "process", "thread"]

# The errors of a call of each kind. 0: half of the bytes are transferred, which every caller must expect.
# With a plus, all calls from the one on fail: a disk stays full.
ERRORS = {
    "memory": ["ENOMEM"], "read": ["EIO", "EINTR", "0"], "write": ["ENOSPC", "ENOSPC+", "EIO", "EINTR", "0"],
    "open": ["EMFILE", "EACCES", "EIO"], "map": ["ENOMEM"], "sync": ["EIO"], "rename": ["EACCES", "ENOSPC"],
    "link": ["EIO", "ENOSPC"], "folder": ["ENOSPC"], "truncate": ["EIO"], "copy": ["EIO", "ENOSPC", "0"],
    "list": ["EIO"], "process": ["EAGAIN"], "thread": ["EAGAIN"],
}
HARMLESS = {"0", "EINTR"}

# docs/exit-codes.md
CODES = {0, 1, 2, 3, 4}
COULD_NOT_RUN = 3

# Times, and names with a time in them.
VARYING = [(re.compile(pattern), b"#") for pattern in (
    rb"\d+(\.\d+)?(e-?\d+)? ?(ms|us|s|seconds|min|h)\b", rb"\d\d[-/:]\d\d[-/:]\d\d(T| |-)?(\d\d[-:]\d\d([-:]\d\d)?)?",
    rb'"(runtime|seconds|begin|end)": ?[\d.e-]+', rb"\d+(\.\d+)? ?(kB|MB|GB|KiB|MiB|GiB)\b",
    rb"/\.polygraphy-[a-z]+[-.][0-9a-z]+",
    rb'"(seconds|bytes|peak_bytes|load|run|\w+_seconds|\w+_bytes)": ?[\d.e-]+', rb"[ -]{2,}")]

_REPORT = struct.Struct(f"{len(KINDS)}QQq16Q")


def normal(text):
    for pattern, same in VARYING:
        text = pattern.sub(same, text)
    return text


@dataclasses.dataclass
class Ran:
    code: int
    out: bytes
    err: bytes
    files: dict      # path in the folder -> bytes; None: a folder
    temporaries: list
    counts: dict
    failed: int      # calls that failed
    fd: int
    callers: list    # addresses in the executable

    def state(self):
        files = {name: normal(data) for name, data in self.files.items() if data is not None}
        return self.code, normal(self.out), files


def same(data, other):
    return data == other or other is not None and normal(data) == normal(other)


def complete(name, data):
    """Whether a report of a failure, or of the work so far, is a whole file."""
    if name.endswith(".json"):
        try:
            json.loads(data)
        except ValueError:
            return False
        return True
    return name.endswith(".html") and data.rstrip().endswith(b"</html>")


def tree(folder):
    files = {}
    for path, folders, names in os.walk(folder):
        below = pathlib.Path(path).relative_to(folder)
        files.update({str(below / name): None for name in folders})
        files.update({str(below / name): (pathlib.Path(path) / name).read_bytes() for name in names})
    return files


class Program:
    """The executable under failing_calls.c."""

    def __init__(self, executable, library, given=()):
        self.executable, self.library, self.given = executable, library, given

    def run(self, words, folder, call="", word="", record="", timeout=15, limit=None):
        """In `folder`, with its TMPDIR beside it. `call`: "kind:n:errno". `limit`: called in the new process."""
        folder = pathlib.Path(folder)
        temporaries = folder.with_name(folder.name + ".tmp")
        report = folder.with_name(folder.name + ".report")
        temporaries.mkdir(exist_ok=True)
        report.write_bytes(bytes(_REPORT.size))
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS")}
        environment.update(LD_PRELOAD=str(self.library), FAILING_REPORT=str(report), TMPDIR=str(temporaries),
                           POLYGRAPHY_EXIT_CODES="distinct", COLUMNS="100")
        for name, value in (("FAILING_CALL", call), ("FAILING_WORD", word), ("RECORDED_WRITES", record)):
            if value:
                environment[name] = str(value)
        done = subprocess.run([self.executable, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=timeout, preexec_fn=limit)
        values = _REPORT.unpack(report.read_bytes())
        kinds = len(KINDS)
        out, err = done.stdout, done.stderr
        for path in (temporaries, folder, *self.given):
            out, err = out.replace(bytes(path), b"FOLDER"), err.replace(bytes(path), b"FOLDER")
        ran = Ran(done.returncode, out, err, tree(folder), sorted(tree(temporaries)),
                  dict(zip(KINDS, values)), values[kinds], values[kinds + 1],
                  [address for address in values[kinds + 2:] if address])
        shutil.rmtree(temporaries)
        report.unlink()
        return ran


def warnings(text):
    return len(re.findall(rb"\[[W!E]\] +\S", text))


def number(error):
    """"5" of "EIO", "28+" of "ENOSPC+"."""
    return error if error == "0" else f"{getattr(errno, error.rstrip('+'))}{'+' * error.endswith('+')}"


def faults(command, before, whole, ran, error):
    """Of a run in which a call failed with that error, a list of texts. `before`: the files in the folder before;
    `whole`: the run without a failure."""
    found = []
    # The library onnx prints this, and goes on without that schema.
    text = (ran.out + ran.err).replace(b"Schema error: std::bad_alloc", b"")
    reason = os.strerror(int(number(error).rstrip("+"))).encode()
    warns = reason in text or warnings(text) > warnings(whole.out + whole.err)
    if ran.code not in CODES:
        found.append(f"it ended with {ran.code}")
    for name, data in ran.files.items():
        if name not in before and name not in whole.files:
            found.append(f"left behind: {name}")
        elif (data is not None and not any(same(data, side.get(name)) for side in (before, whole.files))
              and not ((warns or ran.code != whole.code) and complete(name, data))):
            found.append(f"neither old nor new: {name}")
    found += [f"is missing: {name}" for name in before if name in whole.files and name not in ran.files]
    if ran.temporaries:
        found.append(f"left in TMPDIR: {ran.temporaries}")
    for words in (b"internal error", b"std::", b"terminate called", b"basic_"):
        if words in text and words not in whole.out + whole.err:
            found.append(f"it prints {words.decode()!r}")
    if ran.state() == whole.state():
        return found
    if error in HARMLESS:
        found.append("it is not the same as without")
    # Standard error that cannot be written has no message.
    elif ran.code == COULD_NOT_RUN and ran.fd != 2 and not warnings(text):
        found.append("it failed without a sentence")
    elif ran.code not in (whole.code, COULD_NOT_RUN, *([1] if command.finding and warns else [])):
        found.append(f"exit code {ran.code}, neither {whole.code} nor {COULD_NOT_RUN}")
    elif ran.code == whole.code and not warns and ran.fd != 2 and not command.guesses:
        found.append("success, but not the same output, and no warning")
    return found
