"""Types and shapes that are found out by running a model once are those that the original finds."""
import glob
import os

import onnx
import pytest
from harness import run_ours
from test_surgeon import both_in, compare, model_fields, save

# The shapes depend on values, which come from the data loader.
DEPENDENT = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N,4] x, int64[1] q) => (float16[A,B,C] y, float[D] z) {
  r = Relu (x)
  i = NonZero (r)
  s = Shape (i)
  c = Concat <axis: int = 0> (s, q)
  o = ConstantOfShape (c)
  y = Cast <to: int = 10> (o)
  z, t = Unique (r)
}"""


@pytest.fixture()
def dependent(tmp_path):
    return save(DEPENDENT, tmp_path / "dependent.onnx")


@pytest.mark.parametrize("args", [
    [],
    ["--outputs", "i:auto", "s:auto", "t:auto"],
    ["--inputs", "s:auto:auto", "q:auto:auto", "--outputs", "y:auto"],
    ["--inputs", "i:auto:auto", "q:[1]:auto", "--outputs", "c:auto"],
    ["--model-inputs", "x:[3,4]", "--seed", "4"],
    ["--val-range", "[0,0]", "--model-inputs", "x:[5,4]"],
    ["--val-range", "x:[-1,1]", "q:[3,5]"],
], ids=" ".join)
def test_of_value_dependent_shapes(dependent, tmp_path, args):
    compare(tmp_path, ["surgeon", "extract", dependent, "--force-fallback-shape-inference", *args])


def test_of_saved_inputs(dependent, tmp_path):
    saved = tmp_path / "in.json"
    run = ["run", dependent, "--onnxrt", "--input-shapes", "x:[2,4]", "--save-inputs", saved]
    assert run_ours([str(a) for a in run], str(tmp_path)).code == 0
    for verbosity in ([], ["-v"]):
        compare(tmp_path, ["surgeon", "extract", dependent, "--force-fallback-shape-inference", "--load-inputs", saved, *verbosity],
                texts=not verbosity)


def test_of_models_of_the_standard(testdata, tmp_path):
    paths = sorted(glob.glob(os.path.join(testdata, "node", "*", "model.onnx")))[::75]
    paths += [os.path.join(testdata, "light", f"light_{name}.onnx") for name in ("squeezenet", "shufflenet")]
    compared = 0
    for i, path in enumerate(paths):
        nodes = onnx.load(path).graph.node
        # Around bodies, the original loses shapes of scalars, and describes outer tensors in the bodies.
        if any(attribute.type == onnx.AttributeProto.GRAPH for node in nodes for attribute in node.attribute):
            continue
        outputs = sorted({nodes[k].output[0] for k in (len(nodes) // 3, len(nodes) // 2, len(nodes) - 1)} - {""})
        folder = tmp_path / str(i)
        folder.mkdir()
        args = ["surgeon", "extract", path, "--force-fallback-shape-inference", "--outputs", *(o + ":auto" for o in outputs)]
        ours, original = both_in(folder, [*args, "-o", "out.onnx"])
        if original.code:  # its engine does not run the model, or it stumbles over types
            continue
        assert ours.code == 0, ours.stderr
        fields = [model_fields(folder / name / "out.onnx") for name in ("ours", "original")]
        weights = {w[0] for w in fields[0]["initializers"]}  # of old models; the original takes them off the inputs
        fields[0]["inputs"] = [i for i in fields[0]["inputs"] if i[0] not in weights]
        for key in ("inputs", "outputs", "nodes"):
            assert fields[0][key] == fields[1][key], (path, key)
        compared += 1
    assert compared > 12
