"""`--reference` and `--pluginref`, with the real onnx package."""
import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper, parser


@pytest.fixture
def model(tmp_path):
    def save(text, name="model.onnx"):
        onnx.save(parser.parse_model(text), tmp_path / name)
        return tmp_path / name
    return save


HEADER = '<ir_version: 8, opset_import: ["": 18]> '


def test_reference_agrees_with_onnx_runtime(polygraphy, model):
    path = model(HEADER + "g (float[2, 3] x) => (float[2, 2] y, float[2, 3] z) { w = Transpose <perm = [1, 0]> (x) "
                 "y = MatMul (x, w) z = Softmax (x) }")
    ran = polygraphy("run", path, "--onnxrt", "--reference")
    assert ran.code == 0 and "PASSED" in ran.text, ran.text
    ran = polygraphy("run", path, "--onnxrt", "--reference", "--onnx-outputs", "mark", "all")
    assert ran.code == 0 and "'w'" in ran.text, ran.text


def test_reference_finds_external_data(polygraphy, model, tmp_path):
    path = model(HEADER + "g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Add (x, w) }")
    onnx.save(onnx.load(path), path, save_as_external_data=True, location="weights", size_threshold=0)
    for options in ([], ["--onnx-outputs", "y"]):
        ran = polygraphy("run", path, "--onnxrt", "--reference", *options)
        assert ran.code == 0 and "PASSED" in ran.text, ran.text


def test_reference_has_operators_that_no_engine_knows(polygraphy, model):
    newest = onnx.defs.onnx_opset_version()
    path = model(f'<ir_version: {onnx.IR_VERSION}, opset_import: ["": {newest}]> '
                 "g (float[2, 3] x) => (float[2, 3] y) { y = Identity (x) }")
    ran = polygraphy("run", path, "--reference")
    assert ran.code == 0, ran.text


def test_reference_says_what_it_lacks(polygraphy, model):
    path = model('<ir_version: 8, opset_import: ["": 18, "mine": 1]> '
                 "g (float[2] x) => (float[2] y) { y = mine.Unknown (x) }")
    ran = polygraphy("run", path, "--reference")
    assert ran.code == 1 and "Unknown" in ran.text and "Traceback" not in ran.text, ran.text


def test_reference_names_the_node_that_fails(polygraphy, model):
    path = model(HEADER + "g (float[2, 3] x, int64[1] s) => (float[N] y) { w = Neg (x) y = Reshape (w, s) }")
    ran = polygraphy("run", path, "--reference", "--val-range", "s:[5,5]")
    assert ran.code == 1 and "reference of Reshape failed at node" in ran.text and "'y': ValueError" in ran.text, ran.text


def test_pluginref_agrees_with_onnx_runtime(polygraphy, model):
    path = model(HEADER + "g (float[2, 3, 4, 4] x, float[3] s, float[3] b) => (float[2, 3, 4, 4] y) "
                 "{ t = InstanceNormalization (x, s, b) u = Identity (t) y = MeanVarianceNormalization (u) }")
    ran = polygraphy("run", path, "--onnxrt", "--pluginref", "--atol", "1e-4", "--rtol", "1e-3")
    assert ran.code == 0 and "PASSED" in ran.text, ran.text


def test_pluginref_takes_references_of_scripts(polygraphy, model, tmp_path):
    path = model('<ir_version: 8, opset_import: ["": 18, "mine": 1]> '
                 "g (float[2] x) => (float[2] y) { y = mine.Scale <factor = 3.0> (x) }")
    ran = polygraphy("run", path, "--pluginref")
    assert ran.code == 1 and "Op: Scale does not have a reference implementation registered!" in ran.text, ran.text
    (tmp_path / "mine.py").write_text("from polygraphy.backend.pluginref.references import register\n"
                                      "@register('Scale')\ndef scale(attrs, x):\n    return [attrs['factor'] * x]\n")
    ran = polygraphy("run", path, "--pluginref", "--pluginref-scripts", "mine.py", "--save-inputs", "in.json",
                     "--save-outputs", "out.json")
    assert ran.code == 0, ran.text
    ran = polygraphy("data", "to-input", "out.json", "-o", "y.json")
    assert ran.code == 0, ran.text


def test_a_python_without_onnx(polygraphy, model, bare_python):
    path = model(HEADER + "g (float[2] x) => (float[2] y) { y = Identity (x) }")
    for runner in ("reference", "pluginref"):
        ran = polygraphy("run", path, f"--{runner}", f"--{runner}-python", bare_python)
        assert ran.code == 1 and "has no onnx" in ran.text and "pip install onnx" in ran.text, ran.text


def test_what_scripts_print_is_seen(polygraphy, model, tmp_path):
    path = model(HEADER + "g (float[2] x) => (float[2] y) { y = Identity (x) }")
    (tmp_path / "loud.py").write_text("import sys\nprint('said')\nprint('complained', file=sys.stderr)\n")
    ran = polygraphy("run", path, "--pluginref", "--pluginref-scripts", "loud.py")
    assert ran.code == 0 and "[I]" in ran.text and "said" in ran.text and "[W]" in ran.text, ran.text


# Parts of a model share its weights. onnx refuses external data that is a hard link.
@pytest.fixture(params=["inside", "beside"])
def large_weights(request, tmp_path):
    weights = [numpy_helper.from_array(np.eye(64, dtype=np.float32) * 2, name) for name in ("w", "v")]
    nodes = [helper.make_node("MatMul", ["x", "w"], ["t"], "first"), helper.make_node("Tanh", ["t"], ["r"], "second"),
             helper.make_node("MatMul", ["r", "v"], ["y"], "third")]
    info = [helper.make_tensor_value_info(name, 1, [1, 64]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", info[:1], info[1:], weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(made, tmp_path / "m.onnx", save_as_external_data=request.param == "beside", location="w.bin")
    return tmp_path / "m.onnx"


@pytest.mark.parametrize("runners", [["--onnxrt", "--reference"], ["--reference", "--onnxrt"]])
def test_locate_runs_parts_of_a_model_in_python(polygraphy, large_weights, runners):
    ran = polygraphy("debug", "locate", large_weights, *runners)
    assert ran.code == 0 and "hard link" not in ran.text and "could not be compared" not in ran.text, ran.text


def test_reduce_checks_parts_of_a_model_in_python(polygraphy, large_weights, tmp_path):
    ran = polygraphy("debug", "reduce", large_weights, "-o", "small.onnx", "--mode", "auto", "--check-run", "onnxrt",
                     "reference", "--atol", "1e-30", "--rtol", "1e-30")
    assert ran.code == 0 and "hard link" not in ran.text, ran.text
    assert (tmp_path / "small.onnx").exists()
