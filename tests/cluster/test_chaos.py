"""Processes that are killed at random, and a result that is right in the end. One raylet of three: test_ray.py."""

import os
import random
import re
import signal
import subprocess
import time

import pytest
from conftest import POLYGRAPHY, RUN

# $KILLS: how many in all, for longer runs. $CHAOS_SEED: other kills.
KILLS = int(os.environ.get("KILLS", "100"))
SEED = int(os.environ.get("CHAOS_SEED", "7"))
SAMPLES = 400


def processes(folder):
    """Of the tasks of this folder: their process groups' leaders."""
    found = subprocess.run(["pgrep", "-f", f"task-process.*{folder}"], capture_output=True, text=True).stdout
    return [int(pid) for pid in found.split()]


def command(tasks, on="local:8"):
    return [POLYGRAPHY, *RUN, "--iterations", str(SAMPLES), "--on", on, "--tasks", str(tasks),
            "--save-accuracy-results", "merged.json"]


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
        return 1
    except ProcessLookupError:
        return 0


class Work:
    """The results of tasks: one that is there is not computed again."""

    def __init__(self, folder):
        self.folder = folder / "results"
        self.seen = {}

    def look(self):
        for path in self.folder.glob("*/*.json"):
            made = path.stat().st_mtime_ns
            assert self.seen.setdefault(path.name, made) == made, f"{path.name}: again"


@pytest.fixture
def expected(folder):
    calm = subprocess.run(command(folder / "calm"), cwd=folder, capture_output=True, text=True, timeout=300)
    assert calm.returncode == 0, calm.stderr
    return (folder / "merged.json").read_bytes()


def chaos(folder, tasks, on, environment, strike, most, chance):
    """Runs the command until it succeeds, with strikes in between: how many there were."""
    driver, kills, work = None, 0, Work(tasks)
    (folder / "merged.json").unlink(missing_ok=True)
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if driver is None:
            driver = subprocess.Popen(command(tasks, on), cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.02, 0.2))
        work.look()
        if kills < most:
            kills += strike(driver)
        code = driver.poll()
        if code == 0:
            return kills
        if code is not None:
            driver = None
    driver.kill()
    pytest.fail(f"the work is not done after {kills} kills")


def test_kills_of_workers_and_of_the_driver_change_nothing(folder, expected):
    """The driver merges, too, and is killed then as well."""
    chance = random.Random(SEED)
    kills = rounds = 0
    while kills < KILLS:
        tasks = folder / f"chaos{rounds}"

        def strike(driver):
            if chance.random() < 0.2:
                return kill(driver.pid)
            victims = processes(tasks)
            return kill(chance.choice(victims)) if victims else 0
        kills += chaos(folder, tasks, "local:8", dict(os.environ), strike, KILLS - kills, chance)
        assert (folder / "merged.json").read_bytes() == expected
        rounds += 1
        assert rounds < 30, f"{kills} kills only"


@pytest.mark.parametrize("option", ["--noise-floor", "--isolate"])
def test_a_killed_engine_is_tried_again(polygraphy, folder, option):
    """As the system kills it for lack of memory."""
    driver = subprocess.Popen([POLYGRAPHY, *RUN, "--iterations", "4", option, "--on", "local:1", "--tasks",
                               str(folder / "tasks")], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kills = 0
    while driver.poll() is None:
        for task in processes(folder) if kills == 0 else ():
            engines = subprocess.run(["pgrep", "-P", str(task), "-f", "runner-process"], capture_output=True, text=True)
            kills += sum(kill(int(pid)) for pid in engines.stdout.split())
        time.sleep(0.02)
    assert kills > 0 and driver.returncode == 0
    assert re.search(r"Task \d was tried once in vain\n.*killed by SIGKILL", polygraphy("task", "status", "tasks").text)


def test_an_ended_worker_keeps_its_finished_samples(polygraphy, folder, expected):
    """As a queue ends it, at its time limit: with `timeout`, which sends the signal twice."""
    settings = "k8s:render=job.yaml,image=image,claim=claim,parallelism=1"
    assert polygraphy(*command("ended", settings)[1:]).code == 4
    (plan,) = (folder / "ended").glob("*.jsonl")
    worker = [POLYGRAPHY, "task", "run", "--plan", plan, "--index", "2"]
    for _ in range(3):
        assert subprocess.run(["timeout", "-s", "TERM", "2", *worker], cwd=folder).returncode in (0, 124)
    assert not processes(folder / "ended")
    assert subprocess.run(worker, cwd=folder).returncode == 0
    status = polygraphy("task", "status", plan)
    assert re.search(r"Task 2 was tried (once|\d times) in vain", status.text), status.text
    assert re.search(r"\d+ of its \d+ samples are kept", status.text), status.text
    assert not os.listdir(folder / "ended" / "parts")
    assert polygraphy(*command("ended")[1:]).code == 0
    assert (folder / "merged.json").read_bytes() == expected


def test_a_node_that_fails_gives_its_tasks_back(folder, slurm, expected):
    """slurmd dies, with the tasks that it runs, and comes back a moment later."""
    chance = random.Random(SEED)

    def strike(driver):
        victims = processes(folder / "slurm")
        if not victims:
            return 0
        slurm.kill_node()
        for pid in victims:
            kill(pid)
        time.sleep(1)
        slurm.start_node()
        return 1
    kills = chaos(folder, folder / "slurm", "slurm:array=3", {**os.environ, **slurm.variables}, strike,
                  max(KILLS // 30, 1), chance)
    assert kills > 0
    assert (folder / "merged.json").read_bytes() == expected
