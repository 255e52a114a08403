"""Documents that commands write are as `polygraphy schema` describes them."""

import json
import os
import pathlib
import re
import subprocess
import sys

import onnx
import pytest
from onnx import parser

sys.path.append(str(pathlib.Path(__file__).parents[3] / ".deps/kubernetes"))
jsonschema = pytest.importorskip("jsonschema")

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2,4] x) => (float[2,4] y) <float[4,4] w =
{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, -0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8}> {
  a = MatMul (x, w)
  y = Relu (a)
}"""


def polygraphy(*words, folder=None):
    return subprocess.run([os.environ["POLYGRAPHY"], *map(str, words)], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "models").mkdir()
    onnx.save(parser.parse_model(MODEL), tmp_path / "models/m.onnx")
    onnx.save(parser.parse_model(MODEL.replace("0.8}", "0.9}").replace("Relu", "Abs")), tmp_path / "other.onnx")
    return tmp_path


BF16 = ("--onnxrt", "--openvino", "--openvino-precision", "bf16")


@pytest.mark.parametrize("command, words", [
    ("check consistency", ("models/m.onnx", "--onnxrt", "--json", "out.json")),
    ("check lint", ("models/m.onnx", "-o", "out.json")),
    ("debug locate", ("models/m.onnx", *BF16, "--json", "out.json")),
    ("debug locate", ("models/m.onnx", *BF16, "--target-precision", "float32", "--json", "out.json")),
    ("debug reduce", ("models/m.onnx", "-o", "reduced.onnx", "--json", "out.json", "--check", "false")),
    ("debug sensitivity", ("models/m.onnx", "--format", "int4", "--limit", "1e-9", "--json", "out.json")),
    ("run", ("models/m.onnx", *BF16, "--validate", "--compare", "simple", "l2", "--json", "out.json")),
    ("surgeon diff", ("models/m.onnx", "other.onnx", "-o", "out.json")),
    ("zoo", ("models", *BF16, "-o", "out.json")),
])  # fmt: skip
def test_documents_fit_their_schema(folder, command, words):
    fits(command, polygraphy(*command.split(), *words, folder=folder), folder)


@pytest.mark.parametrize("more", [(), ("--compare", "l2", "--l2-tolerance", "1e-9", "--check-average")])
def test_judged_results_fit_their_schema(folder, more):
    polygraphy("run", "other.onnx", "--onnxrt", "--iterations", 2, "--save-outputs", "outputs.json", folder=folder)
    words = ("--iterations", 2, "--load-outputs", "outputs.json", "--compare", "simple", "l2")
    polygraphy("run", "models/m.onnx", "--onnxrt", *words, "--save-accuracy-results", "saved.json", folder=folder)
    fits("check accuracy", polygraphy("check", "accuracy", "saved.json", *more, "--json", "out.json", folder=folder), folder)
    document = json.loads((folder / "out.json").read_text())
    found = [each for one in document["comparisons"] for each in one["outputs"]]
    assert [(each["output"], each["iteration"]) for each in found] == [("y", 0), ("y", 1)] * (1 if more else 2)
    assert found[-1]["result"]["figures"]["l2_norm"] > found[-1]["result"]["limits"]["threshold"]
    assert document["verdict"]["agreement"] == "differs"


def test_benchmarks_fit_their_schema(folder):
    words = ("--benchmark", "--benchmark-runs", 3, "--benchmark-nodes", 1, "--save-benchmark", "out.json")
    fits("run benchmark", polygraphy("run", "models/m.onnx", "--onnxrt", *words, folder=folder), folder)


def fits(command, ran, folder):
    assert ran.returncode in (0, 1), ran.stdout
    schema = json.loads(polygraphy("schema", *command.split()).stdout)
    document = json.loads((folder / "out.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    root = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    assert set(document) <= set(root["properties"])  # nothing else


def test_all_schemas_at_once():
    everything = json.loads(polygraphy("schema").stdout)
    one = json.loads(polygraphy("schema", "zoo").stdout)
    assert everything["$defs"]["ZooFigures"] == one["$defs"]["ZooFigures"]
    assert "$ref" not in everything


def test_another_command_is_an_error():
    ran = polygraphy("schema", "convert")
    assert ran.returncode == 3
    assert "'convert' has no schema of its results" in ran.stdout and "debug locate" in ran.stdout


TIME = re.compile(rb"-\d\d/\d\d/\d\d-\d\d:\d\d:\d\d")
JOBS = [
    "debug locate models/m.onnx --onnxrt --openvino --openvino-precision bf16 --iterations 2 --json out.json",
    "run models/m.onnx --onnxrt --openvino --rtol 1e-3 y:1e-2 --save-inputs out.json",
    "surgeon sanitize models/m.onnx --fold-constants -o out.json",
    "check consistency models/m.onnx --onnxrt --only repeat --json out.json",
    "run models/m.onnx --onnxrt --openvino --noise-floor --seed 1_000 --save-inputs out.json",
    "surgeon sanitize models/m.onnx -o out.json --save-external-data",
]


@pytest.mark.parametrize("line", JOBS)
def test_a_job_fits_its_schema_and_gives_the_same_results(folder, line):
    printed = polygraphy(*line.split(), "--print-job", folder=folder).stdout
    assert not (folder / "out.json").exists()
    job = json.loads(printed)
    schema = json.loads(polygraphy("schema", *job["command"].split(), "--job").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(job, schema)
    (folder / "job.json").write_text(printed)
    results = []
    for words in (line.split(), ("job", "job.json"), ("job", "job.json")):
        ran = polygraphy(*words, folder=folder)
        assert ran.returncode in (0, 1), ran.stdout
        results.append((ran.returncode, (folder / "out.json").read_bytes()))
    assert results[1] == results[2]
    assert results[0][0] == results[1][0]
    assert TIME.sub(b"", results[0][1]) == results[1][1]


def test_a_job_takes_further_options(folder):
    printed = polygraphy("inspect", "model", "models/m.onnx", "--print-job").stdout
    (folder / "job.json").write_text(printed)
    ran = polygraphy("job", "job.json", "--show", "layers", folder=folder)
    assert ran.returncode == 0 and "MatMul" in ran.stdout, ran.stdout


@pytest.mark.parametrize("text, error", [
    ("[]", "object"),
    ('{"polygraphy_job": 1, "command": "debug locat"}', "Did you mean 'debug locate'"),
    ('{"polygraphy_job": 1, "command": "job"}', "no job has the command 'job'"),
    ('{"polygraphy_job": 1, "command": "run", "arguments": {"onnxrt": true}}', "unknown argument"),
    ('{"polygraphy_job": 1, "command": "run", "runners": [{"runner": "onnxr"}]}', "Did you mean 'onnxrt'?"),
])  # fmt: skip
def test_a_wrong_job_is_a_sentence(folder, text, error):
    (folder / "job.json").write_text(text)
    ran = polygraphy("job", "job.json", folder=folder)
    assert ran.returncode == 3 and error in ran.stdout, ran.stdout
