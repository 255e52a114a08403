"""Machines on which tasks cannot run: a sentence each, and nothing is merged."""

import os
import subprocess

import pytest


@pytest.fixture
def small_disk(folder):
    """A folder of 64 KiB: that of results."""
    path = folder / "small"
    path.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", path], capture_output=True).returncode != 0:
        pytest.skip("this user cannot mount a file system")
    yield path
    subprocess.run(["umount", path], check=True)


def fill(path, free=0):
    """Leaves `free` bytes."""
    size = 0
    with open(path / "filler", "wb", buffering=0) as file:
        try:
            while True:
                size += file.write(b"x" * 4096)
        except OSError:
            pass
        file.truncate(size - free)


def begun(samples, folder):
    """A plan whose tasks lost their results, and the merged file."""
    assert samples("local:1", 4).code == 0
    (folder / "merged.json").unlink()
    for result in (folder / "local_1" / "results").glob("*/*.json"):
        result.unlink()
    (plan,) = (folder / "local_1").glob("*.jsonl")
    return plan


def test_a_full_disk_gives_tasks_back(samples, polygraphy, folder, small_disk):
    plan = begun(samples, folder)
    copy = small_disk / plan.name
    copy.write_bytes(plan.read_bytes())
    fill(small_disk)
    ran = polygraphy("task", "run", "--plan", copy, "--index", "0")
    assert ran.code == 75 and "No space left on device" in ran.text, (ran.code, ran.text)
    assert not list(small_disk.glob("results/*/*"))
    (small_disk / "filler").unlink()
    assert polygraphy("task", "run", "--plan", copy, "--index", "0").code == 0


@pytest.mark.parametrize("free", [4, 8, 12, 16])
def test_a_disk_that_fills_up_merges_nothing(polygraphy, folder, small_disk, free):
    fill(small_disk, free << 10)
    command = ["run", "magika.onnx", "--onnxrt", "--val-range", "bytes:[0,255]", "--iterations", 40,
               "--on", "local:2", "--tasks", small_disk, "--save-accuracy-results", folder / "merged.json"]
    ran = polygraphy(*command)
    assert ran.code == 1 and "No space left on device" in ran.text, (ran.code, ran.text)
    assert not (folder / "merged.json").exists()
    (small_disk / "filler").unlink()
    ran = polygraphy(*command)
    assert ran.code == 0 and (folder / "merged.json").exists(), ran.text


def test_a_folder_that_is_not_shared_gives_tasks_back(samples, polygraphy, folder):
    """A worker sees the plan, but not the folder in which the command ran."""
    plan = begun(samples, folder)
    plan.write_text(plan.read_text().replace(f'"folder":"{folder}"', f'"folder":"{folder}/elsewhere"'))
    ran = polygraphy("task", "run", "--plan", plan, "--index", "0..1")
    assert ran.code == 75 and f"The folder {folder}/elsewhere of the plan is not on {os.uname().nodename}" in ran.text
    assert polygraphy("task", "merge", "--plan", plan).code == 3 and not (folder / "merged.json").exists()


def test_a_node_without_the_plan_says_so(polygraphy, folder):
    ran = polygraphy("task", "run", "--plan", folder / "gone" / "plan.jsonl", "--index", "0")
    assert ran.code == 75 and "plan.jsonl" in ran.text and "No such file" in ran.text, (ran.code, ran.text)


def test_a_node_without_the_model_gives_tasks_back(samples, polygraphy, folder):
    plan = begun(samples, folder)
    os.rename(folder / "magika.onnx", folder / "gone.onnx")
    ran = polygraphy("task", "run", "--plan", plan, "--index", "0..1")
    assert ran.code == 75 and "magika.onnx cannot be read on" in ran.text
    ran = polygraphy("task", "merge", "--plan", plan)
    assert ran.code == 3 and not (folder / "merged.json").exists()


def test_changed_bytes_of_the_model_on_a_node_give_tasks_back(samples, polygraphy, folder):
    plan = begun(samples, folder)
    model = (folder / "magika.onnx").read_bytes()
    (folder / "magika.onnx").write_bytes(model[:-1] + bytes([model[-1] ^ 1]))
    ran = polygraphy("task", "run", "--plan", plan, "--index", "0")
    assert ran.code == 75 and "magika.onnx has other contents" in ran.text
