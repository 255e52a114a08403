"""Measures a command as a whole process tree: CPU seconds, wall seconds and peak anonymous memory."""
import os
import resource
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
MIB = 2**20


@dataclass
class Sample:
    cpu: float       # seconds, user + system, children included
    wall: float      # seconds
    anonymous: int   # peak bytes of RssAnon and RssShmem over the process tree, sampled; 0 if not requested
    code: int


def _memory(pid):
    """Anonymous bytes of a process, and the sizes of its address space."""
    anonymous, sizes = 0, []
    with open(f"/proc/{pid}/status") as f:
        for line in f:
            # Shared memory counts once for each process that has it: rather too much than too little.
            if line.startswith(("RssAnon:", "RssShmem:")):
                anonymous += int(line.split()[1]) * 1024
            if line.startswith(("VmPeak:", "VmSize:", "VmData:", "VmStk:", "VmExe:", "VmLib:")):
                sizes.append(line)
    return anonymous, sizes


def _tree_anonymous(pid):
    total, todo = 0, [(pid, None)]
    while todo:
        p, parent = todo.pop()
        try:
            anonymous, sizes = _memory(p)
            # A child before its exec() (vfork) shares the memory of its parent, which must not count twice.
            if not parent or sizes != _memory(parent)[1]:
                total += anonymous
            for task in os.listdir(f"/proc/{p}/task"):
                with open(f"/proc/{p}/task/{task}/children") as f:
                    todo += [(int(c), p) for c in f.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total


def once(args, cwd=None, env=None, memory=False):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen(args, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = [0]
    if memory:
        def watch():
            while process.poll() is None:
                peak[0] = max(peak[0], _tree_anonymous(process.pid))
                time.sleep(0.0005)
        thread = threading.Thread(target=watch)
        thread.start()
        thread.join()
    code = process.wait()
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Sample(cpu, wall, peak[0], code)


def median(args, runs, **kwargs):
    """Median CPU and wall, largest memory, of `runs` runs after one warm-up."""
    if runs > 1:
        once(args, **kwargs)
    samples = [once(args, **kwargs) for _ in range(runs)]
    return Sample(statistics.median(s.cpu for s in samples), statistics.median(s.wall for s in samples),
                  max(s.anonymous for s in samples), max(s.code for s in samples))


def in_turns(commands, **kwargs):
    """Medians as median() gives them, of several commands, a list of (command, runs), that take turns: the cost of a virtual machine's
    memory changes within minutes, by as much as a factor of two, and must not count for only one of them."""
    rounds = max(runs for _, runs in commands)
    samples = [[] for _ in commands]
    for turn in range(rounds):
        for (command, runs), of_command in zip(commands, samples):
            # The runs of a command with fewer than `rounds` are spread over the rounds.
            wanted = ((turn + 1) * runs + rounds // 2) // rounds
            if wanted > len(of_command):
                if not of_command and runs > 1:
                    once(command, **kwargs)  # warms up
                of_command.append(once(command, **kwargs))
    return [Sample(statistics.median(s.cpu for s in each), statistics.median(s.wall for s in each), 0, max(s.code for s in each)) for each in samples]


def on_top(tools, arguments, more, rounds, **kwargs):
    """The CPU time of `arguments` with `more` on top of `arguments` alone, for each tool of `tools`, a list of (command, pairs of runs in a round).

    The median over pairs of runs, one right behind the other. The tools take turns, as in in_turns()."""
    pairs = [[] for _ in tools]
    for turn in range(rounds + 1):
        for of_tool, (tool, count) in zip(pairs, tools):
            taken = [(once([*tool, *arguments], **kwargs), once([*tool, *arguments, *more], **kwargs)) for _ in range(count if turn else 1)]
            of_tool += taken if turn else []  # the first warms up
    return [Sample(max(statistics.median(b.cpu - a.cpu for a, b in of_tool), 1e-4), statistics.median(b.wall - a.wall for a, b in of_tool),
                   0, max(b.code for _, b in of_tool)) for of_tool in pairs]


def once_without_children(args, cwd=None, env=None):
    """CPU seconds (to 10 ms), wall seconds and peak anonymous memory of the process itself, without its children."""
    start = time.perf_counter()
    process = subprocess.Popen(args, cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cpu, peak = 0.0, 0
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/stat") as f:
                fields = f.read().rsplit(")", 1)[1].split()
            cpu = max(cpu, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
            with open(f"/proc/{process.pid}/status") as f:
                peak = max(peak, sum(int(line.split()[1]) * 1024 for line in f if line.startswith(("RssAnon:", "RssShmem:"))))
        except (FileNotFoundError, ProcessLookupError):
            pass
        time.sleep(0.001)
    return Sample(cpu, time.perf_counter() - start, peak, process.wait())
