"""Runs the workers of a plan as tasks of Ray, in the user's Python.

Standard input is one JSON object: "worker" (the words of a worker without its range), "ranges"
(the range of each task, as a word), "cpus", "memory", "gpus", "gpu_type", "attempts", "address",
"folder" and "connect_seconds". On standard output, a line with the number of tasks that run at a
time, and one for each range that has ended: the range, or an error. Exit code 3: there is no
package ray. SIGALRM: the cluster does not answer in time.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
from itertools import islice

try:
    import ray
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

NEVER = 65  # no machine gives a result


def end_with_parent():
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


class Elsewhere(Exception):
    """The worker had no luck here."""


def work(worker, span):
    code = subprocess.run([*worker, "--index", span], preexec_fn=end_with_parent).returncode
    if code not in (0, NEVER):
        raise Elsewhere(f"the worker of {span} exited with {code}")
    return span


def slots(request):
    there = ray.cluster_resources()
    counts = [there.get("CPU", 0) // request["cpus"]] if request["cpus"] else []
    if request["gpus"]:
        counts.append(there.get("GPU", 0) // request["gpus"])
    return int(min(counts, default=0))


def main():
    request = json.load(sys.stdin)
    os.chdir(request["folder"])
    options = {}
    if request["memory"]:
        options["memory"] = request["memory"]
    if request["gpu_type"]:
        options["accelerator_type"] = request["gpu_type"]
    if request["address"] or os.environ.get("RAY_ADDRESS"):
        # Ray itself tries for a quarter of an hour, in native code, which a signal ends.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(request["connect_seconds"])
    ray.init(address=request["address"] or None, log_to_driver=False, logging_level="error")
    signal.alarm(0)
    task = ray.remote(
        num_cpus=request["cpus"],
        num_gpus=request["gpus"],
        max_retries=request["attempts"],
        retry_exceptions=[Elsewhere],
        **options,
    )(work)
    at_a_time = slots(request)
    print(at_a_time, flush=True)
    # Ray looks at all pending tasks on each call, so it gets a window of them.
    window = max(100, 3 * at_a_time)
    pending, waiting = [], iter(request["ranges"])
    while True:
        pending += [task.remote(request["worker"], span) for span in islice(waiting, window - len(pending))]
        if not pending:
            break
        ended, pending = ray.wait(pending, num_returns=len(pending), timeout=0.2)
        for reference in ended:
            try:
                print(ray.get(reference), flush=True)
            except Exception as error:  # the folder of the plan has the reason
                print(f"[!] {error}".splitlines()[0], flush=True)
    ray.shutdown()


main()
