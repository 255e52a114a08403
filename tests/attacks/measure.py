"""Runs programs, and says how each ended, its largest memory and its processor time.

A separate process: the kernel counts the memory of the process that forked, too, and pytest's is
larger than the measured program's. Each line of standard input is a request, each line of standard
output its result, both in JSON.
"""
import json
import os
import resource
import signal
import sys


def start(command, folder, variables, seconds, out, err):
    """Becomes the program."""
    os.chdir(folder)
    for descriptor, path in ((0, "/dev/null"), (1, out), (2, err)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    # An alarm survives exec: it ends a program that waits for ever.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)
    # A bomb must not take the machine with it. Address space counts unused memory, too.
    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
    os.execve(command[0], command, {**os.environ, **variables})


def main():
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            start(**request)
        _, status, used = os.wait4(child, 0)
        result = {"code": os.waitstatus_to_exitcode(status), "bytes": used.ru_maxrss * 1024,
                  "seconds": used.ru_utime + used.ru_stime}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
