"""Types and shapes that are found out by running a model once are those that the original finds."""
import glob
import os

import onnx
import pytest
from test_surgeon import compare, save

# The shapes depend on values, which come from the data loader.
DEPENDENT = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N,4] x, int64[K] q, bool b) => (y, z, w) {
  r = Relu (x)
  i = NonZero (r)
  s = Shape (i)
  c = Concat <axis: int = 0> (s, q)
  o = ConstantOfShape (c)
  y = Cast <to: int = 10> (o)
  z, t = Unique (r)
  w = If (b) <then_branch = then () => (u) { u = Identity (x) }, else_branch = other () => (v) { v = Transpose (x) }>
}"""


@pytest.fixture()
def dependent(tmp_path):
    return save(DEPENDENT, tmp_path / "dependent.onnx")


@pytest.mark.parametrize("args", [
    [],
    ["--outputs", "i:auto", "s:auto", "t:auto"],
    ["--inputs", "s:auto:auto", "q:auto:auto", "--outputs", "y:auto"],
    ["--inputs", "i:auto:auto", "q:[3]:auto", "--outputs", "c:auto"],
    ["--model-inputs", "x:[3,4]", "q:[2]", "--seed", "4"],
    ["--val-range", "[0,0]", "--model-inputs", "x:[5,4]"],
    ["--val-range", "x:[-1,1]", "q:[3,5]", "b:[0,0]"],
], ids=" ".join)
def test_of_value_dependent_shapes(dependent, tmp_path, args):
    compare(tmp_path, ["surgeon", "extract", dependent, "--force-fallback-shape-inference", *args])


def test_of_saved_inputs(dependent, tmp_path):
    both = ["run", dependent, "--onnxrt", "--input-shapes", "x:[2,4]", "q:[2]", "--save-inputs", tmp_path / "in.json"]
    from harness import run_ours
    assert run_ours([str(a) for a in both], str(tmp_path)).code == 0
    compare(tmp_path, ["surgeon", "extract", dependent, "--force-fallback-shape-inference", "--load-inputs", tmp_path / "in.json"])


def test_of_what_only_auto_asks_for(dependent, tmp_path):
    """Without the option the model is run for what neither it nor inference tells."""
    compare(tmp_path, ["surgeon", "extract", dependent, "--inputs", "i:auto:auto", "q:auto:auto", "--outputs", "y:auto"])


def test_of_real_models(testdata, tmp_path):
    paths = sorted(glob.glob(os.path.join(testdata, "pytorch-*", "*", "model.onnx")))[::12]
    paths += [os.path.join(testdata, "light", f"light_{name}.onnx") for name in ("squeezenet", "shufflenet")]
    for i, path in enumerate(paths):
        nodes = onnx.load(path).graph.node
        outputs = [f"{nodes[k].output[0]}:auto" for k in sorted({len(nodes) // 3, len(nodes) // 2, len(nodes) - 1})]
        folder = tmp_path / str(i)
        folder.mkdir()
        compare(folder, ["surgeon", "extract", path, "--force-fallback-shape-inference", "--outputs", *outputs])
