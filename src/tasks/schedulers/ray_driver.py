"""Runs the workers of a plan as tasks of Ray, in the user's Python.

Standard input is one JSON object: "worker" (the words of a worker without its range), "ranges"
(the range of each task, as a word), "cpus", "memory", "gpus", "gpu_type", "attempts", "address"
and "folder". A line on standard output for each range that has ended: the range, or with an error.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys

import ray

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


def main():
    request = json.load(sys.stdin)
    os.chdir(request["folder"])
    options = {}
    if request["memory"]:
        options["memory"] = request["memory"]
    if request["gpu_type"]:
        options["accelerator_type"] = request["gpu_type"]
    ray.init(address=request["address"] or None, log_to_driver=False, logging_level="error")
    task = ray.remote(
        num_cpus=request["cpus"],
        num_gpus=request["gpus"],
        max_retries=request["attempts"],
        retry_exceptions=[Elsewhere],
        **options,
    )(work)
    pending = [task.remote(request["worker"], span) for span in request["ranges"]]
    while pending:
        ended, pending = ray.wait(pending)
        for reference in ended:
            try:
                print(ray.get(reference), flush=True)
            except Exception as error:  # the folder of the plan has the reason
                print(f"[!] {error}".splitlines()[0], flush=True)
    ray.shutdown()


main()
