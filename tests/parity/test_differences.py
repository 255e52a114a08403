"""The deliberate differences that no other test meets on its way: both texts, as listed in differences.py."""
import pytest
from differences import expect
from harness import both
from models import identity, save
from onnx import TensorProto as T
from onnx import helper

CASES = [
    ("traceback-missing-model", ["run", "nosuch.onnx", "--onnxrt"], 1),
    ("traceback-unreadable-json", ["run", "m.onnx", "--onnxrt", "--load-inputs", "bad.json"], 1),
    ("traceback-range-of-a-number", ["run", "m.onnx", "--onnxrt", "--val-range", "1", "2"], 1),
    ("newer-ir-version-runs", ["run", "ir15.onnx", "--onnxrt"], 0),
    ("bfloat16-runs", ["run", "bf16.onnx", "--onnxrt"], 0),
    ("strings-run", ["run", "strings.onnx", "--onnxrt"], 0),
    ("suggestion", ["run", "m.onnx", "--onxrt"], 1),
    ("subprocess-when-streaming", ["run", "m.onnx", "--onnxrt", "--use-subprocess"], 0),
    ("warm-up-when-streaming", ["run", "m.onnx", "--onnxrt", "--warm-up", "1"], 0),
    ("options-of-0.49", ["run", "m.onnx", "--onnxrt", "--int-min", "1"], 0),
]


@pytest.mark.parametrize("id, args, code", CASES, ids=[case[0] for case in CASES])
def test_both_texts(tmp_path, id, args, code):
    identity(tmp_path / "m.onnx")
    identity(tmp_path / "ir15.onnx", ir=15)
    identity(tmp_path / "bf16.onnx", T.BFLOAT16, (2, 3))
    identity(tmp_path / "strings.onnx", T.STRING, (2,))
    (tmp_path / "bad.json").write_text('[\n{"x": 1,\n')
    ours, original = both(args, tmp_path)
    assert (ours.code, original.code) == (code, 1)
    expect(id, ours.stdout + ours.stderr, original.stdout + original.stderr)


def test_unknown_rank(tmp_path):
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", [helper.make_tensor_value_info("x", T.FLOAT, ["N"])],
                              [helper.make_tensor_value_info("y", T.FLOAT, None)])
    save(graph, tmp_path / "m.onnx")
    ours, original = both(["inspect", "model", "m.onnx"], tmp_path)
    assert (ours.code, original.code) == (0, 0)
    expect("unknown-rank-is-not-a-scalar", ours.stdout, original.stdout)


def test_tolerances_of_unknown_outputs(tmp_path):
    identity(tmp_path / "m.onnx")
    ours, original = both(["run", "m.onnx", "--onnxrt", "--onnxrt", "--rtol", "nosuch:3"], tmp_path)
    assert (ours.code, original.code) == (0, 0)
    expect("unknown-output-before-the-run", ours.stdout + ours.stderr, original.stdout + original.stderr)


def test_mark_all(tmp_path):
    identity(tmp_path / "m.onnx")
    ours, original = both(["run", "m.onnx", "--onnxrt", "--onnx-outputs", "mark", "all"], tmp_path)
    assert (ours.code, original.code) == (0, 0)
    expect("mark-all-without-warning", ours.stdout + ours.stderr, original.stdout + original.stderr)
