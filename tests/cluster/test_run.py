"""`run --on`: the same bytes, whatever runs the tasks and however they are cut."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
import yaml
from conftest import POLYGRAPHY, RUN


def merged(folder):
    return (folder / "merged.json").read_bytes()


def summary(ran):
    return re.findall(r"Accuracy Summary.*|.* samples .*", ran.text)


def test_all_schedulers_give_the_same_bytes(samples, folder, slurm, ray_python):
    one = samples("local:1")
    assert one.code == 0, one.text
    expected = merged(folder)
    assert len(json.loads(expected)["lst"][0]["lst"][0][1]) == 60
    assert "60/60 iterations" in one.text
    for on, variables in (("local:2", {}),
                          ("slurm:array=1", slurm.variables),
                          ("slurm:array=2", slurm.variables),
                          ("slurm:array=7", slurm.variables),
                          ("ray", {"POLYGRAPHY_PYTHON": ray_python})):
        (folder / "merged.json").unlink()
        ran = samples(on, **variables)
        assert ran.code == 0, ran.text
        assert merged(folder) == expected, on
        assert summary(ran) == summary(one), on


def test_verdicts_are_those_of_one_run(polygraphy, samples, folder):
    alone = polygraphy(*RUN, "--iterations", 12, "--atol", 0, "--rtol", 0, "--save-accuracy-results", "alone.json")
    tasks = samples("local:2", 12, "--atol", 0, "--rtol", 0)
    assert (alone.code, tasks.code) == (1, 1)
    rate = re.compile(r"Passed: \d+/12 iterations \| Pass Rate: [\d.]+%")
    assert rate.findall(alone.text) == rate.findall(tasks.text) != []

    def figures(name):
        return json.loads((folder / name).read_text())["lst"][0]["lst"][0][1]
    assert len(figures("merged.json")) == len(figures("alone.json")) == 12
    number = re.search(r"Failed samples: (\d+)", tasks.text).group(1)
    again = polygraphy(*RUN, "--samples", number, "--atol", 0, "--rtol", 0)
    assert again.code == 1 and "0/1 iterations" in again.text


def test_goes_on_where_it_was(samples, folder):
    assert samples("local:2", 40).code == 0
    expected = merged(folder)
    results = sorted((folder / "local_2" / "results").glob("*/*.json"))
    times = [result.stat().st_mtime_ns for result in results]
    results[0].unlink()
    assert samples("local:2", 40).code == 0
    assert merged(folder) == expected
    assert [result.stat().st_mtime_ns for result in results][1:] == times[1:]


def test_detached_work_is_merged_by_the_scheduler(samples, polygraphy, folder, slurm):
    ran = samples("slurm", 20, "--detach", **slurm.variables)
    assert ran.code == 4 and "SUBMITTED, no verdict yet" in ran.text and "PASSED" not in ran.text, ran.text
    for _ in range(600):
        if (folder / "merged.json").exists():
            break
        time.sleep(0.1)
    detached = merged(folder)
    status = polygraphy("task", "status", "slurm")
    assert status.code == 0 and "tasks done" in status.text
    assert samples("local:1", 20).code == 0
    assert merged(folder) == detached


K8S = "k8s:render=job.yaml,image=registry/polygraphy,claim=shared"
SETTINGS = ("namespace=ml,ttl=3600,secret=registry,secret=other.one,toleration=nvidia.com/gpu:NoSchedule,"
            "toleration=team=ml,node=zone=a,limit=cpu=4,env=OMP_NUM_THREADS=1,env=A=b=c,label=team=ml,label=app=x")


def rendered(polygraphy, folder, settings="", *options):
    ran = polygraphy(*RUN, "--iterations", 20, "--on", K8S + settings, "--tasks", "k8s",
                     "--save-accuracy-results", "merged.json", *options)
    assert ran.code == 4 and "SUBMITTED, no verdict yet" in ran.text and "PASSED" not in ran.text, ran.text
    assert not (folder / "merged.json").exists()
    return yaml.safe_load((folder / "job.yaml").read_text())


def test_a_job_of_kubernetes_is_written(polygraphy, folder):
    # As many tasks as pods, however long one takes.
    spec = rendered(polygraphy, folder, ",parallelism=8")["spec"]
    assert (spec["completionMode"], spec["backoffLimitPerIndex"]) == ("Indexed", 5)
    failed, disrupted = spec["podFailurePolicy"]["rules"]
    assert failed["action"] == "FailIndex"
    assert disrupted["onPodConditions"] == [{"type": "DisruptionTarget", "status": "True"}]
    assert spec["completions"] == 8 and spec["parallelism"] == 8
    (container,) = spec["template"]["spec"]["containers"]
    for index in range(8):
        ran = subprocess.run(["/bin/sh", "-c", container["command"][2].replace("exec polygraphy", "echo")],
                             env={"JOB_COMPLETION_INDEX": str(index), "PATH": os.environ["PATH"]},
                             capture_output=True, text=True)
        assert ran.stdout.split()[-1] == str(index + 2), ran


def test_a_job_has_the_settings_of_its_cluster(polygraphy, folder):
    job = rendered(polygraphy, folder, "," + SETTINGS, "--task-memory", "1G")
    assert job["metadata"]["namespace"] == "ml" and job["spec"]["ttlSecondsAfterFinished"] == 3600
    labels = {"team": "ml", "app": "x"}
    template = job["spec"]["template"]
    assert job["metadata"]["labels"] == labels and template["metadata"]["labels"] == labels
    pod = template["spec"]
    assert pod["imagePullSecrets"] == [{"name": "registry"}, {"name": "other.one"}]
    assert pod["tolerations"] == [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},
                                  {"key": "team", "operator": "Equal", "value": "ml"}]
    assert pod["nodeSelector"] == {"zone": "a"}
    (container,) = pod["containers"]
    assert container["env"] == [{"name": "OMP_NUM_THREADS", "value": "1"}, {"name": "A", "value": "b=c"}]
    assert container["resources"]["limits"] == {"memory": str(1 << 30), "cpu": "4"}


def test_needs_are_those_of_the_last_command(polygraphy, folder):
    def resources(*options):
        (container,) = rendered(polygraphy, folder, "", *options)["spec"]["template"]["spec"]["containers"]
        return container["resources"]
    assert "memory" not in resources()["requests"]
    more = resources("--task-memory", "2G", "--task-gpus", 1)
    assert more["requests"]["memory"] == more["limits"]["memory"] == str(2 << 30)
    assert more["limits"]["nvidia.com/gpu"] == 1
    assert "limits" not in resources()


def test_a_job_is_one_by_the_schemas_of_kubernetes(polygraphy, folder, kubernetes_validate):
    jobs = [rendered(polygraphy, folder), rendered(polygraphy, folder, "," + SETTINGS, "--task-memory", "1G")]
    for version in range(29, 38):
        for job in jobs:
            kubernetes_validate.validate(job, f"1.{version}", strict=True)
    del jobs[0]["spec"]["podFailurePolicy"]["rules"][1]["onPodConditions"][0]["status"]
    with pytest.raises(kubernetes_validate.ValidationError, match="'status' is a required property"):
        kubernetes_validate.validate(jobs[0], "1.29", strict=True)


@pytest.mark.parametrize("setting", ["mount=relative/..", "name=Upper", "name=-a", "namespace=a.b", "secret=a_b",
                                     "label=x", "env==1", "toleration=a:Never"])
def test_what_kubernetes_does_not_allow_is_refused(polygraphy, folder, setting):
    ran = polygraphy(*RUN, "--iterations", 4, "--on", K8S + "," + setting)
    assert ran.code == 1 and f"k8s: {setting.split('=')[0]}=" in ran.text, ran.text
    assert not (folder / "job.yaml").exists()


def test_bad_input_is_a_sentence_and_merges_nothing(samples, polygraphy, folder):
    assert "There is no scheduler 'slrum'" in samples("slrum").text
    ran = samples("local:2", 20, "--provider", "no")
    assert ran.code != 0 and not (folder / "merged.json").exists()
    assert samples("local:1", 20).code == 0
    tasks = folder / "local_1"
    (plan,) = tasks.glob("*.jsonl")
    first, second = sorted((tasks / "results").glob("*/*.json"))[:2]
    (folder / "merged.json").unlink()
    kept = first.read_bytes()
    first.write_bytes(second.read_bytes())
    ran = samples("local:1", 20)
    assert ran.code == 0 and "was damaged" in ran.text and first.read_bytes() == kept
    first.write_bytes(kept.replace(b'"onnxrt":"', b'"onnxrt":"9.'))
    (folder / "merged.json").unlink()
    ran = polygraphy("task", "merge", "--plan", plan)
    assert ran.code == 3 and "was damaged" in ran.text and not (folder / "merged.json").exists()
    ran = polygraphy("task", "merge", "--plan", plan)
    assert ran.code == 3 and "1 of 3 tasks have no result" in ran.text
    ran = polygraphy("task", "run", "--plan", plan, "--index", 99)
    assert ran.code == 3 and "has no task 99" in ran.text
    plan.write_text(plan.read_text().replace('"polygraphy_plan":1', '"polygraphy_plan":2'))
    assert "a plan of version 2" in polygraphy("task", "status", plan).text
    os.rename(folder / "magika.onnx", folder / "other.onnx")
    assert samples("local:1", 20).code != 0


def test_a_task_says_why_it_cannot_run(samples, polygraphy, folder):
    assert samples("local:1", 20).code == 0
    (plan,) = (folder / "local_1").glob("*.jsonl")
    for result in (folder / "local_1" / "results").glob("*/*.json"):
        result.unlink()
    os.rename(folder / "magika.onnx", folder / "gone.onnx")
    ran = polygraphy("task", "run", "--plan", plan, "--index", "0")
    assert ran.code == 75 and "magika.onnx cannot be read on" in ran.text
    status = polygraphy("task", "status", plan)
    assert status.code == 1 and "to be tried again" in status.text and "magika.onnx" in status.text


def test_ctrl_c_leaves_nothing_that_runs(folder):
    command = [POLYGRAPHY, *RUN, "--iterations", "4000", "--on", "local:2"]
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    tasks = folder / "polygraphy_tasks" / "running"
    for _ in range(600):
        if tasks.is_dir() and any(tasks.iterdir()):
            break
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=20) == 130
    left = subprocess.run(["pgrep", "-f", f"task-process.*{folder}"], capture_output=True, text=True).stdout
    assert left == ""
    assert not [path for path in tasks.iterdir() if path.suffix == ".log"]


@pytest.mark.parametrize("detail", ["--save-outputs", "--report", "--validate"])
def test_tensors_do_not_travel(samples, detail):
    options = [detail] if detail == "--validate" else [detail, "x.json"]
    ran = samples("local:1", 4, *options)
    assert ran.code == 1 and f"--on and {detail} exclude each other" in ran.text


TASK = [*RUN, "--samples", "0..1", "--save-task", "task.json"]


def test_another_version_of_an_engine_is_another_job(polygraphy, samples, folder):
    assert samples("local:1", 2).code == 0
    plan = next((folder / "local_1").glob("*.jsonl")).read_text()
    job = json.loads(plan.splitlines()[0])
    assert set(job["versions"]) == {"polygraphy", "onnxrt", "openvino"}
    versions = job["argv"][job["argv"].index("--task-versions") + 1]
    assert versions == ",".join(f"{name}={version}" for name, version in job["versions"].items())


def test_a_worker_with_another_version_gives_the_task_back(polygraphy, folder):
    ran = polygraphy("--task-process", *TASK, "--task-versions", "openvino=1999.1")
    assert ran.code == 75, ran.text
    assert re.search(r"openvino is 20\S+ on \S+, but 1999.1 where the plan was made", ran.text), ran.text
    assert not (folder / "task.json").exists()


def test_a_plan_of_a_changed_file_is_not_merged(polygraphy, samples, folder):
    assert samples("local:1", 2).code == 0
    plan = next((folder / "local_1").glob("*.jsonl"))
    expected = merged(folder)
    assert polygraphy("task", "merge", "--plan", plan).code == 0
    model = (folder / "magika.onnx").read_bytes()
    (folder / "magika.onnx").write_bytes(model[:-1] + bytes([model[-1] ^ 1]))
    ran = polygraphy("task", "merge", "--plan", plan)
    assert ran.code == 3, ran.text
    assert "magika.onnx has other contents" in ran.text and "nothing was merged" in ran.text
    assert merged(folder) == expected and len(list((folder / "local_1").glob("*.jsonl"))) == 1


def test_the_folder_of_a_plan_is_the_one_that_is_merged(polygraphy, samples, folder):
    assert samples("local:1", 4).code == 0
    expected = merged(folder)
    shutil.copytree(folder / "local_1", folder / "copy")
    os.symlink("local_1", folder / "link")
    (plan,) = (folder / "copy").glob("*.jsonl")
    ran = polygraphy("task", "merge", "--plan", plan)
    assert ran.code == 3 and "nothing was merged" in ran.text and "PASSED" not in ran.text, ran.text
    assert f"The plan lies in {folder}/copy, but the tasks of its command in {folder}/local_1" in ran.text
    assert polygraphy("task", "merge", "--plan", f"link/{plan.name}").code == 0 and merged(folder) == expected


@pytest.mark.parametrize("edit", [lambda lines: lines + lines[-1:],
                                  lambda lines: [lines[0].replace('"units":4', '"units":1'), *lines[1:]]])
def test_status_of_an_edited_plan_says_what_its_merge_says(polygraphy, samples, folder, edit):
    assert samples("local:1", 4).code == 0
    (plan,) = (folder / "local_1").glob("*.jsonl")
    plan.write_text("".join(edit(plan.read_text().splitlines(keepends=True))))
    merge = polygraphy("task", "merge", "--plan", plan)
    status = polygraphy("task", "status", "local_1")
    for ran in (merge, status):
        assert ran.code == 3 and "the plan was edited, or is damaged" in ran.text, ran.text


def test_a_plan_of_another_version_is_not_merged(polygraphy, samples, folder):
    assert samples("local:1", 2).code == 0
    plan = next((folder / "local_1").glob("*.jsonl"))
    expected = merged(folder)
    # As if an engine had been updated: the command of the plan makes another one.
    other = plan.with_name("0" * 32 + ".jsonl")
    plan.rename(other)
    ran = polygraphy("task", "merge", "--plan", other)
    assert ran.code != 0 and "The plan is outdated" in ran.text, ran.text
    assert merged(folder) == expected and list((folder / "local_1").glob("*.jsonl")) == [other]


def test_tensors_of_the_worst_samples_are_saved(polygraphy, samples, folder):
    ran = samples("local:2", 12, "--noise-floor", "--worst-samples", 2)
    assert ran.code == 0, ran.text
    saved = re.findall(r"Tensors of sample (\d+): (\S+)", ran.text)
    assert len(saved) == 2 and len(os.listdir(folder / "local_2" / "worst")) == 2
    number, place = saved[0]
    again = polygraphy(*RUN, "--samples", number, "--noise-floor", "--load-inputs", f"{place}/inputs.json",
                       "--load-outputs", f"{place}/outputs.json")
    assert again.code in (0, 1), again.text

    def excess(count):
        polygraphy(*RUN, "--samples", count, "--noise-floor", "--save-task", "one.json")
        return json.loads((folder / "one.json").read_text())["pairs"][0]["samples"][0][0][0][2]
    errors = [excess(i) for i in range(12)]
    assert [int(one) for one, _ in saved] == sorted(range(12), key=lambda i: -errors[i])[:2]
