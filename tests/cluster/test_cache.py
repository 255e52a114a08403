"""Copies of the files of tasks on a disk of the machine that runs them."""

import os
import subprocess
import time

import numpy
import onnx
import pytest
from conftest import POLYGRAPHY
from onnx import TensorProto, helper, numpy_helper
from test_bad_machines import fill, small_disk  # noqa: F401

ELEMENTS = 16 << 20
TYPE = helper.make_tensor_value_info
RUN = ["run", "m.onnx", "--onnxrt", "--iterations", "2", "--save-accuracy-results", "merged.json"]


@pytest.fixture
def model(folder):
    """With 64 MiB beside it; a plan of it, and no results."""
    weights = numpy_helper.from_array(numpy.ones(ELEMENTS, numpy.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("ReduceSum", ["w"], ["s"], keepdims=0), helper.make_node("Add", ["x", "s"], ["y"])], "g",
        [TYPE("x", TensorProto.FLOAT, [1])], [TYPE("y", TensorProto.FLOAT, [1])], [weights])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / "data").mkdir()
    onnx.save_model(made, str(folder / "m.onnx"), save_as_external_data=True, location="data/w.bin", size_threshold=0)
    return folder / "m.onnx"


@pytest.fixture
def plan(model, polygraphy, folder):
    assert polygraphy(*RUN, "--on", "local:1").code == 0
    for result in (folder / "polygraphy_tasks" / "results").glob("*/*.json"):
        result.unlink()
    return next((folder / "polygraphy_tasks").glob("*.jsonl"))


def copies(cache):
    return {str(path.relative_to(cache)).split("/", 1)[1]: path.stat().st_ino
            for path in cache.rglob("*") if path.is_file() and path.suffix != ".lock"}


def worker(plan, cache, index="0"):
    return [POLYGRAPHY, "task", "run", "--plan", str(plan), "--index", index, "--cache", str(cache)]


def test_workers_copy_once_and_results_are_the_same(plan, polygraphy, folder):
    expected = (folder / "merged.json").read_bytes()
    both = [subprocess.Popen(worker(plan, folder / "cache", index), cwd=folder) for index in "01"]
    assert [each.wait(timeout=60) for each in both] == [0, 0]
    first = copies(folder / "cache")
    assert set(first) == {"m.onnx", "data/w.bin"}
    assert polygraphy("task", "merge", "--plan", plan).code == 0
    assert (folder / "merged.json").read_bytes() == expected
    ran = polygraphy(*RUN, "--on", "local:2", "--task-launcher", "env {}", "--tasks", "again", "--task-cache",
                     folder / "cache")
    assert ran.code == 0 and (folder / "merged.json").read_bytes() == expected, ran.text
    assert copies(folder / "cache") == first


def test_a_copy_that_was_cut_off_is_made_again(plan, folder):
    """Killed at several moments of the copy."""
    for moment in (0, 0.02, 0.05, 0.1):
        cache = folder / f"cache{moment}"
        running = subprocess.Popen(worker(plan, cache), cwd=folder)
        while running.poll() is None and not cache.is_dir():
            time.sleep(0.001)
        time.sleep(moment)
        running.kill()
        running.wait()
        for result in (folder / "polygraphy_tasks" / "results").glob("*/*.json"):
            result.unlink()
        assert subprocess.run(worker(plan, cache), cwd=folder, timeout=60).returncode == 0
        assert set(copies(cache)) == {"m.onnx", "data/w.bin"}
        (copy,) = cache.glob("*/data/w.bin")
        assert copy.read_bytes() == (folder / "data" / "w.bin").read_bytes()


def test_a_damaged_copy_is_replaced(plan, folder):
    assert subprocess.run(worker(plan, folder / "cache"), cwd=folder).returncode == 0
    (copy,) = (folder / "cache").glob("*/data/w.bin")
    os.truncate(copy, 100)
    assert subprocess.run(worker(plan, folder / "cache", "1"), cwd=folder).returncode == 0
    assert copy.stat().st_size == 4 * ELEMENTS


def test_without_space_the_originals_are_read(plan, polygraphy, folder, small_disk):  # noqa: F811
    fill(small_disk, 16 << 10)
    ran = polygraphy(*worker(plan, small_disk)[1:])
    assert ran.code == 0 and "Not cached on" in ran.text and "No space left" in ran.text, ran.text


def test_this_machine_needs_no_cache(model, polygraphy):
    ran = polygraphy(*RUN, "--on", "local:2", "--task-cache", "cache")
    assert ran.code == 1 and "--task-cache is for workers of other machines" in ran.text
