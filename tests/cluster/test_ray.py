"""`run --on ray`: three raylets, of which one is killed."""

import os
import subprocess
import sys

from conftest import HERE, POLYGRAPHY, RUN


def test_a_raylet_that_is_killed_changes_nothing(samples, folder, ray_python):
    assert samples("local:2", 300).code == 0
    expected = (folder / "merged.json").read_bytes()
    (folder / "merged.json").unlink()
    with subprocess.Popen([ray_python, os.path.join(HERE, "ray_cluster.py")], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as cluster:
        address = cluster.stdout.readline().strip()
        command = [POLYGRAPHY, *RUN, "--iterations", "300", "--on", f"ray:{address}", "--tasks", "ray",
                   "--save-accuracy-results", "merged.json"]
        running = subprocess.Popen(command, cwd=folder, env={**os.environ, "POLYGRAPHY_PYTHON": ray_python},
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        started = folder / "ray" / "running"
        while running.poll() is None and not (started.is_dir() and any(started.iterdir())):
            pass
        cluster.stdin.write("kill\n")
        cluster.stdin.flush()
        assert cluster.stdout.readline() == "killed\n"
        text, _ = running.communicate(timeout=240)
        cluster.stdin.close()
        assert running.returncode == 0, text
    assert (folder / "merged.json").read_bytes() == expected


FAKE_RAY = """
import signal, time
def init(**_):
    # As one that does not answer. The limit is shortened, so that the test is.
    left = signal.alarm(1)
    assert 30 < left <= 60, left
    time.sleep(300)
"""


def test_a_cluster_that_does_not_answer_is_given_up(samples, folder):
    (folder / "ray.py").write_text(FAKE_RAY)
    (folder / "python").write_text(f'#!/bin/sh\nexport PYTHONPATH="{folder}"\nexec "{sys.executable}" "$@"\n')
    (folder / "python").chmod(0o755)
    ran = samples("ray:127.0.0.1:1", 20, POLYGRAPHY_PYTHON=folder / "python")
    assert ran.code == 1, ran.text
    assert "Ray did not take the tasks at 127.0.0.1:1: no connection within 60 s" in ran.text, ran.text
