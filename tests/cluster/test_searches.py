"""`--on` of searches: checks side by side, with the result, replay and log of one after the other."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import POLYGRAPHY, ROOT

BRANCHES = os.path.join(ROOT, "examples", "debugging", "models", "two_branches.onnx")
# A candidate with both operators fails.
FAILS = "! { grep -q Sin {model} && grep -q Sqrt {model}; }"


@pytest.fixture
def branches(tmp_path):
    shutil.copy(BRANCHES, tmp_path)
    return tmp_path


@pytest.fixture
def run(branches):
    def call(*words, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if name != "PYTHONPATH" and not name.startswith("SLURM_")}
        environment.update(variables)
        return subprocess.run([str(word) for word in words], cwd=branches, env=environment,
                              capture_output=True, text=True, timeout=300)
    return call


@pytest.fixture
def allocated(run, slurm):
    """Runs the command in an allocation of two tasks."""
    def call(*words, tasks=2):
        return run("salloc", "-Q", f"-n{tasks}", POLYGRAPHY, *words, **slurm.variables)
    return call


def without_times(text):
    text = re.sub(r"Duration [\d.e-]+s|(in|and) [\d.]+ (ms|s|min)\b|\d\d-\d\d-\d\d_\d\d-\d\d-\d\d", "", text)
    return [line for line in text.splitlines() if "salloc" not in line and "Command:" not in line]


def reduction(output, *options):
    return ["debug", "reduce", "two_branches.onnx", "-o", output, "--mode", "auto", "--reproduction", "",
            "--save-debug-replay", output + ".json", *options, "--check", FAILS]


def test_a_reduction_is_that_of_one_check_at_a_time(run, allocated, branches):
    alone = run(POLYGRAPHY, *reduction("alone.onnx"))
    assert alone.returncode == 0, alone.stdout
    model, replay = ((branches / name).read_bytes() for name in ("alone.onnx", "alone.onnx.json"))
    for name, options, call in (("local", ["--on", "local:2"], lambda *words: run(POLYGRAPHY, *words)),
                                ("slurm", ["--on", "slurm"], allocated)):
        ran = call(*reduction("side.onnx", *options))
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert (branches / "side.onnx").read_bytes() == model, name
        assert (branches / "side.onnx.json").read_bytes() == replay, name
        assert without_times(ran.stdout.replace("side.onnx", "alone.onnx")) == without_times(alone.stdout), name
        (branches / "side.onnx").unlink()


def test_checks_are_steps_of_the_job(allocated, branches):
    check = 'echo "$SLURM_JOB_ID.$SLURM_STEP_ID" >>steps; ' + FAILS
    words = reduction("side.onnx", "--on", "slurm", "--work-dir", "shared")
    ran = allocated(*words[:-1], check)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    steps = (branches / "steps").read_text().split()
    assert len(steps) == len(set(steps)) >= 8
    assert len({step.split(".")[0] for step in steps}) == 1


def test_a_check_that_does_not_start_is_no_verdict(allocated, branches):
    ran = allocated("debug", "reduce", "two_branches.onnx", "-o", "side.onnx", "--on", "slurm",
                    "--check", "./missing.sh", "{model}")
    assert ran.returncode == 1
    assert "Slurm did not run the check: " in ran.stderr and "No such file" in ran.stderr
    assert not (branches / "side.onnx").exists()


DOUBLES = os.path.join(os.path.dirname(os.path.dirname(POLYGRAPHY)), "tests", "doubles")
TENSORRT = ["--trt-lib", os.path.join(DOUBLES, "tensorrt", "10", "libnvinfer.so.10"),
            "--trt-driver", os.path.join(DOUBLES, "libcuda.so.1")]


def test_builds_are_checked_in_steps(run, allocated, branches):
    if not os.path.exists(TENSORRT[1]):
        pytest.skip("the double of TensorRT is not built")
    def build(call, folder, *options):
        ran = call("debug", "build", "two_branches.onnx", *TENSORRT, "--until", "4", "--save-tactics", "t.json",
                   "--artifacts", "t.json", "polygraphy_debug.engine", "--art-dir", folder, *options,
                   "--check", "test -s {model} && echo $SLURM_STEP_ID >>steps")
        assert ran.returncode == 0 and "Passed: 4/4" in ran.stdout, ran.stdout + ran.stderr
        return sorted(re.sub(r"_\d\d-.*_N", "_N", path.name) for path in (branches / folder / "good").iterdir())
    one = build(lambda *words: run(POLYGRAPHY, *words), "one")
    assert len(one) == 8
    (branches / "steps").unlink()
    assert build(allocated, "slurm", "--on", "slurm") == one
    assert len(set((branches / "steps").read_text().split())) == 4
    assert not list(branches.glob("*.engine")) and not list(branches.glob("t*.json"))


@pytest.mark.parametrize("options, message", [
    (["--on", "slurm"], "in no job"),
    (["--on", "ray"], "ray puts tasks into a queue"),
    (["--on", "k8s:render=job.yaml"], "k8s puts tasks into a queue"),
    (["--on", "slurm:partition=gpu"], "in no job"),
    (["--on", "local:0"], "not a positive number"),
    (["--on", "local:2", "-j", "3"], "both say how many"),
])
def test_what_cannot_run_checks_is_refused(run, branches, options, message):
    ran = run(POLYGRAPHY, *reduction("side.onnx", *options))
    assert ran.returncode == 1
    assert message in ran.stderr, ran.stderr
    assert not (branches / "side.onnx").exists()


def test_settings_of_the_job_are_refused(allocated):
    ran = allocated(*reduction("side.onnx", "--on", "slurm:partition=all"))
    assert ran.returncode == 1 and "the allocation already sets the partition" in ran.stderr


def test_checks_in_our_own_processes_stay_here(allocated):
    words = reduction("side.onnx", "--on", "slurm")[:-2]
    ran = allocated(*words, "--check-run", "onnxrt", "openvino")
    assert ran.returncode == 1 and "works in processes of this machine" in ran.stderr


def blocks_of_page():
    with open(os.path.join(ROOT, "docs", "cluster.md")) as file:
        section = file.read().split("\n## Searches\n")[1].split("\n## ")[0]
    return re.findall(r"^```(?:sh)?\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_page(run, slurm, branches):
    here, in_a_job = blocks_of_page()
    (branches / "examples").symlink_to(os.path.join(ROOT, "examples"))
    script = f'set -eu\nPATH="{os.path.dirname(POLYGRAPHY)}:$PATH"\n'
    ran = run("sh", "-c", script + here, **slurm.variables)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    model = (branches / "reduced.onnx").read_bytes()
    (branches / "reduced.onnx").unlink()
    shutil.rmtree(branches / "reduced_reproduction")
    settings = here[:here.index("polygraphy ")]
    ran = run("sh", "-c", script + settings + in_a_job, **slurm.variables)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (branches / "reduced.onnx").read_bytes() == model
