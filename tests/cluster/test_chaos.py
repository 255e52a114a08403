"""Processes that are killed at random, and a result that is right in the end."""

import os
import random
import signal
import subprocess
import time

from conftest import POLYGRAPHY, RUN

KILLS = 25
SAMPLES = 400


def processes(folder):
    """Of the tasks of this folder: their process groups' leaders."""
    found = subprocess.run(["pgrep", "-f", f"task-process.*{folder}"], capture_output=True, text=True).stdout
    return [int(pid) for pid in found.split()]


def command(tasks):
    return [POLYGRAPHY, *RUN, "--iterations", str(SAMPLES), "--on", "local:8", "--tasks", str(tasks),
            "--save-accuracy-results", "merged.json"]


def test_kills_of_workers_and_of_the_driver_change_nothing(folder):
    calm = subprocess.run(command(folder / "calm"), cwd=folder, capture_output=True, text=True, timeout=300)
    assert calm.returncode == 0, calm.stderr
    expected = (folder / "merged.json").read_bytes()
    (folder / "merged.json").unlink()
    chance = random.Random(7)
    tasks = folder / "chaos"
    driver, kills = None, 0
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline:
        if driver is None:
            driver = subprocess.Popen(command(tasks), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if kills < KILLS:
            time.sleep(chance.uniform(0.02, 0.2))
            victims = processes(tasks)
            if chance.random() < 0.2:
                driver.kill()
                kills += 1
            elif victims:
                try:
                    os.kill(chance.choice(victims), signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    pass
        code = driver.poll()
        if code is None:
            time.sleep(0.02)
        elif code == 0:
            break
        else:
            driver = None
    assert (folder / "merged.json").read_bytes() == expected
    assert kills >= 3


def test_a_node_that_fails_gives_its_tasks_back(folder, slurm):
    environment = {**os.environ, **slurm.variables}
    arguments = command(folder / "tasks")
    arguments[arguments.index("local:8")] = "slurm:array=3"
    driver = subprocess.Popen(arguments, cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    for _ in range(600):
        if processes(folder / "tasks"):
            break
        time.sleep(0.05)
    slurm.kill_node()
    for pid in processes(folder / "tasks"):
        os.kill(pid, signal.SIGKILL)
    time.sleep(1)
    slurm.start_node()
    text, _ = driver.communicate(timeout=280)
    assert driver.returncode == 0, text
    assert f"{SAMPLES}/{SAMPLES} iterations" in text
