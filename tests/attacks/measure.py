"""Runs a program, and says how it ended, its largest memory and its CPU time.

As a program of its own (`measure.py RESULT SECONDS PROGRAM ARGUMENT...`): the kernel counts the
memory of the process that forked, too, and pytest's is larger than the measured program's.
"""
import json
import os
import resource
import signal
import sys


def main():
    result, seconds, *command = sys.argv[1:]
    child = os.fork()
    if child == 0:
        # An alarm survives exec: it ends a program that waits for ever.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(seconds))
        # A bomb must not take the machine with it. Address space is no measure of what is used.
        resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
        os.execv(command[0], command)
    _, status, used = os.wait4(child, 0)
    with open(result, "w") as file:
        json.dump({"code": os.waitstatus_to_exitcode(status), "bytes": used.ru_maxrss * 1024,
                   "seconds": used.ru_utime + used.ru_stime}, file)


if __name__ == "__main__":
    main()
