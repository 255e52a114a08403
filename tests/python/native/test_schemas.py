"""Documents that commands write are as `polygraphy schema` describes them."""

import json
import os
import pathlib
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
    ("debug locate", ("models/m.onnx", *BF16, "--json", "out.json")),
    ("debug locate", ("models/m.onnx", *BF16, "--target-precision", "float32", "--json", "out.json")),
    ("debug sensitivity", ("models/m.onnx", "--format", "int4", "--limit", "1e-9", "--json", "out.json")),
    ("surgeon diff", ("models/m.onnx", "other.onnx", "-o", "out.json")),
    ("zoo", ("models", *BF16, "-o", "out.json")),
])  # fmt: skip
def test_documents_fit_their_schema(folder, command, words):
    ran = polygraphy(*command.split(), *words, folder=folder)
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
