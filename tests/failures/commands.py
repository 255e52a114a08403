"""The commands that the tests run, with small files. All run in an empty folder; `{given}` has the files."""
import dataclasses
import pathlib
import shutil
import subprocess

TREE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = TREE / "examples"


# Of each kind of call, the first ones, and others at equal distances: of commands that start an engine or other
# processes, and of those that start Python with its packages, fewer.
QUICK, SLOW, SLOWEST = (40, 40), (3, 9), (1, 3)


@dataclasses.dataclass(frozen=True)
class Command:
    words: str
    outputs: tuple = ()    # files that are there before, with other bytes
    tries: tuple = QUICK
    finding: bool = False  # a model that cannot be read or run is a finding of it, with code 1
    guesses: bool = False  # from folders of the system, without which its output is another one
    word: str = ""         # calls fail in the process that has this argument, not in the first one

    @property
    def name(self):
        words = [word for word in self.words.split() if not word.startswith("{given}")]
        return " ".join(words[:2] if len(words) > 1 and not words[1].startswith("-") else words[:1])


def commands():
    return [
        Command("inspect model {given}/float.onnx --show layers attrs weights"),
        Command("inspect data {given}/outputs.json --show-values --histogram"),
        Command("inspect data {given}/outputs.safetensors"),
        Command("inspect sparsity {given}/float.onnx"),
        Command("surgeon sanitize {given}/dynamic.onnx --cleanup --toposort --fold-constants -o out.onnx",
                ("out.onnx",)),
        Command("surgeon sanitize {given}/float.onnx --no-shape-inference -o out.onnx --save-external-data out.data "
                "--external-data-size-threshold 0", ("out.onnx", "out.data")),
        Command("surgeon extract {given}/two_branches.onnx --inputs a:auto:auto --outputs d:auto -o out.onnx",
                ("out.onnx",)),
        Command("surgeon insert {given}/two_branches.onnx --op Sigmoid --inputs a --outputs b -o out.onnx",
                ("out.onnx",)),
        Command("surgeon prune {given}/float.onnx -o out.onnx", ("out.onnx",)),
        Command("surgeon diff {given}/float.onnx {given}/int8.onnx"),
        Command("surgeon weight-strip {given}/float.onnx -o out.onnx", ("out.onnx",)),
        Command("surgeon weight-reconstruct {given}/stripped.onnx -o out.onnx", ("out.onnx",)),
        Command("convert {given}/float.onnx --fp-to-fp16 -o out.onnx", ("out.onnx",)),
        Command("check accuracy {given}/accuracy.json"),
        Command("data to-input {given}/inputs.json {given}/outputs.json -o out.json", ("out.json",)),
        Command("data merge {given}/inputs.json {given}/outputs.json -o out.npz", ("out.npz",)),
        Command("data concat {given}/inputs.json {given}/inputs.json -o out.json", ("out.json",)),
        Command("template trt-network -o out.py", ("out.py",)),
        Command("template onnx-gs {given}/float.onnx -o out.py", ("out.py",)),
        Command("plugin match {given}/float.onnx --plugin-dir {given}/plugins -o out.yaml", ("out.yaml",),
                SLOWEST),
        Command("debug reduce {given}/impossible_reshape.onnx -o out.onnx --mode bisect --check {given}/check.sh",
                ("out.onnx",), SLOW),
        Command("debug reduce {given}/impossible_reshape.onnx -o out.onnx --check-lint", ("out.onnx",),
                SLOW),
        Command("help run", (), SLOW, guesses=True),
        Command("--generate completion-bash"),
        Command("schema debug locate"),
        Command("skill --install folder"),
        Command("job {given}/job.json", ("out.json",)),
        Command("run {given}/float.onnx --onnxrt --seed 1 --save-outputs out.json --save-inputs in.json "
                "--report page.html", ("out.json", "in.json", "page.html"), SLOW),
        Command("run {given}/float.onnx --onnxrt --isolate --seed 1 --save-outputs out.json", ("out.json",), SLOW),
        Command("run {given}/float.onnx --onnxrt --isolate --save-outputs out.json", ("out.json",), SLOW,
                word="--runner-process"),
        Command("check lint {given}/float.onnx --json out.json", ("out.json",), SLOW),
        Command("debug locate {given}/int8.onnx --float-model {given}/float.onnx --onnxrt --json out.json",
                ("out.json",), SLOW),
        Command("zoo {given}/models.txt --onnxrt -o out.json", ("out.json",), SLOW,
                finding=True),
    ]


CHECK = """#!/bin/sh
! grep -q Reshape "$POLYGRAPHY_MODEL" polygraphy_debug.onnx 2>/dev/null
"""
PLUGIN = """
import onnx_graphsurgeon as gs

def get_matching_subgraphs(graph):
    return [{"inputs": [n.inputs[0].name], "outputs": [n.outputs[0].name], "attributes": {"n": 1}}
            for n in graph.nodes if n.op == "Relu"]

def get_plugin_metadata():
    return {"name": "toyPlugin", "op": "CustomToyPlugin"}
"""
JOB = """{"polygraphy_job": 1, "command": "data merge",
 "arguments": {"paths": ["%s/inputs.json"], "output": "out.json"}}
"""


def give(folder, executable):
    """Writes the files into `folder`."""
    for path in [*EXAMPLES.glob("quantized/*.onnx"), *EXAMPLES.glob("debugging/models/*.onnx")]:
        shutil.copy(path, folder)

    def polygraphy(*words):
        subprocess.run([executable, *words], cwd=folder, check=True, capture_output=True)

    polygraphy("run", "float.onnx", "--onnxrt", "--seed", "1", "--save-inputs", "inputs.json", "--save-outputs",
               "outputs.json")
    polygraphy("run", "float.onnx", "--onnxrt", "--seed", "1", "--save-outputs", "outputs.safetensors")
    polygraphy("run", "float.onnx", "--onnxrt", "--onnxrt", "--seed", "1", "--save-accuracy-results", "accuracy.json")
    polygraphy("surgeon", "weight-strip", "float.onnx", "-o", "stripped.onnx")
    (folder / "check.sh").write_text(CHECK)
    (folder / "check.sh").chmod(0o755)
    (folder / "models.txt").write_text("float.onnx\ntwo_branches.onnx\n")
    (folder / "job.json").write_text(JOB % folder)
    (folder / "plugins" / "toy").mkdir(parents=True)
    (folder / "plugins" / "toy" / "pattern.py").write_text(PLUGIN)
