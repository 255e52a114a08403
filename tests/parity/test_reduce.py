"""Features of `debug reduce` that the original lacks: checks side by side, journals, and the handling of failures."""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess

import onnx
import onnx.parser
import pytest
from harness import OURS, run_ours

LONG = '<ir_version: 8, opset_import: ["": 17]> g (float[2] x0) => (float[2] x30) {' + " ".join(
    f"x{i + 1} = {'Sin' if i == 7 else 'Cos' if i == 21 else 'Neg'}(x{i})" for i in range(30)) + "}"

# Counts its calls, and knows the number of this one; it fails only if the model has all operators of "$@".
CHECK = """#!/bin/sh
model=$1; shift
echo "$model" >> asked
echo $$ >> order
if [ -n "$AT_CALL" ] && [ "$(grep -nx $$ order | tail -n 1 | cut -d: -f1)" -ge "$AT_CALL" ]; then eval "$THEN"; fi
for op in "$@"; do grep -q "$op" "$model" || exit 0; done
echo "Error: it has $*" >&2
exit 1
"""
NAMED = ["--check", "./check.sh", "{model}", "Sin"]


@pytest.fixture
def folder(tmp_path):
    onnx.save(onnx.parser.parse_model(LONG), tmp_path / "m.onnx")
    (tmp_path / "check.sh").write_text(CHECK)
    (tmp_path / "check.sh").chmod(0o755)
    return tmp_path


def reduce(folder, options, check=NAMED, env=None, limit=None):
    """The process that has ended."""
    return subprocess.run([OURS, "debug", "reduce", "m.onnx", "-o", "red.onnx", *options, *check], cwd=folder, capture_output=True,
                          text=True, timeout=60, env={**os.environ, **(env or {})}, preexec_fn=limit)


def operators(path):
    return [node.op_type for node in onnx.load(path).graph.node]


def asked(folder):
    """The number of times that the check has run since the last call."""
    path = folder / "asked"
    count = len(path.read_text().splitlines()) if path.exists() else 0
    path.unlink(missing_ok=True)
    (folder / "order").unlink(missing_ok=True)
    return count


def comparable(done):
    text = re.sub(r"Duration [\d.e-]+s|Runtime: .*| and [\d.]+ s$", "<time>", done.stdout, flags=re.M)
    return re.sub(r" -j \d+", "", text)


# --- side by side

@pytest.mark.parametrize("mode", ["bisect", "linear", "auto"])
@pytest.mark.parametrize("ops", [["Sin"], ["Sin", "Cos"], ["Tanh"]], ids=" ".join)
def test_nothing_depends_on_the_number_of_jobs(folder, mode, ops):
    results = []
    for jobs in "1", "2", "5":
        done = reduce(folder, ["--mode", mode, "-j", jobs], ["--check", "./check.sh", "{model}", *ops])
        result = (folder / "red.onnx").read_bytes() if (folder / "red.onnx").exists() else None
        (folder / "red.onnx").unlink(missing_ok=True)
        text = re.sub(r"\[I\] Reduced .*\n", "", comparable(done))  # that of classic modes is for -j
        results.append((done.returncode, result, text, (folder / "polygraphy_debug_replay.json").read_text()))
        for name in os.listdir(folder):
            assert not name.startswith("polygraphy_debug") or name.startswith("polygraphy_debug_replay"), name
    assert results[0] == results[1] == results[2]
    assert results[0][0] == (1 if ops == ["Tanh"] else 0)


def test_a_check_finds_its_file_in_the_environment(folder):
    done = reduce(folder, ["-j", "2"], ["--check", './check.sh "$POLYGRAPHY_DEBUG_MODEL" Sin'])
    assert done.returncode == 0 and operators(folder / "red.onnx") == ["Sin"]


@pytest.mark.parametrize("check", [
    ["sh", "-c", "! grep -q Sin polygraphy_debug.onnx"], ["! grep -q Sin polygraphy_debug.onnx"], ["./fixed.sh"], ["sh", "fixed.sh", "x"],
], ids=" ".join)
def test_a_check_that_names_one_file_only_is_refused(folder, check):
    (folder / "fixed.sh").write_text("#!/bin/sh\n! grep -q Sin polygraphy_debug.onnx\n")
    (folder / "fixed.sh").chmod(0o755)
    done = reduce(folder, ["-j", "2"], ["--check", *check])
    assert done.returncode == 1 and "the check command names polygraphy_debug.onnx" in done.stderr
    assert "{model}" in done.stderr and "$POLYGRAPHY_DEBUG_MODEL" in done.stderr
    assert reduce(folder, [], ["--check", *check]).returncode == 0


def test_the_name_is_understood_one_at_a_time_too(folder):
    assert reduce(folder, []).returncode == 0
    assert set((folder / "asked").read_text().split()) == {"polygraphy_debug.onnx"}
    assert reduce(folder, [], ["--check", "./check.sh {model} Sin"]).returncode == 0


def test_names_with_blanks_are_quoted_for_a_shell(folder):
    done = reduce(folder, ["-j", "2", "--work-dir", "my work's"], ["--check", "./check.sh {model} Sin"])
    assert done.returncode == 0 and operators(folder / "red.onnx") == ["Sin"]
    assert os.listdir(folder / "my work's") == []


def test_candidates_are_sorted_as_artifacts(folder):
    sorted_files = []
    for jobs in "1", "3":
        into = f"artifacts{jobs}"
        assert reduce(folder, ["-j", jobs, "--artifacts", "polygraphy_debug.onnx", "--art-dir", into]).returncode == 0
        files = sorted((folder / into).rglob("*.onnx"))
        sorted_files.append([(re.sub(r"_\d\d-.*_N", "_N", str(f.relative_to(folder / into))), f.read_bytes()) for f in files])
    assert sorted_files[0] == sorted_files[1] and len(sorted_files[0]) > 5
    refused = reduce(folder, ["-j", "2", "--artifacts", "left.txt"])
    assert refused.returncode == 1 and "left.txt, which all checks write" in refused.stderr
    refused = reduce(folder, ["-j", "2", "--iter-info", "info.json"])
    assert refused.returncode == 1 and "--iter-info" in refused.stderr


def test_candidates_that_exist_are_not_overwritten(folder):
    (folder / "polygraphy_debug_2.onnx").write_text("mine")
    done = reduce(folder, ["-j", "2"])
    assert done.returncode == 1 and "polygraphy_debug_2.onnx already exists" in done.stderr
    assert (folder / "polygraphy_debug_2.onnx").read_text() == "mine"


# --- journals

@pytest.mark.parametrize("mode", ["bisect", "linear", "auto"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_reduction_goes_on_after_a_kill(folder, mode, jobs):
    check = ["--check", "./check.sh", "{model}", "Sin", "Cos"]
    assert reduce(folder, ["--mode", mode, "--journal", "whole.jsonl", "-j", jobs], check).returncode == 0
    whole, checks = (folder / "red.onnx").read_bytes(), asked(folder)
    (folder / "red.onnx").unlink()
    options = ["--mode", mode, "--journal", "j.jsonl", "-j", jobs, "--resume"]
    killed = reduce(folder, options, check, {"AT_CALL": "6", "THEN": "kill -9 $PPID"})
    assert killed.returncode == -signal.SIGKILL and not (folder / "red.onnx").exists()
    assert list(folder.glob("polygraphy_debug*.onnx"))
    known = (folder / "j.jsonl").read_text()
    before = asked(folder)
    done = reduce(folder, options, check)
    assert done.returncode == 0 and (folder / "red.onnx").read_bytes() == whole
    assert f"{known.count('passed')} verdict(s)" in done.stdout
    assert not list(folder.glob("polygraphy_debug*.onnx"))
    lines = map(json.loads, (folder / "j.jsonl").read_text().splitlines()[1:])
    keys = [(line["model"], line["time"]) for line in lines if "model" in line]
    assert len(keys) == len(set(keys))
    if jobs == "1":
        assert before - 1 + asked(folder) == checks  # only the interrupted check ran twice


def test_a_line_that_a_kill_has_cut_short_is_left_out(folder):
    assert reduce(folder, ["--journal", "j.jsonl"]).returncode == 0
    lines = (folder / "j.jsonl").read_text().splitlines(keepends=True)
    (folder / "j.jsonl").write_text("".join(lines[:5]) + lines[5][:20])
    asked(folder)
    assert reduce(folder, ["--journal", "j.jsonl", "--resume"]).returncode == 0
    verdicts = [[line for line in text if "passed" in line] for text in (lines, lines[:5], (folder / "j.jsonl").read_text().splitlines(keepends=True))]
    assert asked(folder) == len(verdicts[0]) - len(verdicts[1]) > 0
    assert sorted(verdicts[2]) == sorted(verdicts[0])


def test_a_second_mode_knows_what_the_first_has_found_out(folder):
    assert reduce(folder, ["--journal", "j.jsonl"]).returncode == 0
    first = asked(folder)
    done = reduce(folder, ["--journal", "j.jsonl", "--resume"])
    assert done.returncode == 0 and asked(folder) == 0
    assert f"in 0 checks ({first} more answered from known verdicts)" in done.stdout


def test_journals_of_something_else_are_refused(folder):
    assert reduce(folder, ["--journal", "j.jsonl"]).returncode == 0
    again = reduce(folder, ["--journal", "j.jsonl"])
    assert again.returncode == 1 and "j.jsonl already exists" in again.stderr and "--resume" in again.stderr
    other_check = reduce(folder, ["--journal", "j.jsonl", "--resume"], ["--check", "./check.sh", "{model}", "Cos"])
    assert other_check.returncode == 1 and "belongs to another reduction" in other_check.stderr
    onnx.save(onnx.parser.parse_model(LONG.replace("Sin", "Abs")), folder / "m.onnx")
    other_model = reduce(folder, ["--journal", "j.jsonl", "--resume"])
    assert other_model.returncode == 1 and "belongs to another reduction" in other_model.stderr
    nothing = reduce(folder, ["--resume"])
    assert nothing.returncode == 1 and "--journal" in nothing.stderr


@pytest.mark.parametrize("mode", ["auto", "bisect", "linear"])
def test_what_is_left_of_an_old_model_is_valid(folder, mode):
    """Constants of IR version 3 have to be inputs, which recorded values are not."""
    model = onnx.parser.parse_model("""<ir_version: 3, opset_import: ["": 8]> g (float[2] x, float[2] w) => (float[2] y)
        <float[2] w = {1, 2}> { a = Add(x, w)  b = Neg(w)  c = Pow(a, b)  y = Sin(c) }""")
    onnx.checker.check_model(model)
    onnx.save(model, folder / "m.onnx")
    done = reduce(folder, ["--mode", mode], ["--check", "./check.sh", "{model}", "Pow"])
    assert done.returncode == 0, done.stderr
    onnx.checker.check_model(str(folder / "red.onnx"), full_check=True)
    assert operators(folder / "red.onnx") == ["Pow"]


def test_a_summary_says_what_it_took(folder):
    done = reduce(folder, ["--mode", "auto"])
    count = asked(folder)
    assert re.search(rf"Reduced 30 nodes to 1, 1 input to 1, [\d.]+ KiB to \d+ bytes in {count} checks( \(\d+ more answered from "
                     r"known verdicts\))? and [\d.e-]+ s", done.stdout), done.stdout
    assert "Reduced" not in reduce(folder, []).stdout


def test_inputs_that_only_the_check_has_are_said(folder):
    check = ["--check", OURS, "run", "{model}", "--onnxrt", "--val-range", "[2,3]"]
    text = "The check has --val-range, but debug reduce has not"
    assert text in reduce(folder, ["--mode", "auto"], check).stdout
    assert text not in reduce(folder, ["--mode", "auto", "--val-range", "[2,3]"], check).stdout
    assert text not in reduce(folder, [], check).stdout


# --- for third-party programs

def test_a_reproduction_fails_in_the_same_way(folder):
    check = ["--check", "./check.sh", "{model}", "Sin"]
    assert reduce(folder, ["--mode", "auto", "--seed", "3"], check).returncode == 0
    there = folder / "red_reproduction"
    assert sorted(os.listdir(there)) == ["README.md", "check.sh", "inputs.json", "model.onnx", "versions.txt"]
    again = subprocess.run(["sh", "red_reproduction/check.sh"], cwd=folder, capture_output=True, text=True)
    assert again.returncode == 1 and "Error: it has Sin" in again.stderr
    readme = (there / "README.md").read_text()
    assert "Reduced 30 nodes to 1" in readme and "exited with 1: Error: it has Sin" in readme
    assert re.search(r"^onnxrt \d", (there / "versions.txt").read_text(), re.M)


def test_a_reproduction_that_was_cut_off_is_written_again(folder):
    there = folder / "red_reproduction"
    assert reduce(folder, ["--mode", "auto"]).returncode == 0
    for name in ("README.md", "check.sh", "inputs.json"):  # the order of writing, backwards
        (there / name).unlink()
        assert reduce(folder, ["--mode", "auto"]).returncode == 0, name
        assert len(os.listdir(there)) == 5
    (there / "versions.txt").unlink()
    refused = reduce(folder, ["--mode", "auto"])
    assert refused.returncode == 1 and "does not belong to a reproduction" in refused.stderr


def test_a_reproduction_starts_no_python_that_the_check_does_not_name(folder, monkeypatch):
    python = folder / "python"
    python.write_text(f"#!/bin/sh\ntouch {folder}/started\nexec python3 \"$@\"\n")
    python.chmod(0o755)
    for name in ("TORCH", "EXECUTORCH", "IREE", "REFERENCE", "PLUGINREF"):
        monkeypatch.setenv(f"POLYGRAPHY_{name}_PYTHON", str(python))
    assert reduce(folder, ["--mode", "auto"]).returncode == 0
    assert not (folder / "started").exists()


@pytest.mark.parametrize("name", ["polygraphy_debug_replay.json", "polygraphy_debug_replay_skip_current.json", "red_reproduction",
                                  "red_reproduction/model.onnx", "red_reproduction/README.md"])
def test_links_are_not_written_through_where_no_option_names_them(folder, name):
    """A folder of a stranger may have links of these names to files of the user."""
    victim = folder / "victim"
    victim.write_text("mine") if name != "red_reproduction" else victim.mkdir()
    if name.startswith("red_reproduction/"):
        (folder / "red_reproduction").mkdir()
        (folder / "red_reproduction/versions.txt").write_text("polygraphy 0.1.0")
    (folder / name).symlink_to(victim)
    done = reduce(folder, ["--mode", "auto"])
    assert done.returncode == 1 and "is a symbolic link" in done.stderr, done.stderr
    assert victim.is_dir() and not os.listdir(victim) or victim.read_text() == "mine"
    if name == "polygraphy_debug_replay.json":
        assert reduce(folder, ["--mode", "auto", "--save-debug-replay", name]).returncode == 0
        assert victim.read_text() != "mine"


def test_inputs_of_a_reproduction_are_what_the_whole_model_made(folder):
    assert reduce(folder, ["--seed", "3", "--reproduction", "there"]).returncode == 0
    run_ours(["run", "m.onnx", "--onnxrt", "--seed", "3", "--onnx-outputs", "mark", "all", "--save-outputs", "all.json"], str(folder))
    ran = run_ours(["run", "there/model.onnx", "--onnxrt", "--load-inputs", "there/inputs.json", "--load-outputs", "all.json"], str(folder))
    assert ran.code == 0 and "All outputs matched" in ran.stdout and "x7 [dtype=float32" in ran.stdout


def test_a_reproduction_of_a_check_of_one_file(folder):
    done = reduce(folder, ["--reproduction", "for/you"], ["--check", "cp polygraphy_debug.onnx seen.onnx; ! grep -q 'Sin' seen.onnx"])
    assert done.returncode == 0
    (folder / "seen.onnx").unlink()
    again = subprocess.run(["sh", "for/you/check.sh"], cwd=folder)
    assert again.returncode == 1 and operators(folder / "seen.onnx") == ["Sin"]
    assert not (folder / "polygraphy_debug.onnx").exists()


def test_a_reproduction_of_a_check_without_a_command(folder):
    onnx.save(onnx.parser.parse_model(LONG.replace("Sin", "NoSuchOperator")), folder / "m.onnx")
    assert reduce(folder, ["--mode", "auto"], ["--check-crash", "onnxrt"]).returncode == 0

    def again(path):
        return subprocess.run(["/bin/sh", "red_reproduction/check.sh"], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    before = sorted(os.listdir(folder))
    here = f"{os.path.dirname(OURS)}:{os.environ['PATH']}"
    fails = again(here)
    assert fails.returncode == 1 and "NoSuchOperator" in fails.stdout and fails.stdout.endswith("The model fails.\n")
    assert "PASSED" not in fails.stdout and sorted(os.listdir(folder)) == before
    onnx.save(onnx.parser.parse_model(LONG), folder / "red_reproduction" / "model.onnx")
    (folder / "red_reproduction" / "inputs.json").unlink()
    script = folder / "red_reproduction" / "check.sh"
    script.write_text(script.read_text().replace(' --load-inputs "$here/inputs.json"', ""))
    passes = again(here)
    assert (passes.returncode, passes.stdout) == (0, "The model passes.\n")
    (folder / "red_reproduction" / "model.onnx").write_text("no model")
    assert again(here).returncode == 2
    (folder / "empty").mkdir()
    absent = again(str(folder / "empty"))
    assert absent.returncode == 127 and "polygraphy is not in PATH" in absent.stderr


def test_classic_modes_leave_nothing_else_behind(folder):
    before = set(os.listdir(folder))
    assert reduce(folder, []).returncode == 0
    left = {"asked", "order", "red.onnx", "polygraphy_debug_replay.json", "polygraphy_debug_replay_skip_current.json"}
    assert set(os.listdir(folder)) - before == left
    assert reduce(folder, ["--mode", "auto", "--reproduction", ""]).returncode == 0
    assert set(os.listdir(folder)) - before == left


# --- when things go wrong

@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_check_that_cannot_be_started(folder, jobs):
    done = reduce(folder, ["-j", jobs], ["--check", "./missing.sh", "{model}"])
    assert done.returncode == 1 and "cannot start './missing.sh'" in done.stderr
    assert not (folder / "red.onnx").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_check_that_hangs_is_killed(folder, jobs):
    done = reduce(folder, ["-j", jobs, "--check-timeout", "0.2"], ["--check", "grep -q Sin {model} && sleep 100; true"])
    assert done.returncode == 0 and operators(folder / "red.onnx") == ["Sin"]
    assert "it took longer than 0.2 s" in done.stdout + done.stderr


def test_a_check_that_floods_its_output(folder):
    flood = "head -c 80000000 /dev/zero; echo Error: the end; ! grep -q Sin {model}"
    done = reduce(folder, ["--hide-fail-output"], ["--check", flood],
                  limit=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    assert done.returncode == 0 and operators(folder / "red.onnx") == ["Sin"]


def test_a_check_that_changes_its_folder(folder):
    done = reduce(folder, ["-j", "2"], ["--check", "f=$PWD/{model}; cd /; ! grep -q Sin $f"])
    assert done.returncode == 0 and operators(folder / "red.onnx") == ["Sin"]


def test_children_that_a_check_leaves_behind_end_with_it(folder):
    done = reduce(folder, ["-j", "2"], ["--check", "sleep 1000 & echo $! >> pids; ! grep -q Sin {model}"])
    assert done.returncode == 0
    for pid in (folder / "pids").read_text().split():
        stat = pathlib.Path(f"/proc/{pid}/stat")
        assert not stat.exists() or stat.read_text().split()[2] == "Z"  # ended, but its parent has not waited for it


def test_a_replay_of_another_model(folder):
    assert reduce(folder, []).returncode == 0
    os.rename(folder / "polygraphy_debug_replay.json", folder / "old.json")
    onnx.save(onnx.parser.parse_model(LONG.replace("float[2] x30", "float[2] x30, float[2] x5")), folder / "m.onnx")
    onnx.save(onnx.parser.parse_model(LONG.split("x11 =")[0].replace("x30", "x10") + "}"), folder / "m.onnx")
    done = reduce(folder, ["--load-debug-replay", "old.json", "-j", "2"])
    assert done.returncode == 1 and "belongs to another reduction" in done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk(folder, jobs):
    done = reduce(folder, ["-j", jobs, "--save-debug-replay", "/dev/full"])
    assert done.returncode == 1 and "No space left on device" in done.stderr
    done = reduce(folder, ["-j", jobs, "--journal", "/dev/full"])
    assert done.returncode == 1 and "/dev/full is not a regular file" in done.stderr

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
    big = reduce(folder, ["-j", jobs], limit=small_files)
    assert big.returncode == 1 and "polygraphy_debug" in big.stderr and "File too large" in big.stderr


@pytest.mark.parametrize("how, code", [("INT", 130), ("TERM", 143), ("HUP", 129)])
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("mode", ["bisect", "auto"])
def test_ctrl_c_and_other_signals_save_the_best_so_far(folder, mode, jobs, how, code):
    done = reduce(folder, ["--mode", mode, "-j", jobs], NAMED, {"AT_CALL": "6", "THEN": f"sleep 0.5; mkdir once && kill -{how} $PPID; sleep 10"})
    assert done.returncode == code
    assert "Interrupted: this is the smallest failing model so far." in done.stdout + done.stderr
    assert "Sin" in operators(folder / "red.onnx")
    assert not [name for name in os.listdir(folder) if re.match(r"polygraphy_debug(_\d)?\.onnx", name)]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_before_anything_has_failed(folder, jobs):
    done = reduce(folder, ["--mode", "auto", "-j", jobs], NAMED, {"AT_CALL": "1", "THEN": "mkdir once && kill -INT $PPID; sleep 10"})
    assert done.returncode == 130
    assert "Interrupted before a model failed: no model was written." in done.stdout + done.stderr
    assert not (folder / "red.onnx").exists()


# --- elsewhere

def test_a_launcher_runs_the_check(folder):
    (folder / "launcher.sh").write_text('#!/bin/sh\necho "$1" >> launched; shift\nexec "$@"\n')
    (folder / "launcher.sh").chmod(0o755)
    done = reduce(folder, ["--launcher", "./launcher.sh 'on node 7'", "--work-dir", "shared"])
    assert done.returncode == 0 and operators(folder / "red.onnx") == ["Sin"]
    assert set((folder / "launched").read_text().splitlines()) == {"on node 7"}
    assert set((folder / "asked").read_text().split()) == {"shared/polygraphy_debug.onnx"}
    refused = reduce(folder, ["--work-dir", "shared"], ["--check", "! grep -q Sin polygraphy_debug.onnx"])
    assert refused.returncode == 1 and "{model}" in refused.stderr


def test_a_condition_that_is_made_inside_another_branch(folder):
    onnx.save(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["": 17]> g (bool b, float[2] x) => (float[2] y) {
        a = Neg(x)
        c = If(b) <then_branch = t () => (float[2] u) {
                       d = Not(b)
                       u = If(d) <then_branch = t2 () => (float[2] v) { v = Sin(a) }, else_branch = e2 () => (float[2] w) { w = Abs(a) }>
                   },
                   else_branch = e () => (float[2] s) { s = Identity(a) }>
        y = Relu(c)
    }"""), folder / "m.onnx")
    done = reduce(folder, ["--mode", "auto"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert [node.op_type for node in onnx.load(folder / "red.onnx").graph.node] == ["Sin"]


@pytest.mark.parametrize("mode", ["bisect", "linear"])
def test_a_node_that_no_output_needs_does_not_cost_the_inputs(folder, mode):
    onnx.save(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
      g (float[2] x, float[2] z) => (float[2] y, float[2] q) { a = Neg(x) d = Abs(z) unused = Neg(d) b = Sin(a) y = Neg(b) c = Cos(z) q = Neg(c) }"""),
              folder / "m.onnx")
    done = reduce(folder, ["--mode", mode, "--artifacts", "polygraphy_debug.onnx"], ["--check", "./check.sh {model} Sin Cos"])
    assert done.returncode == 0, done.stderr
    candidates = [*(folder / "polygraphy_artifacts").rglob("*.onnx"), folder / "red.onnx"]
    assert len(candidates) > 4
    for candidate in candidates:
        onnx.checker.check_model(str(candidate), full_check=True)
    assert set(operators(folder / "red.onnx")) >= {"Sin", "Cos"}


def test_recorded_values_follow_dimensions_that_have_become_smaller(folder):
    onnx.save(onnx.parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
      g (float[4,3] x) => (float[4,3] y) { a = Sin(x) s = Shape(a) b = Reshape(a, s) y = Cos(b) }"""), folder / "m.onnx")
    done = reduce(folder, ["--mode", "auto", "--artifacts", "polygraphy_debug.onnx"], ["--check", "./check.sh {model} Sin Cos Reshape"])
    assert done.returncode == 0 and "with recorded values" in done.stdout.split("Reducing dimensions")[1], done.stdout
    for candidate in (folder / "polygraphy_artifacts").rglob("*.onnx"):
        onnx.checker.check_model(str(candidate), full_check=True)
    assert [d.dim_value for d in onnx.load(folder / "red.onnx").graph.input[0].type.tensor_type.shape.dim] == [1, 1]


@pytest.mark.parametrize("seconds", ["0", "-3", "nan"])
@pytest.mark.parametrize("check", [NAMED, ["--check-crash"]], ids=["command", "in process"])
def test_a_time_limit_that_leaves_no_time_is_refused(folder, seconds, check):
    done = reduce(folder, ["--check-timeout", seconds], check)
    assert done.returncode == 1 and f"--check-timeout must be more than 0 seconds, but was: {seconds}" in done.stderr
    assert not (folder / "red.onnx").exists()
