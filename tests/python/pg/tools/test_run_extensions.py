"""`polygraphy run` with options and runners of other packages."""

import os
import re
import subprocess
import sys

import onnx
import pytest
from differential import ORIGINALS, needs_originals

PROGRAM = os.environ.get("POLYGRAPHY", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="POLYGRAPHY names no executable")

EXTENSION = '''
from polygraphy.tools.args import OnnxrtSessionArgs, util
from polygraphy.tools.args.base import BaseRunnerArgs
from polygraphy.tools.script import make_invocable


class GainRunnerArgs(BaseRunnerArgs):
    """
    Gain: a runner that multiplies

    Depends on:

        - OnnxrtSessionArgs
    """

    def get_name_opt_impl(self):
        return "Gain", "gaining"

    def add_parser_args_impl(self):
        self.group.add_argument("--gain", type=float, default=1.0, help="A factor.")

    def parse_impl(self, args):
        self.gain = util.get(args, "gain")

    def add_to_script_impl(self, script):
        script.add_import(["GainRunner"], frm="gain_extension")
        session = self.arg_groups[OnnxrtSessionArgs].add_to_script(script)
        script.add_runner(make_invocable("GainRunner", session, gain=self.gain, name="gaining"))


def groups():
    return [GainRunnerArgs()]


def __getattr__(name):
    if name != "GainRunner":
        raise AttributeError(name)
    from polygraphy.backend.onnxrt import OnnxrtRunner

    class GainRunner(OnnxrtRunner):
        def __init__(self, session, gain, name):
            super().__init__(session, name=name)
            self.gain = gain

        def infer_impl(self, feed_dict):
            return {name: self.gain * value for name, value in super().infer_impl(feed_dict).items()}

    return GainRunner
'''


@pytest.fixture
def folder(tmp_path):
    """Has a model, and on Python's path a package with an extension, and one with a broken one."""
    model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["": 13]> g (float[1,2] x) => (float[1,2] y) {y = Neg(x)}')
    onnx.save(model, tmp_path / "m.onnx")
    (tmp_path / "gain_extension.py").write_text(EXTENSION, encoding="utf-8")
    for name, target in (("gain", "gain_extension:groups"), ("broken", "gain_extension:missing")):
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        text = f"[polygraphy.run.plugins]\n{name} = {target}\n"
        (info / "entry_points.txt").write_text(text, encoding="utf-8")
    return tmp_path


def run(folder, *words, program=(PROGRAM,), extended=True):
    path = [str(folder)] * extended + [str(ORIGINALS)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "POLYGRAPHY_PYTHON": sys.executable}
    done = subprocess.run([*program, "run", *words], cwd=folder, env=env, text=True, capture_output=True, timeout=200)
    return done.returncode, done.stdout, done.stderr


def test_options_and_runners(folder):
    status, out, err = run(folder, "m.onnx", "--onnxrt", "--gaining", "--gain", "1.0")
    assert status == 0, out + err
    assert "PASSED | simple" in out or "Accuracy Summary" in out
    assert "Failed to load plugin: broken." in err + out
    assert run(folder, "m.onnx", "--onnxrt", "--gaining", "--gain", "2")[0] == 1


def test_scripts(folder):
    status, out, _ = run(folder, "m.onnx", "--gaining", "--gain", "2", "--gen", "-")
    assert status == 0 and "from gain_extension import GainRunner" in out
    assert "GainRunner(build_onnxrt_session, gain=2.0, name='gaining')" in out


@needs_originals
def test_prints_what_the_original_prints(folder):
    words = ["m.onnx", "--onnxrt", "--gaining", "--gain", "2", "--log-format", "no-colors"]
    original = [sys.executable, str(ORIGINALS / "bin" / "polygraphy")]

    def shown(status, out, err):
        text = re.sub(r"\d\d/\d\d/\d\d-\d\d:\d\d:\d\d|[\d.]+ ?m?s\b", "...", out)
        return status, [line for line in text.splitlines() if "Command:" not in line]

    assert shown(*run(folder, *words)) == shown(*run(folder, *words, program=original))


def test_options_that_no_extension_knows(folder):
    status, out, err = run(folder, "m.onnx", "--onnxrt", "--gaming")
    assert status == 1 and "Unrecognized Options: ['--gaming']" in out + err
    status, out, err = run(folder, "m.onnx", "--onnxrt", "--gaming", extended=False)
    assert status == 1 and "Unrecognized Options: ['--gaming']" in out + err


def test_options_in_the_help(folder):
    status, out, _ = run(folder, "--help")
    assert status == 0 and "--gain GAIN" in out and "A factor." in out and "--gaining" in out
    assert out.count("--gain ") == 1 and out.count("Gain:") == 1, out[-800:]
    titles = re.findall(r"^\w.*(?=:$)", out.partition("\nExamples:\n")[2], re.M)
    assert titles == ["Runners", "Gain"], "no title without options"
    # Those of the folder of work are not installed.
    assert "--gain" not in run(folder, "--help", extended=False)[1]


def test_suggestions_with_an_extension(folder):
    for wrong, meant in (("--gaming", "--gaining"), ("--onnxrtt", "--onnxrt")):
        status, out, err = run(folder, "m.onnx", "--gain", "2", wrong)
        assert status == 1 and f"Unrecognized Options: ['{wrong}']" in out + err, out + err
        assert f"Did you mean '{meant}'" in out + err, out + err


def test_unknown_options_start_python_for_extensions_only(folder):
    program = folder / "python"
    program.write_text(f"#!/bin/sh\ntouch {folder}/started\nexec {sys.executable} \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    site = folder / "lib" / "python3" / "site-packages"
    site.mkdir(parents=True)
    (folder / "bin").mkdir()
    program = program.rename(folder / "bin" / "python3")
    empty = folder / "elsewhere"
    empty.mkdir()
    env = {"PATH": "/usr/bin:/bin", "HOME": str(empty), "POLYGRAPHY_PYTHON": str(program)}

    def unknown():
        words = [PROGRAM, "run", str(folder / "m.onnx"), "--onnxrt", "--gaming"]
        done = subprocess.run(words, cwd=empty, env=env, text=True, capture_output=True, timeout=100)
        assert done.returncode == 1 and "--gaming" in done.stdout + done.stderr
        return (folder / "started").exists()

    assert not unknown()
    (folder / "gain-1.0.dist-info").rename(site / "gain-1.0.dist-info")
    assert unknown()


def test_options_of_the_executable_alone_are_named(folder):
    status, out, err = run(folder, "m.onnx", "--onnxrt", "--gaining", "--noise-floor")
    assert status == 1 and "a run with those cannot have --noise-floor." in out + err


def test_without_its_options_the_executable_runs(folder):
    status, out, err = run(folder, "m.onnx", "--onnxrt")
    assert status == 0 and "broken" not in out + err
