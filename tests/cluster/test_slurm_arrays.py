"""Arrays for Slurm, submitted to programs in its place, which run elements one after the other."""

import itertools
import os
import re
import signal
import subprocess
import time

import pytest
from conftest import POLYGRAPHY, RUN

PROGRAMS = {
    "sbatch": """n=$(ls "$STUBS" | grep -c script); printf '%s\\n' "$@" > "$STUBS/args.$n"; cat > "$STUBS/script.$n"
for word; do case $word in --array=0-*) last=${word#--array=0-}; last=${last%%%*};; esac; done
i=0; while [ $i -le $last ]; do SLURM_ARRAY_TASK_ID=$i sh "$STUBS/script.$n"; i=$((i + 1)); done > /dev/null 2>&1
echo $n""",
    "scontrol": """[ $1 = show ] && echo "MaxArraySize            = 4" """,
    "sinfo": """echo "small 0/1/0/1 infinite"; echo "all* 3/5/56/64 $LIMIT" """,
    "squeue": "exit 0",
    "scancel": "exit 0",
}


@pytest.fixture
def slurm(folder, polygraphy):
    """Runs 40 samples on 8 processors, where an array has at most 3 elements."""
    stubs = folder / "stubs"
    stubs.mkdir()
    for name, body in PROGRAMS.items():
        (stubs / name).write_text("#!/bin/sh\n" + body + "\n")
        (stubs / name).chmod(0o755)

    def run(settings="", *options, limit="infinite"):
        return polygraphy(*RUN, "--iterations", 40, "--on", "slurm" + settings, *options, STUBS=stubs, LIMIT=limit,
                          PATH=f"{stubs}:{os.environ['PATH']}")
    return run


def submitted(folder, what):
    return [path.read_text() for path in sorted((folder / "stubs").glob(f"{what}.*"))]


def arrays(folder):
    return [line for args in submitted(folder, "args") for line in args.split() if line.startswith("--array")]


def elements(folder):
    return [path.read_text().split() for path in sorted((folder / "polygraphy_tasks" / "lists").iterdir())]


def test_work_is_for_all_processors_of_the_partition(slurm, folder):
    ran = slurm()
    assert ran.code == 0 and "Passed: 40/40" in ran.text, ran.text
    # The first two tasks, then one for each processor, in arrays of three.
    assert arrays(folder) == ["--array=0-1", "--array=0-2", "--array=0-2", "--array=0-1"]
    assert sorted(elements(folder), key=len) == [["0", "1"], [str(index) for index in range(2, 10)]]


def test_elements_have_the_tasks_that_are_missing(slurm, folder):
    assert slurm().code == 0
    results = sorted((folder / "polygraphy_tasks" / "results").glob("*/*.json"))
    for result in results[1:4]:
        result.unlink()
    assert slurm(":array=3").code == 0
    assert arrays(folder)[-1] == "--array=0-2"
    assert [len(lists) for lists in elements(folder)].count(3) == 1


def test_needs_are_those_of_the_last_command(slurm, folder):
    assert slurm().code == 0
    next((folder / "polygraphy_tasks" / "results").glob("*/*.json")).unlink()
    assert slurm("", "--task-memory", "2G", "--task-gpus", "h100:1").code == 0
    assert {"--mem=2097152K", "--gres=gpu:h100:1"} <= set(submitted(folder, "args")[-1].split())


def test_an_array_that_slurm_does_not_take_is_refused_before_there_is_a_plan(slurm, folder):
    ran = slurm(":array=1000000")
    assert ran.code == 1 and "array=1000000 is more than the 3 elements" in ran.text, ran.text
    assert "MaxArraySize is 4" in ran.text and not list((folder / "polygraphy_tasks").glob("*.jsonl"))


def test_set_up_lines_and_elements_at_a_time(slurm, folder):
    (folder / "setup.sh").write_text("#SBATCH --mail-type=END\nmodule load cuda || true\n")
    assert slurm(":setup=setup.sh,running=2").code == 0
    for script in submitted(folder, "script"):
        assert script.startswith("#!/bin/sh\n#SBATCH --mail-type=END\nmodule load cuda || true\n")
    assert arrays(folder) == ["--array=0-1%2", "--array=0-1%2"]


def test_a_worker_that_is_ended_leaves_the_reason(slurm, folder, polygraphy):
    assert slurm().code == 0
    for result in (folder / "polygraphy_tasks" / "results").glob("*/*.json"):
        result.unlink()
    (plan,) = (folder / "polygraphy_tasks").glob("*.jsonl")
    worker = subprocess.Popen([POLYGRAPHY, "task", "run", "--plan", plan, "--index", "2"], cwd=folder)
    while not list((folder / "polygraphy_tasks" / "running").glob("*.log")):
        time.sleep(0.001)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=60) == 143
    status = polygraphy("task", "status", plan)
    assert status.code == 1 and "to be tried again: The worker was ended by a signal" in status.out, status.text


def test_tasks_that_wait_are_not_said_to_run(slurm, folder):
    queue = folder / "stubs" / "queue"
    queue.mkdir()
    (folder / "stubs" / "squeue").write_text(
        '#!/bin/sh\nn=$(ls "$STUBS/queue" | wc -l); touch "$STUBS/queue/$n"\n'
        'case $n in 0|1) echo "PD Resources"; echo "PD Priority";; 2) echo "PD Priority"; echo "R None";; esac\n')
    ran = slurm("", "--progress", "json")
    assert ran.code == 0, ran.text
    assert "Tasks wait in Slurm's queue: Resources" in ran.text, ran.text
    phases = re.findall(r"waiting in Slurm's queue|running tasks", ran.text)
    first = [phase for phase, _ in itertools.groupby(phases)][:2]
    assert first == ["waiting in Slurm's queue", "running tasks"], ran.text
